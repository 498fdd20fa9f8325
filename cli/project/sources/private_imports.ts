/**
 * The imports that a module has for its own code alone. Where the types of functions are written down, a program
 * that reads only the declarations of the module can leave out the modules behind them.
 */
import type ts from "npm:typescript@6.0.3";
import type { TypeScript } from "./module_names.ts";

/**
 * Returns the specifiers of the imports that no exported declaration needs: without their modules, what the module
 * exports keeps its types.
 */
export function privateImports(ts: TypeScript, tree: ts.SourceFile): ReadonlySet<string> {
  if (tree.statements.some((statement) => isOpenVariable(ts, statement))) return new Set();
  const used = namesOfExports(ts, tree);
  const needed = new Set<string>();
  const others = new Set<string>();
  for (const statement of tree.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) continue;
    // An import without names may bring declarations that hold everywhere.
    const names = ts.isImportDeclaration(statement) ? importedNames(ts, statement) : [];
    const isOther = names.length > 0 &&
      ![...names, moduleSpecifier.text].some((name) => used.has(name));
    (isOther ? others : needed).add(moduleSpecifier.text);
  }
  return others.difference(needed);
}

function importedNames(ts: TypeScript, { importClause }: ts.ImportDeclaration): readonly string[] {
  const { name, namedBindings } = importClause ?? {};
  const own = name === undefined ? [] : [name.text];
  if (namedBindings === undefined) return own;
  return ts.isNamespaceImport(namedBindings)
    ? [...own, namedBindings.name.text]
    : [...own, ...namedBindings.elements.map((element) => element.name.text)];
}

function namesOfExports(ts: TypeScript, tree: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node, parent?: ts.Node): void => {
    // A string may be the specifier of `import("./a.ts").A`.
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) names.add(node.text);
    const body = bodyOfTyped(ts, node, parent);
    ts.forEachChild(node, (child) => {
      if (child !== body) visit(child, node);
    });
  };
  const locals = new Map<string, ts.Statement[]>();
  for (const statement of tree.statements) {
    if (ts.isImportDeclaration(statement)) continue;
    const declared = localNames(ts, statement);
    if (declared.length === 0) visit(statement);
    for (const name of declared) locals.set(name, [...locals.get(name) ?? [], statement]);
  }
  const seen = new Set<ts.Statement>();
  // The set grows while it is walked.
  for (const name of names) {
    for (const statement of locals.get(name) ?? []) {
      if (!seen.has(statement)) visit(statement);
      seen.add(statement);
    }
  }
  return names;
}

/** Returns the names that a statement declares for its module alone; none for any other statement. */
function localNames(ts: TypeScript, node: ts.Statement): readonly string[] {
  const isExported = ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (isExported) return [];
  if (ts.isVariableStatement(node)) {
    const names = node.declarationList.declarations.map(({ name }) => name);
    return names.every(ts.isIdentifier) ? names.map(({ text }) => text) : [];
  }
  const isDeclaration = ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node);
  return isDeclaration && node.name !== undefined ? [node.name.text] : [];
}

/** Returns the body of a function whose type does not depend on it. */
function bodyOfTyped(
  ts: TypeScript,
  node: ts.Node,
  parent: ts.Node | undefined,
): ts.Node | undefined {
  if (!ts.isFunctionLike(node) || !("body" in node)) return undefined;
  const isTyped = node.type !== undefined || ts.isSetAccessor(node) ||
    (ts.isConstructorDeclaration(node) && !hasOpenField(ts, parent));
  return isTyped ? node.body : undefined;
}

/** Reports whether a class has a field whose type comes from what its constructor assigns. */
function hasOpenField(ts: TypeScript, node: ts.Node | undefined): boolean {
  return node !== undefined && ts.isClassLike(node) &&
    node.members.some((member) =>
      ts.isPropertyDeclaration(member) && member.type === undefined &&
      member.initializer === undefined
    );
}

/** Reports whether a statement declares a variable whose type comes from what any function assigns. */
function isOpenVariable(ts: TypeScript, node: ts.Statement): boolean {
  return ts.isVariableStatement(node) &&
    node.declarationList.declarations.some(({ type, initializer }) =>
      type === undefined && initializer === undefined
    );
}
