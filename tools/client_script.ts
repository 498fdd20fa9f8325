/**
 * Joins the modules of the kit's scripts, `ui/client/*.js`, to the files that browsers load,
 * `ui/files/ui.js` and `ui/files/ui.chat.js`: without comments, imports and the space that no token
 * needs, in the order in which the modules need each other.
 *
 * `deno run -A tools/client_script.ts` writes the files; a test holds them together.
 */
import { dirname, fromFileUrl, join } from "@std/path";
import ts from "typescript";

const root = fromFileUrl(new URL("../", import.meta.url));

/** A file that browsers load, and the module that it starts with. */
export interface ClientScript {
  /** Where the file is. */
  readonly path: string;
  /** Where its first module is. */
  readonly entry: string;
}

/** The files that browsers load. */
export const clientScripts: readonly ClientScript[] = [
  { path: join(root, "ui/files/ui.js"), entry: join(root, "ui/client/main.js") },
  { path: join(root, "ui/files/ui.chat.js"), entry: join(root, "ui/client/chat.js") },
];

const setParentNodes = true;

/** A file as its modules make it. */
export async function joinScript({ entry }: ClientScript): Promise<string> {
  const modules = await readModules(entry);
  refuseSameNames(modules);
  const unused = findUnused([...modules.values()]);
  const texts = [...modules.values()].map((module) => bareText(module, unused));
  return withoutSpace(await format(texts.join("\n")));
}

/** Statements that only declare what nothing in these modules uses: of a shared module, others need them. */
function findUnused(modules: readonly ts.SourceFile[]): ReadonlySet<ts.Statement> {
  const unused = new Set<ts.Statement>();
  for (let before = -1; unused.size > before;) {
    before = unused.size;
    const statements = modules.flatMap((module) => [...module.statements]);
    const uses = countNames(statements.filter((statement) => !unused.has(statement)));
    for (const statement of statements) {
      const names = isPure(statement) ? declaredNames(statement) : [];
      if (names.length > 0 && names.every((name) => uses.get(name) === 1)) unused.add(statement);
    }
  }
  return unused;
}

/** How often each name stands in the statements, imports aside. */
function countNames(statements: readonly ts.Statement[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node)) counts.set(node.text, (counts.get(node.text) ?? 0) + 1);
    ts.forEachChild(node, visit);
  };
  for (const statement of statements) visit(statement);
  return counts;
}

/** Whether a statement only declares. */
function isPure(statement: ts.Statement): boolean {
  if (ts.isFunctionDeclaration(statement)) return true;
  if (!ts.isVariableStatement(statement)) return false;
  return statement.declarationList.declarations.every(({ initializer }) =>
    initializer !== undefined &&
    (ts.isArrowFunction(initializer) || ts.isPropertyAccessExpression(initializer))
  );
}

/**
 * Removes unneeded whitespace from a script, a fortieth of its size. Line breaks stay, so that statements
 * without a semicolon still end and errors name a readable line. Strings and comments are unchanged.
 *
 * @param source The script.
 */
export function withoutSpace(source: string): string {
  const module = ts.createSourceFile("script.js", source, ts.ScriptTarget.ESNext, setParentNodes);
  let bare = "";
  for (const token of findTokens(module)) {
    const gap = source.slice(token.getFullStart(), token.getStart());
    const text = token.getText();
    bare += needed(gap, bare.slice(-1) + text.slice(0, 1)) + text;
  }
  return bare + "\n";
}

function* findTokens(node: ts.Node): Generator<ts.Node> {
  const children = node.getChildren();
  for (const child of children) yield* findTokens(child);
  if (children.length === 0 && node.getText() !== "") yield node;
}

/** Two characters that would be one word, one operator or a comment without the space between them. */
const needsSpace = /[\w$#\\\u0080-\uffff]{2}|\+\+|--|\/[/*]|<!|->/;

/** What of the space and the comments before a token stays. */
function needed(gap: string, around: string): string {
  if (gap.trim() !== "") return gap.replace(/^\s*\n\s*/, "\n").replace(/\s*\n\s*$/, "\n");
  if (gap.includes("\n")) return around.length === 2 ? "\n" : "";
  return gap !== "" && needsSpace.test(around) ? " " : "";
}

/** What TypeScript, at its strictest, finds in the modules. */
export function checkScript(): string[] {
  const program = ts.createProgram(clientScripts.map(({ entry }) => entry), {
    allowJs: true,
    checkJs: true,
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    types: [],
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, " ");
    if (file === undefined || start === undefined) return text;
    const { line, character } = file.getLineAndCharacterOfPosition(start);
    return `${file.fileName.slice(root.length)}:${line + 1}:${character + 1} ${text}`;
  });
}

/** The modules by path, each after those that it needs. */
async function readModules(entry: string): Promise<ReadonlyMap<string, ts.SourceFile>> {
  const modules = new Map<string, ts.SourceFile>();
  const begun = new Set<string>();
  async function visit(path: string): Promise<void> {
    if (modules.has(path)) return;
    if (begun.has(path)) throw new Error(`Cannot join the script: ${path} imports itself.`);
    begun.add(path);
    const source = await Deno.readTextFile(path);
    const module = ts.createSourceFile(path, source, {
      languageVersion: ts.ScriptTarget.ESNext,
      jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
    }, setParentNodes);
    for (const statement of module.statements) {
      if (!ts.isImportDeclaration(statement)) continue;
      const { moduleSpecifier } = statement;
      if (ts.isStringLiteral(moduleSpecifier)) {
        await visit(join(dirname(path), moduleSpecifier.text));
      }
    }
    modules.set(path, module);
  }
  await visit(entry);
  return modules;
}

/** In one file, what two modules call the same would be the same. */
function refuseSameNames(modules: ReadonlyMap<string, ts.SourceFile>): void {
  const owners = new Map<string, string>();
  for (const [path, module] of modules) {
    for (const name of module.statements.flatMap(declaredNames)) {
      const owner = owners.get(name);
      if (owner !== undefined) {
        throw new Error(`Cannot join the script: ${owner} and ${path} both declare "${name}".`);
      }
      owners.set(name, path);
    }
  }
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
    return statement.name ? [statement.name.text] : [];
  }
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.map(({ name }) => name.getText());
}

/** The text of a module without imports, the word `export`, comments and what only types need. */
function bareText(module: ts.SourceFile, unused: ReadonlySet<ts.Statement>): string {
  const cuts = [...findCuts(module, { text: module.text, unused })].sort((one, other) =>
    one.pos - other.pos
  );
  let bare = "";
  let from = 0;
  for (const { pos, end } of cuts) {
    // Comments between two tokens belong to both.
    if (pos < from) continue;
    bare += module.text.slice(from, pos);
    from = end;
  }
  bare += module.text.slice(from);
  return bare.trim() + "\n";
}

interface CutPlan {
  readonly text: string;
  readonly unused: ReadonlySet<ts.Statement>;
}

function* findCuts(node: ts.Node, plan: CutPlan): Generator<ts.TextRange> {
  const { text, unused } = plan;
  if (ts.isImportDeclaration(node)) {
    yield { pos: node.getStart(), end: node.end };
    return;
  }
  if (unused.has(node as ts.Statement)) {
    yield { pos: node.getFullStart(), end: node.end };
    return;
  }
  for (const comment of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) {
    yield wholeLine(comment, text);
  }
  for (const comment of ts.getTrailingCommentRanges(text, node.end) ?? []) yield comment;
  if (node.kind === ts.SyntaxKind.ExportKeyword) yield { pos: node.getStart(), end: node.end + 1 };
  const isCast = ts.isParenthesizedExpression(node) && isTypeCast(node);
  for (const child of node.getChildren()) {
    const isParenthesis = child.kind === ts.SyntaxKind.OpenParenToken ||
      child.kind === ts.SyntaxKind.CloseParenToken;
    if (isCast && isParenthesis) yield { pos: child.getStart(), end: child.end };
    else yield* findCuts(child, plan);
  }
}

/** A comment with its line where it has one for itself, else with the space after it. */
function wholeLine({ pos, end }: ts.TextRange, text: string): ts.TextRange {
  const start = text.lastIndexOf("\n", pos - 1) + 1;
  const isAlone = text.slice(start, pos).trim() === "" && text[end] === "\n";
  if (isAlone) return { pos: start, end: end + 1 };
  return { pos, end: text[end] === " " ? end + 1 : end };
}

function isTypeCast(node: ts.ParenthesizedExpression): boolean {
  const before = node.getFullText().slice(0, node.getLeadingTriviaWidth());
  return /@type .*\*\/\s*$/.test(before);
}

async function format(source: string): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--ext=js", "-"],
    cwd: root,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(source));
  await writer.close();
  const { success, stdout } = await child.output();
  if (!success) throw new Error("Cannot join the script: deno fmt refuses it.");
  return new TextDecoder().decode(stdout);
}

if (import.meta.main) {
  for (const each of clientScripts) await Deno.writeTextFile(each.path, await joinScript(each));
}
