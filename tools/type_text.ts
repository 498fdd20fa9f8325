import { fromFileUrl } from "@std/path";
import ts from "npm:typescript@6.0.3";

export type DeclaredLines = ReadonlyMap<string, readonly string[]>;

/**
 * Reads what a module declares, as the compiler writes it for a package: without bodies, values,
 * comments, and what is private or `@internal`. A class or an interface has one line for each member.
 */
export function readDeclaredLines(url: string): DeclaredLines {
  const fileName = fromFileUrl(url);
  const { outputText } = ts.transpileDeclaration(Deno.readTextFileSync(fileName), {
    fileName,
    compilerOptions: {
      removeComments: true,
      stripInternal: true,
      strict: true,
      target: ts.ScriptTarget.ESNext,
    },
  });
  const hasParents = true;
  const tree = ts.createSourceFile("a.d.ts", outputText, ts.ScriptTarget.ESNext, hasParents);
  const found = new Map<string, string[]>();
  for (const statement of tree.statements) {
    for (const [name, lines] of statementLines(statement)) {
      found.getOrInsertComputed(name, () => []).push(...lines.map(oneLine));
    }
  }
  return found;
}

const declaredName =
  /^(?:(?:export|declare|abstract|async) )*(?:(?:function|const|let|class|interface|type|namespace)\b\*?)?\s*([\w$]+)/;

/** Returns the name that the declaration at a byte of a module has there. */
export function nameAt(url: string, byteIndex: number): string | undefined {
  const bytes = Deno.readFileSync(fromFileUrl(url)).subarray(byteIndex);
  return declaredName.exec(new TextDecoder().decode(bytes))?.[1];
}

function oneLine(text: string): string {
  return text.replace(/;$/, "").replace(/\s+/g, " ").trim();
}

function statementLines(statement: ts.Statement): [name: string, lines: string[]][] {
  if (ts.isVariableStatement(statement)) {
    const { declarations, flags } = statement.declarationList;
    const keyword = (flags & ts.NodeFlags.Const) === 0 ? "let" : "const";
    return declarations.map((each) => [each.name.getText(), [`${keyword} ${each.getText()}`]]);
  }
  if (!("name" in statement)) return [];
  const name = (statement as ts.DeclarationStatement).name?.getText() ?? "";
  const text = statement.getText().replace(/^(?:export |declare )+/, "");
  if (!ts.isClassDeclaration(statement) && !ts.isInterfaceDeclaration(statement)) {
    return [[name, [text]]];
  }
  const { members } = statement;
  const head = statement.getText().slice(0, members.pos - statement.getStart() - 1);
  const lines = [...members].flatMap((member) => memberLine(member, name) ?? []);
  return [[name, [head.replace(/^(?:export |declare )+/, ""), ...lines]]];
}

/** Writes a member with the name of its owner before its own; nothing for a private one. */
function memberLine(member: ts.ClassElement | ts.TypeElement, owner: string): string | undefined {
  const { name } = member;
  const text = member.getText();
  if (name !== undefined && ts.isPrivateIdentifier(name)) return undefined;
  // The compiler writes a method with a computed name a second time, as a property.
  const isComputed = name !== undefined && ts.isComputedPropertyName(name);
  if (isComputed && ts.isPropertyDeclaration(member)) return undefined;
  if (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) return undefined;
  if (ts.isConstructorDeclaration(member)) return text.replace("constructor", `new ${owner}`);
  if (name !== undefined) {
    const at = name.getStart() - member.getStart();
    return `${text.slice(0, at)}${owner}.${text.slice(at)}`;
  }
  return ts.isCallSignatureDeclaration(member)
    ? owner + text
    : text.replace(/^((?:static |readonly )*)/, `$1${owner}`);
}
