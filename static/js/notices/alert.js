// A sound and a notification when a match is found, for those who asked for them in this browser.
const KEY = "laurel-alerts";
const button = document.getElementById("alerts");

function isOn() {
  return "Notification" in window && Notification.permission === "granted" && localStorage.getItem(KEY) === "on";
}

function show() {
  if (!button) return;
  button.hidden = !("Notification" in window) || Notification.permission === "denied";
  button.setAttribute("aria-pressed", String(isOn()));
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
  } else if ((await Notification.requestPermission()) === "granted") {
    localStorage.setItem(KEY, "on");
    sound();
  }
  show();
}

function tell(event) {
  if (!isOn()) return;
  sound();
  const note = new Notification(event.detail, { tag: "laurel-match-found" });
  note.addEventListener("click", () => window.focus());
}

if (button) button.addEventListener("click", toggle);
document.addEventListener("laurel:found", tell);
show();
