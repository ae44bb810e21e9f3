// Name autocomplete fields after their label. Django's widget says only what is chosen.
"use strict";

function titleOf(select) {
  const heading = select.closest("table")?.tHead?.rows[0].cells[select.closest("td")?.cellIndex];
  return select.labels[0] ?? heading;
}

function nameChoices() {
  for (const select of document.querySelectorAll("select.admin-autocomplete")) {
    const title = titleOf(select);
    const one = select.parentElement.querySelector(".select2-selection--single");
    const many = select.parentElement.querySelector(".select2-search__field");
    if (title && one) {
      title.id ||= `title-of-${select.id}`;
      const chosen = one.querySelector(".select2-selection__rendered");
      chosen.setAttribute("aria-labelledby", title.id);
      one.setAttribute("aria-labelledby", `${title.id} ${chosen.id}`);
    } else if (title && many) {
      many.setAttribute("aria-label", title.textContent.trim());
    }
  }
}

window.addEventListener("load", () => window.django?.jQuery(nameChoices)); // after the widget's own
document.addEventListener("formset:added", () => setTimeout(nameChoices));
