// Enter goes to the next row of an evening, makes one after the last, and leaves an empty one for
// the button that saves.
"use strict";

document.addEventListener("keydown", (event) => {
  const row = event.target.closest?.(".evening tbody tr");
  if (event.key !== "Enter" || !row || event.target.tagName === "BUTTON") return;
  event.preventDefault();
  const inputs = [...row.querySelectorAll("input")];
  if (inputs.every((input) => !input.value.trim())) {
    row.closest("form").querySelector("[name=save]").focus();
    return;
  }
  event.target.dispatchEvent(new Event("change", { bubbles: true }));
  (row.nextElementSibling || rowAfter(row)).querySelector("input").focus();
});

function rowAfter(row) {
  const next = row.cloneNode(true);
  const number = row.parentElement.rows.length;
  next.classList.remove("errors");
  next.querySelector("th").textContent = number + 1;
  next.querySelector("output").id = `trial-${number}`;
  next.querySelector("output").textContent = "";
  for (const input of next.querySelectorAll("input")) {
    input.value = "";
    input.setAttribute("aria-describedby", `trial-${number}`);
  }
  row.after(next);
  window.htmx?.process(next);
  return next;
}
