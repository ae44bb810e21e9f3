// The interactive page of the API. Who is logged in on the site is logged in here too: the session
// goes with each request, and the CSRF token with each that writes.
"use strict";

const page = document.getElementById("api-docs");

function cookie(name) {
  const found = document.cookie.split("; ").find((entry) => entry.startsWith(name + "="));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

function withCsrfToken(request) {
  const ours = new URL(request.url, document.baseURI).origin === location.origin;
  if (ours && request.method && request.method !== "GET") {
    request.headers["X-CSRFToken"] = cookie("csrftoken");
  }
  return request;
}

window.SwaggerUIBundle({
  url: page.dataset.schema,
  domNode: page,
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  requestInterceptor: withCsrfToken,
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
});
