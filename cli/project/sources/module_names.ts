import ts from "npm:typescript@6.0.3";
import type { Position } from "../../problem.ts";
import {
  functionIn,
  initialValue,
  memberValue,
  nodePlace,
  positionAt,
  unwrap,
  writtenText,
} from "./syntax.ts";

export interface ModuleExport extends Position {
  readonly name: string;
  readonly from?: Pick<Imported, "specifier" | "name">;
  /** The module of a namespace (`export * as Page`), which is never a handler. */
  readonly namespace?: string;
  readonly node?: ts.Node;
}

export interface ObjectMember extends Position {
  /** `undefined` for a spread and for a computed name. */
  readonly name: string | undefined;
  /** Whether the value is visibly not a function. */
  readonly isUncallable: boolean;
}

export interface ModuleNames {
  readonly names: ReadonlyMap<string, ModuleExport>;
  readonly types: ReadonlyMap<string, ModuleExport>;
  readonly stars: readonly (Position & { readonly specifier: string })[];
  readonly faults: readonly (Position & { readonly message: string })[];
  /** The declarations by name. If a schema and its type share a name, the value wins. */
  readonly declared: ReadonlyMap<string, ts.Node>;
  readonly imported: ReadonlyMap<string, Imported>;
}

export function findNames(source: ts.SourceFile): ModuleNames {
  const imported = new Map(importsOf(source).map((each) => [each.local, each]));
  const declared = new Map<string, ts.Node>();
  const names = new Map<string, ModuleExport>();
  const types = new Map<string, ModuleExport>();
  const stars: (Position & { readonly specifier: string })[] = [];
  const add = (
    to: Map<string, ModuleExport>,
    name: string,
    { at, ...rest }: Omit<ModuleExport, "name" | keyof Position> & { readonly at: ts.Node },
  ): void => void to.set(name, { name, ...nodePlace(at), ...rest });
  for (const statement of source.statements) {
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) ?? [] : [];
    const has = (kind: ts.SyntaxKind): boolean => modifiers.some((each) => each.kind === kind);
    const isDefault = has(ts.SyntaxKind.DefaultKeyword);
    const isExported = has(ts.SyntaxKind.ExportKeyword) && !has(ts.SyntaxKind.DeclareKeyword);
    for (const node of declarationsIn(statement)) {
      const name = node.name.getText(source);
      if (!isType(node) || !declared.has(name)) declared.set(name, node);
      if (isExported && !isDefault) {
        add(isType(node) ? types : names, name, { at: node.name, node });
      }
    }
    const isAssigned = ts.isExportAssignment(statement);
    if (!isAssigned && !isDefault) continue;
    const node = isAssigned ? unwrap(statement.expression) : statement;
    add(names, "default", { at: statement, node });
  }
  // Read after the declarations, because an export list may stand above them.
  for (const list of source.statements.filter(ts.isExportDeclaration)) {
    const { exportClause: clause, moduleSpecifier, isTypeOnly } = list;
    const specifier = writtenText(moduleSpecifier);
    if (clause === undefined) {
      if (specifier !== undefined && !isTypeOnly) stars.push({ specifier, ...nodePlace(list) });
    } else if (ts.isNamespaceExport(clause)) {
      if (isTypeOnly) continue;
      add(names, clause.name.text, { at: clause, namespace: specifier ?? "" });
    } else {
      for (const element of clause.elements) {
        const local = (element.propertyName ?? element.name).text;
        const own = specifier === undefined ? imported.get(local) : undefined;
        const origin = specifier === undefined ? own : { specifier, name: local };
        const node = specifier === undefined ? declared.get(local) : undefined;
        const isOfType = isTypeOnly || element.isTypeOnly || (node && isType(node)) || own?.isType;
        const isNamespace = origin?.name === "*";
        add(isOfType ? types : names, element.name.text, {
          at: element,
          ...(node && { node }),
          ...(origin && !isNamespace && { from: origin }),
          ...(isNamespace && { namespace: origin.specifier }),
        });
      }
    }
  }
  return { names, types, stars, faults: readFaults(source), declared, imported };
}

type Named = ts.Node & { readonly name: ts.Node };

export function declarationsIn(statement: ts.Statement): readonly Named[] {
  const bound = (node: ts.VariableDeclaration | ts.ArrayBindingElement): readonly Named[] => {
    if (ts.isOmittedExpression(node)) return [];
    const { name } = node;
    return ts.isIdentifier(name) ? [node as Named] : name.elements.flatMap(bound);
  };
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(bound);
  }
  const isNamed = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) ||
    ts.isEnumDeclaration(statement) || ts.isModuleDeclaration(statement) || isType(statement);
  const { name } = statement as { readonly name?: ts.Node };
  return isNamed && name !== undefined && ts.isIdentifier(name)
    ? [statement as ts.Node as Named]
    : [];
}

function isType(node: ts.Node): boolean {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}

const kindLiterals: Readonly<Record<string, string>> = { KindPage: '"page"', KindAPI: '"api"' };

export interface ShownValue {
  /** The source text of a literal value, also inside `as const` and `satisfies`. */
  readonly literal?: string | undefined;
  readonly isUncallable: boolean;
  /** The members of an object literal, in order; a computed member has no name. */
  readonly members?: readonly ObjectMember[] | undefined;
}

export function shownValue(
  node: ts.Node | undefined,
  { imported, declared }: ModuleNames,
): ShownValue {
  const value = node && valueIn(node);
  const isOwnUncallable = node !== undefined && isUncallable(node);
  if (value === undefined) return { isUncallable: isOwnUncallable };
  if (!ts.isObjectLiteralExpression(value)) {
    const literal = ts.isIdentifier(value)
      ? kindLiterals[imported.get(value.text)?.name ?? ""]
      : isLiteral(value)
      ? value.getText()
      : undefined;
    return { literal, isUncallable: isOwnUncallable };
  }
  const members = value.properties.map((member): ObjectMember => {
    const { name } = member;
    const isNamed = name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name));
    const written = memberValue(member);
    const inner = written && unwrap(written);
    const made = inner !== undefined && ts.isIdentifier(inner) ? declared.get(inner.text) : inner;
    return {
      name: isNamed ? name.text : undefined,
      // Refused, because a getter would create a new handler on each access.
      isUncallable: inner === undefined
        ? functionIn(member) === undefined && !ts.isSpreadAssignment(member)
        : made !== undefined && isUncallable(made),
      ...nodePlace(name ?? member),
    };
  });
  return { members, isUncallable: true };
}

function valueIn(node: ts.Node): ts.Expression | undefined {
  return ts.isExpression(node) ? node : initialValue(node);
}

function isUncallable(node: ts.Node): boolean {
  const isOther = ts.isClassDeclaration(node) || ts.isEnumDeclaration(node) || isType(node) ||
    ts.isSourceFile(node);
  if (isOther) return true;
  const value = valueIn(node);
  return value !== undefined && (isLiteral(value) || ts.isObjectLiteralExpression(value) ||
    ts.isArrayLiteralExpression(value) || ts.isTemplateExpression(value) ||
    ts.isClassExpression(value));
}

function isLiteral(value: ts.Expression): boolean {
  return ts.isLiteralExpression(value) ||
    [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword]
      .includes(value.kind);
}

function readFaults(source: ts.SourceFile): ModuleNames["faults"] {
  // The parser stores its diagnostics on the file; the public API needs a program, which would load
  // the standard library.
  const { parseDiagnostics = [] } = source as unknown as {
    readonly parseDiagnostics?: readonly ts.DiagnosticWithLocation[];
  };
  return parseDiagnostics.map(({ start, messageText }) => ({
    ...positionAt(source, start),
    message: ts.flattenDiagnosticMessageText(messageText, " "),
  }));
}

/** An imported name; `*` for a namespace. */
export interface Imported {
  readonly specifier: string;
  readonly name: string;
  readonly local: string;
  readonly isType: boolean;
}

/** Returns the imports of a file in order; an import without a binding has no local name. */
export function importsOf(tree: ts.SourceFile): readonly Imported[] {
  return tree.statements.flatMap((statement): Imported[] => {
    if (
      !ts.isImportDeclaration(statement) ||
      !ts.isStringLiteral(statement.moduleSpecifier)
    ) return [];
    const specifier = statement.moduleSpecifier.text;
    const { name: own, namedBindings: bindings, phaseModifier } = statement.importClause ?? {};
    const isType = phaseModifier === ts.SyntaxKind.TypeKeyword;
    const first = own === undefined && bindings !== undefined
      ? []
      : [{ specifier, name: "default", local: own?.text ?? "", isType }];
    if (bindings === undefined) return first;
    if (ts.isNamespaceImport(bindings)) {
      return [...first, { specifier, name: "*", local: bindings.name.text, isType }];
    }
    return [
      ...first,
      ...bindings.elements.map(({ name, propertyName, isTypeOnly }) => ({
        specifier,
        name: (propertyName ?? name).text,
        local: name.text,
        isType: isType || isTypeOnly,
      })),
    ];
  });
}

/** Returns the framework's entry that a specifier names: `"auth"` for `jsr:@fw/fw@^0.1/auth`, `""` for `@fw/fw`. */
export function frameworkEntry(specifier: string): string | undefined {
  const found = /(?:^|[:/])@fw\/fw(?:@[^/]+)?(?:\/(.+))?$/s.exec(specifier);
  return found === null ? undefined : found[1] ?? "";
}
