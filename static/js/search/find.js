// Arrows move through the suggestions of the header's search, and Escape closes them.
const form = document.querySelector("form.find");
const box = form.querySelector("input");
const found = form.querySelector(".found");
const count = form.querySelector("[role=status]");

function close() {
  found.replaceChildren();
  count.replaceChildren();
}

form.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    close();
    box.focus();
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const stops = [box, ...found.querySelectorAll("a")];
  if (!step || stops.length === 1) return;
  event.preventDefault();
  const place = stops.indexOf(document.activeElement) + step;
  stops[(place + stops.length) % stops.length].focus();
});

form.addEventListener("focusout", (event) => {
  if (event.relatedTarget && !form.contains(event.relatedTarget)) close();
});
document.addEventListener("click", (event) => {
  if (!form.contains(event.target)) close();
});
