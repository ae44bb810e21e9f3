// Keeps the seconds running between two answers of the server, and says when something happened.
const title = document.title;

function state() {
  return document.getElementById("state");
}

function count() {
  const here = state();
  for (const shown of here.querySelectorAll("[data-count]")) {
    const step = shown.dataset.count === "down" ? -1 : 1;
    shown.textContent = Math.max(Number(shown.textContent) + step, 0);
  }
  const bar = here.querySelector("progress");
  if (bar) bar.value -= 1;
}

let kind = state().dataset.kind;

function tell() {
  const now = state().dataset.kind;
  if (now === kind) return;
  kind = now;
  const heading = document.getElementById("you").textContent;
  document.getElementById("announcement").textContent = heading;
  document.title = now === "check" ? `${heading}: ${title}` : title;
}

setInterval(count, 1000);
document.addEventListener("htmx:afterSettle", tell);
