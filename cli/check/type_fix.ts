/**
 * Writes the fix of a type error from the compiler's message, the line, and the names of the project.
 *
 * @module
 */
import * as library from "@fw/fw";
import { findNearest } from "@fw/fw/addon";
import { join } from "@std/path";
import type { Messages } from "../messages/catalog.ts";
import { cutText, type Place, type Problem } from "../problem.ts";
import { listCatalogs } from "./catalog_source.ts";
import { textOfFile } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";
import type { Sources } from "../project/sources/sources.ts";
import { type ImportStyle, readImportStyle } from "../scaffold/import_style.ts";

/** What fixes are written from. */
export interface TypeFixFacts {
  readonly texts: Messages["check"]["types"];
  /** The patterns of the routes. */
  readonly patterns: readonly string[];
  /** The keys of the messages that catalogs have, each with the names of its parameters. */
  readonly messages: ReadonlyMap<string, readonly string[]>;
  /** Returns the import of a name for a file; `undefined` if no module is known to export it. */
  importOf(name: string, file: string): string | undefined;
  /** Returns a line of a file, from 1; empty where there is none. */
  line(file: string, line: number): string;
  /** Whether a place lies in an import. */
  isImport(place: Place): boolean;
}

/** Gathers the facts of a project. */
export async function typeFixFacts(project: Project): Promise<TypeFixFacts> {
  const { root, messages } = project;
  const sources = await project.sources();
  const { routes } = await project.routes();
  const style = await readImportStyle(project);
  return {
    texts: messages.check.types,
    patterns: routes.map(({ pattern }) => pattern),
    messages: messageNames(sources),
    importOf: (name, file) =>
      frameworkImport(name) ?? projectImport(name, { file, sources, style }),
    line: (file, line) => textOfFile(join(root, file)).split("\n")[line - 1] ?? "",
    isImport: (place) => isInImport(place, sources),
  };
}

function messageNames(sources: Sources): ReadonlyMap<string, readonly string[]> {
  const languages = listCatalogs(sources).flatMap((catalog) => catalog.languages);
  const names = new Map<string, Set<string>>();
  for (const [key, message] of languages.flatMap(({ messages }) => [...messages])) {
    const all = names.getOrInsertComputed(key, () => new Set());
    for (const name of message.names ?? []) all.add(name);
  }
  return new Map([...names].map(([key, all]) => [key, [...all]]));
}

function isInImport({ file, line, column }: Place, sources: Sources): boolean {
  const tree = sources.read(file)?.tree;
  const lineStart = line === undefined ? undefined : tree?.getLineStarts()[line - 1];
  if (tree === undefined || lineStart === undefined) return false;
  // Without a column, the first character of the line that is no space.
  const indent = /^\s*/.exec(tree.text.slice(lineStart))?.[0].length ?? 0;
  const at = lineStart + (column === undefined ? indent : column - 1);
  return tree.statements.some((statement) =>
    sources.ts.isImportDeclaration(statement) && statement.pos <= at && at < statement.end
  );
}

/** Types of the library that handlers name; its values are read from the module itself. */
const libraryTypes: ReadonlySet<string> = new Set(
  ["App", "Application", "Child", "Config", "Ctx", "Infer", "Key", "Layout", "Middleware", "Node"]
    .concat(["Params", "Result", "Route", "Settings", "Upload"]),
);

/** The characters of a type that a fix shows. */
const maxType = 80;

/** Modules that are imported as a whole. */
const namespaces: ReadonlyMap<string, string> = new Map([["h", "@fw/fw/h"], ["ui", "@fw/fw/ui"]]);

function frameworkImport(name: string): string | undefined {
  const module = namespaces.get(name);
  if (module !== undefined) return `import * as ${name} from "${module}";`;
  if (Object.hasOwn(library, name)) return `import { ${name} } from "@fw/fw";`;
  return libraryTypes.has(name) ? `import type { ${name} } from "@fw/fw";` : undefined;
}

function projectImport(
  name: string,
  { file, sources, style }: {
    readonly file: string;
    readonly sources: Sources;
    readonly style: ImportStyle;
  },
): string | undefined {
  const declared = new RegExp(
    `^export (?:declare |abstract |async )*(function\\*?|const|let|class|interface|type) ${
      RegExp.escape(name)
    }\\b`,
    "m",
  );
  for (const path of sources.list()) {
    const kind = path === file ? undefined : declared.exec(sources.read(path)?.text ?? "")?.[1];
    if (kind === undefined) continue;
    const isType = kind === "interface" || kind === "type";
    return `import ${isType ? "type " : ""}{ ${name} } from "${style(path, file)}";`;
  }
  return undefined;
}

/** The parts of a message that a rule found. */
type Parts = readonly string[];

interface Rule {
  /** Matches the message without its code. */
  readonly pattern: RegExp;
  fix(
    parts: Parts,
    at: { readonly facts: TypeFixFacts; readonly problem: Problem },
  ): string | undefined;
}

/** What the compiler says, the more exact before the less exact. */
const rules: readonly Rule[] = [
  {
    pattern: /['"“]([^'"“”]+)['"”].*\bDid you mean(?: to write)? ['"“]?([^'"“”?]+)['"”]?\?/s,
    // With two names before the question, the wrong one is the first of a property, and the last of a member.
    fix: ([whole = "", , nearest = ""], { facts }) => {
      const wrong = /^Property '([^']+)'/.exec(whole)?.[1] ??
        /and '([^']+)' does not exist/.exec(whole)?.[1] ??
        /but '([^']+)' does not exist/.exec(whole)?.[1] ??
        /named '([^']+)'/.exec(whole)?.[1] ?? /'([^']+)'/.exec(whole)?.[1];
      return wrong === undefined ? undefined : facts.texts.replace(wrong, nearest);
    },
  },
  {
    pattern: /^Cannot find name '([^']+)'/,
    fix: ([, name = ""], { facts, problem }) => {
      const statement = facts.importOf(name, problem.place?.file ?? "");
      return statement === undefined
        ? facts.texts.declare(name)
        : facts.texts.importName(statement);
    },
  },
  {
    pattern: /^Module '"?([^'"]+)"?' has no exported member '([^']+)'/,
    fix: ([, module = "", name = ""], { facts }) => facts.texts.noExport(name, module),
  },
  {
    pattern: /^(?:Cannot find module|Module not found|Import) ['"]([^'"]+)['"]/,
    fix: ([, module = ""], { facts }) => facts.texts.noModule(module),
  },
  {
    pattern: /^'([^']+)' is declared but (?:its value is )?never (?:read|used)/,
    fix: ([, name = ""], { facts, problem }) =>
      problem.place !== undefined && facts.isImport(problem.place)
        ? facts.texts.unusedImport(name)
        : facts.texts.unused(name),
  },
  {
    pattern: /^All (?:imports|destructured elements|variables) .*(?:unused|never)/,
    fix: (_, { facts, problem }) => facts.texts.unused(lineOf(facts, problem).trim()),
  },
  {
    pattern: /^'([^']+)' is a type and must be imported using a type-only import/,
    fix: ([, name = ""], { facts }) => facts.texts.typeImport(name),
  },
  {
    pattern: /^Expected (\d+(?:-\d+)?) arguments?, but got (\d+)/,
    fix: ([, wanted = "", given = ""], { facts, problem }) =>
      messageFix(problem, facts) ?? hrefFix(problem, facts) ?? facts.texts.count(wanted, given),
  },
  {
    pattern: /^'([^']+)' is possibly '(?:undefined|null)'/,
    fix: ([, name = ""], { facts }) => facts.texts.absent(name),
  },
  {
    pattern: /^Parameter '([^']+)' implicitly has an 'any' type/,
    fix: ([, name = ""], { facts }) => {
      const type = /^(?:c|ctx|context)$/.test(name) ? "Ctx" : "unknown";
      return facts.texts.annotate(name, type);
    },
  },
  {
    // The innermost reason is the one that can be acted on.
    pattern: /Property '([^']+)' is missing in type '(?:[^']|'(?!\s))+' but required in type '/s,
    fix: ([, name = ""], { facts }) => facts.texts.addProperties(name),
  },
  {
    pattern: /is missing the following properties from type '[^']+': ([^\n]+)/s,
    fix: ([, names = ""], { facts }) => facts.texts.addProperties(names.trim()),
  },
  {
    pattern: /known properties, and '([^']+)' does not exist in type '([^\n]+)'\.$/m,
    fix: ([, name = "", type = ""], { facts }) => nearProperty(name, type, facts),
  },
  {
    pattern: /^Property '([^']+)' does not exist on type '([^\n]+)'\.$/m,
    fix: ([, name = "", type = ""], { facts }) =>
      facts.texts.property(name, cutText(type, maxType)),
  },
  {
    pattern: /^Argument of type '([^\n]+)' is not assignable to parameter of type '([^\n]+)'\.$/m,
    fix: ([, given = "", wanted = ""], { facts, problem }) =>
      nearLiteral(given, wanted, { facts, line: lineOf(facts, problem) }) ??
        facts.texts.argument(cutText(given, maxType), cutText(wanted, maxType)),
  },
  {
    pattern: /^Type '([^\n]+)' is not assignable to type '([^\n]+)'\.$/m,
    fix: ([, given = "", wanted = ""], { facts, problem }) =>
      nearLiteral(given, wanted, { facts, line: lineOf(facts, problem) }) ??
        facts.texts.assign(cutText(given, maxType), cutText(wanted, maxType)),
  },
];

/**
 * Returns the fix of a type error; `undefined` for an error whose message says no more than itself.
 *
 * @param problem The error, with the compiler's message.
 * @param facts The names that the project has.
 */
export function typeFix(problem: Problem, facts: TypeFixFacts): string | undefined {
  const message = problem.message.replace(/^TS\d+: /, "");
  for (const { pattern, fix } of rules) {
    const parts = pattern.exec(message);
    const text = parts === null ? undefined : fix(parts, { facts, problem });
    if (text !== undefined) return text;
  }
  return undefined;
}

function lineOf(facts: TypeFixFacts, { place }: Problem): string {
  return place?.line === undefined ? "" : facts.line(place.file, place.line);
}

/**
 * Returns the code from the place of an error on, in one line: a call may go on in the lines below.
 */
function codeAt(facts: TypeFixFacts, { place }: Problem): string {
  const { file = "", line = 0, column = 1 } = place ?? {};
  const [first = "", ...more] = [0, 1, 2].map((offset) => facts.line(file, line + offset));
  return [first.slice(column - 1), ...more].map((text) => text.trim()).join(" ");
}

/**
 * Corrects `c.t(messages, "titel")`. The compiler counts the arguments of the call with the parameters
 * of all messages, and names neither the key nor what the message takes.
 */
function messageFix(problem: Problem, facts: TypeFixFacts): string | undefined {
  const key = /^(?:\w+\.)*t\(\s*[\w.]+,\s*"([^"]+)"/.exec(codeAt(facts, problem))?.[1];
  if (key === undefined || facts.messages.size === 0) return undefined;
  const names = facts.messages.get(key);
  if (names === undefined) {
    const nearest = findNearest(key, [...facts.messages.keys()]);
    return nearest === undefined ? facts.texts.noMessage(key) : facts.texts.replace(key, nearest);
  }
  return names.length === 0 ? undefined : facts.texts.parameters(key, names.join(", "));
}

/** Completes `c.href("/books/{id}")`. */
function hrefFix(problem: Problem, facts: TypeFixFacts): string | undefined {
  const pattern = /^(?:\w+\.)*href\(\s*"([^"]+)"/.exec(codeAt(facts, problem))?.[1];
  const names = pattern?.matchAll(/\{(\w+)/g).map(([, name]) => name).toArray() ?? [];
  return pattern === undefined || names.length === 0
    ? undefined
    : facts.texts.parameters(pattern, names.join(", "));
}

/** Corrects a literal: the pattern of a route, the name of a parameter, a member of a union. */
function nearLiteral(
  given: string,
  wanted: string,
  { facts, line }: { readonly facts: TypeFixFacts; readonly line: string },
): string | undefined {
  const literal = /^"([^"]*)"$/.exec(given)?.[1];
  if (literal === undefined) return undefined;
  const isPattern = literal.startsWith("/") && /"\/|HrefPattern|Routes|keyof/.test(wanted);
  // The compiler cuts a long union, so the routes are asked.
  const members = [...wanted.matchAll(/"([^"]*)"/g)].map(([, text]) => text ?? "");
  const choices = isPattern || /\b(?:href|action)\(/.test(line) && literal.startsWith("/")
    ? facts.patterns
    : members;
  const nearest = findNearest(literal, choices);
  if (nearest !== undefined) return facts.texts.replace(literal, nearest);
  if (isPattern) return facts.texts.pattern(`"${literal}"`);
  return members.length === 1 && members[0] !== undefined && wanted === `"${members[0]}"`
    ? facts.texts.replace(literal, members[0])
    : undefined;
}

/** Corrects the name of a property by those of the type, such as `{ slug: string | number; }`. */
function nearProperty(name: string, type: string, { texts }: TypeFixFacts): string {
  const names = [...type.matchAll(/[{;]\s*(?:readonly )?(\w+)\??:/g)].map(([, own]) => own ?? "");
  const nearest = findNearest(name, names) ?? (names.length === 1 ? names[0] : undefined);
  return nearest === undefined
    ? texts.surplus(name, cutText(type, maxType))
    : texts.replace(name, nearest);
}
