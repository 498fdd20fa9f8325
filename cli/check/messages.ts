/**
 * Finds unused messages and texts left to translate. The compiler reports differences between the
 * languages of a catalog.
 */
import { join } from "@std/path";
import ts from "npm:typescript@6.0.3";
import { type Problem, sortProblems } from "../problem.ts";
import { textOfFile } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";
import { importsOf } from "../project/sources/module_names.ts";
import { listFiles } from "../project/sources/sources.ts";
import { nodePlace, walk } from "../project/sources/syntax.ts";

/**
 * Checks the catalogs that are literals in the sources. A key counts as used if other code has it
 * as a string or a property name, or contains its start or end: `kind_${kind}`. `kind.talk` is the value
 * `talk` of a field `kind`.
 */
export async function checkMessages(project: Project): Promise<Problem[]> {
  const sources = await project.sources();
  const catalogs: ts.ObjectLiteralExpression[] = [];
  const [words, starts, ends] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const file of sources.list()) {
    const tree = sources.read(file)?.tree;
    const callee = tree && importedCatalog(tree);
    if (tree === undefined) continue;
    walk(tree, (node) => {
      const isCatalog = ts.isCallExpression(node) && node.expression.getText() === callee;
      const written = isCatalog ? node.arguments[0] : undefined;
      if (written !== undefined && ts.isObjectLiteralExpression(written)) {
        catalogs.push(written);
        return false;
      }
      if (ts.isTemplateHead(node)) starts.add(node.text);
      else if (ts.isTemplateTail(node)) ends.add(node.text);
      else if (ts.isPropertyAssignment(node)) words.add(node.name.getText());
      else if (ts.isStringLiteralLike(node)) {
        words.add(node.text);
        for (const value of /\boneof=([^,]*)/.exec(node.text)?.[1]?.split(" ") ?? []) {
          words.add(value);
        }
        const { parent } = node;
        if (ts.isBinaryExpression(parent)) (parent.left === node ? starts : ends).add(node.text);
      }
      return undefined;
    });
  }
  if (catalogs.length === 0) return [];
  for (const file of listFiles(project.root, /\.(?:gohtml|tmpl|html)$/)) {
    for (const [word] of textOfFile(join(project.root, file)).matchAll(/\w+/g)) words.add(word);
  }
  // A string with other characters cannot be part of a key: "the " + a.
  const parts = (texts: Set<string>): string[] =>
    [...texts].filter((each) => /^[\w.-]+$/.test(each));
  const [first, last] = [parts(starts), parts(ends)];
  const isUsed = (key: string): boolean =>
    words.has(key) || /^(\w+)\.(.+)$/.exec(key)?.slice(1).every((part) =>
        words.has(part)
      ) === true ||
    first.some((part) => key.startsWith(part)) ||
    last.some((part) => key.endsWith(part));
  const unused = catalogs.flatMap((catalog) => {
    const languages = [...namedMembers(catalog).values()];
    const keys = new Map(
      languages.flatMap(({ initializer }) => [...namedMembers(initializer)]).reverse(),
    );
    return [...keys].filter(([key]) => !isUsed(key)).map(([key, node]): Problem => {
      const text = project.messages.check.unusedMessage(key);
      return { code: "E_CATALOG", severity: "warning", place: nodePlace(node), ...text };
    });
  });
  // The generators mark what they cannot translate.
  const marked = catalogs.flatMap((catalog) =>
    [...catalog.getText().matchAll(/\/\/ translate$/gm)].map(() => catalog)
  );
  const left = marked.slice(0, 1).map((catalog): Problem => {
    const text = project.messages.check.left(String(marked.length));
    return { code: "E_CATALOG", severity: "warning", place: nodePlace(catalog), ...text };
  });
  return sortProblems([...left, ...unused]);
}

function importedCatalog(tree: ts.SourceFile): string | undefined {
  return importsOf(tree).find(({ specifier, name }) =>
    name === "catalog" && /(?:^|\/)i18n(?:\/mod\.ts)?$/.test(specifier)
  )?.local;
}

function namedMembers(node: ts.Node): Map<string, ts.PropertyAssignment> {
  if (!ts.isObjectLiteralExpression(node)) return new Map();
  const members = node.properties.filter(ts.isPropertyAssignment);
  return new Map(members.flatMap((each) => "text" in each.name ? [[each.name.text, each]] : []));
}
