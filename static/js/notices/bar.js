// Counts the seconds of a wait and of a ready check in the bar, and announces a new one in the title.
const title = document.title;
let announced = "";

function count() {
  for (const seconds of document.querySelectorAll("[data-left]")) {
    seconds.textContent = Math.max(Number(seconds.textContent) - 1, 0);
  }
  for (const waited of document.querySelectorAll("[data-waited]")) {
    const [minutes, seconds] = waited.textContent.split(":").map(Number);
    const next = 60 * minutes + seconds + 1;
    waited.textContent = `${Math.floor(next / 60)}:${String(next % 60).padStart(2, "0")}`;
  }
}

function announce() {
  const bar = document.querySelector("[data-found]");
  const found = bar ? bar.dataset.found : "";
  if (found === announced) return;
  announced = found;
  const text = bar ? bar.querySelector("strong").textContent : "";
  document.title = bar ? `${text} ${title}` : title;
  if (bar) document.dispatchEvent(new CustomEvent("laurel:found", { detail: text }));
}

setInterval(count, 1000);
document.addEventListener("htmx:afterSettle", announce);
announce();
