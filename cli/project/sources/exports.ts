import type ts from "npm:typescript@6.0.3";
import type { Position } from "../../problem.ts";
import { unwrap } from "./functions.ts";

/** The parser, loaded only by commands that need it. */
export type TypeScript = typeof ts;

export interface ModuleExport extends Position {
  readonly name: string;
  /** The origin of a re-exported name. */
  readonly from?: { readonly specifier: string; readonly name: string };
  /** Whether it is a namespace (`export * as Page`), which is never a handler. */
  readonly isNamespace?: boolean;
  /** The literal value, as written. */
  readonly literal?: string;
  /** Whether its syntax shows that it cannot be called as a function. */
  readonly isUncallable?: boolean;
  /** The members of an object literal, in its order; one without a name cannot be read. */
  readonly members?: readonly ObjectMember[];
}

/** A member of an object literal. */
export interface ObjectMember extends Position {
  /** `undefined` for a spread and for a computed name. */
  readonly name: string | undefined;
  /** Whether its value shows that it is no function. */
  readonly isUncallable: boolean;
}

/** An `export * from "…"`. */
export interface StarExport extends Position {
  readonly specifier: string;
}

/** A syntax error. */
export interface SyntaxFault extends Position {
  /** The parser's message, in English. */
  readonly message: string;
}

export interface ModuleExports {
  /** The exported values by name, without types. */
  readonly names: ReadonlyMap<string, ModuleExport>;
  readonly stars: readonly StarExport[];
  readonly faults: readonly SyntaxFault[];
}

interface Reading {
  readonly ts: TypeScript;
  readonly source: ts.SourceFile;
  readonly names: Map<string, ModuleExport>;
  readonly stars: StarExport[];
  /** Imported names and their origin, for exports of these. */
  readonly imported: Map<string, { specifier: string; name: string }>;
  /** Names of imported namespaces. */
  readonly namespaces: Set<string>;
  /** Local constants with a literal value. */
  readonly literals: Map<string, string>;
  /** Local names that cannot be called: classes, enums, constants with a literal. */
  readonly uncallable: Set<string>;
  /** Local constants that are object literals. */
  readonly objects: Map<string, readonly ObjectMember[]>;
  /** Local types: `export { T }` of one is no value. */
  readonly types: Set<string>;
}

/** Reads the exports of a parsed file. */
export function findExports(ts: TypeScript, source: ts.SourceFile): ModuleExports {
  const reading: Reading = {
    ts,
    source,
    names: new Map(),
    stars: [],
    imported: new Map(),
    namespaces: new Set(),
    literals: new Map(),
    uncallable: new Set(),
    objects: new Map(),
    types: new Set(),
  };
  for (const statement of source.statements) readDeclaration(reading, statement);
  for (const statement of source.statements) readExport(reading, statement);
  return { names: reading.names, stars: reading.stars, faults: readFaults(reading) };
}

/** First pass: collects the file's own names. */
function readDeclaration(reading: Reading, statement: ts.Statement): void {
  const { ts, types, literals, uncallable } = reading;
  if (ts.isImportDeclaration(statement)) return readImport(reading, statement);
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
    types.add(statement.name.text);
  } else if (ts.isClassDeclaration(statement) || ts.isEnumDeclaration(statement)) {
    if (statement.name !== undefined) uncallable.add(statement.name.text);
  } else if (ts.isVariableStatement(statement)) {
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && isUncallable(reading, initializer)) uncallable.add(name.text);
      const members = membersOf(reading, initializer);
      if (ts.isIdentifier(name) && members !== undefined) reading.objects.set(name.text, members);
      const literal = literalOf(reading, initializer);
      if (ts.isIdentifier(name) && literal !== undefined) literals.set(name.text, literal);
    }
  }
}

function readImport(reading: Reading, statement: ts.ImportDeclaration): void {
  const { ts, imported, namespaces, types } = reading;
  const { importClause, moduleSpecifier } = statement;
  if (importClause === undefined || !ts.isStringLiteral(moduleSpecifier)) return;
  const specifier = moduleSpecifier.text;
  const isType = importClause.phaseModifier === ts.SyntaxKind.TypeKeyword;
  if (importClause.name !== undefined) {
    if (isType) types.add(importClause.name.text);
    else imported.set(importClause.name.text, { specifier, name: "default" });
  }
  const bindings = importClause.namedBindings;
  if (bindings === undefined) return;
  if (ts.isNamespaceImport(bindings)) {
    namespaces.add(bindings.name.text);
    return;
  }
  for (const element of bindings.elements) {
    const name = (element.propertyName ?? element.name).text;
    if (isType || element.isTypeOnly) types.add(element.name.text);
    else imported.set(element.name.text, { specifier, name });
  }
}

/** Second pass: collects the exports. */
function readExport(reading: Reading, statement: ts.Statement): void {
  const { ts } = reading;
  if (ts.isExportDeclaration(statement)) return readExportList(reading, statement);
  if (ts.isExportAssignment(statement)) {
    return addExport(reading, "default", { node: statement });
  }
  if (!ts.canHaveModifiers(statement)) return;
  const modifiers = ts.getModifiers(statement) ?? [];
  const has = (kind: ts.SyntaxKind): boolean =>
    modifiers.some((modifier) => modifier.kind === kind);
  if (!has(ts.SyntaxKind.ExportKeyword) || has(ts.SyntaxKind.DeclareKeyword)) return;
  if (has(ts.SyntaxKind.DefaultKeyword)) return addExport(reading, "default", { node: statement });
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
    if (statement.name) addLocal(reading, statement.name);
  } else if (ts.isEnumDeclaration(statement) || ts.isModuleDeclaration(statement)) {
    if (ts.isIdentifier(statement.name)) addLocal(reading, statement.name);
  } else if (ts.isVariableStatement(statement)) {
    for (const declaration of statement.declarationList.declarations) {
      readBinding(reading, declaration.name);
    }
  }
}

/** Collects the names of `const a` and `const { a, b: [c] }`. */
function readBinding(reading: Reading, name: ts.BindingName): void {
  const { ts } = reading;
  if (ts.isIdentifier(name)) return addLocal(reading, name);
  for (const element of name.elements) {
    if (ts.isBindingElement(element)) readBinding(reading, element.name);
  }
}

function readExportList(reading: Reading, statement: ts.ExportDeclaration): void {
  const { ts, source, stars } = reading;
  if (statement.isTypeOnly) return;
  const { exportClause, moduleSpecifier } = statement;
  const specifier = moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier)
    ? moduleSpecifier.text
    : undefined;
  if (exportClause === undefined) {
    if (specifier !== undefined) stars.push({ specifier, ...positionOf(source, statement) });
    return;
  }
  if (ts.isNamespaceExport(exportClause)) {
    return addExport(reading, exportClause.name.text, { node: exportClause, isNamespace: true });
  }
  for (const element of exportClause.elements) {
    if (element.isTypeOnly) continue;
    readExportElement(reading, element, specifier);
  }
}

function readExportElement(
  reading: Reading,
  element: ts.ExportSpecifier,
  specifier: string | undefined,
): void {
  const local = (element.propertyName ?? element.name).text;
  const name = element.name.text;
  if (specifier !== undefined) {
    return addExport(reading, name, { node: element, from: { specifier, name: local } });
  }
  if (reading.types.has(local)) return;
  if (reading.namespaces.has(local)) {
    return addExport(reading, name, { node: element, isNamespace: true });
  }
  const from = reading.imported.get(local);
  addExport(reading, name, {
    node: element,
    ...(from === undefined ? {} : { from }),
    ...valueOf(reading, local),
  });
}

function addLocal(reading: Reading, name: ts.Identifier): void {
  addExport(reading, name.text, { node: name, ...valueOf(reading, name.text) });
}

/** Returns what the syntax shows of the value of a local name. */
function valueOf(
  reading: Reading,
  local: string,
): Pick<Found, "literal" | "isUncallable" | "members"> {
  const literal = reading.literals.get(local);
  const members = reading.objects.get(local);
  return {
    ...(members === undefined ? {} : { members }),
    ...(literal === undefined ? {} : { literal }),
    ...(reading.uncallable.has(local) ? { isUncallable: true } : {}),
  };
}

interface Found
  extends Pick<ModuleExport, "from" | "isNamespace" | "literal" | "isUncallable" | "members"> {
  readonly node: ts.Node;
}

function addExport(reading: Reading, name: string, found: Found): void {
  const { node, ...rest } = found;
  reading.names.set(name, { name, ...positionOf(reading.source, node), ...rest });
}

/** The library's constants for `Kind`, as literals. */
const kindLiterals: Readonly<Record<string, string>> = { KindPage: '"page"', KindAPI: '"api"' };

/** Returns a literal as written, also behind `as const` and `satisfies`. */
function literalOf(reading: Reading, initializer: ts.Expression | undefined): string | undefined {
  const { ts, source } = reading;
  if (initializer === undefined) return undefined;
  const value = unwrap(ts, initializer);
  if (ts.isIdentifier(value)) return kindLiterals[reading.imported.get(value.text)?.name ?? ""];
  return isLiteral(reading, value) ? value.getText(source) : undefined;
}

/** Reports whether an initial value shows that it is no function. */
function isUncallable(reading: Reading, initializer: ts.Expression | undefined): boolean {
  const { ts } = reading;
  if (initializer === undefined) return false;
  const value = unwrap(ts, initializer);
  return isLiteral(reading, value) || ts.isObjectLiteralExpression(value) ||
    ts.isArrayLiteralExpression(value) || ts.isTemplateExpression(value) ||
    ts.isClassExpression(value);
}

/** Returns the members of an object literal; `undefined` for any other value. */
function membersOf(
  reading: Reading,
  initializer: ts.Expression | undefined,
): readonly ObjectMember[] | undefined {
  const { ts, source, uncallable } = reading;
  const value = initializer && unwrap(ts, initializer);
  if (value === undefined || !ts.isObjectLiteralExpression(value)) return undefined;
  return value.properties.map((member): ObjectMember => {
    const { name } = member;
    const isNamed = name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name));
    const isUncallable = ts.isPropertyAssignment(member)
      ? isUncallableValue(reading, member.initializer)
      : ts.isShorthandPropertyAssignment(member)
      ? uncallable.has(member.name.text)
      // A getter would make the handler anew at each look.
      : !ts.isMethodDeclaration(member) && !ts.isSpreadAssignment(member);
    return {
      name: isNamed ? name.text : undefined,
      isUncallable,
      ...positionOf(source, name ?? member),
    };
  });
}

/** Reports whether a value, or the local constant that it names, shows that it is no function. */
function isUncallableValue(reading: Reading, value: ts.Expression): boolean {
  const inner = unwrap(reading.ts, value);
  return reading.ts.isIdentifier(inner)
    ? reading.uncallable.has(inner.text)
    : isUncallable(reading, inner);
}

function isLiteral({ ts }: Reading, value: ts.Expression): boolean {
  return ts.isLiteralExpression(value) ||
    [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword]
      .includes(value.kind);
}

function readFaults(reading: Reading): SyntaxFault[] {
  const { ts, source } = reading;
  // The parser stores its diagnostics on the file; the public way is a whole program, which would load
  // the standard library.
  const { parseDiagnostics = [] } = source as unknown as {
    readonly parseDiagnostics?: readonly ts.DiagnosticWithLocation[];
  };
  return parseDiagnostics.map((fault) => ({
    ...placeOf(source, fault.start),
    message: ts.flattenDiagnosticMessageText(fault.messageText, " "),
  }));
}

/** Returns the start of a node, without preceding comments. */
export function positionOf(source: ts.SourceFile, node: ts.Node): Position {
  return placeOf(source, node.getStart(source));
}

function placeOf(source: ts.SourceFile, offset: number): Position {
  const { line, character } = source.getLineAndCharacterOfPosition(offset);
  return { line: line + 1, column: character + 1 };
}
