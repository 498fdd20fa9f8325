// The development server's reload script: `boot` names the state of the server, so a page that was open
// across a restart or a save reloads itself; `css` swaps a stylesheet in place. A hidden page holds no
// connection, because browsers open six to a host over HTTP/1.1; shown again, it compares `boot`.
(() => {
  // An image named like a member of `document` shadows it.
  const { querySelectorAll } = Document.prototype;
  const isHidden = Object.getOwnPropertyDescriptor(Document.prototype, "hidden").get;
  let boot;

  // Living islands keep their state and their stores across a reload; new props discard the state.
  const keptName = `fw ${location.pathname}`;
  const storesKey = Symbol.for("fw.stores");
  const islands = () => [...querySelectorAll.call(document, "[data-fw-island]")];
  const readers = new Map();
  const kept = takeKept();
  globalThis[storesKey] = new Map(kept.stores);
  globalThis[Symbol.for("fw.keep")] = (el, read) => {
    readers.set(el, read);
    const [props, state] = kept.states[islands().indexOf(el)] ?? [];
    return props === el.getAttribute("data-fw-props") ? state : undefined;
  };

  // The browser may deny access to the storage.
  function takeKept() {
    try {
      const text = sessionStorage.getItem(keptName);
      sessionStorage.removeItem(keptName);
      return JSON.parse(text) ?? { states: [], stores: [] };
    } catch {
      return { states: [], stores: [] };
    }
  }

  function reload() {
    const states = islands().map((el) => [el.getAttribute("data-fw-props"), readers.get(el)?.()]);
    const stores = [...globalThis[storesKey]];
    try {
      sessionStorage.setItem(keptName, JSON.stringify({ states, stores }));
    } catch (error) {
      console.warn("The state of the islands is lost.", error);
    }
    location.reload();
  }

  let source;

  function connect() {
    source = new EventSource("/_fw/events");
    source.addEventListener("boot", (event) => {
      if (boot === undefined) boot = event.data;
      else if (boot !== event.data) reload();
      update();
    });
    source.addEventListener("reload", reload);
    source.addEventListener("css", (event) => {
      const changed = JSON.parse(event.data);
      boot = changed.boot;
      swap(changed);
    });
  }

  // A page hidden from its start stays connected until it knows the server state that rendered it.
  function update() {
    if (!isHidden.call(document)) {
      if (source === undefined || source.readyState === EventSource.CLOSED) connect();
    } else if (boot !== undefined) close();
  }

  function close() {
    source?.close();
    source = undefined;
  }

  function swap(changed) {
    let isLinked = false;
    for (const link of querySelectorAll.call(document, 'link[rel~="stylesheet"]')) {
      const url = new URL(link.href);
      if (url.origin !== location.origin || !url.pathname.endsWith(changed.path)) continue;
      isLinked = true;
      url.searchParams.set("v", changed.version);
      const next = link.cloneNode();
      next.href = url.href;
      next.addEventListener("load", () => link.remove());
      next.addEventListener("error", () => next.remove());
      link.after(next);
    }
    // A stylesheet that another one imports has no `<link>` element.
    if (!isLinked) reload();
  }

  // The kit's script reports the elements that a response lacks; without its target the browser loads the page.
  addEventListener("fw:miss", ({ detail }) => {
    console.warn(`The response has no element with the id "${detail.join('", "')}".`);
  });

  connect();
  EventTarget.prototype.addEventListener.call(document, "visibilitychange", update);
  addEventListener("pagehide", close);
})();
