import { createHash } from "node:crypto";
import ts from "npm:typescript@6.0.3";
import { isAssignment, walk } from "../project/sources/syntax.ts";
import type { Declaration } from "../project/sources/names.ts";
import { isReference, type Reached, type ReachedCall } from "./reach.ts";

export interface CodePart {
  readonly file: string;
  readonly node: ts.Node;
}

const hashChars = 8;

/**
 * Returns `?` with a short hash of some code and everything that it names: declarations of the
 * project, variables around it, and the arguments of its callers. Blanks, comments and types do not
 * count.
 */
export function fingerprint(parts: readonly CodePart[], reached: Reached): string {
  const found = new Map<ts.Node, CodePart>(parts.map((part) => [part.node, part]));
  const declared = new Map<ts.Node, Declaration>();
  for (const { file, node } of found.values()) {
    // Into one map, because the parts of a long chain of calls name the same declarations.
    reached.reach.collect([{ file, name: "", node }], declared);
    walk(node, (at) => {
      if (ts.isTypeNode(at)) return false;
      const isName = ts.isIdentifier(at) && isReference(at);
      const sources = isName ? findSources(at, file, reached) : [];
      for (const part of sources) found.set(part.node, part);
      return undefined;
    });
  }
  const hash = createHash("sha256");
  // Sorted, so that moving code does not change the hash.
  const texts = new Set([...declared.keys()].map(textOf));
  for (const text of [...texts].sort()) hash.update(`${text}\0`);
  return `?${hash.digest("hex").slice(0, hashChars)}`;
}

const { SyntaxKind: Kind } = ts;

/** The tokens without meaning here: punctuation, `export`, `async`, and those around types. */
const skipped: ReadonlySet<ts.SyntaxKind> = new Set([
  Kind.SyntaxList,
  Kind.SemicolonToken,
  Kind.CommaToken,
  Kind.ExportKeyword,
  Kind.AsyncKeyword,
  Kind.AsKeyword,
  Kind.SatisfiesKeyword,
]);

function textOf(node: ts.Node): string {
  const tokens: string[] = [];
  const visit = (at: ts.Node): void => {
    if (ts.isJSDoc(at) || (ts.isTypeNode(at) && !ts.isExpressionWithTypeArguments(at))) return;
    const children = at.getChildren();
    if (children.length === 0 && !skipped.has(at.kind) && !isOfType(at)) {
      tokens.push(ts.isStringLiteralLike(at) ? JSON.stringify(at.text) : at.getText());
    }
    children.forEach(visit);
  };
  visit(ts.isBindingElement(node) ? node.parent.parent : node);
  return tokens.join("\x01");
}

function isOfType({ kind, parent }: ts.Node): boolean {
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
}

function findSources({ text, parent }: ts.Identifier, file: string, reached: Reached): CodePart[] {
  const found: CodePart[] = [];
  let outermost: ts.Node | undefined;
  for (let at: ts.Node = parent; !ts.isSourceFile(at); at = at.parent) {
    if (!ts.isFunctionLike(at)) continue;
    outermost = at;
    const index = at.parameters.findIndex((each) => binds(each.name, text));
    if (index < 0) continue;
    const name = nameOf(at) ?? "";
    const isOf = (call: ReachedCall): boolean =>
      [at, at.parent].some((node) => reached.reach.isCallOf(call, { name, node }));
    found.push(...reached.calls.filter(isOf).map((call) => handedOver(call, index)));
    break;
  }
  // A block may redeclare the name of a parameter.
  if (outermost !== undefined) {
    walk(outermost, (at) => {
      if (isSource(at, text)) found.push({ file, node: at });
    });
  }
  return found;
}

/** Returns the argument of a call, or the whole call if a spread hides its position. */
function handedOver({ file, node }: ReachedCall, index: number): CodePart {
  const isCounted = !node.arguments.slice(0, index + 1).some(ts.isSpreadElement);
  return { file, node: isCounted ? node.arguments[index] ?? node : node };
}

function isSource(node: ts.Node, name: string): boolean {
  if (ts.isVariableDeclaration(node)) return binds(node.name, name);
  if (ts.isFunctionDeclaration(node)) return node.name?.text === name;
  return isAssignment(node) && ts.isIdentifier(node.left) && node.left.text === name;
}

function binds(bound: ts.BindingName, name: string): boolean {
  if (ts.isIdentifier(bound)) return bound.text === name;
  return bound.elements.some((each) => ts.isBindingElement(each) && binds(each.name, name));
}

function nameOf(node: ts.SignatureDeclaration): string | undefined {
  const named = ts.isArrowFunction(node) || ts.isFunctionExpression(node) ? node.parent : node;
  const isNamed = ts.isVariableDeclaration(named) || ts.isPropertyAssignment(named) ||
    ts.isFunctionDeclaration(named) || ts.isMethodDeclaration(named);
  return isNamed ? named.name?.getText() : undefined;
}
