// Counts the seconds between two polls, and announces a change of state.
const title = document.title;

function state() {
  return document.getElementById("state");
}

function count() {
  const here = state();
  for (const seconds of here.querySelectorAll("[data-count]")) {
    const step = seconds.dataset.count === "down" ? -1 : 1;
    seconds.textContent = Math.max(Number(seconds.textContent) + step, 0);
  }
  const bar = here.querySelector("progress");
  if (bar) bar.value -= 1;
}

let kind = state().dataset.kind;

function announce() {
  const now = state().dataset.kind;
  if (now === kind) return;
  kind = now;
  const heading = document.getElementById("you").textContent;
  document.getElementById("announcement").textContent = heading;
  document.title = now === "check" ? `${heading}: ${title}` : title;
  if (now === "check") document.dispatchEvent(new CustomEvent("laurel:found", { detail: document.title }));
}

setInterval(count, 1000);
document.addEventListener("htmx:afterSettle", announce);
