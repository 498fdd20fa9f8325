/**
 * Checks the templates of a project. Each template that `must` and `parse` name is parsed and
 * escaped, and its members are looked up in the type of the data that `node` and `text` pass.
 *
 * @module
 */
import { findNearest } from "@fw/fw/addon";
import { type Inspection, inspectTemplates, type MemberUse } from "@fw/fw/tmpl";
import { globToRegExp, join } from "@std/path";
import type ts from "typescript";
import type { Messages } from "../messages/catalog.ts";
import { errorAt, type Place, type Problem, sortProblems } from "../problem.ts";
import type { Project } from "../project/project.ts";
import { resolveSpecifier } from "../project/sources/sources.ts";
import {
  createTypeReader,
  followMembers,
  importOf,
  pathOf,
  type TypePlace,
  type TypeReader,
} from "./template_types.ts";

const defaultPattern = "**/*.{html,gohtml,tmpl,txt}";

/** A set of templates that a module creates. */
interface TemplateSet {
  readonly inspection: Inspection;
  /** The file of each source, relative to the project; `undefined` for a text in the code. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** Where the set is created, for templates without a file. */
  readonly place: Place;
}

/**
 * Checks the templates of a project.
 *
 * @param project The project.
 * @returns The problems, sorted by place.
 */
export async function checkTemplates(project: Project): Promise<readonly Problem[]> {
  const { root, messages: { problems: texts } } = project;
  const sources = await project.sources();
  const reader = createTypeReader(sources);
  const problems: Problem[] = [];
  const modules: ts.SourceFile[] = [];
  const sets = new Map<string, TemplateSet>();
  for (const path of sources.list()) {
    const source = sources.read(path);
    if (!source?.text.includes("@fw/fw/tmpl")) continue;
    const file = source.tree;
    modules.push(file);
    for (const [name, set] of setsIn(reader, file, root)) {
      sets.set(`${path}#${name}`, set);
      problems.push(...faultsOf(set, texts));
    }
  }
  for (const file of modules) {
    for (const call of rendersIn(reader, file)) {
      const set = sets.get(`${file.fileName}#${call.set}`) ?? importedSet(reader, sets, file, call);
      if (set !== undefined) problems.push(...misspeltIn({ reader, set, call, texts }));
    }
  }
  return sortProblems(problems);
}

function faultsOf(
  { inspection, files, place }: TemplateSet,
  texts: Messages["problems"],
): Problem[] {
  return inspection.faults.map(({ template, line, column, description, fix }) => {
    const file = files.get(template);
    const where = file === undefined ? place : { file, line, column };
    return errorAt(where, "E_TEMPLATE", texts.template(description, fix));
  });
}

/** Returns the sets that a module creates at top level: `const views = must(…)` and `parse(…)`. */
function setsIn(reader: TypeReader, file: ts.SourceFile, root: string): [string, TemplateSet][] {
  const { ts } = reader;
  const found: [string, TemplateSet][] = [];
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!ts.isIdentifier(name) || initializer === undefined) continue;
      if (!ts.isCallExpression(initializer)) continue;
      const made = sourcesOf(reader, { file, call: initializer, root });
      if (made === undefined) continue;
      const { line, character } = file.getLineAndCharacterOfPosition(initializer.getStart(file));
      const sources = Object.fromEntries([...made].map(([key, { text }]) => [key, text]));
      found.push([name.text, {
        inspection: inspectTemplates(sources),
        files: new Map([...made].map(([key, source]) => [key, source.file])),
        place: { file: file.fileName, line: line + 1, column: character + 1 },
      }]);
    }
  }
  return found;
}

interface FoundSource {
  readonly text: string;
  readonly file: string | undefined;
}

interface Making {
  readonly file: ts.SourceFile;
  readonly call: ts.CallExpression;
  readonly root: string;
}

/**
 * Returns the texts of a call of `must` or `parse`; `undefined` if the code does not determine
 * them.
 */
function sourcesOf(
  reader: TypeReader,
  making: Making,
): ReadonlyMap<string, FoundSource> | undefined {
  const { ts } = reader;
  const { call, file, root } = making;
  const [first, ...rest] = call.arguments;
  const callee = calledFrom(reader, file, call);
  if (first === undefined || callee === undefined) return undefined;
  const options = rest.filter((arg) => !ts.isStringLiteralLike(arg));
  // Other delimiters are not read here.
  if (options.some((arg) => /\bdelimiters\b/.test(arg.getText(file)))) return undefined;
  if (callee === "parse") {
    const name = /\bname:\s*(["'])(.*?)\1/.exec(rest[0]?.getText(file) ?? "")?.[2];
    if (name === undefined || !ts.isStringLiteralLike(first)) return undefined;
    return new Map([[name, { text: first.text, file: undefined }]]);
  }
  if (callee !== "must") return undefined;
  if (ts.isObjectLiteralExpression(first)) return recordSources(reader, making, first);
  const folder = folderOf(reader, file, first);
  const globs = rest.flatMap((arg) => ts.isStringLiteralLike(arg) ? [arg.text] : []);
  return folder === undefined ? undefined : folderSources(root, folder, globs);
}

/** Returns the function of `@fw/fw/tmpl` that is called; `undefined` for others. */
function calledFrom(
  { ts }: TypeReader,
  file: ts.SourceFile,
  { expression }: ts.CallExpression,
): string | undefined {
  if (!ts.isIdentifier(expression)) return undefined;
  const imported = importOf(ts, file, expression.text);
  return imported?.specifier === "@fw/fw/tmpl" ? imported.name : undefined;
}

function recordSources(
  { ts }: TypeReader,
  { file, root }: Making,
  record: ts.ObjectLiteralExpression,
): ReadonlyMap<string, FoundSource> | undefined {
  const sources = new Map<string, FoundSource>();
  for (const property of record.properties) {
    if (!ts.isPropertyAssignment(property) || !ts.isStringLiteralLike(property.name)) {
      return undefined;
    }
    const { initializer, name } = property;
    if (ts.isStringLiteralLike(initializer)) {
      sources.set(name.text, { text: initializer.text, file: undefined });
      continue;
    }
    const imported = ts.isIdentifier(initializer)
      ? importOf(ts, file, initializer.text)
      : undefined;
    const path = imported === undefined ? undefined : pathOf(file.fileName, imported.specifier);
    const text = path === undefined ? undefined : readIfThere(join(root, path));
    if (text === undefined) return undefined;
    sources.set(name.text, { text, file: path });
  }
  return sources;
}

function readIfThere(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}

/** Returns the folder of `must("views")` and of `must(new URL("../views/", import.meta.url))`. */
function folderOf({ ts }: TypeReader, file: ts.SourceFile, arg: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(arg)) return arg.text.replace(/^\.\//, "").replace(/\/$/, "");
  if (!ts.isNewExpression(arg) || arg.expression.getText(file) !== "URL") return undefined;
  const [path, base] = arg.arguments ?? [];
  if (path === undefined || !ts.isStringLiteralLike(path)) return undefined;
  if (base?.getText(file) !== "import.meta.url") return undefined;
  const relative = /^\.\.?\//.test(path.text) ? path.text : `./${path.text}`;
  return resolveSpecifier(file.fileName, relative);
}

function folderSources(
  root: string,
  folder: string,
  globs: readonly string[],
): ReadonlyMap<string, FoundSource> | undefined {
  const tests = (globs.length === 0 ? [defaultPattern] : globs)
    .map((glob) => globToRegExp(glob, { os: "linux" }));
  const sources = new Map<string, FoundSource>();
  const visit = (path: string): void => {
    for (const { name, isDirectory } of Deno.readDirSync(join(root, folder, path))) {
      const inner = path === "" ? name : `${path}/${name}`;
      if (name.startsWith(".")) continue;
      if (isDirectory) visit(inner);
      else if (tests.some((test) => test.test(inner))) {
        const text = readIfThere(join(root, folder, inner));
        if (text !== undefined) sources.set(inner, { text, file: `${folder}/${inner}` });
      }
    }
  };
  try {
    visit("");
  } catch {
    return undefined;
  }
  return sources;
}

/** A call of `node` or `text` with a literal template name and data of a known type. */
interface Render {
  readonly set: string;
  readonly template: string;
  readonly data: TypePlace;
}

function rendersIn(reader: TypeReader, file: ts.SourceFile): Render[] {
  const { ts } = reader;
  const found: Render[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const [set, template, data] = node.arguments;
      const callee = calledFrom(reader, file, node);
      const isRender = callee === "node" || callee === "text";
      if (isRender && set && template && data && ts.isIdentifier(set)) {
        const place = ts.isStringLiteralLike(template) ? typeOf(reader, file, data) : undefined;
        if (place !== undefined && ts.isStringLiteralLike(template)) {
          found.push({ set: set.text, template: template.text, data: place });
        }
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Returns the type of an expression, if its own code declares it. */
function typeOf(
  { ts }: TypeReader,
  file: ts.SourceFile,
  expression: ts.Expression,
): TypePlace | undefined {
  if (ts.isObjectLiteralExpression(expression)) return { file, node: expression };
  if (ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression)) {
    return { file, node: expression.type };
  }
  if (!ts.isIdentifier(expression)) return undefined;
  for (let at: ts.Node = expression; at.parent !== undefined; at = at.parent) {
    const declared = declaredIn(ts, at.parent, expression.text);
    if (declared === undefined) continue;
    const { type, initializer } = declared;
    if (type !== undefined) return { file, node: type };
    const isLiteral = initializer !== undefined && ts.isObjectLiteralExpression(initializer);
    return isLiteral ? { file, node: initializer } : undefined;
  }
  return undefined;
}

function declaredIn(
  ts: typeof import("typescript"),
  scope: ts.Node,
  name: string,
): ts.VariableDeclaration | ts.ParameterDeclaration | undefined {
  const isNamed = (each: ts.VariableDeclaration | ts.ParameterDeclaration): boolean =>
    ts.isIdentifier(each.name) && each.name.text === name;
  if (ts.isFunctionLike(scope)) return scope.parameters.find(isNamed);
  if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) return undefined;
  return scope.statements.flatMap((statement) =>
    ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : []
  ).find(isNamed);
}

function importedSet(
  { ts }: TypeReader,
  sets: ReadonlyMap<string, TemplateSet>,
  file: ts.SourceFile,
  { set }: Render,
): TemplateSet | undefined {
  const imported = importOf(ts, file, set);
  const path = imported === undefined ? undefined : pathOf(file.fileName, imported.specifier);
  return path === undefined ? undefined : sets.get(`${path}#${imported?.name}`);
}

interface Rendering {
  readonly reader: TypeReader;
  readonly set: TemplateSet;
  readonly call: Render;
  readonly texts: Messages["problems"];
}

function misspeltIn({ reader, set, call, texts }: Rendering): Problem[] {
  return set.inspection.membersOf(call.template).flatMap((use: MemberUse): Problem[] => {
    const followed = followMembers(reader, call.data, use.path);
    if (followed.kind === "fine") return [];
    const { type, name } = followed;
    const near = findNearest(name, [...type.members.keys()]);
    const file = set.files.get(use.template);
    const { line, column } = use;
    const where = file === undefined ? set.place : { file, line, column };
    return [errorAt(where, "E_TEMPLATE_MEMBER", texts.templateMember(name, type.name, near))];
  });
}
