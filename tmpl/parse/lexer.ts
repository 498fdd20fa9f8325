import { type Source, TemplateError } from "../error.ts";
import { quoteText } from "../run/quote.ts";

type TokenType =
  | ("text" | "end" | "left" | "right" | "space" | "pipe" | "open" | "close" | "char")
  | ("declare" | "assign" | "keyword" | "name" | "field" | "variable" | "dot")
  | ("number" | "character" | "string" | "bool" | "nil");

export interface Token {
  readonly type: TokenType;
  readonly at: number;
  readonly text: string;
}

/** The delimiters of actions. */
export interface Delimiters {
  /** Left delimiter, such as `{{`. */
  readonly left: string;
  /** Right delimiter, such as `}}`. */
  readonly right: string;
}

/** The words that are not names. */
export const words: ReadonlyMap<string, TokenType> = new Map<string, TokenType>([
  ...["true", "false"].map((word) => [word, "bool"] as const),
  ["nil", "nil"],
  ..."block break continue define else end if range template with".split(" ")
    .map((word) => [word, "keyword"] as const),
]);

const letters = String.raw`[_\p{L}\p{Nd}]`;

/** The tokens of an action by type; the first match wins. Numbers are validated later. */
const patterns = {
  space: String.raw`[ \t\r\n]+`,
  string: '"(?:\\\\[^\\n]|[^"\\\\\\n])*"|`[^`]*`',
  character: String.raw`'(?:\\[^\n]|[^'\\\n])*'`,
  declare: ":=",
  assign: "=",
  pipe: String.raw`\|`,
  open: String.raw`\(`,
  close: String.raw`\)`,
  number: String.raw`[+\-]?\.?[0-9](?:[eEpP][+\-]|[.\p{L}\p{Nd}_])*`,
  variable: String.raw`\$${letters}*`,
  field: String.raw`\.${letters}+`,
  dot: String.raw`\.`,
  name: `${letters}+`,
  char: "(?![\"'`])[!-~]",
} as const;

const types = Object.keys(patterns) as readonly (keyof typeof patterns)[];
const token = new RegExp(Object.values(patterns).map((pattern) => `(${pattern})`).join("|"), "uy");

const spaces = /[ \t\r\n]+/y;

export class TokenReader {
  readonly source: Source;
  /** Tokens read ahead, the next one last. */
  readonly ahead: Token[] = [];
  last: Token = { type: "end", at: 0, text: "" };
  readonly #text: string;
  readonly #delimiters: Delimiters;
  #at = 0;
  #isInside = false;
  #trimsNext = false;
  #depth = 0;

  constructor(source: Source, delimiters: Delimiters) {
    this.source = source;
    this.#text = source.text;
    this.#delimiters = delimiters;
  }

  /** Consumes the next token; at the end of the source, always the `end` token. */
  next(): Token {
    this.last = this.ahead.pop() ?? (this.#isInside ? this.#inside() : this.#outside());
    return this.last;
  }

  /** Returns the next token that is not a space, without consuming it. */
  peek(): Token {
    const token = this.nextWord();
    this.ahead.push(token);
    return token;
  }

  nextWord(): Token {
    let token = this.next();
    while (token.type === "space") token = this.next();
    return token;
  }

  isKeyword(token: Token, keyword: string): boolean {
    return token.type === "keyword" && token.text === keyword;
  }

  expect(type: TokenType, context: string): Token {
    const token = this.nextWord();
    if (token.type !== type) throw this.unexpected(token, context);
    return token;
  }

  unexpected(token: Token, context: string): TemplateError {
    const shown = token.type === "end"
      ? "EOF"
      : token.type === "keyword" || token.type === "dot" || token.type === "nil"
      ? `<${token.text}>`
      : token.text.length > 10
      ? `${JSON.stringify(token.text.slice(0, 10))}...`
      : JSON.stringify(token.text);
    return this.fault(`unexpected ${shown} in ${context}`, token.at);
  }

  fault(description: string, at: number, fix = "correct the action"): TemplateError {
    return new TemplateError({ code: "ErrParse", description, fix, source: this.source, at });
  }

  #wrong(description: string, at = this.#at): TemplateError {
    const fix = "correct the action, or write the text of a literal delimiter as a string constant";
    return this.fault(description, at, fix);
  }

  #token(type: TokenType, end: number): Token {
    const at = this.#at;
    this.#at = end;
    return { type, at, text: this.#text.slice(at, end) };
  }

  #match(pattern: RegExp, at: number): number {
    pattern.lastIndex = at;
    return pattern.test(this.#text) ? pattern.lastIndex : at;
  }

  #outside(): Token {
    const { left } = this.#delimiters;
    for (;;) {
      if (this.#trimsNext) this.#at = this.#match(spaces, this.#at);
      this.#trimsNext = false;
      const open = this.#text.indexOf(left, this.#at);
      if (open < 0) {
        if (this.#at < this.#text.length) return this.#token("text", this.#text.length);
        return this.#token("end", this.#at);
      }
      const trims = this.#text[open + left.length] === "-" &&
        isSpace(this.#text.charCodeAt(open + left.length + 1));
      const end = trims ? this.#trimmed(open) : open;
      if (end > this.#at) {
        const text = this.#token("text", end);
        this.#at = open;
        return text;
      }
      this.#at = open;
      const inner = open + left.length + (trims ? 2 : 0);
      if (this.#text.startsWith("/*", inner)) {
        this.#comment(inner);
        continue;
      }
      const token = this.#token("left", open + left.length);
      this.#at = inner;
      this.#isInside = true;
      this.#depth = 0;
      return token;
    }
  }

  #trimmed(end: number): number {
    let at = end;
    while (at > this.#at && isSpace(this.#text.charCodeAt(at - 1))) at--;
    return at;
  }

  #comment(at: number): void {
    const close = this.#text.indexOf("*/", at + 2);
    if (close < 0) throw this.#wrong("unclosed comment", at);
    const end = this.#rightEnd(close + 2);
    if (end === undefined) throw this.#wrong("comment ends before closing delimiter", at);
    this.#trimsNext = end.trims;
    this.#at = end.at;
  }

  /** Returns the end of a right delimiter that begins here, with or without a trim marker. */
  #rightEnd(at: number): { readonly at: number; readonly trims: boolean } | undefined {
    const { right } = this.#delimiters;
    if (
      isSpace(this.#text.charCodeAt(at)) && this.#text[at + 1] === "-" &&
      this.#text.startsWith(right, at + 2)
    ) {
      return { at: at + 2 + right.length, trims: true };
    }
    return this.#text.startsWith(right, at) ? { at: at + right.length, trims: false } : undefined;
  }

  #inside(): Token {
    const at = this.#at;
    const right = this.#rightEnd(at);
    if (right !== undefined) {
      if (this.#depth > 0) throw this.#wrong("unclosed left paren");
      this.#isInside = false;
      this.#trimsNext = right.trims;
      return this.#token("right", right.at);
    }
    token.lastIndex = at;
    const found = token.exec(this.#text) ?? [""];
    const [text] = found;
    const type = types[found.indexOf(text, 1) - 1];
    const end = at + text.length;
    switch (type) {
      case undefined:
        throw this.#wrong(at < this.#text.length ? this.#describe(at) : "unclosed action");
      case "space":
        // The last space may belong to the trim marker of the right delimiter.
        return this.#token(type, this.#rightEnd(end - 1)?.trims === true ? end - 1 : end);
      case "open":
        this.#depth++;
        break;
      case "close":
        if (--this.#depth < 0) throw this.#wrong("unexpected right paren");
        break;
      case "variable":
      case "field":
      case "dot":
      case "name":
        this.#checkTerminator(end);
    }
    const kind = type === "name" ? words.get(text) ?? type : type;
    return this.#token(kind, end);
  }

  #describe(at: number): string {
    const char = String.fromCodePoint(this.#text.codePointAt(at) ?? 0);
    const what = /["'`]/.test(char) ? "unterminated constant" : "unrecognized character in action";
    return `${what}: ${quoteText(char)}`;
  }

  #checkTerminator(at: number): void {
    const char = this.#text[at];
    if (char === undefined || isSpace(char.charCodeAt(0)) || ".,|:)(".includes(char)) return;
    if (this.#text.startsWith(this.#delimiters.right, at)) return;
    throw this.#wrong(`bad character: ${quoteText(char)}`, at);
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a;
}
