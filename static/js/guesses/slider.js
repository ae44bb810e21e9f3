// The slider and the number of a guess follow each other.
for (const form of document.querySelectorAll("form.guess")) {
  const { slider, percent } = form.elements;
  slider.addEventListener("input", () => { percent.value = slider.value; });
  percent.addEventListener("input", () => { slider.value = percent.value; });
}
