import { all, bare, doc, isOurs, on, setUp } from "../core.js";

/**
 * Runs a function for each element with an attribute, aborting when the element or value goes.
 * @param {string} name The attribute. @param {(element: any, value: string, signal: AbortSignal) => void} run
 */
export function forEach(name, run) {
  /** @type {Map<any, { value: string, own: AbortController }>} */
  const started = new Map();
  const look = () => {
    for (const [element, { value, own }] of started) {
      if (bare(element).isConnected && bare(element).getAttribute(name) === value) continue;
      own.abort();
      started.delete(element);
    }
    for (const element of all(document, `[${name}]`)) {
      if (started.has(element)) continue;
      const value = bare(element).getAttribute(name);
      const own = new AbortController();
      started.set(element, { value, own });
      run(element, value, own.signal);
    }
  };
  setUp(`[${name}]`, look);
  on("fw:swap", look);
}

/**
 * Calls back once, when an element comes near the viewport.
 * @param {any} element @param {AbortSignal} signal @param {() => void} run
 */
export function whenNear(element, signal, run) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    run();
  }, { rootMargin: "300px" });
  observer.observe(element);
  signal.addEventListener("abort", () => observer.disconnect());
}

/** Parses a URL of this site, for requests that no user started. @param {string} text */
export function ownUrl(text) {
  const url = new URL(text, doc.baseURI);
  return isOurs(url) ? url : undefined;
}
