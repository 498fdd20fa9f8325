/** A part of a template: text as it stands, or a variable. */
type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "variable"; readonly name: string; readonly isReserved: boolean };

/**
 * A URI template of RFC 6570 with its simple (`{id}`) and reserved (`{+path}`) expressions, as servers
 * use them to name families of resources. It matches in one pass: between two variables stands text.
 */
export class UriTemplate {
  /** The template as it was written. */
  readonly source: string;
  /** The names of the variables, in their order. */
  readonly variables: readonly string[];
  readonly #parts: readonly Part[];

  /**
   * Parses a template.
   *
   * @throws {TypeError} for an expression that is not supported, two variables side by side, a name that
   * comes twice, and a template without variables.
   */
  constructor(source: string) {
    this.source = source;
    this.#parts = parseParts(source);
    this.variables = this.#parts.flatMap((part) => part.kind === "variable" ? [part.name] : []);
    if (this.variables.length === 0) fail(source, 'it has no variable; use "resource" for one URI');
    if (new Set(this.variables).size < this.variables.length) {
      fail(source, "a variable comes twice");
    }
  }

  /**
   * Matches a URI.
   *
   * @returns The values, decoded; `undefined` where it does not match.
   */
  match(uri: string): ReadonlyMap<string, string> | undefined {
    const values = new Map<string, string>();
    let at = 0;
    for (const [index, part] of this.#parts.entries()) {
      if (part.kind === "text") {
        if (!uri.startsWith(part.text, at)) return undefined;
        at += part.text.length;
        continue;
      }
      const next = this.#parts[index + 1];
      // A variable at the end takes the rest; before text it ends where that text begins.
      const end = next?.kind === "text" ? uri.indexOf(next.text, at) : uri.length;
      if (end <= at) return undefined;
      const value = readValue(uri.slice(at, end), part.isReserved);
      if (value === undefined) return undefined;
      values.set(part.name, value);
      at = end;
    }
    return at === uri.length ? values : undefined;
  }
}

/**
 * Decodes a value. What reads a file by it must not be led elsewhere, so that neither form holds a dot
 * segment, a backslash or a control character, and the simple one no slash. The same holds for what a reader
 * would see that decodes the value again.
 */
function readValue(raw: string, isReserved: boolean): string | undefined {
  if (!isReserved && /[/?#]/.test(raw)) return undefined;
  let value: string;
  try {
    value = decodeURIComponent(raw);
  } catch {
    return undefined;
  }
  let seen = value;
  for (let layer = 0; layer < maxLayers; layer++) {
    if (leadsElsewhere(seen, isReserved)) return undefined;
    seen = decodeAscii(seen);
  }
  return value;
}

/** How many layers of percent signs are looked behind. */
const maxLayers = 3;

/** Decodes what can lead elsewhere, all of which is ASCII: a stray percent sign beside it must not hide it. */
function decodeAscii(text: string): string {
  return text.replace(
    /%([0-7][0-9a-f])/gi,
    (_, hex: string) => String.fromCharCode(parseInt(hex, 16)),
  );
}

function leadsElsewhere(value: string, isReserved: boolean): boolean {
  return /[\\\p{Cc}]/u.test(value) || (!isReserved && value.includes("/")) ||
    value.startsWith("/") ||
    value.split("/").some((segment) => segment === "." || segment === "..");
}

function parseParts(source: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  while (at < source.length) {
    const open = source.indexOf("{", at);
    if (open !== at) {
      const text = source.slice(at, open < 0 ? source.length : open);
      if (text.includes("}")) fail(source, 'a "}" has no "{"');
      parts.push({ kind: "text", text });
      at += text.length;
      continue;
    }
    const close = source.indexOf("}", open);
    const [, plus, name] = /^(\+?)([A-Za-z_][A-Za-z0-9_]*)$/.exec(source.slice(open + 1, close)) ??
      [];
    if (close < 0 || name === undefined) {
      return fail(source, "only {name} and {+name} are supported");
    }
    if (parts.at(-1)?.kind === "variable") fail(source, "between two variables must stand text");
    parts.push({ kind: "variable", name, isReserved: plus === "+" });
    at = close + 1;
  }
  return parts;
}

function fail(source: string, reason: string): never {
  throw new TypeError(`Cannot use the URI template "${source}": ${reason}.`);
}
