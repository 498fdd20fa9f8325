import { all, byId, closest, focusOn, isSpecial, loadPart, on, setBusy } from "../core.js";
import { forEach, ownUrl, whenNear } from "./elements.js";

on("click", (event) => {
  const link = closest(event.target, "a[data-ui-more]");
  if (!link || event.defaultPrevented || isSpecial(event)) return;
  event.preventDefault();
  addPage(link, link.dataset.uiMore);
});

/** The number of pages added to each list. @type {WeakMap<any, number>} */
const pages = new WeakMap();

/** The history entry has it too, as `uiMore`. @param {string} id */
const gotOf = (id) => pages.get(byId(id)) ?? 0;

addEventListener("pagehide", () => {
  const { uiMore: more } = history.state ?? {};
  for (const each of Object.values(more ?? {})) each.y = scrollY;
  if (more) history.replaceState({ ...history.state, uiMore: more }, "");
});

/** Appends the page of a link to a list and updates the link. @param {any} link @param {string} id */
async function addPage(link, id) {
  const url = ownUrl(link.href);
  if (!url || link.ariaBusy) return;
  setBusy(link, "true");
  try {
    const { parse, tellSwap } = await loadPart("swap");
    const headers = { Accept: "text/html", "FW-Fragment": id };
    const answer = await fetch(url, { headers });
    const content = parse(await answer.text(), answer.headers.get("FW-Next"));
    const list = byId(id);
    const next = byId(id, content);
    // The list may have been sorted meanwhile, which makes this page obsolete.
    if (!list || !link.isConnected || ownUrl(link.href)?.href !== url.href) return;
    if (!answer.ok || !next) throw new Error(`${url} lacks #${id}`);
    const rows = [...next.children].filter((row) => !row.id || !byId(row.id));
    const hasFocus = link.matches(":focus");
    const [following] = all(content, "a[data-ui-more]").filter((one) => !next.contains(one));
    const end = [...list.children].find((row) => row.contains(link));
    if (end) end.remove();
    else if (following) link.replaceWith(following);
    else link.remove();
    list.append(...rows);
    const got = gotOf(id) + 1;
    pages.set(list, got);
    list.dataset.uiAdded = "";
    const { uiMore: more } = history.state ?? {};
    if (got > (more?.[id]?.pages ?? 0)) {
      const state = { ...more, [id]: { pages: got, y: scrollY } };
      history.replaceState({ ...history.state, uiMore: state }, "");
    }
    tellSwap(list, answer.status);
    if (hasFocus) focusOn(rows[0] ?? list);
  } catch (error) {
    // Keep the link as a plain one, so that following it shows the error.
    link.removeAttribute("data-ui-more");
    console.error(error);
  } finally {
    setBusy(link, null);
  }
}

forEach("data-ui-more", (link, id, signal) => {
  const { uiMore: more } = history.state ?? {};
  const { pages: most = 0, y = 0 } = more?.[id] ?? {};
  // After a reload on Back, load as many pages as before and scroll to the same position.
  if (gotOf(id) < most) {
    return void addPage(link, id).then(() => gotOf(id) === most && scrollTo(0, y));
  }
  whenNear(link, signal, () => addPage(link, id));
});
