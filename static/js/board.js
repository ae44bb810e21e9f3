// Asks every five seconds whether the rows have changed, while somebody can see them.
const PAUSE = 5000;

setInterval(() => {
  const rows = document.getElementById("rows");
  if (!rows || document.hidden || !rows.hasAttribute("hx-get")) return;
  if (rows.contains(document.activeElement)) return; // nothing moves under a finger
  rows.dispatchEvent(new CustomEvent("renew"));
}, PAUSE);
