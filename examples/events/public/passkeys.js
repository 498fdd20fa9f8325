// Passkeys: the browser's part of `passkeys()` of @fw/fw/auth, for forms made by `passkeyForm`. Markup hides
// members of documents and forms by `id` and `name`: they are taken from prototypes, and the flag is a symbol.
(() => {
  const flag = Symbol.for("fw.passkeys");
  if (globalThis[flag]) return;
  globalThis[flag] = true;

  const all = (node, selector) => {
    const kind = node === document ? Document : Element;
    return [...kind.prototype.querySelectorAll.call(node, selector)];
  };
  const setting = (form, name) => Element.prototype.getAttribute.call(form, name);
  const listen = (target, type, run) =>
    EventTarget.prototype.addEventListener.call(target, type, run);
  const actionOf = (form) => new URL(setting(form, "action"), location.href);

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
    const response = await fetch(actionOf(form), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        [setting(form, "data-csrf") ?? "x-csrf-token"]: all(form, "input[type=hidden]")[0].value,
      },
      body: JSON.stringify(toJson(credential)),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.json();
  }

  async function run(form) {
    const [button] = all(form, "button");
    const [note] = all(form, "[role=status]");
    button.disabled = true;
    note.textContent = "";
    try {
      const options = await fetch(actionOf(form), { headers: { accept: "application/json" } });
      if (!options.ok) throw new Error(`status ${options.status}`);
      const credential = await ask(setting(form, "data-fw-passkey"), await options.json());
      const { location } = await send(form, credential);
      if (location) globalThis.location.assign(location);
      else globalThis.location.reload();
    } catch (error) {
      // An authenticator that has one of the listed passkeys refuses to make another.
      const isRegistration = setting(form, "data-fw-passkey") === "register";
      const isKnown = isRegistration && error.name === "InvalidStateError";
      note.textContent = setting(form, isKnown ? "data-known" : "data-failed");
    } finally {
      // The browser may come back to this page as it was left.
      button.disabled = false;
    }
  }

  function start(form) {
    if (setting(form, "data-fw-ready")) return;
    Element.prototype.setAttribute.call(form, "data-fw-ready", "yes");
    all(form, "button")[0].disabled = false;
    all(form, "[role=status]")[0].textContent = "";
    listen(form, "submit", (event) => {
      event.preventDefault();
      void run(form);
    });
  }

  function startAll() {
    if (typeof PublicKeyCredential !== "function") return;
    for (const form of all(document, "form[data-fw-passkey]")) start(form);
  }

  startAll();
  listen(document, "DOMContentLoaded", startAll);
  listen(document, "fw:swap", startAll);
})();
