// Send the request that a page of the API's reference describes. A login on the site counts here too:
// the session cookie goes with each request, and the CSRF token with each that writes.
const form = document.querySelector("form[data-path]");
const [said] = form.querySelectorAll(".answer p");
const shown = form.querySelector(".answer pre");

function cookie(name) {
  const found = document.cookie.split("; ").find((entry) => entry.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

function addressOf(inputs) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const input of inputs) {
    if (input.dataset.place === "path") {
      path = path.replace(`{${input.name}}`, encodeURIComponent(input.value));
    } else if (input.value) {
      query.set(input.name, input.value);
    }
  }
  return query.size ? `${path}?${query}` : path;
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function send(event) {
  event.preventDefault();
  const method = form.dataset.method;
  const body = form.querySelector("textarea")?.value;
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRFToken"] = cookie("csrftoken");
  if (body !== undefined) headers["Content-Type"] = "application/json";
  try {
    const answer = await fetch(addressOf(form.querySelectorAll("[data-place]")), { method, headers, body });
    const text = await answer.text();
    said.textContent = `${answer.status} ${answer.statusText}`;
    shown.firstElementChild.textContent = readable(text);
    shown.hidden = !text;
  } catch {
    said.textContent = form.dataset.failed;
    shown.hidden = true;
  }
}

form.addEventListener("submit", send);
form.hidden = false;
