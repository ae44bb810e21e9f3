// The numbers of both sides and the slider follow each other. The slider has the chance of the second side.
for (const form of document.querySelectorAll("form.guess")) {
  const { slider, percent, other } = form.elements;
  const follow = (field, same, opposite) => field.addEventListener("input", () => {
    if (!field.value || !field.validity.valid) return;
    for (const each of same) each.value = field.value;
    for (const each of opposite) each.value = 100 - field.value;
  });
  follow(percent, [], [other, slider]);
  follow(other, [slider], [percent]);
  follow(slider, [other], [percent]);
}
