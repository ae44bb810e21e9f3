// Enter goes to the next empty result, and saves after the last one.
const form = document.getElementById("results");
form?.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key !== "Enter" || event.isComposing || !field.name?.startsWith("result-")) return;
  const fields = [...form.querySelectorAll("input[name^='result-']")];
  const next = fields.slice(fields.indexOf(field) + 1).find((each) => !each.value.trim());
  event.preventDefault();
  if (next) next.focus();
  else form.querySelector("button[value=save]").click();
});
