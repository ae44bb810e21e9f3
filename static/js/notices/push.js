// Lets this device get push messages: the browser gives an address and keys, and a form sends them.
const form = document.getElementById("push");

function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function show(id) {
  document.getElementById(id).hidden = false;
}

async function subscribe() {
  const worker = await navigator.serviceWorker.ready;
  const asked = { userVisibleOnly: true, applicationServerKey: bytes(form.dataset.key) };
  try {
    return await worker.pushManager.subscribe(asked);
  } catch (error) {
    // One with an earlier key of this site has to end first.
    const earlier = await worker.pushManager.getSubscription();
    if (!earlier) throw error;
    await earlier.unsubscribe();
    return worker.pushManager.subscribe(asked);
  }
}

if ("serviceWorker" in navigator && "PushManager" in window && "Notification" in window) {
  form.hidden = false;
} else {
  show("push-unsupported");
}

form.addEventListener("submit", async (event) => {
  if (form.elements.endpoint.value) return;
  event.preventDefault();
  if ((await Notification.requestPermission()) !== "granted") {
    show("push-denied");
    return;
  }
  try {
    const { endpoint, keys } = (await subscribe()).toJSON();
    form.elements.endpoint.value = endpoint;
    form.elements.key.value = keys.p256dh;
    form.elements.auth.value = keys.auth;
  } catch {
    show("push-failed");
    return;
  }
  form.requestSubmit();
});
