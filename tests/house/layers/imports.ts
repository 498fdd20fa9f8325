/** The imports of one file, found with the TypeScript parser. */
import ts from "npm:typescript@6.0.3";
import { parseSource } from "../syntax.ts";

/** A static import, export-from, dynamic import or import type. */
export interface FoundImport {
  /** The specifier between the quotes. */
  specifier: string;
  line: number;
  /** Whether it carries `with { type: "text" }` or another asset type. */
  isAsset: boolean;
  /** Whether the compiler removes it. */
  isType: boolean;
  /** Whether it is a call of `import`. */
  isDynamic: boolean;
}

/** Lists every import of a source, including type imports, in order. */
export function parseImports(source: string, path: string): FoundImport[] {
  const file = parseSource(source, path);
  const found: FoundImport[] = [];
  for (const reference of file.referencedFiles) add(reference.fileName, reference.pos, {});
  // Declarations stand at the top; only a file with dynamic imports or import types is walked.
  if (/\bimport\s*\(/.test(source)) visit(file);
  else file.statements.forEach(note);
  return found;

  function visit(node: ts.Node): void {
    note(node);
    ts.forEachChild(node, visit);
  }

  function note(node: ts.Node): void {
    const target = targetOf(node);
    if (target !== undefined && ts.isStringLiteralLike(target)) {
      const isDynamic = ts.isCallExpression(node);
      const options = { isAsset: hasAssetType(node), isType: isErased(node), isDynamic };
      add(target.text, target.getStart(file), options);
    }
  }

  function add(
    specifier: string,
    position: number,
    { isAsset = false, isType = false, isDynamic = false }: Partial<FoundImport>,
  ): void {
    const line = file.getLineAndCharacterOfPosition(position).line + 1;
    found.push({ specifier, line, isAsset, isType, isDynamic });
  }
}

function targetOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node)) {
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  }
  const isDynamic = ts.isCallExpression(node) &&
    node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic ? node.arguments[0] : undefined;
}

// With `verbatimModuleSyntax`, an import of single types (`import { type A }`) still runs.
function isErased(node: ts.Node): boolean {
  if (ts.isImportTypeNode(node)) return true;
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  return ts.isImportDeclaration(node) &&
    node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

function hasAssetType(node: ts.Node): boolean {
  if (!ts.isImportDeclaration(node)) return false;
  return node.attributes?.elements.some(({ name }) => name.text === "type") ?? false;
}
