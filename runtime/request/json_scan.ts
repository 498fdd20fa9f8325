/** What a JSON text holds, as far as it can be told without parsing. */
export interface JsonSize {
  /** How deep arrays and objects are nested. */
  readonly depth: number;
  /** How many members all objects have together. */
  readonly keys: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Measures a JSON text in one pass, before anything is made of it. Of malformed text the numbers are
 * as good as any: parsing refuses it.
 *
 * @param text The text.
 * @returns The numbers.
 */
export function scanJson(text: string): JsonSize {
  let depth = 0;
  let deepest = 0;
  let keys = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = stringEnd(text, i);
        break;
      case COLON:
        keys++;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth > deepest) deepest = depth;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
    }
  }
  return { depth: deepest, keys };
}

/** The index of the quote that ends the string; the text's length when there is none. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** One lexical element of JSON (RFC 8259), from where the last one ended. */
const token =
  // deno-lint-ignore no-control-regex -- control characters are what a string must not hold
  /[ \t\n\r]*(?:([{}[\]:,])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*")|(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null))/y;

/** What may come next. */
type State = "value" | "valueOrEnd" | "key" | "keyOrEnd" | "colon" | "commaOrEnd" | "end";

/**
 * Finds the first character at which a text stops being JSON: the platform's own messages name it
 * only for some faults.
 *
 * @param text The text.
 * @returns The index, the text's length when it ends early, or `undefined` for valid JSON.
 */
export function findJsonFault(text: string): number | undefined {
  const open: string[] = [];
  let state: State = "value";
  let at = 0;
  while (state !== "end") {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) return faultFrom(text, at);
    const next = advance(state, { mark: match[1], isString: match[2] !== undefined, open });
    if (next === undefined) return skipSpace(text, at);
    state = next;
    at = token.lastIndex;
  }
  const rest = skipSpace(text, at);
  return rest < text.length ? rest : undefined;
}

function advance(
  state: State,
  seen: { readonly mark: string | undefined; readonly isString: boolean; readonly open: string[] },
): State | undefined {
  const { mark, isString, open } = seen;
  const after = (): State => open.length === 0 ? "end" : "commaOrEnd";
  switch (state) {
    case "key":
    case "keyOrEnd":
      if (isString) return "colon";
      if (mark !== "}" || state === "key") return undefined;
      open.pop();
      return after();
    case "colon":
      return mark === ":" ? "value" : undefined;
    case "commaOrEnd":
      if (mark === ",") return open.at(-1) === "{" ? "key" : "value";
      if (mark !== (open.at(-1) === "{" ? "}" : "]")) return undefined;
      open.pop();
      return after();
    default:
      if (mark === undefined) return after();
      if (mark === "{" || mark === "[") {
        open.push(mark);
        return mark === "{" ? "keyOrEnd" : "valueOrEnd";
      }
      if (mark !== "]" || state !== "valueOrEnd") return undefined;
      open.pop();
      return after();
  }
}

function skipSpace(text: string, at: number): number {
  while (at < text.length && " \t\n\r".includes(text.charAt(at))) at++;
  return at;
}

/** No token starts here: inside a string or a word the fault may lie further on. */
function faultFrom(text: string, from: number): number {
  const start = skipSpace(text, from);
  const partial =
    // deno-lint-ignore no-control-regex -- control characters are what a string must not hold
    /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*(?:\\(?:u[0-9A-Fa-f]{0,3})?)?|t(?:r(?:u)?)?|f(?:a(?:l(?:s)?)?)?|n(?:u(?:l)?)?|-/y;
  partial.lastIndex = start;
  return start + (partial.exec(text)?.[0].length ?? 0);
}
