/** Builds the trees of a source. */

import { type Source, TemplateError } from "./error.ts";
import type { Delimiters, Token } from "./lexer.ts";
import { parseCharacter, parseNumber, unquote } from "./literals.ts";
import {
  type ActionNode,
  type BranchNode,
  type CommandNode,
  isEmptyTree,
  type JumpNode,
  type ListNode,
  type Node,
  type Operand,
  operandText,
  type PipeNode,
  type TemplateNode,
  type Tree,
} from "./nodes.ts";
import { TokenReader } from "./token_reader.ts";

/** How deep actions and parentheses may be nested: each level takes room on the stack. */
export const maxNesting = 200;

/** What a source is parsed with. */
export interface ParseSettings {
  readonly delimiters: Delimiters;
  /** Checks that a function exists. */
  readonly hasFunction: (name: string) => boolean;
  /** Checks a call as far as it is known: a fault's description, or `undefined`. */
  readonly checkCall: (
    name: string,
    args: readonly Operand[],
    isPiped: boolean,
  ) => string | undefined;
}

/** What ended a list: `end`, or `else` and what follows it. */
interface Terminator {
  readonly keyword: "end" | "else";
  readonly at: number;
}

/**
 * Parses a source.
 *
 * @returns The trees: the source's own, and those that it defines.
 * @throws {TemplateError} where it is no template.
 */
export function parseTrees(source: Source, settings: ParseSettings): ReadonlyMap<string, Tree> {
  return new Parser(source, settings).parse();
}

const operandStarts: ReadonlySet<string> = new Set(
  "bool character dot field name number nil string variable open".split(" "),
);

class Parser extends TokenReader {
  readonly #settings: ParseSettings;
  readonly #trees = new Map<string, Tree>();
  #variables: string[] = ["$"];
  #ranges = 0;
  #depth = 0;

  constructor(source: Source, settings: ParseSettings) {
    super(source, settings.delimiters);
    this.#settings = settings;
  }

  parse(): ReadonlyMap<string, Tree> {
    const nodes: Node[] = [];
    for (;;) {
      const token = this.next();
      if (token.type === "end") break;
      if (token.type === "left" && this.isKeyword(this.peek(), "define")) {
        this.next();
        this.#definition();
        continue;
      }
      const node = this.#textOrAction(token);
      if ("keyword" in node) throw this.fault(`unexpected {{${node.keyword}}}`, node.at);
      nodes.push(node);
    }
    this.#add(this.source.name, { kind: "list", at: 0, nodes });
    return this.#trees;
  }

  #add(name: string, root: ListNode): void {
    const before = this.#trees.get(name);
    if (before === undefined || isEmptyTree(before.root)) {
      this.#trees.set(name, { name, source: this.source, root });
    } else if (!isEmptyTree(root)) {
      throw this.fault(`multiple definition of template ${JSON.stringify(name)}`, root.at);
    }
  }

  #nest<T>(read: () => T): T {
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

  /** A definition has variables and loops of its own. */
  #body(context: string): ListNode {
    const [variables, ranges] = [this.#variables, this.#ranges];
    this.#variables = ["$"];
    this.#ranges = 0;
    const { list, terminator } = this.#list();
    if (terminator.keyword !== "end") {
      throw this.fault(`unexpected {{else}} in ${context}`, terminator.at);
    }
    this.#variables = variables;
    this.#ranges = ranges;
    return list;
  }

  #definition(): void {
    const name = this.#templateName("define clause");
    this.expect("right", "define clause");
    this.#add(name, this.#body("define clause"));
  }

  #list(): { readonly list: ListNode; readonly terminator: Terminator } {
    return this.#nest(() => {
      const nodes: Node[] = [];
      const at = this.peek().at;
      for (;;) {
        const token = this.nextWord();
        if (token.type === "end") throw this.fault("unexpected EOF", token.at);
        const node = this.#textOrAction(token);
        if ("keyword" in node) return { list: { kind: "list", at, nodes }, terminator: node };
        nodes.push(node);
      }
    });
  }

  #textOrAction(token: Token): Node | Terminator {
    if (token.type === "text") return { kind: "text", at: token.at, text: token.text };
    if (token.type === "left") return this.#action();
    throw this.unexpected(token, "input");
  }

  #action(): Node | Terminator {
    const token = this.nextWord();
    if (token.type !== "keyword") {
      this.ahead.push(token);
      const pipe = this.#pipeline("command", "right");
      return { kind: "action", at: token.at, pipe } satisfies ActionNode;
    }
    switch (token.text) {
      case "block":
        return this.#block();
      case "break":
      case "continue":
        return this.#jump(token.text, token.at);
      case "else":
        if (!this.#startsBranch(this.peek())) this.expect("right", "else");
        return { keyword: "else", at: token.at };
      case "end":
        this.expect("right", "end");
        return { keyword: "end", at: token.at };
      case "if":
      case "with":
      case "range":
        return this.#branch(token.text);
      case "template":
        return this.#call();
      default:
        throw this.unexpected(token, "command");
    }
  }

  #startsBranch(token: Token): boolean {
    return this.isKeyword(token, "if") || this.isKeyword(token, "with");
  }

  #jump(kind: "break" | "continue", at: number): JumpNode {
    const token = this.nextWord();
    if (token.type !== "right") throw this.unexpected(token, `{{${kind}}}`);
    if (this.#ranges === 0) throw this.fault(`{{${kind}}} outside {{range}}`, at);
    return { kind, at };
  }

  #branch(kind: "if" | "with" | "range"): BranchNode {
    const count = this.#variables.length;
    const pipe = this.#pipeline(kind, "right");
    if (kind === "range") this.#ranges++;
    const { list, terminator } = this.#list();
    if (kind === "range") this.#ranges--;
    const elseList = terminator.keyword === "else" ? this.#elseList(kind) : undefined;
    this.#variables.length = count;
    return { kind, at: pipe.at, pipe, list, elseList };
  }

  /** What follows `else`: a list, or at once the `if` or `with` that it goes on with. */
  #elseList(kind: "if" | "with" | "range"): ListNode {
    const token = this.ahead.at(-1);
    if (token !== undefined && this.#startsBranch(token)) {
      if (token.text !== kind) throw this.unexpected(token, "else");
      this.next();
      // Its `end` closes both.
      return this.#nest(() => ({ kind: "list", at: token.at, nodes: [this.#branch(kind)] }));
    }
    const { list, terminator } = this.#list();
    if (terminator.keyword !== "end") {
      throw this.fault("expected end; found {{else}}", terminator.at);
    }
    return list;
  }

  #block(): TemplateNode {
    const at = this.peek().at;
    const name = this.#templateName("block clause");
    const pipe = this.#pipeline("block clause", "right");
    this.#add(name, this.#body("block clause"));
    return { kind: "template", at, name, pipe };
  }

  #call(): TemplateNode {
    const at = this.peek().at;
    const name = this.#templateName("template clause");
    const token = this.nextWord();
    if (token.type === "right") return { kind: "template", at, name, pipe: undefined };
    this.ahead.push(token);
    return { kind: "template", at, name, pipe: this.#pipeline("template clause", "right") };
  }

  #templateName(context: string): string {
    const token = this.nextWord();
    if (token.type !== "string") throw this.unexpected(token, context);
    return this.#unquoted(token);
  }

  #unquoted(token: Token): string {
    const text = unquote(token.text);
    if (text === undefined) throw this.fault("invalid syntax", token.at);
    return text;
  }

  #pipeline(context: string, end: "right" | "close"): PipeNode {
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
    return { kind: "pipe", at, variables, isAssign, commands };
  }

  #declarations(context: string): Pick<PipeNode, "variables" | "isAssign"> {
    const variables: string[] = [];
    for (;;) {
      const variable = this.peek();
      if (variable.type !== "variable") return { variables, isAssign: false };
      this.nextWord();
      const after = this.next();
      const next = after.type === "space" ? this.nextWord() : after;
      const isComma = next.type === "char" && next.text === ",";
      if (next.type !== "declare" && next.type !== "assign" && !isComma) {
        this.ahead.push(next);
        if (after.type === "space") this.ahead.push(after);
        this.ahead.push(variable);
        return { variables, isAssign: false };
      }
      if (next.type === "assign") this.#checkVariable(variable.text, variable.at);
      variables.push(variable.text);
      this.#variables.push(variable.text);
      if (!isComma) return { variables, isAssign: next.type === "assign" };
      this.#checkComma(context, variables.length);
    }
  }

  #checkComma(context: string, count: number): void {
    if (context !== "range" || count > 1) {
      throw this.fault(`too many declarations in ${context}`, this.last.at);
    }
    const { type, at } = this.peek();
    if (type !== "variable" && type !== "right" && type !== "close") {
      throw this.fault("range can only initialize variables", at);
    }
  }

  #checkPipeline(commands: readonly CommandNode[]): void {
    for (const [index, { args, at }] of commands.entries()) {
      const first = args[0];
      if (first === undefined) continue;
      if (index > 0 && ["bool", "dot", "nil", "number", "string"].includes(first.kind)) {
        throw this.fault(`non executable command in pipeline stage ${index + 1}`, at);
      }
      if (first.kind !== "name") continue;
      const fault = this.#settings.checkCall(first.name, args.slice(1), index > 0);
      if (fault !== undefined) throw this.fault(fault, first.at);
    }
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
    return { at, args };
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
    if (base.kind === "field" || base.kind === "variable") {
      return { ...base, at, path: [...base.path, ...path] };
    }
    if (base.kind === "pipe" || base.kind === "name") return { kind: "chain", at, base, path };
    throw this.fault(`unexpected . after term ${JSON.stringify(operandText(base))}`, at);
  }

  #term(): Operand | undefined {
    const token = this.nextWord();
    const { at, text } = token;
    switch (token.type) {
      case "name":
        if (this.#settings.hasFunction(text)) return { kind: "name", at, name: text };
        throw this.fault(`function ${JSON.stringify(text)} not defined`, at);
      case "dot":
      case "nil":
        return { kind: token.type, at };
      case "variable":
        this.#checkVariable(text, at);
        return { kind: "variable", at, name: text, path: [] };
      case "field":
        return { kind: "field", at, path: [text.slice(1)] };
      case "bool":
        return { kind: "bool", at, value: text === "true" };
      case "number":
      case "character":
        return this.#number(token);
      case "open":
        return this.#nest(() => this.#pipeline("parenthesized pipeline", "close"));
      case "string":
        return { kind: "string", at, value: this.#unquoted(token), text };
    }
    this.ahead.push(token);
    return undefined;
  }

  #checkVariable(name: string, at: number): void {
    if (this.#variables.includes(name)) return;
    throw this.fault(`undefined variable ${JSON.stringify(name)}`, at);
  }

  #number({ type, text, at }: Token): Operand {
    if (type === "character") {
      const value = parseCharacter(text);
      if (value === undefined) throw this.fault(`malformed character constant: ${text}`, at);
      return { kind: "number", at, value, text };
    }
    const parsed = parseNumber(text);
    if (parsed.kind === "fault") throw this.fault(parsed.description, at);
    return { kind: "number", at, value: parsed.value, text };
  }
}
