// Shows the point of a rating chart nearest to the pointer: a dot, and its numbers above the chart.
for (const chart of document.querySelectorAll("[data-chart]")) {
  const readout = chart.querySelector("[data-readout]");
  const cursor = chart.querySelector("[data-cursor]");
  const dot = chart.querySelector("[data-dot]");
  const plot = chart.querySelector("[data-plot]");
  const resting = readout.textContent;
  const points = Array.from(chart.querySelectorAll("tr[data-at]"), (row) => ({
    at: Number(row.dataset.at),
    height: row.dataset.height,
    says: row.dataset.says,
  }));

  function show(event) {
    const box = plot.getBoundingClientRect();
    const at = (100 * (event.clientX - box.left)) / box.width;
    const nearest = points.reduce((best, point) =>
      Math.abs(point.at - at) < Math.abs(best.at - at) ? point : best,
    );
    cursor.setAttribute("x1", `${nearest.at}%`);
    cursor.setAttribute("x2", `${nearest.at}%`);
    dot.setAttribute("cx", `${nearest.at}%`);
    dot.setAttribute("cy", nearest.height);
    chart.classList.add("reading");
    readout.textContent = nearest.says;
  }

  function rest() {
    chart.classList.remove("reading");
    readout.textContent = resting;
  }

  if (points.length) {
    plot.addEventListener("pointermove", show);
    plot.addEventListener("pointerdown", show);
    plot.addEventListener("pointerleave", rest);
  }
}
