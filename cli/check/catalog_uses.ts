/**
 * Finds out which messages of the catalogs the sources name.
 *
 * @module
 */
import { join } from "@std/path";
import type ts from "npm:typescript@6.0.3";
import { textOfFile } from "../project/files/look.ts";
import type { Sources } from "../project/sources/sources.ts";
import type { WrittenCatalog } from "./catalog_source.ts";
import { listTemplates } from "./links.ts";

/**
 * Returns a function that tells whether a message may be used. A key counts as used where any source
 * has it as a text or as the name of a property, so that a key in a list or a table is found too.
 *
 * @param root The project's folder, absolute.
 * @param options The sources, and the catalogs, whose own keys do not count.
 */
export function findUsedKeys(
  root: string,
  options: { readonly sources: Sources; readonly catalogs: readonly WrittenCatalog[] },
): (key: string) => boolean {
  const { sources, catalogs } = options;
  const own = new Set(catalogs.map(({ node }) => node));
  const words = new Set<string>();
  const patterns: RegExp[] = [];
  const { ts: parser } = sources;
  const visit = (node: ts.Node): void => {
    if (own.has(node)) return;
    if (parser.isStringLiteralLike(node)) words.add(node.text);
    else if (parser.isTemplateExpression(node)) {
      const pattern = patternOf(partsOfTemplate(node));
      if (pattern !== undefined) patterns.push(pattern);
    } else if (isSum(parser, node) && !isSum(parser, node.parent)) {
      const pattern = patternOf(partsOfSum(parser, node));
      if (pattern !== undefined) patterns.push(pattern);
    } else if (parser.isPropertyAssignment(node) && parser.isIdentifier(node.name)) {
      words.add(node.name.text);
    }
    parser.forEachChild(node, visit);
  };
  const keys = catalogs.flatMap(({ languages }) =>
    languages.flatMap(({ messages }) => [...messages.keys()])
  );
  for (const file of sources.list()) {
    const source = sources.read(file);
    // A file without a key need not be walked, unless code puts keys together in it.
    const mayName = source !== undefined &&
      (/\$\{|["'`)]\s*\+|\+\s*["'`(]/.test(source.text) ||
        keys.some((key) => source.text.includes(key)));
    if (mayName) visit(source.tree);
  }
  for (const file of listTemplates(root)) {
    const text = textOfFile(join(root, file));
    for (const [word] of text.matchAll(/\w+/g)) words.add(word);
  }
  return (key) => words.has(key) || patterns.some((pattern) => pattern.test(key));
}

/** Returns the texts of a template, between which something stands. */
function partsOfTemplate({ head, templateSpans }: ts.TemplateExpression): readonly string[] {
  return [head.text, ...templateSpans.map(({ literal }) => literal.text)];
}

function isSum(parser: typeof ts, node: ts.Node): node is ts.BinaryExpression {
  return parser.isBinaryExpression(node) &&
    node.operatorToken.kind === parser.SyntaxKind.PlusToken;
}

/** Returns the texts of `"kind_" + kind + "_long"`, between which something stands. */
function partsOfSum(parser: typeof ts, node: ts.Expression): readonly string[] {
  if (parser.isParenthesizedExpression(node)) return partsOfSum(parser, node.expression);
  if (parser.isStringLiteralLike(node)) return [node.text];
  if (parser.isTemplateExpression(node)) return partsOfTemplate(node);
  if (!isSum(parser, node)) return ["", ""];
  const [left, right] = [partsOfSum(parser, node.left), partsOfSum(parser, node.right)];
  const joint = (left.at(-1) ?? "") + (right[0] ?? "");
  return [...left.slice(0, -1), joint, ...right.slice(1)];
}

/** Returns the keys that texts with gaps may become; `undefined` for what may be any text, or no key. */
function patternOf(parts: readonly string[]): RegExp | undefined {
  // Such a text names no key: keys have no spaces, slashes or marks.
  if (parts.every((part) => part === "") || parts.some((part) => /[^\w.-]/.test(part))) {
    return undefined;
  }
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join(".*")}$`);
}
