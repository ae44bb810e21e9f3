// Let axe judge the contrast of those texts of a page whose look is not known to be readable.
async ([rules, readable]) => {
  const MOST = 3; // of one look: some lie below others, and axe cannot judge them

  const layers = new Map();
  const behind = (element) => {
    if (!element) return "";
    if (!layers.has(element)) {
      const style = getComputedStyle(element);
      const own = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter].join();
      const plain = "rgba(0, 0, 0, 0),none,1,none";
      layers.set(element, behind(element.parentElement) + (own === plain ? "" : `/${own}`));
    }
    return layers.get(element);
  };

  const lettersOf = (element) => {
    const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    // A form with a field called “matches” has that field in place of the method.
    const isField = Element.prototype.matches.call(element, "input, select, textarea");
    const typed = isField ? element.value || element.placeholder : "";
    return texts.map((node) => node.data.trim()).join("") + (typed ?? "");
  };

  const look = (element, letters) => {
    const style = getComputedStyle(element);
    const control = element.closest("label")?.control ?? element;
    const disabled = control.matches(":disabled") || element.closest("[aria-disabled=true]") !== null;
    return [
      element.tagName, style.color, style.fontSize, style.fontWeight, style.textShadow,
      disabled, letters.length === 1, behind(element),
    ].join("|");
  };

  const known = new Set(readable);
  const looks = new Map();
  const counts = new Map();
  for (const element of document.body.querySelectorAll("*")) {
    const letters = lettersOf(element);
    if (!letters || !element.getClientRects().length || !element.checkVisibility()) continue;
    const own = look(element, letters);
    const count = counts.get(own) ?? 0;
    if (known.has(own) || count === MOST) continue;
    counts.set(own, count + 1);
    looks.set(element, own);
  }
  if (!looks.size) return { violations: [], readable: [] };

  const found = await axe.run(
    { include: [...looks.keys()] },
    { runOnly: rules, resultTypes: ["violations", "passes"], elementRef: true },
  );
  const elements = (kind) => found[kind].flatMap((rule) => rule.nodes.map((node) => node.element));
  const wrong = new Set(elements("violations").map((element) => looks.get(element)));
  const passed = elements("passes").map((element) => looks.get(element));
  for (const rule of found.violations) for (const node of rule.nodes) delete node.element;
  return {
    violations: found.violations,
    readable: passed.filter((own) => own && !wrong.has(own)),
  };
}
