/**
 * What files of tests do that only some kinds of them may.
 *
 * @module
 */
import ts from "npm:typescript@6.0.3";
import type { TestKind } from "../../tools/test_files.ts";

/** What code uses, and the kinds of tests that may. */
const uses: readonly { readonly found: RegExp; readonly kinds: readonly TestKind[] }[] = [
  { found: /^Deno\.Command$/, kinds: ["child", "browser", "site"] },
  { found: /^node:child_process$/, kinds: ["child", "browser", "site"] },
  { found: /^npm:playwright/, kinds: ["browser", "site"] },
  { found: /(?:^|\/)browser\.ts$/, kinds: ["browser", "site"] },
  { found: /^Deno\.(?:env\.(?:set|delete)|chdir)$/, kinds: ["alone", "site"] },
];

/** Lists what a file uses that its kind may not: `12: Deno.Command`. */
export function findKindFaults(source: string, kind: TestKind): string[] {
  // Most files name none of it, and a syntax tree takes long to make.
  if (!/Deno\.(?:Command|env|chdir)|child_process|playwright|browser\.ts/.test(source)) return [];
  const file = ts.createSourceFile("a.ts", source, ts.ScriptTarget.Latest);
  const faults: string[] = [];
  visit(file);
  return faults;

  function visit(node: ts.Node): void {
    const text = ts.isPropertyAccessExpression(node)
      ? node.getText(file)
      : ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)
      ? node.moduleSpecifier.text
      : undefined;
    const isRefused = text !== undefined &&
      uses.some(({ found, kinds }) => found.test(text) && !kinds.includes(kind));
    if (isRefused) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      faults.push(`${line + 1}: ${text}`);
    }
    ts.forEachChild(node, visit);
  }
}
