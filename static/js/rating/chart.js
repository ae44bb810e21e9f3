// Shows the match of a rating chart that is nearest to the pointer, or that the arrow keys have
// reached: a dot, its numbers, and what its row of the table says. A tap keeps them, with a link.
for (const chart of document.querySelectorAll("[data-chart]")) {
  const readout = chart.querySelector("[data-readout]");
  const cursor = chart.querySelector("[data-cursor]");
  const dot = chart.querySelector("[data-dot]");
  const plot = chart.querySelector("[data-plot]");
  const room = chart.querySelector("[data-room]");
  const tip = chart.querySelector("[data-tip]");
  const resting = readout.textContent;
  const points = Array.from(chart.querySelectorAll("tr[data-at]"), (row) => ({
    at: Number(row.dataset.at),
    height: Number(row.dataset.height),
    row,
  }));
  let shown = -1;

  // The words of a table's row, as a small card.
  function describe(row) {
    const says = document.createElement("strong");
    says.textContent = row.dataset.says.split(" · ")[0];
    const met = document.createElement("span");
    met.textContent = row.querySelector(".met").textContent;
    const change = row.querySelector(".change");
    const more = document.createElement("span");
    more.append(met, ...(change ? [" ", change.cloneNode(true)] : []));
    const link = row.querySelector("a")?.cloneNode(true);
    link?.replaceChildren(tip.dataset.match);
    return [says, more, ...(link ? [link] : [])];
  }

  function show(index) {
    const point = points[index];
    cursor.setAttribute("x1", `${point.at}%`);
    cursor.setAttribute("x2", `${point.at}%`);
    dot.setAttribute("cx", `${point.at}%`);
    dot.setAttribute("cy", point.height);
    chart.classList.add("reading");
    readout.textContent = point.row.dataset.says;
    if (index !== shown) {
      tip.replaceChildren(...describe(point.row));
      tip.hidden = false;
    }
    shown = index;
    // Beside the point, and never over it or beyond the plot.
    const left = plot.getBoundingClientRect().left - room.getBoundingClientRect().left;
    const width = plot.getBoundingClientRect().width;
    const above = plot.getBoundingClientRect().top - room.getBoundingClientRect().top + point.height;
    tip.style.left = `${left + ((width - tip.offsetWidth) * point.at) / 100}px`;
    const fits = above > tip.offsetHeight + 12;
    tip.style.top = `${fits ? above - tip.offsetHeight - 12 : above + 14}px`;
  }

  function nearest(event) {
    const box = plot.getBoundingClientRect();
    const at = (100 * (event.clientX - box.left)) / box.width;
    return points.reduce(
      (best, point, index) =>
        Math.abs(point.at - at) < Math.abs(points[best].at - at) ? index : best,
      0,
    );
  }

  function rest() {
    chart.classList.remove("reading");
    readout.textContent = resting;
    tip.hidden = true;
    shown = -1;
  }

  const steps = {
    ArrowLeft: (index) => index - 1,
    ArrowRight: (index) => index + 1,
    Home: () => 0,
    End: () => points.length - 1,
  };

  function press(event) {
    if (event.key === "Escape") {
      rest();
    } else if (event.key === "Enter" && event.target === room && shown >= 0) {
      points[shown].row.querySelector("a")?.click();
    } else if (steps[event.key]) {
      event.preventDefault();
      const to = steps[event.key](shown < 0 ? points.length : shown);
      show(Math.min(Math.max(to, 0), points.length - 1));
    }
  }

  if (points.length) {
    plot.addEventListener("pointermove", (event) => show(nearest(event)));
    plot.addEventListener("pointerdown", (event) => show(nearest(event)));
    // The finger that left has only ended its tap.
    room.addEventListener("pointerleave", (event) => event.pointerType === "touch" || rest());
    document.addEventListener("pointerdown", (event) => room.contains(event.target) || rest());
    room.tabIndex = 0;
    room.setAttribute("role", "group");
    room.setAttribute("aria-label", plot.querySelector("title").textContent);
    readout.setAttribute("aria-live", "polite");
    room.addEventListener("focus", () => shown < 0 && room.matches(":focus-visible") && show(points.length - 1));
    room.addEventListener("blur", (event) => room.contains(event.relatedTarget) || rest());
    room.addEventListener("keydown", press);
  }
}
