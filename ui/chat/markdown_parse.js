/**
 * Parses the Markdown that models write into elements and texts. HTML in it stays text. The server and
 * the script of a chat share this file, so that both show the same.
 *
 * @module
 */

/**
 * A text, or an element with a few attributes.
 *
 * @typedef {string | { tag: string, href?: string, start?: number, children: Piece[] }} Piece
 */

/** How deep quotes, lists and emphasis may nest; what is deeper stays text. */
const maxDepth = 6;

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}(#{1,6}) +(?! )/;
const rule = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;
const quote = /^ {0,3}> ?/;
const item = /^( {0,3})([-*+]|\d{1,9}[.)])(?: {1,4}(?! )|$)/;
const delimiters = /^\|?(?: *:?-{1,99}:? *\|)+(?: *:?-{1,99}:?)?$/;

/**
 * @param {string} text
 * @returns {Piece[]} The blocks.
 */
export function parseMarkdown(text) {
  const blocks = blocksOf(text.replace(/\t/g, "    ").split(/\r\n?|\n/), 0);
  const headings = blocks.filter(isHeading);
  const highest = headings.reduce((least, each) => Math.min(least, levelOf(each)), 6);
  // Below the headings of the page, and none leaves a level out.
  let before = 2;
  for (const each of headings) {
    before = Math.min(3 + levelOf(each) - highest, before + 1, 6);
    each.tag = `h${before}`;
  }
  return blocks;
}

/** @param {Piece} piece @returns {piece is Exclude<Piece, string>} */
const isHeading = (piece) => typeof piece === "object" && /^h\d$/.test(piece.tag);

/** @param {Exclude<Piece, string>} heading */
const levelOf = ({ tag }) => Number(tag[1]);

/**
 * @param {string[]} lines
 * @param {number} depth
 * @returns {Piece[]}
 */
function blocksOf(lines, depth) {
  /** @type {Piece[]} */
  const blocks = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? "";
    const [found, end] = !line.trim()
      ? [undefined, at + 1]
      : codeAt(lines, at) ?? headingAt(line, at, depth) ?? quoteAt(lines, at, depth) ??
        listAt(lines, at, depth) ?? tableAt(lines, at) ?? paragraphAt(lines, at);
    if (found) blocks.push(found);
    at = end;
  }
  return blocks;
}

/**
 * Code to its closing fence, or to the end: a stream may not have closed it yet.
 *
 * @param {string[]} lines
 * @param {number} at
 * @returns {[Piece, number] | undefined}
 */
function codeAt(lines, at) {
  const [, mark] = fence.exec(lines[at] ?? "") ?? [];
  if (!mark) return;
  const closing = new RegExp(`^ {0,3}${mark[0]}{${mark.length},} *$`);
  let end = at + 1;
  while (end < lines.length && !closing.test(lines[end] ?? "")) end++;
  const code = { tag: "code", children: [lines.slice(at + 1, end).join("\n")] };
  return [{ tag: "pre", children: [code] }, end + 1];
}

/**
 * A heading or a rule. Inside a quote or a list, a heading is a paragraph: it has no place in the outline.
 *
 * @param {string} line
 * @param {number} at
 * @param {number} depth
 * @returns {[Piece, number] | undefined}
 */
function headingAt(line, at, depth) {
  if (rule.test(line)) return [{ tag: "hr", children: [] }, at + 1];
  const [start, marks] = heading.exec(line) ?? [];
  if (!start || !marks) return;
  const tag = depth > 0 ? "p" : `h${marks.length}`;
  const text = withoutEnd(line.slice(start.length).trimEnd(), "#").trimEnd();
  return [{ tag, children: inline(text, 0) }, at + 1];
}

/**
 * Cuts characters off the end. A pattern with `+$` would try again from each of them.
 *
 * @param {string} text
 * @param {string} characters
 */
function withoutEnd(text, characters) {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? "")) end--;
  return text.slice(0, end);
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {[Piece, number] | undefined}
 */
function quoteAt(lines, at, depth) {
  if (depth >= maxDepth || !quote.test(lines[at] ?? "")) return;
  let end = at;
  while (end < lines.length && quote.test(lines[end] ?? "")) end++;
  const inner = lines.slice(at, end).map((line) => line.replace(quote, ""));
  return [{ tag: "blockquote", children: blocksOf(inner, depth + 1) }, end];
}

/**
 * A list: items of one kind, with the lines that are indented below them.
 *
 * @param {string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {[Piece, number] | undefined}
 */
function listAt(lines, at, depth) {
  const [, , first = ""] = item.exec(lines[at] ?? "") ?? [];
  if (depth >= maxDepth || !first) return;
  const kind = first.slice(-1);
  /** @type {Piece[]} */
  const items = [];
  let end = at;
  while (end < lines.length) {
    const [mark = "", , sign = ""] = item.exec(lines[end] ?? "") ?? [];
    if (sign.slice(-1) !== kind || rule.test(lines[end] ?? "")) break;
    const inner = [(lines[end] ?? "").slice(mark.length)];
    const indent = new RegExp(`^ {1,${Math.max(2, mark.length)}}`);
    for (end++; end < lines.length; end++) {
      const line = lines[end] ?? "";
      const isInside = /^ {2,}\S/.test(line) ||
        (!line.trim() && /^ {2,}\S/.test(lines[end + 1] ?? ""));
      if (!isInside) break;
      inner.push(line.replace(indent, ""));
    }
    items.push({ tag: "li", children: tight(blocksOf(inner, depth + 1)) });
    // A blank line between two items belongs to the list.
    if (!lines[end]?.trim() && item.exec(lines[end + 1] ?? "")?.[2]?.slice(-1) === kind) end++;
  }
  const start = Number.parseInt(first);
  if (!Number.isInteger(start)) return [{ tag: "ul", children: items }, end];
  return [{ tag: "ol", ...(start === 1 ? {} : { start }), children: items }, end];
}

/**
 * The text of an item without the paragraph around it.
 *
 * @param {Piece[]} blocks
 * @returns {Piece[]}
 */
function tight(blocks) {
  const [first, ...rest] = blocks;
  return typeof first === "object" && first.tag === "p" ? [...first.children, ...rest] : blocks;
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @returns {[Piece, number] | undefined}
 */
function tableAt(lines, at) {
  const head = lines[at] ?? "";
  if (!head.includes("|") || !delimiters.test((lines[at + 1] ?? "").trim())) return;
  let end = at + 2;
  while (lines[end]?.includes("|")) end++;
  const columns = cellsOf(head).length;
  /** @param {string} line @param {string} tag */
  const row = (line, tag) => ({
    tag: "tr",
    children: cellsOf(line).slice(0, columns).map((text) => ({ tag, children: inline(text, 0) })),
  });
  const body = lines.slice(at + 2, end).map((line) => row(line, "td"));
  return [{
    tag: "table",
    children: [
      { tag: "thead", children: [row(head, "th")] },
      { tag: "tbody", children: body },
    ],
  }, end];
}

/** @param {string} line */
const cellsOf = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((text) => text.trim());

/**
 * @param {string[]} lines
 * @param {number} at
 * @returns {[Piece, number]}
 */
function paragraphAt(lines, at) {
  let end = at + 1;
  while (end < lines.length && lines[end]?.trim() && !startsBlock(lines[end] ?? "")) end++;
  const text = lines.slice(at, end).map((line) => line.trimStart()).join("\n").trimEnd();
  return [{ tag: "p", children: inline(text, 0) }, end];
}

/** @param {string} line */
const startsBlock = (line) =>
  [fence, heading, rule, quote, item].some((pattern) => pattern.test(line));

const code = /(`{1,8})(?!`)/y;
const link =
  /!?\[([^[\]\n]{0,1000})\]\(<?((?:[^()\s<>]|\([^()\s<>]{0,200}\)){1,2000})>?(?: "[^"\n]{0,500}")?\)/y;
const bareLink = /https?:\/\/[^\s<>"'`)\]]{1,2000}/y;
const emphasis = /\*\*\*|\*\*|__|~~|\*|_/y;
/** @type {Record<string, string>} */
const emphasisTags = { "***": "em", "**": "strong", __: "strong", "~~": "del", "*": "em", _: "em" };
const special = /[\\`![*_~h\n]/g;

/**
 * Parses what stands in a line. Every search that finds nothing is remembered, so that the time grows with
 * the length alone.
 *
 * @param {string} text
 * @param {number} depth
 * @returns {Piece[]}
 */
function inline(text, depth) {
  /** @type {Piece[]} */
  const pieces = [];
  /** What has no end in the rest. @type {Set<string>} */
  const endless = new Set();
  let plain = "";
  /** @param {Piece} piece */
  const add = (piece) => {
    if (plain) pieces.push(plain);
    plain = "";
    pieces.push(piece);
  };
  for (let at = 0; at < text.length;) {
    special.lastIndex = at;
    const next = special.exec(text)?.index ?? text.length;
    plain += text.slice(at, next);
    at = next;
    if (at >= text.length) break;
    const found = depth < maxDepth && spanAt(text, at, { depth, endless });
    if (found) {
      add(found[0]);
      at = found[1];
    } else if (text[at] === "\\" && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? "")) {
      plain += text[at + 1];
      at += 2;
    } else if (text[at] === "\n" && text[at - 1] === " " && text[at - 2] === " ") {
      // Reading "plain" at each line break would copy all of it each time.
      plain = plain.trimEnd();
      add({ tag: "br", children: [] });
      at++;
    } else {
      plain += text[at];
      at++;
    }
  }
  if (plain) pieces.push(plain);
  return pieces;
}

/**
 * @param {string} text
 * @param {number} at
 * @param {{ depth: number, endless: Set<string> }} state
 * @returns {[Piece, number] | undefined}
 */
function spanAt(text, at, state) {
  switch (text[at]) {
    case "`":
      return codeSpan(text, at, state.endless);
    case "!":
    case "[":
      return linkAt(text, at, state.depth);
    case "h":
      return bareLinkAt(text, at);
    case "*":
    case "_":
    case "~":
      return emphasisAt(text, at, state);
  }
}

/** @param {RegExp} pattern @param {string} text @param {number} at */
function match(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * @param {string} text
 * @param {number} at
 * @param {Set<string>} endless
 * @returns {[Piece, number] | undefined}
 */
function codeSpan(text, at, endless) {
  const mark = match(code, text, at)?.[1];
  if (!mark || text[at - 1] === "`" || endless.has(mark)) return;
  let end = text.indexOf(mark, at + mark.length);
  while (end >= 0 && (text[end + mark.length] === "`" || text[end - 1] === "`")) {
    end = text.indexOf(mark, end + 1);
  }
  if (end < 0) {
    endless.add(mark);
    return;
  }
  const inner = text.slice(at + mark.length, end).replace(/\n/g, " ");
  const isPadded = inner.startsWith(" ") && inner.endsWith(" ") && inner.trim() !== "";
  const bare = isPadded ? inner.slice(1, -1) : inner;
  return [{ tag: "code", children: [bare] }, end + mark.length];
}

/**
 * A link. An image becomes a link to it: loading it by itself would tell its server who reads.
 *
 * @param {string} text
 * @param {number} at
 * @param {number} depth
 * @returns {[Piece, number] | undefined}
 */
function linkAt(text, at, depth) {
  const [whole, label = "", url = ""] = match(link, text, at) ?? [];
  if (!whole || !isSafe(url)) return;
  return [{ tag: "a", href: url, children: inline(label || url, depth + 1) }, at + whole.length];
}

/** Whether a link may lead there: the web, mail, and places of this site. @param {string} url */
const isSafe = (url) => /^(?:https?:\/\/|mailto:|#|\/(?![/\\]))/i.test(url);

/**
 * @param {string} text
 * @param {number} at
 * @returns {[Piece, number] | undefined}
 */
function bareLinkAt(text, at) {
  if (/\w/.test(text[at - 1] ?? "")) return;
  const url = withoutEnd(match(bareLink, text, at)?.[0] ?? "", ".,;:!?*_~");
  return url && /:\/\/./.test(url)
    ? [{ tag: "a", href: url, children: [url] }, at + url.length]
    : undefined;
}

/**
 * @param {string} text
 * @param {number} at
 * @param {{ depth: number, endless: Set<string> }} state
 * @returns {[Piece, number] | undefined}
 */
function emphasisAt(text, at, { depth, endless }) {
  const mark = match(emphasis, text, at)?.[0];
  const tag = mark && emphasisTags[mark];
  const start = at + (mark?.length ?? 0);
  if (!tag || endless.has(mark) || !/\S/.test(text[start] ?? "")) return;
  const isWord = mark.startsWith("_");
  if (isWord && /\w/.test(text[at - 1] ?? "")) return;
  for (let end = text.indexOf(mark, start + 1); end >= 0; end = text.indexOf(mark, end + 1)) {
    /** @type {string} */
    const after = text[end + mark.length] ?? "";
    const isDouble = mark.length === 1 && (after === mark || text[end - 1] === mark);
    const isInside = isWord && /\w/.test(after);
    if (!/\S/.test(text[end - 1] ?? "") || isDouble || isInside) continue;
    const inner = { tag, children: inline(text.slice(start, end), depth + 1) };
    const piece = mark === "***" ? { tag: "strong", children: [inner] } : inner;
    return [piece, end + mark.length];
  }
  endless.add(mark);
}
