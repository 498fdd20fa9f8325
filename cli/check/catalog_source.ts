/**
 * Reads the catalogs of messages that are written out in a source.
 *
 * @module
 */
import type ts from "npm:typescript@6.0.3";
import { positionOf, type TypeScript } from "../project/sources/exports.ts";
import { importsOf } from "../project/sources/imports.ts";
import type { Source, Sources } from "../project/sources/sources.ts";
import { cutText, type Position } from "../problem.ts";

/** A call of `catalog` with its languages. */
export interface WrittenCatalog extends Position {
  /** The file, relative to the project. */
  readonly file: string;
  /** The call, in the tree of the file. */
  readonly node: ts.Node;
  readonly languages: readonly CatalogLanguage[];
  /** Whether all languages are written out. */
  readonly isComplete: boolean;
}

/** The messages of one language. */
export interface CatalogLanguage extends Position {
  readonly tag: string;
  readonly messages: ReadonlyMap<string, CatalogMessage>;
  /** Whether all messages are written out. */
  readonly isComplete: boolean;
}

/** A message, as far as it is written out. */
export interface CatalogMessage extends Position {
  /** How the source writes it, on one line and cut. */
  readonly text: string;
  /** The names of its parameters; `undefined` for a function and for what is not written out. */
  readonly names: ReadonlySet<string> | undefined;
  /** Its plural forms; `undefined` for another message. */
  readonly forms: ReadonlySet<string> | undefined;
}

/** The characters of a message that a problem shows. */
const maxShown = 60;

/** Returns the catalogs that are written out in the sources of a project. */
export function listCatalogs(sources: Sources): WrittenCatalog[] {
  return sources.list().flatMap((file) => {
    const source = sources.read(file);
    const mayHave = source !== undefined && source.text.includes("catalog(");
    return mayHave ? catalogsIn(sources.ts, source) : [];
  });
}

/** Returns the catalogs of a source that imports `catalog` from the library. */
function catalogsIn(parser: TypeScript, { tree, path: file }: Source): WrittenCatalog[] {
  const name = importedName(parser, tree);
  if (name === undefined) return [];
  const found: WrittenCatalog[] = [];
  const visit = (node: ts.Node): void => {
    const [argument] = parser.isCallExpression(node) ? node.arguments : [];
    if (
      parser.isCallExpression(node) && parser.isIdentifier(node.expression) &&
      node.expression.text === name && argument !== undefined &&
      parser.isObjectLiteralExpression(argument)
    ) {
      const { members, isComplete } = membersOf(parser, argument);
      const languages = members.map(({ name: tag, node: at, value }) =>
        languageOf(parser, { tag, ...positionOf(tree, at), value, tree })
      );
      found.push({ file, node, ...positionOf(tree, node), languages, isComplete });
    }
    parser.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Returns the name that the file has for `catalog` of the library. */
function importedName(parser: TypeScript, tree: ts.SourceFile): string | undefined {
  return importsOf(parser, tree).find(({ specifier, name }) =>
    name === "catalog" && /(?:^|\/)i18n(?:\/mod\.ts)?$/.test(specifier)
  )?.local;
}

interface Member {
  readonly name: string;
  readonly node: ts.Node;
  readonly value: ts.Node;
}

/** Returns the members of a literal object, and whether these are all. */
function membersOf(
  parser: TypeScript,
  node: ts.ObjectLiteralExpression,
): { readonly members: readonly Member[]; readonly isComplete: boolean } {
  let isComplete = true;
  const members = node.properties.flatMap((property): Member[] => {
    const name = property.name;
    const isNamed = name !== undefined &&
      (parser.isIdentifier(name) || parser.isStringLiteralLike(name));
    if (!isNamed) {
      isComplete = false;
      return [];
    }
    const value = parser.isPropertyAssignment(property) ? property.initializer : property;
    return [{ name: name.text, node: property, value }];
  });
  return { members, isComplete };
}

function languageOf(
  parser: TypeScript,
  at: Position & {
    readonly tag: string;
    readonly value: ts.Node;
    readonly tree: ts.SourceFile;
  },
): CatalogLanguage {
  const { tag, value, tree, line, column } = at;
  if (!parser.isObjectLiteralExpression(value)) {
    return { tag, line, column, messages: new Map(), isComplete: false };
  }
  const { members, isComplete } = membersOf(parser, value);
  const messages = new Map(members.map(({ name, node, value: written }) => {
    const message = messageOf(parser, written);
    return [name, { ...message, ...positionOf(tree, node) }] as const;
  }));
  return { tag, line, column, messages, isComplete };
}

function messageOf(parser: TypeScript, node: ts.Node): Omit<CatalogMessage, keyof Position> {
  const text = cutText(node.getText().replaceAll(/\s+/g, " "), maxShown);
  const literal = textOf(parser, node);
  if (literal !== undefined) return { text, names: namesIn(literal), forms: undefined };
  if (!parser.isObjectLiteralExpression(node)) {
    return { text, names: undefined, forms: undefined };
  }
  const { members, isComplete } = membersOf(parser, node);
  const values = members.map(({ value }) => textOf(parser, value));
  const isWritten = isComplete && values.every((value) => value !== undefined);
  const names = new Set(["count", ...values.flatMap((value) => [...namesIn(value ?? "")])]);
  return {
    text,
    names: isWritten ? names : undefined,
    forms: isComplete ? new Set(members.map(({ name }) => name)) : undefined,
  };
}

/** Returns a literal text, also one that is added up from several. */
function textOf(parser: TypeScript, node: ts.Node): string | undefined {
  if (parser.isStringLiteralLike(node)) return node.text;
  const isSum = parser.isBinaryExpression(node) &&
    node.operatorToken.kind === parser.SyntaxKind.PlusToken;
  if (!isSum) return undefined;
  const [left, right] = [textOf(parser, node.left), textOf(parser, node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

function namesIn(text: string): Set<string> {
  return new Set([...text.matchAll(/\{([A-Za-z][A-Za-z0-9_]*)\}/g)].map(([, name]) => name ?? ""));
}
