// Tie-breaks are added, removed and moved in the page. Without this, each button asks the server.
for (const group of document.querySelectorAll("[data-tie-breaks]")) {
  const input = group.querySelector("input");
  const [chosen, others] = [group.querySelector("ol"), group.querySelector("ul")];
  const steps = {
    up: (row) => row.previousElementSibling?.before(row),
    down: (row) => row.nextElementSibling?.after(row),
    remove: (row) => others.append(row),
    add: (row) => chosen.append(row),
  };
  for (const button of group.querySelectorAll("button")) button.type = "button"; // Enter saves
  group.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const row = button.closest("li");
    steps[button.dataset.step](row);
    input.value = [...chosen.children].map((each) => each.dataset.name).join(", ");
    input.dispatchEvent(new Event("change", { bubbles: true }));
    const visible = [...row.querySelectorAll("button")].filter((each) => each.offsetParent);
    (visible.includes(button) ? button : visible[0]).focus();
  });
}
