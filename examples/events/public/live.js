/** Keeps the seats on an event's page up to date. Without it the page shows those of its last load. */
export default function (panel, { feed }) {
  let source;

  function show({ data }) {
    for (const [name, value] of Object.entries(JSON.parse(data))) {
      for (const place of panel.querySelectorAll(`[data-live-field="${name}"]`)) {
        if (place.textContent !== String(value)) place.textContent = value;
      }
    }
  }

  // A page in the background gives its connection back: browsers have six for one site.
  function follow() {
    source?.close();
    source = undefined;
    if (document.visibilityState === "hidden") return;
    source = new EventSource(feed);
    source.addEventListener("seats", show);
    source.addEventListener("done", () => source?.close());
  }

  function leave() {
    if (panel.isConnected) return;
    source?.close();
    document.removeEventListener("visibilitychange", follow);
    document.removeEventListener("fw:swap", leave);
  }

  document.addEventListener("visibilitychange", follow);
  document.addEventListener("fw:swap", leave);
  follow();
}
