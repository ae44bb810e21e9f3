// Counts the seconds of a captain's turn down between two polls.
setInterval(() => {
  for (const left of document.querySelectorAll("[data-down]")) {
    const [minutes, seconds] = left.textContent.split(":").map(Number);
    const next = Math.max(60 * minutes + seconds - 1, 0);
    left.textContent = `${Math.floor(next / 60)}:${String(next % 60).padStart(2, "0")}`;
  }
}, 1000);
