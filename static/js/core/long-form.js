// A long form of the admin: shows the fields that have an effect, and finds settings by their words.
const form = document.querySelector("#content-main form");
const allSections = () => [...form.querySelectorAll("details.section")];
const sent = (name) => {
  const field = form.elements.namedItem(name);
  if (!field) return null;
  return field.type === "checkbox" ? (field.checked ? "on" : "") : field.value.trim();
};

// Fields that have an effect: data-when holds “name=a,b” or “name!a,b”, and all must be true.
const holds = (condition) => {
  const [, name, sign, values] = condition.match(/^([^=!]+)([=!])(.*)$/);
  const value = sent(name);
  return value === null || values.split(",").includes(value) === (sign === "=");
};
const showWhatCounts = () => {
  for (const part of form.querySelectorAll("[data-when]")) {
    const wrong = part.querySelector(".errorlist");
    part.hidden = !wrong && !part.dataset.when.split(" ").every(holds);
    if (!part.hidden && part.dataset.section) fetchSection(part);
  }
};
// A section that had no effect when the page was made.
const fetchSection = async (place) => {
  const key = place.dataset.section;
  delete place.dataset.section;
  const answer = await fetch(`${location.pathname}?with=${encodeURIComponent(key)}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.getElementById(`section-${key}`)?.closest("fieldset");
  if (!answer.ok || !found) {
    place.dataset.section = key;
    return;
  }
  place.replaceWith(document.adoptNode(found));
  watch(found.querySelector("details"));
  htmx.process(found);
  showWhatCounts();
};
form.addEventListener("input", showWhatCounts);
form.addEventListener("change", showWhatCounts);
showWhatCounts();

// Sections: the address remembers the last one opened.
const watch = (section) => {
  section.addEventListener("toggle", () => {
    if (section.open && !search.value) history.replaceState(null, "", `#${section.id}`);
  });
};
allSections().forEach(watch);
const openNamed = () => {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const section = named?.closest("details.section");
  if (section) section.open = true;
};
document.getElementById("open-sections").addEventListener("click", (event) => {
  event.preventDefault(); // and keep what is typed
  for (const section of allSections()) section.open = true;
});

// Search by label, help and heading.
const search = document.getElementById("form-search");
const found = document.getElementById("form-found");
search.closest("[hidden]").hidden = false;
let before = null; // which sections were open
const filter = () => {
  const words = search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  before ??= new Map(allSections().map((section) => [section, section.open]));
  const has = (text) => words.every((word) => text.toLocaleLowerCase().includes(word));
  let count = 0;
  for (const section of allSections()) {
    const all = words.length && has(section.querySelector("summary h2").textContent);
    let some = false;
    for (const row of section.querySelectorAll(".form-row")) {
      const fits = !words.length || all || has(row.textContent);
      row.classList.toggle("not-found", !fits);
      if (fits && !row.hidden) {
        some = true;
        count += 1;
      }
    }
    section.closest("fieldset").classList.toggle("not-found", Boolean(words.length) && !some);
    section.open = words.length ? some : (before.get(section) ?? false);
  }
  if (!words.length) before = null;
  found.value = !words.length ? "" : count ? search.dataset.some.replace("%s", count) : search.dataset.none;
};
search.addEventListener("input", filter);
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") event.preventDefault(); // it would save the form
});
addEventListener("hashchange", openNamed);
openNamed();
