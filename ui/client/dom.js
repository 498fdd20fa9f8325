/**
 * Wraps a form or document, whose own members fields and images can hide by their names. DOM functions do not
 * accept the wrapper.
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

/** The document, wrapped. */
export const doc = bare(document);

/** The root element of the page. */
export const page = doc.documentElement;

/** @param {string | undefined} id @param {DocumentFragment | Document} [content] The content to search. */
export const byId = (id, content = document) => bare(content).getElementById(id ?? "");

/**
 * The nearest match of a node or its ancestors; the node, such as an event's target, may be a form.
 * @param {any} node @param {string} selector
 */
export const closest = (node, selector) => bare(node).closest?.(selector);

/** The elements that the script marked as busy; a swap around them keeps the mark. */
export const busy = new WeakSet();

/** Marks an element as busy, or as idle again. @param {any} element @param {"true" | null} value */
export function setBusy(element, value) {
  busy[value ? "add" : "delete"](element);
  bare(element).ariaBusy = value;
}

/** Whether a control is ticked rather than filled in. @param {any} control */
export const isBox = ({ type }) => /^(checkbox|radio)$/.test(type);

/**
 * Listens on the document, so that swapped-in elements are covered too.
 * @type {(type: string, run: (event: any) => unknown, options?: AddEventListenerOptions) => void}
 */
export const on = doc.addEventListener;

/** Whether a key belongs to an input method; Safari marks the last one by its code alone. @param {any} key */
export const isComposing = (key) => key.isComposing || key.keyCode === 229;

/** Listens for keys that neither an input method nor another handler has handled. @param {(key: any) => void} run */
export const onKey = (run) =>
  on("keydown", (key) => key.defaultPrevented || isComposing(key) || run(key));

/**
 * The element and its descendants that match.
 * @param {any} element An element or a document. @param {string} selector @returns {any[]}
 */
export const all = (element, selector) => [
  ...(bare(element).matches?.(selector) ? [element] : []),
  ...bare(element).querySelectorAll(selector),
];

/**
 * Creates an element without parsing HTML, so that text stays text.
 * @param {string} tag @param {Record<string, any>} attributes Values of `false` are omitted.
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

/** The topmost modal dialog, if any; everything outside it is inert and not announced. @returns {any} */
export const front = () => all(document, "dialog:modal").at(-1);

/** The element that a URL fragment targets. @param {string} hash */
export function targetOf(hash) {
  try {
    return byId(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/** Whether a click or key has a modifier, so that the browser should handle it. @param {any} event */
export const isSpecial = (event) =>
  event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

/**
 * Whether the script may follow a URL: same site, same window.
 * @param {URL | HTMLAnchorElement} url @param {string | null} [target]
 */
export const isOurs = (url, target) =>
  // A `blob:` URL shares its page's origin.
  /^http/.test(url.protocol) && url.origin === location.origin && /^(_self)?$/i.test(target ?? "");

/**
 * Reads a setting of a form, which its button may override.
 * @param {any} form @param {any} pressed @param {string} name @returns {string | null}
 */
export const settingOf = (form, pressed, name) =>
  pressed?.getAttribute(`form${name}`) ?? bare(form).getAttribute(name);

/** Opens the tabs and `details` that hide an element. @param {any} element */
export function reveal(element) {
  for (let at = element; at; at = bare(at).parentElement) {
    if (at.localName === "details") at.open = true;
    if (at.role === "tabpanel" && at.hidden) byId(at.getAttribute("aria-labelledby"))?.click();
  }
}

/**
 * Focuses an element, also one that is not focusable, such as a heading.
 * @param {any} element @param {FocusOptions} options
 */
export function focusOn(element, options = { preventScroll: true }) {
  const place = bare(element);
  place.focus(options);
  if (doc.activeElement === element) return;
  place.tabIndex = -1;
  place.addEventListener("blur", () => place.removeAttribute("tabindex"), { once: true });
  place.focus(options);
}
