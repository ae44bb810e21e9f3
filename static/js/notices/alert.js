// A sound and a notification when a match is found, for those who asked for them in this browser.
// Without leave to notify, only the sound. The choice is kept in the browser.
const KEY = "laurel-alerts";

function isOn() {
  return localStorage.getItem(KEY) === "on";
}

function mayNotify() {
  return "Notification" in window && Notification.permission === "granted";
}

function show() {
  for (const button of document.querySelectorAll("[data-alerts]")) {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(isOn()));
  }
}

function sound() {
  const audio = new AudioContext();
  for (const [start, pitch] of [[0, 660], [0.18, 880]]) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.2, audio.currentTime + start);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + start + 0.4);
    tone.connect(volume).connect(audio.destination);
    tone.start(audio.currentTime + start);
    tone.stop(audio.currentTime + start + 0.4);
  }
}

async function toggle() {
  if (isOn()) {
    localStorage.removeItem(KEY);
  } else {
    localStorage.setItem(KEY, "on");
    sound();
    show();
    if ("Notification" in window) await Notification.requestPermission();
  }
  show();
}

function tell(event) {
  if (!isOn()) return;
  sound();
  if (!mayNotify()) return;
  const note = new Notification(event.detail, { tag: "laurel-match-found" });
  note.addEventListener("click", () => window.focus());
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-alerts]")) toggle();
});
document.addEventListener("laurel:found", tell);
document.addEventListener("htmx:afterSettle", show);
show();
