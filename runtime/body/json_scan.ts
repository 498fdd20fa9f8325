/** The size of a JSON text, as far as it can be determined without parsing. */
export interface JsonSize {
  /** How deep arrays and objects are nested. */
  readonly depth: number;
  /** How many members all objects have together. */
  readonly keys: number;
  /** How many arrays and objects there are. */
  readonly containers: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Measures a JSON text in one pass, before it is parsed. For malformed text the numbers are meaningless,
 * since parsing rejects it.
 *
 * @param text The text.
 * @returns The numbers.
 */
export function scanJson(text: string): JsonSize {
  let depth = 0;
  let deepest = 0;
  let keys = 0;
  let containers = 0;
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
        containers++;
        if (++depth > deepest) deepest = depth;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
    }
  }
  return { depth: deepest, keys, containers };
}

/** Returns the index of the quote that ends the string; the text's length when there is none. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** A number or a word of JSON (RFC 8259), whole. */
const plain = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

/** The beginning of one. */
const partial = /t(?:r(?:u)?)?|f(?:a(?:l(?:s)?)?)?|n(?:u(?:l)?)?|-/y;

/** The tokens that may come next. */
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
    const start = skipSpace(text, at);
    const token = readToken(text, start);
    if (!token.isWhole) return token.end;
    const next = advance(state, { mark: token.mark, isString: token.isString, open });
    if (next === undefined) return start;
    state = next;
    at = token.end;
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
  // Space, line feed, carriage return, tab.
  for (;; at++) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
  }
}

/** One lexical element, or what there is of it. */
interface Token {
  /** Where it ends; for one that is not whole, where it stops being JSON. */
  readonly end: number;
  readonly isWhole: boolean;
  readonly isString: boolean;
  /** The character of one that is neither a string, nor a number, nor a word. */
  readonly mark: string | undefined;
}

function readToken(text: string, start: number): Token {
  const char = text.charAt(start);
  if (char === '"') return readString(text, start);
  if (char !== "" && "{}[]:,".includes(char)) {
    return { end: start + 1, isWhole: true, isString: false, mark: char };
  }
  plain.lastIndex = partial.lastIndex = start;
  const whole = plain.exec(text)?.[0];
  const seen = whole ?? partial.exec(text)?.[0] ?? "";
  return {
    end: start + seen.length,
    isWhole: whole !== undefined,
    isString: false,
    mark: undefined,
  };
}

/** By a loop: a regular expression with alternatives runs out of stack on a string of some megabytes. */
function readString(text: string, start: number): Token {
  let end = start + 1;
  let isWhole = false;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === QUOTE) {
      isWhole = true;
      end++;
      break;
    }
    if (code < 0x20) break;
    if (code !== BACKSLASH || shortEscapes.has(text.charCodeAt(++end))) continue;
    wholeEscape.lastIndex = end;
    if (wholeEscape.test(text)) {
      end = wholeEscape.lastIndex - 1;
      continue;
    }
    partialEscape.lastIndex = end;
    end += partialEscape.exec(text)?.[0].length ?? 0;
    break;
  }
  return { end, isWhole, isString: true, mark: undefined };
}

/** What follows the backslash of an escape of one character. */
const shortEscapes: ReadonlySet<number> = new Set(
  Array.from('"\\/bfnrt', (char) => char.charCodeAt(0)),
);

/** What follows the backslash of an escape of four digits. */
const wholeEscape = /u[0-9A-Fa-f]{4}/y;

/** The beginning of an escape of four digits. */
const partialEscape = /u[0-9A-Fa-f]{0,3}/y;
