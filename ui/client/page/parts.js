import { all, bare, byId, doc, front, hydrate, make } from "../core.js";

const teller = make("div", { class: "ui-sr-only", role: "status" });

/** Announces a text to screen readers. @param {string} text */
export function say(text) {
  teller.textContent = "";
  (front() ?? doc.body).append(teller);
  // A swap may have removed it.
  setTimeout(() => teller.isConnected ? teller.textContent = text : say(text), 100);
}

/** The announcement of an element (`ui.announce`). @param {any} element */
export const saidBy = (element) =>
  all(element, "[data-ui-announce]").map((one) => bare(one).getAttribute("data-ui-announce"))
    .join();

/**
 * Fires `fw:swap` for a replaced element, and announces its text if it changed.
 * @param {Element} target @param {number} status @param {string} [said] The previous announcement.
 */
export function tellSwap(target, status, said) {
  hydrate(target);
  const text = saidBy(target);
  if (text && text !== said) say(text);
  bare(target).dispatchEvent(
    new CustomEvent("fw:swap", { bubbles: true, detail: { target, status } }),
  );
}

/**
 * Parses HTML, which may start with a table row, without running scripts. Several elements are parsed separately,
 * because the parser drops a row after another element.
 * @param {string} html @param {string | null} [mark] The separator, a comment's text.
 * @returns {DocumentFragment}
 */
export function parse(html, mark) {
  const content = doc.createDocumentFragment();
  for (const text of (mark ? html.split(`<!--${mark}-->`) : [html])) {
    const template = doc.createElement("template");
    template.innerHTML = text;
    content.append(template.content);
  }
  placeParts(content);
  return content;
}

/**
 * Places received late parts (`c.defer`) in the same content or in the page.
 * @param {DocumentFragment | Document} content
 */
export function placeParts(content) {
  // With scripting enabled, `noscript` contains text.
  for (const one of all(content, "noscript")) one.textContent = one.innerHTML;
  for (const part of all(content, 'template[id^="fw-part-"]')) {
    const id = part.id.replace("part", "late");
    const place = byId(id, content) ?? byId(id);
    part.remove();
    if (!place) continue;
    const parent = place.parentNode;
    while (place.nextSibling && place.nextSibling.data !== `/${id}`) {
      bare(place.nextSibling).remove();
    }
    place.nextSibling?.remove();
    place.replaceWith(part.content);
    if (doc.contains(parent)) tellSwap(parent, 200);
  }
}

/**
 * Yields the pieces of a response as they arrive: the immediate part, then the late parts.
 * @param {any} answer @returns {AsyncGenerator<string, void>}
 */
export async function* piecesOf(answer) {
  const key = answer.headers.get("FW-Late");
  if (!key || !answer.body) return yield await answer.text();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let text = "";;) {
      const { done, value } = await reader.read();
      if (done) return yield text;
      const pieces = (text + value).split(`<!--${key}-->`);
      text = pieces.pop() ?? "";
      yield* pieces;
    }
  } finally {
    // Cancel, because no further parts are needed.
    reader.cancel().catch(() => {});
  }
}
