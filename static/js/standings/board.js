// Leaves empty filters out of the address, and asks every five seconds whether the rows have
// changed, while they are visible.
const PAUSE = 5000;

setInterval(() => {
  const rows = document.getElementById("rows");
  if (!rows || document.hidden || !rows.hasAttribute("hx-get")) return;
  if (rows.contains(document.activeElement)) return; // keep what the reader is using
  rows.dispatchEvent(new CustomEvent("renew"));
}, PAUSE);

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.verb !== "get") return;
  for (const [name, value] of Object.entries(detail.parameters)) {
    if (value === "") delete detail.parameters[name];
  }
});
