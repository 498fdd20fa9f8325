// Passkeys: the browser's part of `passkeys()` of @fw/fw/auth, for forms made by `passkeyForm`.
(() => {
  if (globalThis.fwPasskeys) return;
  globalThis.fwPasskeys = true;

  const bytesOf = (text) =>
    Uint8Array.from(
      atob(text.replaceAll("-", "+").replaceAll("_", "/")),
      (char) => char.charCodeAt(0),
    );

  const textOf = (buffer) =>
    btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(""))
      .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

  const withIds = (list) => list.map((item) => ({ ...item, id: bytesOf(item.id) }));

  async function ask(kind, options) {
    const publicKey = { ...options, challenge: bytesOf(options.challenge) };
    if (kind === "register") {
      publicKey.user = { ...options.user, id: bytesOf(options.user.id) };
      publicKey.excludeCredentials = withIds(options.excludeCredentials);
      return await navigator.credentials.create({ publicKey });
    }
    publicKey.allowCredentials = withIds(options.allowCredentials);
    return await navigator.credentials.get({ publicKey });
  }

  function toJson({ id, type, response }) {
    const names = [
      "clientDataJSON",
      "attestationObject",
      "authenticatorData",
      "signature",
      "userHandle",
    ];
    const present = names.filter((name) => response[name]);
    return {
      id,
      type,
      response: Object.fromEntries(present.map((name) => [name, textOf(response[name])])),
    };
  }

  async function send(form, credential) {
    const response = await fetch(form.action, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        "x-csrf-token": form.querySelector("input[type=hidden]").value,
      },
      body: JSON.stringify(toJson(credential)),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.json();
  }

  async function run(form) {
    const button = form.querySelector("button");
    const note = form.querySelector("[role=status]");
    button.disabled = true;
    note.textContent = "";
    try {
      const options = await fetch(form.action, { headers: { accept: "application/json" } });
      if (!options.ok) throw new Error(`status ${options.status}`);
      const credential = await ask(form.dataset.fwPasskey, await options.json());
      const { location } = await send(form, credential);
      if (location) globalThis.location.assign(location);
      else globalThis.location.reload();
    } catch (error) {
      // An authenticator that has one of the listed passkeys refuses to make another.
      const isKnown = form.dataset.fwPasskey === "register" && error.name === "InvalidStateError";
      note.textContent = isKnown ? form.dataset.known : form.dataset.failed;
      button.disabled = false;
    }
  }

  function start(form) {
    if (form.dataset.fwReady) return;
    form.dataset.fwReady = "yes";
    form.querySelector("button").disabled = false;
    form.querySelector("[role=status]").textContent = "";
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void run(form);
    });
  }

  function startAll() {
    if (!globalThis.PublicKeyCredential) return;
    for (const form of document.querySelectorAll("form[data-fw-passkey]")) start(form);
  }

  startAll();
  document.addEventListener("DOMContentLoaded", startAll);
  document.addEventListener("fw:swap", startAll);
})();
