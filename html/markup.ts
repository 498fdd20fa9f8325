/**
 * The state machine over HTML that the template tag `h.html` and the template files of `@fw/fw/tmpl`
 * share: what a browser's tokenizer would be reading at a place (WHATWG HTML, section 13.2.5). It goes
 * on in any state, since holes and actions cut the source into pieces.
 */

/** The state of the tokenizer. */
export type MarkupState =
  /** Between tags. */
  | "text"
  /** In a tag, before an attribute or the end. */
  | "tag"
  /** In an attribute's name. */
  | "name"
  /** Behind an attribute's name, where an equals sign may follow. */
  | "afterName"
  /** Behind the equals sign. */
  | "beforeValue"
  /** In an attribute's value. */
  | "value"
  /** In a comment. */
  | "comment"
  /** Behind `<!`, `<?` or `</` that begin no tag and no comment: read to the next `>`. */
  | "declaration"
  /** In an element whose content holds no tags. */
  | "content";

/** The closing quote of an attribute's value; none: white space or the end of the tag. */
export type Quote = '"' | "'" | "";

/** Why the source is refused. */
export type MarkupFault =
  /** A character in an attribute's name that browsers treat as a parse error. */
  | { readonly kind: "name"; readonly at: number }
  /** No name where one must be. */
  | { readonly kind: "unnamed"; readonly at: number };

export interface MarkupStep {
  readonly state: MarkupState;
  readonly at: number;
  /** The element's name in lower case, where a tag was opened or its content begins. */
  readonly element: string;
  readonly isEnd: boolean;
  /** The attribute's name, where one was read. */
  readonly attribute: string;
  readonly quote: Quote;
  readonly fault: MarkupFault | undefined;
}

/** The reading of an element's content: as text with references, or as it stands. */
export type ContentKind = "text" | "raw";

const contentKinds: ReadonlyMap<string, ContentKind> = /* @__PURE__ */ new Map([
  ["title", "text"],
  ["textarea", "text"],
  ["script", "raw"],
  ["style", "raw"],
  ["xmp", "raw"],
  ["iframe", "raw"],
  ["noembed", "raw"],
  ["noframes", "raw"],
  ["plaintext", "raw"],
]);

/** Returns how the content of an element is tokenized if it holds no tags; `undefined` for other elements. */
export function contentKindOf(element: string): ContentKind | undefined {
  return contentKinds.get(element);
}

export interface MarkupPiece {
  readonly source: string;
  readonly end: number;
}

/** The optional findings of a step besides a state. */
type Found = Partial<Pick<MarkupStep, "element" | "isEnd" | "attribute" | "quote" | "fault">>;

const nothing: Found = {};

function step(state: MarkupState, at: number, found: Found = nothing): MarkupStep {
  const { element = "", isEnd = false, attribute = "", quote = "", fault } = found;
  return { state, at, element, isEnd, attribute, quote, fault };
}

/** Advances one step, to the next change of state or to the end of the piece. */
export function stepMarkup(
  state: MarkupState,
  piece: MarkupPiece,
  at: number,
  element: string,
): MarkupStep {
  switch (state) {
    case "text":
      return stepText(piece, at);
    case "tag":
      return stepTag(piece, at, element);
    case "name":
      return stepName(piece, at);
    case "afterName":
      return stepAfterName(piece, at);
    case "beforeValue":
      return stepBeforeValue(piece, at);
    case "comment":
      return stepComment(piece, at);
    case "declaration": {
      const close = piece.source.indexOf(">", at);
      return close < 0 || close >= piece.end ? step(state, piece.end) : step("text", close + 1);
    }
    case "content":
      return stepContent(piece, at, element);
    case "value":
      throw new TypeError("a value has its own end: see valueEnd");
  }
}

const tagStart = /<(\/?)([A-Za-z][^\t\n\f\r />"'<=\0]*)/y;

function stepText({ source, end }: MarkupPiece, from: number): MarkupStep {
  for (let at = from;;) {
    at = source.indexOf("<", at);
    if (at < 0 || at + 1 >= end) return step("text", end);
    if (source.startsWith("<!--", at) && at + 4 <= end) return step("comment", at + 4);
    tagStart.lastIndex = at;
    const found = tagStart.exec(source);
    if (found !== null && at + 1 + (found[1] ?? "").length < end) {
      const isEnd = found[1] === "/";
      const close = Math.min(tagStart.lastIndex, end);
      const name = source.slice(at + (isEnd ? 2 : 1), close).toLowerCase();
      return step("tag", close, { element: name, isEnd });
    }
    const next = source[at + 1];
    if (next === "!" || next === "?" || (next === "/" && at + 2 < end)) {
      return step("declaration", at + 2);
    }
    at++;
  }
}

function spaceEnd({ source, end }: MarkupPiece, from: number): number {
  let at = from;
  while (at < end && isSpace(source.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b);
}

function stepTag(piece: MarkupPiece, from: number, element: string): MarkupStep {
  const { source, end } = piece;
  let at = spaceEnd(piece, from);
  // A slash parts attributes as white space does.
  while (at < end && source.charCodeAt(at) === 0x2f) at = spaceEnd(piece, at + 1);
  if (at >= end) return step("tag", end);
  if (source.charCodeAt(at) === 0x3e) {
    return step(contentKinds.has(element) ? "content" : "text", at + 1, { element });
  }
  if (source.charCodeAt(at) === 0x3d) {
    return step("tag", end, { fault: { kind: "unnamed", at } });
  }
  return stepName(piece, at);
}

const nameEnd = /[\t\n\f\r /=>'"<]/g;

function stepName({ source, end }: MarkupPiece, from: number): MarkupStep {
  nameEnd.lastIndex = from;
  const found = nameEnd.exec(source);
  const at = found === null ? end : Math.min(found.index, end);
  if (at < end && /['"<]/.test(source[at] ?? "")) {
    return step("name", end, { fault: { kind: "name", at } });
  }
  return step(at === end ? "name" : "afterName", at, { attribute: source.slice(from, at) });
}

function stepAfterName(piece: MarkupPiece, from: number): MarkupStep {
  const at = spaceEnd(piece, from);
  if (at >= piece.end) return step("afterName", piece.end);
  return piece.source[at] === "=" ? step("beforeValue", at + 1) : step("tag", at);
}

function stepBeforeValue(piece: MarkupPiece, from: number): MarkupStep {
  const at = spaceEnd(piece, from);
  if (at >= piece.end) return step("beforeValue", piece.end);
  const quote = piece.source[at];
  if (quote === '"' || quote === "'") return step("value", at + 1, { quote });
  return step("value", at, { quote: "" });
}

const unquotedEnd = /[\t\n\f\r >]/g;

/**
 * Finds the end of a value: its quote, or white space or `>`; returns `undefined` when the piece ends first.
 */
export function valueEnd(
  { source, end }: MarkupPiece,
  at: number,
  quote: Quote,
): number | undefined {
  if (quote !== "") {
    const index = source.indexOf(quote, at);
    return index < 0 || index >= end ? undefined : index;
  }
  unquotedEnd.lastIndex = at;
  const found = unquotedEnd.exec(source);
  return found === null || found.index >= end ? undefined : found.index;
}

const commentEnd = /--!?>/g;

function stepComment({ source, end }: MarkupPiece, from: number): MarkupStep {
  // `<!-->` and `<!--->` are comments too.
  const start = source.startsWith("<!--", from - 4) ? from - 2 : from;
  commentEnd.lastIndex = start;
  const abrupt = start < from ? /^-{2,3}>/.exec(source.slice(start, start + 4)) : null;
  if (abrupt !== null && start + abrupt[0].length <= end) {
    return step("text", start + abrupt[0].length);
  }
  commentEnd.lastIndex = from;
  const found = commentEnd.exec(source);
  const close = found === null ? end + 1 : commentEnd.lastIndex;
  return close > end ? step("comment", end) : step("text", close);
}

const endTags = new Map<string, RegExp>();

/** Finds the end tag of an element without tags in it; returns `undefined` when the piece ends first. */
export function endTagStart(
  { source, end }: MarkupPiece,
  at: number,
  element: string,
): number | undefined {
  let pattern = endTags.get(element);
  if (pattern === undefined) {
    pattern = new RegExp(`</${element}[\\t\\n\\f\\r />]`, "gi");
    endTags.set(element, pattern);
  }
  pattern.lastIndex = at;
  const found = pattern.exec(source);
  return found === null || pattern.lastIndex > end ? undefined : found.index;
}

function stepContent(piece: MarkupPiece, at: number, element: string): MarkupStep {
  const close = element === "plaintext" ? undefined : endTagStart(piece, at, element);
  return close === undefined
    ? step("content", piece.end, { element })
    : step("text", close, { element });
}
