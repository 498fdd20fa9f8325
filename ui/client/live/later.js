import { bare, doc, loadPart, on, setBusy } from "../core.js";
import { forEach, ownUrl, whenNear } from "./elements.js";

forEach("data-ui-load", (element, value, signal) =>
  whenNear(element, signal, async () => {
    const url = ownUrl(value);
    const { load } = await loadPart("swap");
    if (!url || signal.aborted) return;
    setBusy(element, "true");
    load(bare(element).getAttribute("id"), { url, onEnd: () => setBusy(element, null) });
  }));

forEach("data-ui-poll", (element, value, signal) => {
  const [ms, address = ""] = value.split(" ");
  const url = ownUrl(address);
  if (!url) return;
  let timer = 0;
  let failures = 0;
  const plan = () => {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(ask, Number(ms) * 2 ** failures);
  };
  const onEnd = (/** @type {number | undefined} */ status) => {
    failures = status && status < 400 ? 0 : Math.min(failures + 1, 5);
    plan();
  };
  const ask = async () => {
    // Request at once when the page becomes visible again.
    if (doc.hidden) return on("visibilitychange", ask, { once: true, signal });
    const { load } = await loadPart("swap");
    if (!signal.aborted) load(bare(element).getAttribute("id"), { url, onEnd });
  };
  signal.addEventListener("abort", () => clearTimeout(timer));
  plan();
});
