import { type Source, TemplateError } from "../error.ts";
import { type Delimiters, type Token, TokenReader } from "./lexer.ts";
import { parseCharacter, parseNumber, unquoteLiteral } from "./literals.ts";
import type { CommandNode, Operand, PipeNode } from "./nodes.ts";

/** The maximum nesting of actions and parentheses, each level of which uses stack space. */
const maxNesting = 200;

export interface ParseSettings {
  readonly delimiters: Delimiters;
  readonly hasFunction: (name: string) => boolean;
  /** Checks a call before its data is known: returns a fault's description, or `undefined`. */
  readonly checkCall: (name: string, argCount: number) => string | undefined;
}

const operandStarts: ReadonlySet<string> = new Set(
  "bool character dot field name number nil string variable open".split(" "),
);

const name = String.raw`(\$[_\p{L}\p{Nd}]*)[ \t\r\n]*`;
const declaration = new RegExp(`${name}(?:,[ \\t\\r\\n]*${name})?(:?=)`, "uy");

/** The part of the parser that knows variables and functions. */
export class PipelineParser extends TokenReader {
  readonly #settings: ParseSettings;
  protected variables: string[] = ["$"];
  #depth = 0;

  constructor(source: Source, settings: ParseSettings) {
    super(source, settings.delimiters);
    this.#settings = settings;
  }

  /** Runs a recursive read, limiting the nesting. */
  protected nest<T>(read: () => T): T {
    if (++this.#depth > maxNesting) {
      throw new TemplateError({
        code: "ErrLimit",
        description: `actions are nested deeper than ${maxNesting} levels`,
        fix: "move the inner part to a template of its own",
        source: this.source,
        at: this.last.at,
      });
    }
    const value = read();
    this.#depth--;
    return value;
  }

  protected unquoted(token: Token): string {
    const text = unquoteLiteral(token.text);
    if (text === undefined) throw this.fault("invalid syntax", token.at);
    return text;
  }

  protected pipeline(context: string, end: "right" | "close"): PipeNode {
    const at = this.peek().at;
    const { variables, isAssign } = this.#declarations(context);
    const commands: CommandNode[] = [];
    for (;;) {
      const token = this.nextWord();
      if (token.type === end) break;
      if (!operandStarts.has(token.type)) throw this.unexpected(token, context);
      this.ahead.push(token);
      commands.push(this.#command());
    }
    if (commands.length === 0) throw this.fault(`missing value for ${context}`, at);
    this.#checkPipeline(commands);
    const text = this.#written(at);
    return { kind: "pipe", at, variables, isAssign, commands, text };
  }

  #declarations(context: string): Pick<PipeNode, "variables" | "isAssign"> {
    const { type, at } = this.peek();
    const { text } = this.source;
    declaration.lastIndex = at;
    const found = type === "variable" ? declaration.exec(text) : undefined;
    const [, first = "", second, sign] = found ?? [];
    const { right } = this.#settings.delimiters;
    // The sign may begin a right delimiter, such as `=}`.
    const isCut = text.slice(at, declaration.lastIndex + right.length - 1).includes(right);
    if (sign === undefined || isCut) return { variables: [], isAssign: false };
    if (second !== undefined && context !== "range") {
      throw this.fault(`too many declarations in ${context}`, at);
    }
    const variables = second === undefined ? [first] : [first, second];
    if (sign === "=") { for (const name of variables) this.#checkVariable(name, at); }
    while (this.nextWord().text !== sign);
    this.variables.push(...variables);
    return { variables, isAssign: sign === "=" };
  }

  #checkPipeline(commands: readonly CommandNode[]): void {
    for (const [index, { args, at }] of commands.entries()) {
      const first = args[0];
      if (first === undefined) continue;
      if (index > 0 && ["bool", "dot", "nil", "number", "string"].includes(first.kind)) {
        throw this.fault(`non executable command in pipeline stage ${index + 1}`, at);
      }
      if (first.kind !== "name") continue;
      const count = args.length - (index > 0 ? 0 : 1);
      const fault = this.#settings.checkCall(first.name, count);
      if (fault !== undefined) throw this.fault(fault, first.at, "correct the call");
    }
  }

  /** Returns the source from a position to the last token read. */
  #written(from: number): string {
    return this.source.text.slice(from, this.last.at).trim();
  }

  #command(): CommandNode {
    const at = this.peek().at;
    const args: Operand[] = [];
    for (;;) {
      const operand = this.#operand();
      if (operand !== undefined) args.push(operand);
      const token = this.next();
      if (token.type === "space") continue;
      if (token.type === "right" || token.type === "close") this.ahead.push(token);
      else if (token.type !== "pipe") throw this.unexpected(token, "operand");
      break;
    }
    if (args.length === 0) throw this.fault("empty command", at);
    return { at, args, text: this.#written(at) };
  }

  #operand(): Operand | undefined {
    const base = this.#term();
    if (base === undefined) return undefined;
    const path: string[] = [];
    let token = this.next();
    const { at } = token;
    for (; token.type === "field"; token = this.next()) path.push(token.text.slice(1));
    this.ahead.push(token);
    if (path.length === 0) return base;
    if (base.kind === "path") return { ...base, at, path: [...base.path, ...path] };
    if (base.kind === "variable" || base.kind === "pipe" || base.kind === "name") {
      return { kind: "path", at, base, path };
    }
    throw this.fault(`unexpected . after term ${JSON.stringify(this.#written(base.at))}`, at);
  }

  #term(): Operand | undefined {
    const token = this.nextWord();
    const { at, text } = token;
    switch (token.type) {
      case "name":
        if (this.#settings.hasFunction(text)) return { kind: "name", at, name: text };
        throw this.fault(
          `function ${JSON.stringify(text)} not defined`,
          at,
          "pass the function in `funcs`, or write .name for a field of the data",
        );
      case "dot":
      case "nil":
        return { kind: token.type, at };
      case "variable":
        this.#checkVariable(text, at);
        return { kind: "variable", at, name: text };
      case "field":
        return { kind: "path", at, base: { kind: "dot", at }, path: [text.slice(1)] };
      case "bool":
        return { kind: "bool", at, value: text === "true" };
      case "number":
      case "character":
        return this.#number(token);
      case "open":
        return this.nest(() => this.pipeline("parenthesized pipeline", "close"));
      case "string":
        return { kind: "string", at, value: this.unquoted(token) };
    }
    this.ahead.push(token);
    return undefined;
  }

  #checkVariable(name: string, at: number): void {
    if (this.variables.includes(name)) return;
    const fix = "declare it with := before, in the same or an enclosing action";
    throw this.fault(`undefined variable ${JSON.stringify(name)}`, at, fix);
  }

  #number({ type, text, at }: Token): Operand {
    const isNumber = type === "number";
    const value = isNumber ? parseNumber(text) : parseCharacter(text);
    if (value !== undefined) return { kind: "number", at, value };
    const fix = "write a decimal number, a whole one that fits into 64 bits, or one character";
    throw this.fault(`malformed ${isNumber ? "number" : "character"}: ${text}`, at, fix);
  }
}
