import { createHash } from "node:crypto";
import type ts from "npm:typescript@6.0.3";
import { isReference, type Reach, type ReachedCall } from "./reach.ts";

export interface CodePart {
  readonly file: string;
  readonly node: ts.Node;
}

const hashChars = 8;

/**
 * Returns `?` with a short hash of some code and of everything that it names: declarations of the
 * project, variables around it, and what the callers hand over as parameters. Blanks, comments and types do
 * not count.
 */
export function fingerprint(
  parts: readonly CodePart[],
  { reach, calls }: { readonly reach: Reach; readonly calls: readonly ReachedCall[] },
): string {
  const found = new Map<ts.Node, CodePart>(parts.map((part) => [part.node, part]));
  const texts = new Set<string>();
  for (const { file, node } of found.values()) {
    for (const { node: declared } of reach.from({ file, name: "", node })) {
      texts.add(textOf(declared, reach));
    }
    for (const name of namesIn(node, reach)) {
      for (const part of sourcesOf(name, { file, reach, calls })) found.set(part.node, part);
    }
  }
  const hash = createHash("sha256");
  // In a fixed order, so that moving code changes nothing.
  for (const text of [...texts].sort()) hash.update(`${text}\0`);
  return `?${hash.digest("hex").slice(0, hashChars)}`;
}

function textOf(node: ts.Node, { sources: { ts } }: Reach): string {
  const tokens: string[] = [];
  const start = ts.isBindingElement(node) ? node.parent.parent : node;
  const { SyntaxKind: Kind } = ts;
  const skipped: ReadonlySet<ts.SyntaxKind> = new Set([
    Kind.SyntaxList,
    Kind.SemicolonToken,
    Kind.CommaToken,
    Kind.ExportKeyword,
    Kind.AsyncKeyword,
    Kind.AsKeyword,
    Kind.SatisfiesKeyword,
  ]);
  const isOfType = ({ kind, parent }: ts.Node): boolean => {
    switch (kind) {
      case Kind.ColonToken:
        return ts.isParameter(parent) || ts.isVariableDeclaration(parent) ||
          ts.isFunctionLike(parent);
      case Kind.LessThanToken:
      case Kind.GreaterThanToken:
        return !ts.isBinaryExpression(parent);
      case Kind.ExclamationToken:
        return ts.isNonNullExpression(parent);
      default:
        return ts.isTypeNode(parent) && !ts.isExpressionWithTypeArguments(parent);
    }
  };
  const visit = (at: ts.Node): void => {
    if (ts.isJSDoc(at) || (ts.isTypeNode(at) && !ts.isExpressionWithTypeArguments(at))) return;
    const children = at.getChildren();
    if (children.length === 0 && !skipped.has(at.kind) && !isOfType(at)) {
      tokens.push(ts.isStringLiteralLike(at) ? JSON.stringify(at.text) : at.getText());
    }
    children.forEach(visit);
  };
  visit(start);
  return tokens.join("\x01");
}

function namesIn(node: ts.Node, { sources: { ts } }: Reach): ts.Identifier[] {
  const names: ts.Identifier[] = [];
  const visit = (at: ts.Node): void => {
    if (ts.isTypeNode(at)) return;
    if (ts.isIdentifier(at) && isReference(ts, at)) names.push(at);
    ts.forEachChild(at, visit);
  };
  visit(node);
  return names;
}

function sourcesOf(
  name: ts.Identifier,
  { file, reach, calls }: {
    readonly file: string;
    readonly reach: Reach;
    readonly calls: readonly ReachedCall[];
  },
): CodePart[] {
  const { ts } = reach.sources;
  const found: CodePart[] = [];
  let outermost: ts.Node | undefined;
  for (let at: ts.Node = name.parent; !ts.isSourceFile(at); at = at.parent) {
    if (!ts.isFunctionLike(at)) continue;
    outermost = at;
    const index = at.parameters.findIndex((each) => binds(each.name, { name: name.text, reach }));
    if (index < 0) continue;
    const called = nameOf(at, reach) ?? "";
    const isOf = (call: ReachedCall): boolean =>
      [at, at.parent].some((node) => reach.isCallOf(call, { name: called, node }));
    found.push(...calls.filter(isOf).map((call) => handedOver(call, { index, reach })));
    break;
  }
  if (outermost === undefined) return [];
  // A block may declare the name of a parameter again.
  const visit = (at: ts.Node): void => {
    if (isSource(at, { name: name.text, reach })) found.push({ file, node: at });
    ts.forEachChild(at, visit);
  };
  visit(outermost);
  return found;
}

/** Returns the argument of a call; the whole call where its arguments cannot be counted. */
function handedOver(
  { file, node }: ReachedCall,
  { index, reach }: { readonly index: number; readonly reach: Reach },
): CodePart {
  const { ts } = reach.sources;
  const argument = node.arguments[index];
  const isCounted = !node.arguments.slice(0, index + 1).some((each) => ts.isSpreadElement(each));
  return { file, node: isCounted && argument !== undefined ? argument : node };
}

function isSource(
  node: ts.Node,
  { name, reach }: { readonly name: string; readonly reach: Reach },
): boolean {
  const { ts } = reach.sources;
  if (ts.isVariableDeclaration(node)) return binds(node.name, { name, reach });
  if (ts.isFunctionDeclaration(node)) return node.name?.text === name;
  return ts.isBinaryExpression(node) && ts.isIdentifier(node.left) && node.left.text === name &&
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
}

function binds(
  bound: ts.BindingName,
  { name, reach }: { readonly name: string; readonly reach: Reach },
): boolean {
  const { ts } = reach.sources;
  if (ts.isIdentifier(bound)) return bound.text === name;
  return bound.elements.some((element) =>
    ts.isBindingElement(element) && binds(element.name, { name, reach })
  );
}

function nameOf(node: ts.SignatureDeclaration, { sources: { ts } }: Reach): string | undefined {
  const named = ts.isArrowFunction(node) || ts.isFunctionExpression(node) ? node.parent : node;
  if (ts.isVariableDeclaration(named) || ts.isPropertyAssignment(named)) {
    return named.name.getText();
  }
  return ts.isFunctionDeclaration(named) || ts.isMethodDeclaration(named)
    ? named.name?.getText()
    : undefined;
}
