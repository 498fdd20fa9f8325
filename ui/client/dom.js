/**
 * A form, or a document, with the members that it has whatever is in it: a field and an image hide what they are
 * named as. It is nothing to hand on.
 * @param {any} node @returns {any}
 */
export const bare = (node) => {
  const kind = Object.getPrototypeOf(node);
  return new Proxy(node, {
    get(_, name) {
      const member = Reflect.get(kind, name, node);
      return typeof member === "function" ? member.bind(node) : member;
    },
    set: (_, name, value) => Reflect.set(kind, name, value, node),
  });
};

/** This document. */
export const doc = bare(document);

/** The element of the page. */
export const page = doc.documentElement;

/** @param {string | undefined} id @param {DocumentFragment | Document} [content] Where it is. */
export const byId = (id, content = document) => bare(content).getElementById(id ?? "");

/**
 * What is around a node or is it: of what an event met, which may be a form.
 * @param {any} node @param {string} selector
 */
export const closest = (node, selector) => bare(node).closest?.(selector);

/** Whether a control is ticked rather than filled in. @param {any} control */
export const isBox = ({ type }) => /^(checkbox|radio)$/.test(type);

/** Whether a media query holds. @param {string} query */
export const holdsMedia = (query) => matchMedia(query).matches;

/** Text as it is compared: without accents and capitals. @param {string} text */
export const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Listens on the document, so that what a swap brings is heard as well. */
export const on = /** @type {typeof document.addEventListener} */ (doc.addEventListener);

/**
 * Listens for keys, but not for those that another handler has taken, or that compose a character.
 * @param {(event: any) => void} run
 */
export const onKey = (run) =>
  on("keydown", (event) => event.defaultPrevented || event.isComposing || run(event));

/**
 * The element and what is in it, as far as they match.
 * @param {any} element An element or a document. @param {string} selector @returns {any[]}
 */
export const all = (element, selector) => [
  ...(bare(element).matches?.(selector) ? [element] : []),
  ...bare(element).querySelectorAll(selector),
];

/**
 * Makes an element. Nothing here writes HTML, so that no text can become any.
 * @param {string} tag @param {Record<string, any>} attributes Those that are `false` are left out.
 * @param {(string | Node)[]} children @returns {any}
 */
export function make(tag, attributes, ...children) {
  const element = doc.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** The modal dialog on top, if there is one: beside it nothing is heard, and nothing can be pressed. @returns {any} */
export const front = () => all(document, "dialog:modal").at(-1);

/** The address without what follows the `#`. @param {string} url */
export const pageOf = (url) => /** @type {string} */ (url.split("#")[0]);

/** The element to which a `#` leads. @param {string} hash */
export function targetOf(hash) {
  try {
    return byId(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/** Whether a click or a key asks for something else than what it does here. @param {any} event */
export const isSpecial = (event) =>
  event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

/**
 * Whether the script may follow to an address: on this site, in this window.
 * @param {URL | HTMLAnchorElement} url @param {string | null} [target]
 */
export const isOurs = (url, target) =>
  isWeb(url) && url.origin === location.origin && /^(_self)?$/i.test(target ?? "");

/** Whether a page can be at an address: a `blob:` has the origin of its page too. @param {URL | HTMLAnchorElement} url */
const isWeb = (url) => url.protocol.startsWith("http");

/** Goes to an address for real, also where only what follows the `#` is another. @param {URL} url */
export function goTo(url) {
  if (!isWeb(url)) return;
  const isHere = pageOf(url.href) === pageOf(location.href);
  location.assign(url);
  if (isHere && url.hash) location.reload();
}
