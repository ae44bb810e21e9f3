// Buttons − and + beside the scores of a form, so that one thumb can report a match.
function press(field, sign) {
  const { press: step, min, max } = { press: +field.dataset.press, min: +field.min, max: +field.max };
  const start = field.value === "" ? Math.max(min, 0) : +field.value;
  // The first press of − says 0, and the other side, too, has a score from then on.
  const value = field.value === "" && sign < 0 ? start : start + sign * step;
  field.value = Math.min(max, Math.max(min, value));
  for (const other of field.form.querySelectorAll("input[data-press]")) {
    if (other.value === "") other.value = Math.max(min, 0);
  }
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

for (const field of document.querySelectorAll("input[data-press]")) {
  const button = (sign, label) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "press";
    made.textContent = sign < 0 ? "−" : "+";
    made.setAttribute("aria-label", label);
    made.tabIndex = -1; // the arrow keys of the field do the same
    made.addEventListener("click", () => press(field, sign));
    return made;
  };
  field.before(button(-1, field.dataset.less));
  field.after(button(1, field.dataset.more));
  field.parentElement.classList.add("with-buttons");
}
