import type ts from "npm:typescript@6.0.3";
import type { Position } from "../../problem.ts";
import { unwrap } from "./functions.ts";
import { type Imported, importsOf } from "./imports.ts";

/** The parser, loaded only by commands that need it. */
export type TypeScript = typeof ts;

export interface ModuleExport extends Position {
  readonly name: string;
  readonly from?: Pick<Imported, "specifier" | "name">;
  /** It is a namespace (`export * as Page`), which is never a handler. */
  readonly isNamespace?: boolean;
  readonly namespace?: string;
  readonly node?: ts.Node;
}

export interface ObjectMember extends Position {
  /** `undefined` for a spread and for a computed name. */
  readonly name: string | undefined;
  /** Its value shows that it is not a function. */
  readonly isUncallable: boolean;
}

export interface StarExport extends Position {
  readonly specifier: string;
}

export interface SyntaxFault extends Position {
  readonly message: string;
}

export interface ModuleNames {
  readonly names: ReadonlyMap<string, ModuleExport>;
  readonly types: ReadonlyMap<string, ModuleExport>;
  readonly stars: readonly StarExport[];
  readonly faults: readonly SyntaxFault[];
  /** The declarations by name. Where a schema and its type share one, the value counts. */
  readonly declared: ReadonlyMap<string, ts.Node>;
  readonly imported: ReadonlyMap<string, Imported>;
}

export function findNames(ts: TypeScript, source: ts.SourceFile): ModuleNames {
  const imported = new Map(importsOf(ts, source).map((each) => [each.local, each]));
  const declared = new Map<string, ts.Node>();
  const names = new Map<string, ModuleExport>();
  const types = new Map<string, ModuleExport>();
  const stars: StarExport[] = [];
  for (const statement of source.statements) {
    for (const node of declarationsIn(ts, statement)) {
      const name = nameOf(node).getText(source);
      if (!isType(ts, node) || !declared.has(name)) declared.set(name, node);
      if (!has(statement, ts.SyntaxKind.ExportKeyword)) continue;
      if (has(statement, ts.SyntaxKind.DeclareKeyword)) continue;
      const isDefault = has(statement, ts.SyntaxKind.DefaultKeyword);
      if (!isDefault) add(isType(ts, node) ? types : names, name, { at: nameOf(node), node });
    }
    if (ts.isExportAssignment(statement) || has(statement, ts.SyntaxKind.DefaultKeyword)) {
      add(names, "default", { at: statement });
    }
  }
  // Lists may name what is declared below them.
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) readList(statement);
  }
  return { names, types, stars, faults: readFaults(ts, source), declared, imported };

  function has(statement: ts.Statement, kind: ts.SyntaxKind): boolean {
    return ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some((modifier) => modifier.kind === kind) === true;
  }

  function add(
    to: Map<string, ModuleExport>,
    name: string,
    { at, ...rest }: Omit<ModuleExport, "name" | keyof Position> & { readonly at: ts.Node },
  ): void {
    to.set(name, { name, ...positionOf(source, at), ...rest });
  }

  function readList(
    { exportClause: clause, moduleSpecifier, isTypeOnly }: ts.ExportDeclaration,
  ): void {
    const specifier = moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier)
      ? moduleSpecifier.text
      : undefined;
    if (clause === undefined) {
      if (specifier === undefined || isTypeOnly || moduleSpecifier === undefined) return;
      stars.push({ specifier, ...positionOf(source, moduleSpecifier.parent) });
      return;
    }
    if (ts.isNamespaceExport(clause)) {
      if (isTypeOnly) return;
      const namespace = specifier === undefined ? {} : { namespace: specifier };
      add(names, clause.name.text, { at: clause, isNamespace: true, ...namespace });
      return;
    }
    for (const element of clause.elements) {
      const local = (element.propertyName ?? element.name).text;
      const origin = specifier === undefined ? imported.get(local) : { specifier, name: local };
      const node = specifier === undefined ? declared.get(local) : undefined;
      const isOfType = isTypeOnly || element.isTypeOnly || (node && isType(ts, node)) ||
        (origin !== undefined && "isType" in origin && origin.isType);
      const isNamespace = origin?.name === "*";
      add(isOfType ? types : names, element.name.text, {
        at: element,
        ...(node && { node }),
        ...(origin && !isNamespace && { from: { specifier: origin.specifier, name: origin.name } }),
        ...(isNamespace && { isNamespace, namespace: origin.specifier }),
      });
    }
  }
}

type Named = ts.Node & { readonly name: ts.Node };

function nameOf(node: Named): ts.Node {
  return node.name;
}

function declarationsIn(ts: TypeScript, statement: ts.Statement): readonly Named[] {
  const bound = (node: ts.VariableDeclaration | ts.ArrayBindingElement): readonly Named[] => {
    if (ts.isOmittedExpression(node)) return [];
    const { name } = node;
    return ts.isIdentifier(name) ? [node as Named] : name.elements.flatMap(bound);
  };
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(bound);
  }
  const isNamed = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) ||
    ts.isEnumDeclaration(statement) || ts.isModuleDeclaration(statement) || isType(ts, statement);
  const { name } = statement as { readonly name?: ts.Node };
  return isNamed && name !== undefined && ts.isIdentifier(name)
    ? [statement as ts.Node as Named]
    : [];
}

function isType(ts: TypeScript, node: ts.Node): boolean {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}

const kindLiterals: Readonly<Record<string, string>> = { KindPage: '"page"', KindAPI: '"api"' };

export interface ShownValue {
  /** The literal value, as written, also behind `as const` and `satisfies`. */
  readonly literal?: string | undefined;
  readonly isUncallable: boolean;
  /** The members of an object literal, in its order; one without a name cannot be read. */
  readonly members?: readonly ObjectMember[] | undefined;
}

export function shownValue(
  ts: TypeScript,
  node: ts.Node | undefined,
  { imported, declared }: ModuleNames,
): ShownValue {
  const value = node && valueIn(ts, node);
  if (node === undefined || value === undefined) {
    return { isUncallable: node !== undefined && isUncallable(ts, node) };
  }
  const literal = ts.isIdentifier(value)
    ? kindLiterals[imported.get(value.text)?.name ?? ""]
    : isLiteral(ts, value)
    ? value.getText()
    : undefined;
  if (!ts.isObjectLiteralExpression(value)) {
    return { literal, isUncallable: isUncallable(ts, node) };
  }
  const ofName = (name: string): boolean => {
    const own = declared.get(name);
    return own !== undefined && isUncallable(ts, own);
  };
  const members = value.properties.map((member): ObjectMember => {
    const { name } = member;
    const isNamed = name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name));
    const inner = ts.isShorthandPropertyAssignment(member)
      ? member.name
      : ts.isPropertyAssignment(member)
      ? unwrap(ts, member.initializer)
      : undefined;
    return {
      name: isNamed ? name.text : undefined,
      // A getter would make the handler anew at each look.
      isUncallable: inner === undefined
        ? !ts.isMethodDeclaration(member) && !ts.isSpreadAssignment(member)
        : ts.isIdentifier(inner)
        ? ofName(inner.text)
        : isUncallable(ts, inner),
      ...positionOf(value.getSourceFile(), name ?? member),
    };
  });
  return { members, isUncallable: true };
}

function valueIn(ts: TypeScript, node: ts.Node): ts.Expression | undefined {
  if (ts.isVariableDeclaration(node)) return node.initializer && unwrap(ts, node.initializer);
  return ts.isExpression(node) ? node : undefined;
}

function isUncallable(ts: TypeScript, node: ts.Node): boolean {
  if (ts.isClassDeclaration(node) || ts.isEnumDeclaration(node)) return true;
  const value = valueIn(ts, node);
  return value !== undefined && (isLiteral(ts, value) || ts.isObjectLiteralExpression(value) ||
    ts.isArrayLiteralExpression(value) || ts.isTemplateExpression(value) ||
    ts.isClassExpression(value));
}

function isLiteral(ts: TypeScript, value: ts.Expression): boolean {
  return ts.isLiteralExpression(value) ||
    [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword]
      .includes(value.kind);
}

function readFaults(ts: TypeScript, source: ts.SourceFile): SyntaxFault[] {
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

export function positionOf(source: ts.SourceFile, node: ts.Node): Position {
  return placeOf(source, node.getStart(source));
}

function placeOf(source: ts.SourceFile, offset: number): Position {
  const { line, character } = source.getLineAndCharacterOfPosition(offset);
  return { line: line + 1, column: character + 1 };
}
