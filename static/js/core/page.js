// Closes the account menu by Escape or a click elsewhere, shows the tab of this page, and moves to the first
// wrong field of a form.
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

for (const tabs of document.querySelectorAll(".tabs")) {
  const here = tabs.querySelector("[aria-current]");
  if (here) tabs.scrollLeft += here.getBoundingClientRect().left - tabs.getBoundingClientRect().left - tabs.clientWidth / 3;
}

const wrong = document.querySelector('main [aria-invalid="true"]');
if (wrong && document.activeElement === document.body) {
  const closed = wrong.closest("details:not([open])");
  if (closed) closed.open = true;
  wrong.focus();
}
