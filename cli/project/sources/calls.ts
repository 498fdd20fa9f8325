import type ts from "npm:typescript@6.0.3";
import type { Position } from "../../problem.ts";
import { positionOf, type TypeScript } from "./module_names.ts";
import type { Source, Sources } from "./sources.ts";

export interface SourceCall extends Position {
  readonly file: string;
  readonly name: string;
  /** Whether the receiver is a request's context: a parameter of type `Ctx`, or an untyped one named `c`. */
  readonly isOnContext: boolean;
  readonly argumentCount: number;
  readonly node: ts.CallExpression;
  readonly firstText: string | undefined;
}

export function findCalls(sources: Sources, names: readonly string[]): SourceCall[] {
  // Parse a file only if its text may contain such a call.
  const wanted = new RegExp(`\\.\\s*(?:${names.join("|")})\\s*(?:<[^;]{0,200}>\\s*)?\\(`);
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

function isContext(
  { ts, node }: { readonly ts: TypeScript; readonly node: ts.Node },
  name: string,
): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (!ts.isFunctionLike(at)) continue;
    for (const parameter of at.parameters) {
      if (!ts.isIdentifier(parameter.name) || parameter.name.text !== name) continue;
      const type = parameter.type?.getText();
      return type === undefined
        ? name === "c" || name === "ctx"
        : /^(?:\w+\.)?Ctx(?:<|$)/.test(type);
    }
  }
  return false;
}
