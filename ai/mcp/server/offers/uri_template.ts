/** The syntax and separator of an expression (RFC 6570, appendix A). */
interface Operator {
  readonly first: string;
  readonly separator: string;
  /** Whether values have names, as in a query, and may therefore be absent. */
  readonly isNamed: boolean;
  readonly isReserved: boolean;
}

const operators: Readonly<Record<string, Operator>> = {
  "": { first: "", separator: ",", isNamed: false, isReserved: false },
  "+": { first: "", separator: ",", isNamed: false, isReserved: true },
  "#": { first: "#", separator: ",", isNamed: false, isReserved: true },
  ".": { first: ".", separator: ".", isNamed: false, isReserved: false },
  "/": { first: "/", separator: "/", isNamed: false, isReserved: false },
  ";": { first: ";", separator: ";", isNamed: true, isReserved: false },
  "?": { first: "?", separator: "&", isNamed: true, isReserved: false },
  "&": { first: "&", separator: "&", isNamed: true, isReserved: false },
};

type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "expression"; readonly operator: Operator; readonly names: readonly string[] };

/** A URI template (RFC 6570, levels 1 to 3), matched in one pass: an expression ends where the next part begins. */
export class UriTemplate {
  /** The template's source text. */
  readonly source: string;
  /** The names of the variables, in order. */
  readonly variables: readonly string[];
  readonly #parts: readonly Part[];

  /**
   * Parses a template.
   *
   * @throws {TypeError} for an unsupported or ambiguous template, or one without variables.
   */
  constructor(source: string) {
    this.source = source;
    this.#parts = parseParts(source);
    this.variables = this.#parts.flatMap((part) => part.kind === "expression" ? part.names : []);
    if (this.variables.length === 0) fail(source, 'it has no variable; use "resource" for one URI');
    if (new Set(this.variables).size < this.variables.length) {
      fail(source, "a variable is repeated");
    }
  }

  /**
   * Matches a URI. Returns the decoded values, omitting absent values of named expressions such as
   * `{?page}`; `undefined` if the URI does not match.
   */
  match(asked: string): ReadonlyMap<string, string> | undefined {
    const uri = encodeLiteral(asked);
    const values = new Map<string, string>();
    let at = 0;
    for (const [index, part] of this.#parts.entries()) {
      if (part.kind === "text") {
        if (!uri.startsWith(part.text, at)) return undefined;
        at += part.text.length;
        continue;
      }
      const { first, isNamed } = part.operator;
      if (isNamed && !uri.startsWith(first, at)) continue;
      const end = endOf(uri, at, this.#parts.slice(index + 1));
      if (end < at || !readExpression(uri.slice(at, end), part, values)) return undefined;
      at = end;
    }
    return at === uri.length ? values : undefined;
  }
}

/** Returns the end of an expression, which is the start of the next part; a named part may be absent. */
function endOf(uri: string, from: number, rest: readonly Part[]): number {
  for (const part of rest) {
    const start = part.kind === "text" ? part.text : part.operator.first;
    // Skip the expression's own operator character.
    const end = uri.indexOf(start, from + 1);
    if (end >= 0) return end;
    if (part.kind === "text" || !part.operator.isNamed) return -1;
  }
  return uri.length;
}

function readExpression(
  text: string,
  { operator, names }: Extract<Part, { readonly kind: "expression" }>,
  values: Map<string, string>,
): boolean {
  const { first, separator, isNamed, isReserved } = operator;
  if (!text.startsWith(first)) return false;
  const pieces = text.slice(first.length);
  const items = names.length === 1 && !isNamed ? [pieces] : pieces.split(separator);
  if (!isNamed && items.length !== names.length) return false;
  for (const [index, item] of items.entries()) {
    const [name, raw] = isNamed ? splitPair(item) : [names[index] ?? "", item];
    if (!names.includes(name) || values.has(name)) return false;
    const value = raw === "" && isNamed ? "" : raw === "" ? undefined : readValue(raw, isReserved);
    if (value === undefined) return false;
    values.set(name, value);
  }
  return true;
}

function splitPair(item: string): readonly [name: string, value: string] {
  const at = item.indexOf("=");
  return at < 0 ? [item, ""] : [item.slice(0, at), item.slice(at + 1)];
}

/**
 * Decodes a value. To prevent path traversal, a value contains no dot segment, backslash or control
 * character, and a simple one no slash, even after a reader decodes it again.
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

const maxLayers = 3;

/** Decodes ASCII escapes, which suffice for path traversal, even next to a stray percent sign. */
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

const expression = /^([+#./;?&]?)((?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})[A-Za-z0-9_.%,]*)$/;

function parseParts(source: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  while (at < source.length) {
    const open = source.indexOf("{", at);
    if (open !== at) {
      const text = source.slice(at, open < 0 ? source.length : open);
      if (text.includes("}")) fail(source, 'a "}" has no "{"');
      // Characters that a URI cannot contain appear encoded in it (section 3.1).
      parts.push({ kind: "text", text: encodeLiteral(text) });
      at += text.length;
      continue;
    }
    const close = source.indexOf("}", open);
    const [, sign = "", list] = expression.exec(source.slice(open + 1, close)) ?? [];
    const operator = operators[sign];
    const names = list?.split(",") ?? [];
    if (close < 0 || operator === undefined || names.length === 0 || names.includes("")) {
      return fail(source, "use expressions such as {name}, {+path}, {/part} and {?a,b}");
    }
    if (parts.at(-1)?.kind === "expression" && operator.first === "") {
      fail(source, "two variables need text between them");
    }
    parts.push({ kind: "expression", operator, names });
    at = close + 1;
  }
  return parts;
}

function encodeLiteral(text: string): string {
  return encodeURI(text.toWellFormed()).replaceAll("%25", "%");
}

function fail(source: string, reason: string): never {
  throw new TypeError(`Cannot use the URI template "${source}": ${reason}.`);
}
