// The interactive API page. A login on the site counts here too: the session cookie is sent with each
// request, and the CSRF token with each request that writes.
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
