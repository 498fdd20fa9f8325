import ts from "npm:typescript@6.0.3";

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
  const found = /(?:^|[:/])@fw\/fw(?:@[^/]+)?(?:\/(.+))?$/.exec(specifier);
  return found === null ? undefined : found[1] ?? "";
}
