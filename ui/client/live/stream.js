import { all, doc, loadPart, on } from "../core.js";
import { forEach, ownUrl } from "./elements.js";

forEach("data-ui-live", (_element, value, signal) => {
  const url = ownUrl(value);
  if (!url) return;
  /** @type {EventSource | undefined} */
  let source;
  let timer = 0;
  let failures = 0;
  let isDone = false;
  const close = () => {
    source?.close();
    source = undefined;
    clearTimeout(timer);
  };
  const follow = () => {
    // Browsers open at most six connections to a site, so a background page closes its own.
    if (doc.hidden || isDone || signal.aborted) return close();
    if (source) return;
    clearTimeout(timer);
    const opened = source = new EventSource(url);
    opened.onopen = () => failures = 0;
    opened.onmessage = async ({ data, lastEventId }) => {
      const { swap } = await loadPart("swap");
      if (source !== opened && !isDone) return;
      // An open form stays unchanged.
      for (const place of all(doc.body, "[data-ui-edit]")) {
        place.toggleAttribute("data-fw-keep", place.dataset.uiEdit);
      }
      swap("", data);
      // The browser sends the id only when it reconnects on its own.
      if (lastEventId) url.searchParams.set("last_event_id", lastEventId);
      else url.searchParams.delete("last_event_id");
    };
    opened.addEventListener("done", () => {
      isDone = true;
      close();
    });
    opened.onerror = () => {
      if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
      close();
      timer = setTimeout(follow, Math.min(1_000 * 2 ** failures++, 60_000));
    };
  };
  on("visibilitychange", follow, { signal });
  signal.addEventListener("abort", close);
  follow();
});
