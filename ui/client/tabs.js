import { doc, isSpecial, on, reveal, targetOf } from "./dom.js";

/** Turns links and panels into tabs (ARIA practices: tabs with automatic activation). @param {any} tabs */
export function setTabs(tabs) {
  const [list] = tabs.children;
  /** @type {any[]} */
  const links = [...list.children];
  const panelOf = (/** @type {any} */ link) => targetOf(link.hash);
  const select = (/** @type {any} */ chosen) => {
    for (const link of links) {
      const panel = panelOf(link);
      link.role = "tab";
      link.ariaSelected = link === chosen;
      link.tabIndex = link === chosen ? 0 : -1;
      panel.role = "tabpanel";
      panel.tabIndex = 0;
      panel.hidden = link !== chosen;
    }
  };
  const show = (/** @type {any} */ link) => {
    select(link);
    history.replaceState(history.state, "", link.hash);
  };
  list.role = "tablist";
  list.onclick = (/** @type {MouseEvent} */ event) => {
    const link = links.find((each) => each.contains(event.target));
    if (!link || isSpecial(event)) return;
    event.preventDefault();
    (event.isTrusted ? show : select)(link);
  };
  list.onkeydown = (/** @type {KeyboardEvent} */ event) => {
    const at = links.findIndex((link) => link === doc.activeElement);
    const forward = getComputedStyle(list).direction === "rtl" ? -1 : 1;
    /** @type {Record<string, number>} */
    const steps = { ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: -1, " ": at };
    const step = steps[event.key];
    // Leave keys with a modifier to the browser: Alt and an arrow go back.
    if (step === undefined || isSpecial(event)) return;
    event.preventDefault();
    const next = links.at(step % links.length);
    next.focus();
    show(next);
  };
  const target = targetOf(location.hash);
  select(
    // After a swap, keep the selected tab.
    links.find((link) => link.ariaSelected === "true") ??
      links.find((link) => panelOf(link).contains(target)) ?? links[0],
  );
  tabs.dataset.uiReady = "";
}

addEventListener("hashchange", () => {
  const target = targetOf(location.hash);
  if (!target) return;
  reveal(target);
  target.scrollIntoView();
});
// Browsers cannot show the error of a hidden control, so reveal it.
on("invalid", ({ target }) => reveal(target), { capture: true });
