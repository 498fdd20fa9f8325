import { placeOf, type Source } from "../error.ts";
import type { Token } from "./lexer.ts";
import {
  type ActionNode,
  type BranchNode,
  isEmptyTree,
  type JumpNode,
  type ListNode,
  type Node,
  type TemplateNode,
  type Tree,
} from "./nodes.ts";
import { type ParseSettings, PipelineParser } from "./pipeline_parser.ts";

/** The end of a list: `end`, or `else` with the tokens that follow. */
interface Terminator {
  readonly keyword: "end" | "else";
  readonly at: number;
}

/** Parses a source. @throws {TemplateError} if it is not a valid template. */
export function parseTrees(source: Source, settings: ParseSettings): ReadonlyMap<string, Tree> {
  return new Parser(source, settings).parse();
}

class Parser extends PipelineParser {
  readonly #trees = new Map<string, Tree>();
  #ranges = 0;

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
      const description = `multiple definition of template ${JSON.stringify(name)}`;
      throw this.fault(description, root.at, "rename or remove one of the two");
    }
  }

  /** Parses a definition, which has its own variables and loops. */
  #body(context: string): ListNode {
    const [variables, ranges] = [this.variables, this.#ranges];
    this.variables = ["$"];
    this.#ranges = 0;
    const { list, terminator } = this.#list();
    if (terminator.keyword !== "end") {
      throw this.fault(`unexpected {{else}} in ${context}`, terminator.at);
    }
    this.variables = variables;
    this.#ranges = ranges;
    return list;
  }

  #definition(): void {
    const name = this.#templateName("define clause");
    this.expect("right", "define clause");
    this.#add(name, this.#body("define clause"));
  }

  #list(): { readonly list: ListNode; readonly terminator: Terminator } {
    return this.nest(() => {
      const nodes: Node[] = [];
      const at = this.peek().at;
      for (;;) {
        const token = this.nextWord();
        if (token.type === "end") {
          const { line } = placeOf(this.source.text, at);
          throw this.fault(
            "unexpected EOF",
            token.at,
            `close the action of line ${line} with {{end}}`,
          );
        }
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
      const pipe = this.pipeline("command", "right");
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
    if (this.#ranges === 0) {
      throw this.fault(`{{${kind}}} outside {{range}}`, at, "move it into a {{range}}");
    }
    return { kind, at };
  }

  #branch(kind: "if" | "with" | "range"): BranchNode {
    const count = this.variables.length;
    const pipe = this.pipeline(kind, "right");
    if (kind === "range") this.#ranges++;
    const { list, terminator } = this.#list();
    if (kind === "range") this.#ranges--;
    const elseList = terminator.keyword === "else" ? this.#elseList(kind) : undefined;
    this.variables.length = count;
    return { kind, at: pipe.at, pipe, list, elseList };
  }

  /** Parses the `else` branch: a list, or the `if` or `with` of an `else if`. */
  #elseList(kind: "if" | "with" | "range"): ListNode {
    const token = this.ahead.at(-1);
    if (token !== undefined && this.#startsBranch(token)) {
      if (token.text !== kind) throw this.unexpected(token, "else");
      this.next();
      // One `end` closes both.
      return this.nest(() => ({ kind: "list", at: token.at, nodes: [this.#branch(kind)] }));
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
    const pipe = this.pipeline("block clause", "right");
    this.#add(name, this.#body("block clause"));
    return { kind: "template", at, name, pipe };
  }

  #call(): TemplateNode {
    const at = this.peek().at;
    const name = this.#templateName("template clause");
    const token = this.nextWord();
    if (token.type === "right") return { kind: "template", at, name, pipe: undefined };
    this.ahead.push(token);
    return { kind: "template", at, name, pipe: this.pipeline("template clause", "right") };
  }

  #templateName(context: string): string {
    const token = this.nextWord();
    if (token.type !== "string") throw this.unexpected(token, context);
    return this.unquoted(token);
  }
}
