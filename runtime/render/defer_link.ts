/** Elements that accept only rows, entries or options: other content in them moves or is lost. */
const pickyParents = new Set(
  ("table colgroup thead tbody tfoot tr ul ol dl menu select datalist optgroup option picture video " +
    "audio object").split(" "),
);

/** Elements in which no link may stand, however deep: links, controls, pictures, text. */
const linklessElements = new Set(
  "a button label summary svg math title textarea head".split(" "),
);

const voidElements = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

const tag = /(\/?)([a-z][a-z0-9-]*)/iy;

/**
 * Reports whether a link may stand at a position of a page. It reads the tags before it from the
 * last to the first. Where the application left out end tags, it may return true inside a table.
 */
export function mayHoldLink(html: string, place: number): boolean {
  const closed: string[] = [];
  let hasParent = false;
  for (let at = place; at > 0;) {
    at = html.lastIndexOf("<", at - 1);
    if (at < 0) break;
    tag.lastIndex = at + 1;
    const [, slash, written] = tag.exec(html) ?? [];
    const name = written?.toLowerCase();
    if (name === undefined || voidElements.has(name)) continue;
    if (slash !== "") closed.push(name);
    else if (closed.length > 0) {
      if (closed.at(-1) === name) closed.pop();
    } else {
      if (linklessElements.has(name) || (!hasParent && pickyParents.has(name))) return false;
      hasParent = true;
    }
  }
  return true;
}
