import { type Source, TemplateError } from "../error.ts";

type Mark = "left" | "right" | "space" | "pipe" | "open" | "close" | "declare" | "assign" | "char";
type Constant = "bool" | "nil" | "number" | "character" | "string";

type TokenType = "text" | Mark | Constant | "field" | "variable" | "name" | "dot" | Last;

type Last = "keyword" | "end";

export interface Token {
  readonly type: TokenType;
  readonly at: number;
  readonly text: string;
}

/** The delimiters of an action. */
export interface Delimiters {
  /** Left delimiter, such as `{{`. */
  readonly left: string;
  /** Right delimiter, such as `}}`. */
  readonly right: string;
}

const keywords: ReadonlySet<string> = new Set(
  "block break continue define else end if range template with".split(" "),
);

const word = /[_\p{L}\p{Nd}]+/uy;
const spaces = /[ \t\r\n]+/y;
const number =
  /[+-]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)i?/y;

/** The constants in quotes: the type, the pattern, and the name in messages. */
const literals: Readonly<Record<string, readonly ["string" | "character", RegExp, string]>> = {
  '"': ["string", /"(?:\\[^\n]|[^"\\\n])*"/uy, "quoted string"],
  "`": ["string", /`[^`]*`/y, "raw quoted string"],
  "'": ["character", /'(?:\\[^\n]|[^'\\\n])*'/uy, "character constant"],
};

const marks: Readonly<Record<string, Mark>> = {
  "=": "assign",
  "|": "pipe",
  "(": "open",
  ")": "close",
};

export class TokenReader {
  readonly source: Source;
  /** Tokens that were read ahead, the next one last. */
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

  /** Takes the next token; at the end of the source always the same. */
  next(): Token {
    this.last = this.ahead.pop() ?? (this.#isInside ? this.#inside() : this.#outside());
    return this.last;
  }

  /** The next token that is not a space, without taking it. */
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

  /** The error of a token that cannot stand here. */
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

  fault(description: string, at: number, fix = fixOf(description)): TemplateError {
    return new TemplateError({ code: "ErrParse", description, fix, source: this.source, at });
  }

  /** Creates the error for a malformed action. */
  #wrong(description: string, at = this.#at): TemplateError {
    const fix = description.includes("complex")
      ? "write a plain number"
      : "correct the action, or write the text of a literal delimiter as a string constant";
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

  /** Returns where a right delimiter ends that begins here, with or without a trim marker. */
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
    const char = this.#text[at];
    if (char === undefined) throw this.#wrong("unclosed action");
    if (isSpace(char.charCodeAt(0))) return this.#space();
    const literal = literals[char];
    if (literal !== undefined) return this.#quoted(literal);
    if (char === "(") this.#depth++;
    if (char === ")" && --this.#depth < 0) throw this.#wrong("unexpected right paren U+0029 ')'");
    const mark = marks[char];
    if (mark !== undefined) return this.#token(mark, at + 1);
    const after = this.#text[at + 1] ?? "";
    if (char === ":") {
      if (after !== "=") throw this.#wrong("expected :=");
      return this.#token("declare", at + 2);
    }
    if (char === "$" || (char === "." && !/\d/.test(after))) {
      const end = this.#match(word, at + 1);
      this.#checkTerminator(end);
      return this.#token(char === "$" ? "variable" : end === at + 1 ? "dot" : "field", end);
    }
    return /[+\-.0-9]/.test(char) ? this.#number() : this.#word();
  }

  #space(): Token {
    let end = this.#match(spaces, this.#at);
    // The last space may belong to the trim marker of the right delimiter.
    if (this.#rightEnd(end - 1)?.trims === true) end--;
    return this.#token("space", end);
  }

  #quoted([type, pattern, name]: readonly [TokenType, RegExp, string]): Token {
    const end = this.#match(pattern, this.#at);
    if (end === this.#at) throw this.#wrong(`unterminated ${name}`);
    return this.#token(type, end);
  }

  #number(): Token {
    const end = this.#match(number, this.#at);
    const after = this.#match(word, end);
    if (after > end || end === this.#at) {
      const shown = JSON.stringify(this.#text.slice(this.#at, Math.max(after, end + 1)));
      throw this.#wrong(`bad number syntax: ${shown}`);
    }
    if (/[+-]/.test(this.#text[end] ?? "")) {
      throw this.#wrong("complex numbers do not exist here");
    }
    return this.#token("number", end);
  }

  #word(): Token {
    const end = this.#match(word, this.#at);
    if (end === this.#at) {
      const char = this.#text[this.#at] ?? "";
      if (char > " " && char <= "~") return this.#token("char", this.#at + 1);
      throw this.#wrong(`unrecognized character in action: ${unicode(this.#text, end)}`);
    }
    this.#checkTerminator(end);
    const text = this.#text.slice(this.#at, end);
    if (keywords.has(text)) return this.#token("keyword", end);
    if (text === "nil") return this.#token("nil", end);
    return this.#token(text === "true" || text === "false" ? "bool" : "name", end);
  }

  #checkTerminator(at: number): void {
    const char = this.#text[at];
    if (char === undefined || isSpace(char.charCodeAt(0)) || ".,|:)(".includes(char)) return;
    if (this.#text.startsWith(this.#delimiters.right, at)) return;
    throw this.#wrong(`bad character ${unicode(this.#text, at)}`, at);
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a;
}

function unicode(text: string, at: number): string {
  const code = text.codePointAt(at) ?? 0;
  const shown = code > 0x20 && code !== 0x7f ? ` '${String.fromCodePoint(code)}'` : "";
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}${shown}`;
}

function fixOf(description: string): string {
  if (description.startsWith("function")) {
    return "pass the function in `funcs`, or write .name for a field of the data";
  }
  if (description.startsWith("undefined variable")) {
    return "declare it with := before, in the same or an enclosing action";
  }
  if (description.startsWith("multiple")) return "rename or remove one of the two";
  if (description.includes("outside {{range}}")) return "move it into a {{range}}";
  if (description.startsWith("wrong")) return "correct the call";
  return "correct the action";
}
