// Counts down the seconds to answer a found match, and announces a new one in the title.
const title = document.title;
let announced = "";

function countDown() {
  for (const seconds of document.querySelectorAll("[data-left]")) {
    seconds.textContent = Math.max(Number(seconds.textContent) - 1, 0);
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

setInterval(countDown, 1000);
document.addEventListener("htmx:afterSettle", announce);
announce();
