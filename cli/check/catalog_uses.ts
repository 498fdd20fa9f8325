/**
 * Finds out which messages of the catalogs the sources name.
 *
 * @module
 */
import { join } from "@std/path";
import type ts from "typescript";
import { readTextOrEmpty } from "../project/files/look.ts";
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
      const pattern = patternOf(node);
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
      (source.text.includes("${") || keys.some((key) => source.text.includes(key)));
    if (mayName) visit(source.tree);
  }
  for (const file of listTemplates(root)) {
    const text = readTextOrEmpty(join(root, file));
    for (const [word] of text.matchAll(/\w+/g)) words.add(word);
  }
  return (key) => words.has(key) || patterns.some((pattern) => pattern.test(key));
}

/** Returns the keys that a template may become; `undefined` for one that may become any text. */
function patternOf({ head, templateSpans }: ts.TemplateExpression): RegExp | undefined {
  const parts = [head.text, ...templateSpans.map(({ literal }) => literal.text)];
  // Such a text names no key: keys have no spaces, slashes or marks.
  if (parts.every((part) => part === "") || parts.some((part) => /[^\w.-]/.test(part))) {
    return undefined;
  }
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join(".*")}$`);
}
