// Without a network, nothing is sent, so that what was typed stays on the page.
const notice = document.getElementById("offline");
document.addEventListener("submit", (event) => {
  if (navigator.onLine || event.target.method !== "post") return;
  event.preventDefault();
  notice.hidden = false;
  notice.scrollIntoView({ block: "center" });
}, { capture: true });
window.addEventListener("online", () => { notice.hidden = true; });
