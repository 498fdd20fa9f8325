import { all, bare } from "../dom.js";
import { forget } from "../hydrate.js";

const live = "[role=status], [role=alert], [role=log], [aria-live]:not([aria-live=off])";

/** Whether an element is, or holds, a live region that this script may fill. @param {any} element */
const isLive = (element) => all(element, live).some((one) => !one.closest("[data-fw-island]"));

/**
 * Replaces an element. Live regions that both have stay in the page and change their content:
 * a screen reader says nothing of one that comes with its text.
 *
 * @param {any} old
 * @param {any} next
 * @returns {any} What is in the page now.
 */
export function exchange(old, next) {
  const was = bare(old);
  if (old.localName !== next.localName || !isLive(old) || !isLive(next)) {
    was.replaceWith(next);
    return next;
  }
  forget(old);
  copyAttributes(was, bare(next));
  const nodes = [...bare(next).childNodes];
  if (was.matches(live)) {
    if (!was.isEqualNode(next)) was.replaceChildren(...nodes);
    return old;
  }
  const coming = [...bare(next).children].filter(isLive);
  const staying = [...was.children].filter(isLive);
  const partners = new Map(
    coming.map((child, at) => [child, child.localName === staying[at]?.localName && staying[at]]),
  );
  const stays = new Set(partners.values());
  for (const node of [...was.childNodes]) if (!stays.has(node)) bare(node).remove();
  let place = was.firstChild;
  for (const node of nodes) {
    const partner = partners.get(node);
    if (partner) place = exchange(partner, node).nextSibling;
    else was.insertBefore(node, place);
  }
  return old;
}

/** @param {any} to @param {any} from */
function copyAttributes(to, from) {
  for (const { name } of [...to.attributes]) if (!from.hasAttribute(name)) to.removeAttribute(name);
  for (const { name, value } of from.attributes) {
    if (to.getAttribute(name) !== value) to.setAttribute(name, value);
  }
}
