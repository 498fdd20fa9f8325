import { all, bare, byId, closeMenus, doc, focusOn, page, setBusy, targetOf } from "../core.js";
import { fillForms, writeDrafts } from "./drafts.js";
import { forgetFailure, tellFailure, tellOffline } from "./failure.js";
import { forgetKept, goTo, keptOf, onBack, push } from "./history.js";
import { leave } from "./lines.js";
import { islands, takeAttributes } from "./morph.js";
import { parse, piecesOf, placeParts, say } from "./parts.js";
import { pageRequest, takeAhead } from "./prefetch.js";
import { replace } from "./place.js";

/** The pending navigation. @type {AbortController | undefined} */
let journey;

addEventListener("pagehide", () => journey?.abort());

/**
 * Shows a page by replacing elements of this one. If that is not enough, the browser loads it.
 * @param {URL} url @param {string[]} ids The elements.
 * @param {{ back?: import("./history.js").Left, isSeen?: boolean, isPost?: boolean, isAgain?: boolean }} [how]
 * `back`: how it was left, if the user goes back or forward; `isSeen`: the browser shows its own transition;
 * `isPost`: after a write, which may have changed more; `isAgain`: a retry.
 */
export async function navigate(url, ids, { back, isSeen, isPost, isAgain } = {}) {
  journey?.abort();
  ids.forEach(forgetFailure);
  leave();
  const own = journey = new AbortController();
  const { signal } = own;
  const kept = keptOf(back, ids);
  if (kept) {
    showKept(kept, ids, back);
    // The server's version has only the first page of a list with added ones.
    if (ids.some((id) => all(byId(id), "[data-ui-added]")[0])) return;
  }
  const regions = ids.map((id) => byId(id)).filter(Boolean);
  const showBusy = (/** @type {"true" | null} */ value) => {
    for (const region of regions) setBusy(region, value);
    page.toggleAttribute("data-ui-go", !!value);
  };
  let isShown = false;
  // Reset at once, even if another click aborts this one, which then sets its own regions busy.
  signal.onabort = () => showBusy(null);
  showBusy("true");
  try {
    const answer = await (takeAhead(url) || fetch(url, { ...pageRequest, signal }));
    isShown = signal.aborted ||
      await showAnswer(answer, { url, ids, back, isSeen, isPost, signal, kept });
  } catch {
    // Without a response the browser shows the error; after an abort, a newer click owns the region.
    isShown = signal.aborted || !!kept;
    if (!isShown && (isAgain || !navigator.onLine) && !back) {
      isShown = true;
      tellOffline(ids[0] ?? "", () => navigate(url, ids, { isAgain: true }));
    }
  } finally {
    own.abort();
  }
  if (isShown) return;
  if (back === undefined) goTo(url);
  else location.reload();
}

/** Shows a response. @param {Response} answer @param {any} journey @returns {Promise<boolean>} Whether it was shown. */
export async function showAnswer(answer, { url, ids, back, isSeen, isPost, signal, kept }) {
  const isPage = answer.headers.get("Content-Type")?.startsWith("text/html");
  if (!isPage || !ids.length) return false;
  /** @type {any} */
  let next;
  for await (const piece of piecesOf(answer)) {
    if (signal.aborted) return true;
    if (next) {
      parse(piece);
      continue;
    }
    // `parse` applies no inline styles, which the policy would report.
    const refused = /** @type {any} */ (answer.status >= 400 && parse(piece));
    if (answer.status >= 500 && !byId(ids[0], refused)) {
      // Do not repeat the request, which could do harm and would fail again.
      if (!back) push(url, ids);
      const region = byId(ids[0]);
      bare(region).replaceChildren();
      doc.title = refused.querySelector("title")?.textContent ?? doc.title;
      await tellFailure(ids[0], new Response(piece, answer), region, () => signal.aborted);
      return true;
    }
    // A refusal without the form would discard the typed values.
    const actionOf = (/** @type {any} */ form) => bare(form).getAttribute("action");
    const isSent = (/** @type {any} */ form) => actionOf(form) === actionOf(kept.form);
    if (kept?.form && refused && !all(refused, "form").some(isSent)) return false;
    next = new DOMParser().parseFromString(piece, "text/html");
    placeParts(next);
    const isWhole = ids.every((/** @type {string} */ id) =>
      byId(id) && byId(id, next) && !all(byId(id, next), onlyLoaded)[0]
    );
    if (!isWhole || frameOf(next) !== frameOf(document) || lacksLoader(next)) return false;
    if (isPost && wordsAround(next, ids) !== wordsAround(document, ids)) return false;
    await change(isSeen || kept, () => {
      if (signal.aborted) return;
      const isAhead = back === undefined;
      const isSamePage = isAhead && url.pathname === location.pathname;
      const href = doc.activeElement.getAttribute("href");
      // Requests made while the page was loading belong to the page being left.
      if (!kept) leave();
      if (isAhead) push(url, ids);
      // A form may have signed the user out.
      if (isPost) forgetKept(0);
      const isOther = !isSamePage && !kept;
      showPage(next, ids, { ...kept, status: answer.status, isOther, isWhole: isOther }, kept);
      if (kept) return;
      const target = isAhead && targetOf(url.hash);
      const focused = isSamePage && bare(byId(ids[0])).querySelector(":focus");
      // After sorting, the focus stays on the heading. A link with a new URL, such as "next", loses it.
      const isStaying = isPost
        ? isSamePage
        : focused && (focused.closest("thead") || focused.getAttribute("href") === href);
      settle(ids, { y: 0, ...back, isStaying: isStaying && !target });
      if (target) target.scrollIntoView();
    });
  }
  return true;
}

/** The parts of a page's frame; if they differ, replacing its region is not enough. */
const frameOf = (/** @type {Document} */ page) =>
  all(page, "head :is(link[rel=stylesheet], style, script:not([type$=json])):not(noscript *)")
    .concat(bare(page).documentElement.lang, all(page, "[http-equiv], [name=fw-policy]"))
    .map((part) => part.href || part.src || part.content || (part.textContent ?? part)).join();

/** The text around the regions. @param {Document} page @param {string[]} ids */
const wordsAround = (page, ids) =>
  all(page, "header,nav,aside")
    .filter((part) => !ids.some((id) => byId(id, page).contains(part)))
    .map((part) =>
      all(part, changing).reduce(
        (text, one) => text.replace(one.textContent, one.dateTime ?? ""),
        part.textContent,
      )
    ).join();

/** Elements whose text the script changes. */
const changing = "[data-ui-relative], kbd, .ui-combobox, [data-fw-island], [data-fw-keep]";

/** Elements that work only if the browser loads the page. */
const onlyLoaded = "style, script, template[shadowrootmode]";

const about = "meta[name], meta[property], link:not([rel=stylesheet], [rel$=preload])";

/** Whether a page has islands but this one lacks the loader. @param {Document} page */
const lacksLoader = (page) => !islands() && all(page, "[data-fw-island]")[0];

/**
 * Changes the page, with a view transition if supported and not unwanted.
 * @param {unknown} isSeen Whether to skip it. @param {() => void} run
 */
export async function change(isSeen, run) {
  if (
    isSeen || !doc.startViewTransition || matchMedia("(prefers-reduced-motion: reduce)").matches
  ) {
    return run();
  }
  const { ready, finished, updateCallbackDone } = doc.startViewTransition(run);
  // A skipped transition is not a failure.
  ready.catch(() => {});
  finished.catch(() => {});
  await updateCallbackDone;
}

/** The element that gets the focus on a page. @param {any} region */
const startOf = (region) =>
  all(region, "[autofocus]:not(dialog:not([open]) *)")[0] ?? all(region, "h1")[0] ?? region;

/** Closes the menus, drawers and dialogs of the page being left. */
function closeLayers() {
  closeMenus();
  for (const one of all(document, ":popover-open")) one.hidePopover();
  for (const dialog of all(document, "dialog[open]")) dialog.close();
}

/**
 * Shows kept elements at once; the server's response updates them later.
 * @param {DocumentFragment} kept @param {string[]} ids @param {any} back
 */
function showKept(kept, ids, back) {
  closeLayers();
  for (const id of ids) replace(id, kept, { isOther: true, isWhole: true });
  doc.title = back.title;
  // Passwords, files and sent values are not restored.
  settle(ids, { ...back, isWanted: () => true });
}

/**
 * Restores the drafts of shown elements and, unless the user is staying, moves the focus to their start.
 * @param {string[]} ids @param {any} how
 */
function settle(ids, { drafts, y, isStaying, isWanted }) {
  for (const id of ids) writeDrafts(byId(id), drafts?.get(id), isWanted);
  if (isStaying) return;
  focusOn(startOf(byId(ids[0])));
  scrollTo({ top: y, behavior: "instant" });
}

/**
 * @param {Document} next @param {string[]} ids @param {import("./place.js").Placed} how
 * @param {any} kept The part already shown.
 */
function showPage(next, ids, how, kept) {
  const isKept = (/** @type {Element} */ element) =>
    !ids.some((id) => byId(id, next)?.contains(element));
  doc.querySelector("[data-ui-toaster]")?.append(...all(next, "[data-ui-toast]").filter(isKept));
  markCurrent(next);
  if (!kept) closeLayers();
  doc.title = bare(next).title;
  const { documentElement, head, body } = bare(next);
  // Keep the user's theme.
  documentElement.classList.toggle("dark", page.classList.contains("dark"));
  for (const [from, to] of [[page, documentElement], [doc.body, body]]) {
    takeAttributes(from, to, (name, isGone) => !(isGone && name === "style"));
  }
  const [old, now] = [all(doc.head, about), all(head, about)];
  if (old.some((one, at) => !one.isEqualNode(now[at])) || old.length < now.length) {
    for (const one of old) one.remove();
    doc.head.append(...now);
  }
  for (const id of ids) replace(id, next, how);
  fillForms(next, ids);
  if (!how.form) say(doc.title);
}

/** Marks the links to the current page, including those outside the region. @param {Document} next */
function markCurrent(next) {
  for (const link of all(document, "nav a[href]")) {
    const href = CSS.escape(link.getAttribute("href"));
    link.ariaCurrent = all(next, `nav [aria-current][href="${href}"]`)[0]?.ariaCurrent ?? null;
  }
}

onBack(navigate);
