import { createHash } from "node:crypto";
import type ts from "npm:typescript@6.0.3";
import { isReference, type Reach, type ReachedCall } from "./reach.ts";

export interface CodePart {
  /** The file, relative to the project, with `/`. */
  readonly file: string;
  readonly node: ts.Node;
}

/** The characters of a fingerprint after its `?`. */
const hashChars = 8;

/**
 * Returns `?` with a short hash of some code and of everything that it names: declarations of the
 * project, variables around it, and what the callers hand over as parameters. Blanks, comments, types and the
 * names of variables do not count.
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

/** Returns the tokens of some code. Types, comments, blanks and the names of variables do not count. */
function textOf(node: ts.Node, { sources: { ts } }: Reach): string {
  const tokens: string[] = [];
  const start = ts.isBindingElement(node) ? node.parent.parent : node;
  const locals = localNames(start, ts);
  const used = new Set<string>();
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
  const tokenOf = (at: ts.Node): string => {
    if (ts.isStringLiteralLike(at)) return JSON.stringify(at.text);
    if (!ts.isIdentifier(at) || !locals.has(at.text)) return at.getText();
    if (!isReference(ts, at) && !isBound(at)) return at.text;
    used.add(at.text);
    return `$${at.text}`;
  };
  const isBound = (name: ts.Identifier): boolean => {
    const { parent } = name;
    const isBinding = ts.isVariableDeclaration(parent) || ts.isParameter(parent) ||
      ts.isBindingElement(parent);
    return isBinding && parent.name === name;
  };
  const visit = (at: ts.Node): void => {
    if (ts.isJSDoc(at) || (ts.isTypeNode(at) && !ts.isExpressionWithTypeArguments(at))) return;
    const children = at.getChildren();
    if (children.length === 0 && !skipped.has(at.kind) && !isOfType(at)) tokens.push(tokenOf(at));
    children.forEach(visit);
  };
  visit(start);
  // Variables are numbered in the order of their declarations: a new name is the same code, two that change
  // places are not.
  const numbers = new Map(
    [...locals].filter((name) => used.has(name)).map((name, index) => [`$${name}`, `$${index}`]),
  );
  return tokens.map((token) => numbers.get(token) ?? token).join("\x01");
}

/** Returns the names of parameters and variables inside the outermost function around some code, or of it. */
function localNames(start: ts.Node, parser: typeof ts): ReadonlySet<string> {
  let outer = start;
  for (let at = start; at.parent !== undefined; at = at.parent) {
    if (parser.isFunctionLike(at)) outer = at;
  }
  const names = new Set<string>();
  const visit = (at: ts.Node, isInside = false): void => {
    const isLocal = parser.isParameter(at) ||
      (isInside && (parser.isVariableDeclaration(at) || parser.isBindingElement(at)));
    if (isLocal && parser.isIdentifier(at.name)) names.add(at.name.text);
    parser.forEachChild(at, (child) => visit(child, isInside || parser.isFunctionLike(at)));
  };
  visit(outer);
  return names;
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

/** Returns what gives a name inside a function its value. */
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
    const called = nameOf(at, reach);
    found.push(
      ...calls.filter((call) => call.name === called).map((call) =>
        handedOver(call, { index, reach })
      ),
    );
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

/** Reports whether a node declares a name, or assigns it again. */
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
