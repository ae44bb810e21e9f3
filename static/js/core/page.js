// Closes the account menu by Escape or a click elsewhere, shows the tab of this page, begins a bracket at the reader's own last fixture or else at the
// round that is played, and moves to the first wrong field of a form.
for (const menu of document.querySelectorAll("details.menu")) {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
  });
}

for (const strip of document.querySelectorAll(".tabs, .scrolls")) {
  const own = [...strip.querySelectorAll(".tie .me")].at(-1)?.closest(".bracket-round");
  const here = strip.querySelector("[aria-current], .to-play");
  const start = document.dir === "rtl" ? "right" : "left";
  if (own) strip.scrollLeft += own.getBoundingClientRect()[start] - strip.getBoundingClientRect()[start];
  else if (here) strip.scrollLeft += here.getBoundingClientRect().left - strip.getBoundingClientRect().left - strip.clientWidth / 3;
}

const wrong = document.querySelector('main [aria-invalid="true"]');
if (wrong && document.activeElement === document.body) {
  const closed = wrong.closest("details:not([open])");
  if (closed) closed.open = true;
  wrong.focus();
}
