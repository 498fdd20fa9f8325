/** Reads the tokens of a source, as far ahead as the parser needs. */

import { type Source, TemplateError } from "../error.ts";
import { type Delimiters, Lexer, type Token, type TokenType } from "./lexer.ts";

export class TokenReader {
  readonly source: Source;
  /** Tokens that were read ahead, the next one last. */
  readonly ahead: Token[] = [];
  last: Token = { type: "end", at: 0, text: "" };
  readonly #lexer: Lexer;

  constructor(source: Source, delimiters: Delimiters) {
    this.source = source;
    this.#lexer = new Lexer(source, delimiters);
  }

  next(): Token {
    this.last = this.ahead.pop() ?? this.#lexer.next();
    return this.last;
  }

  /** The next token that is not a space, without taking it. */
  peek(): Token {
    const token = this.nextWord();
    this.ahead.push(token);
    return token;
  }

  /** Returns the next token that is not a space. */
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

  /** The error of a source that is not a template. */
  fault(description: string, at: number, fix = fixOf(description)): TemplateError {
    return new TemplateError({
      code: "ErrParse",
      description,
      fix,
      source: this.source,
      at,
    });
  }
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
