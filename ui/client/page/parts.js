import { all, bare, byId, doc, front, hydrate, make } from "../core.js";

const teller = make("div", { class: "ui-sr-only", role: "status" });

/** Says something to who does not see it. @param {string} text */
export function say(text) {
  teller.textContent = "";
  (front() ?? doc.body).append(teller);
  setTimeout(() => teller.textContent = text, 100);
}

/** What an element has to say (`ui.announce`). @param {any} element */
export const saidBy = (element) =>
  all(element, "[data-ui-announce]").map((one) => bare(one).getAttribute("data-ui-announce"))
    .join();

/**
 * Says that something was replaced, and what it has to say if that is new.
 * @param {Element} target @param {number} status @param {string} [said] What was said before.
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
 * The content of HTML. No script in it runs, and a row of a table may stand at its top. Of several elements each is
 * parsed by itself: after another one, a parser drops a row.
 * @param {string} html @param {string | null} [mark] What stands between them, in a comment.
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
 * Puts late parts that came (`c.defer`) in their places, in the same content or in the page.
 * @param {DocumentFragment | Document} content
 */
export function placeParts(content) {
  // Where scripts run, it holds text.
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
    if (bare(parent).ownerDocument === document && bare(parent).isConnected) tellSwap(parent, 200);
  }
}

/**
 * The pieces of an answer as they come: what is there at once, then the late parts.
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
    // Whoever reads no further needs no further parts.
    reader.cancel().catch(() => {});
  }
}
