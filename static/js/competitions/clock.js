// Counts down between two answers of the server, whose time is the truth.
const text = (left) => {
  const parts = left < 3600 ? [left / 60, left % 60] : [left / 3600, (left / 60) % 60, left % 60];
  return parts.map((part, at) => String(Math.floor(part)).padStart(at ? 2 : 1, "0")).join(":");
};
const since = new WeakMap();
setInterval(() => {
  const clock = document.querySelector(".clock[data-runs]");
  if (!clock) return;
  if (!since.has(clock)) since.set(clock, performance.now());
  const gone = Math.floor((performance.now() - since.get(clock)) / 1000);
  clock.textContent = text(Math.max(0, clock.dataset.left - gone));
}, 250);
