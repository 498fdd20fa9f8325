/**
 * Finds calls of methods in the project's own sources, by their syntax alone.
 *
 * @module
 */
import type ts from "typescript";
import type { Position } from "../../problem.ts";
import { positionOf, type TypeScript } from "./exports.ts";
import type { Source, Sources } from "./sources.ts";

/** One call, such as `app.check("db", ping)`. */
export interface SourceCall extends Position {
  /** The file, relative to the project, with `/`. */
  readonly file: string;
  /** The method's name. */
  readonly name: string;
  /** Whether it is called on a request's context: on a parameter of type `Ctx`, or named `c`. */
  readonly isOnContext: boolean;
  /** How many arguments there are. */
  readonly argumentCount: number;
  /** The call, in the tree of its file. */
  readonly node: ts.CallExpression;
  /** The first argument, where it is a text without anything inserted. */
  readonly firstText: string | undefined;
}

/**
 * Finds the calls of some methods. Tests, and what the project did not write, are left out.
 *
 * @param sources The project's sources.
 * @param names The names of the methods.
 */
export function findCalls(sources: Sources, names: readonly string[]): SourceCall[] {
  // A file is parsed only where its text may hold such a call.
  const wanted = new RegExp(`\\.\\s*(?:${names.join("|")})\\s*(?:<[^;]{0,200}>)?\\s*\\(`);
  const calls: SourceCall[] = [];
  for (const path of sources.list()) {
    const source = sources.read(path);
    if (source === undefined || !wanted.test(source.text)) continue;
    calls.push(...callsIn(sources.ts, source, new Set(names)));
  }
  return calls;
}

function callsIn(
  ts: TypeScript,
  source: Source,
  names: ReadonlySet<string>,
): SourceCall[] {
  const { path: file, tree } = source;
  const calls: SourceCall[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression;
      if (names.has(name.text)) {
        const [first] = node.arguments;
        calls.push({
          file,
          ...positionOf(tree, name),
          name: name.text,
          isOnContext: ts.isIdentifier(expression) && isContext({ ts, node }, expression.text),
          argumentCount: node.arguments.length,
          node,
          firstText: first !== undefined && ts.isStringLiteralLike(first) ? first.text : undefined,
        });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return calls;
}

/** Whether a name is a parameter of type `Ctx` of a function around the node, or `c` without a type. */
function isContext(
  { ts, node }: { readonly ts: TypeScript; readonly node: ts.Node },
  name: string,
): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (!ts.isFunctionLike(at)) continue;
    for (const parameter of at.parameters) {
      if (!ts.isIdentifier(parameter.name) || parameter.name.text !== name) continue;
      const type = parameter.type?.getText();
      return type === undefined ? name === "c" || name === "ctx" : /^(?:\w+\.)?Ctx$/.test(type);
    }
  }
  return false;
}
