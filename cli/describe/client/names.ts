/**
 * Chooses the identifiers of a written client: whatever a document calls its parts, each gets a name
 * that the language allows, that shadows nothing the client uses, and that comes once.
 *
 * @module
 */
import { identifier } from "../../gen/source_text.ts";

/** Words that no type may be called, and names that the client itself uses. */
const taken = new Set(
  ("any as async await bigint boolean break case catch class const continue debugger declare default " +
    "delete do else enum export extends false finally for function get if implements import in infer " +
    "instanceof interface is keyof let module namespace never new null number object of package " +
    "private protected public readonly require return satisfies set static string super switch symbol " +
    "this throw true try type typeof undefined unique unknown using var void while with yield " +
    "arguments eval globalThis NaN Infinity " +
    "AbortSignal ArrayBuffer Array AsyncGenerator AsyncIterable BigInt Blob Boolean Error File FormData " +
    "Headers HeadersInit JSON Location Map Number Object Omit Partial Promise Proxy RangeError " +
    "ReadableStream ReadonlyArray ReadonlySet Readonly Record RegExp Request RequestCredentials " +
    "RequestInit RequestRedirect Required Response Set String Symbol SyntaxError TextDecoder TypeError " +
    "URL URLSearchParams Uint8Array decodeURIComponent encodeURIComponent " +
    "BodyInit ApiError ApiResult CallOptions Client ClientOptions ServerEvent StatusClient Operation " +
    "Parameter Input RawResult Finish Call EventParser").split(" "),
);

/** Hands out names, each once. */
export class Names {
  readonly #used = new Set<string>();
  /** The number to try next for a name, so that thousands of equal names stay quick. */
  readonly #next = new Map<string, number>();

  /** Returns the name, or the name with a number where it is used already. */
  take(wanted: string): string {
    let name = wanted;
    let count = this.#next.get(wanted) ?? 2;
    while (this.#used.has(name)) name = `${wanted}${count++}`;
    this.#next.set(wanted, count);
    this.#used.add(name);
    return name;
  }
}

/** The most characters of a name that comes from a document, so that a declaration fits on a line. */
const maxNameChars = 40;

/** Returns a name for a type: as it is where possible, otherwise its words joined. */
export function typeName(text: string): string {
  const name = identifier.test(text) && text.length <= maxNameChars
    ? text
    : upperFirst(joinWords(text));
  return taken.has(name) || name === "__proto__" || name === "constructor"
    ? `${upperFirst(name.replace(/^_+|_+$/g, ""))}Schema`
    : name;
}

/** Returns a name for a method of the client. Reserved words are fine there: `client.delete()`. */
export function methodName(text: string): string {
  const name = identifier.test(text) && text.length <= maxNameChars
    ? text
    : lowerFirst(joinWords(text));
  // A `then` would make the client a promise, a `__proto__` its prototype, a `constructor` a class.
  return ["then", "__proto__", "constructor"].includes(name)
    ? `${name.replaceAll("_", "")}Operation`
    : name;
}

/** Returns the name of a method and a path for an operation without an id: `getEventsBySlug`. */
export function fallbackName(method: string, path: string): string {
  const words = path.split("/").filter((part) => part !== "").map((part) => {
    const name = /^\{(.*)\}$/.exec(part)?.[1];
    return name === undefined ? part : `by ${name}`;
  });
  return `${method} ${words.join(" ")}`.trim();
}

function joinWords(text: string): string {
  const words = text.slice(0, maxNameChars).match(/[\p{ID_Continue}$]+/gu) ?? [];
  const joined = words.map((word, at) => at === 0 ? word : upperFirst(word)).join("");
  return identifier.test(joined) ? joined : `_${joined}`;
}

export function upperFirst(text: string): string {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length);
}

function lowerFirst(text: string): string {
  const [first = ""] = text;
  return first.toLowerCase() + text.slice(first.length);
}
