/**
 * The map of a project for `fw ctx` and `AGENTS.md`, read from the syntax without running the
 * application.
 */
import { type VariableRead, walkCalls } from "../../project/sources/calls.ts";
import { initialValue, nodePlace } from "../../project/sources/syntax.ts";
import { generatedFile, version } from "@fw/fw/conventions";
import { basename, join } from "@std/path";
import { compareText } from "../../problem.ts";
import { type Operations, reachOperations } from "../../facts/operations.ts";
import { protectionOf } from "../../facts/protection.ts";
import { docCommentOf } from "../../facts/doc_comment.ts";
import { textOfFile } from "../../project/files/look.ts";
import { memberOf, textOf } from "../../project/json.ts";
import type { Manifest } from "../../project/manifest.ts";
import type { Project } from "../../project/project.ts";
import { commandOf } from "../../project/start_task.ts";
import { createMatcher, type RouteMatcher } from "../../project/routes/match.ts";
import { describeRoute, type RouteEntry } from "../../project/routes/routes.ts";
import { sentence } from "../markdown.ts";
import { inputOf, type InputShape, type OutputShape, outputsOf } from "./shapes.ts";
import { listTests, type Sources } from "../../project/sources/sources.ts";
import ts from "npm:typescript@6.0.3";
import type { Reach } from "../../facts/reach.ts";
import type { StaticConfig } from "../../project/settings/settings.ts";

export interface RouteMapEntry
  extends Pick<RouteEntry, "pattern" | "kind" | "methods" | "layouts" | "middleware"> {
  readonly file: string;
  readonly actions: readonly string[];
  readonly guards: readonly string[];
  /** The test files that request the route by a literal path. */
  readonly tests: readonly string[];
}

export interface OperationEntry {
  readonly method: string;
  readonly pattern: string;
  readonly action?: string;
  readonly file: string;
  /** The line of the handler; absent if a package declares it. */
  readonly line?: number;
  readonly summary?: string;
  readonly guards: readonly string[];
  readonly input: readonly InputShape[];
  readonly output: readonly OutputShape[];
}

/** Everything that `fw ctx --json` prints, besides `ok` and `problems`. */
export interface ProjectMap {
  readonly format: 1;
  readonly version: string;
  readonly name: string;
  readonly generated: string;
  /** Each text is the description, or else the command in backquotes. */
  readonly tasks: readonly { readonly name: string; readonly text: string }[];
  readonly routes: readonly RouteMapEntry[];
  readonly operations: readonly OperationEntry[];
  readonly types: readonly TypeEntry[];
  readonly provides: readonly ProvidedEntry[];
  readonly settings: readonly {
    readonly name: string;
    /** The value as the code shows it; `"…"` if it is known only at run time. */
    readonly value: string;
    readonly file: string;
    readonly line: number;
  }[];
  readonly variables: readonly { readonly name: string; readonly files: readonly string[] }[];
  readonly islands: readonly {
    readonly name: string;
    readonly file: string;
    readonly url: string;
  }[];
}

/** Reads the map of a project. Its order depends only on the sources. */
export async function readMap(project: Project): Promise<ProjectMap> {
  const { routes, islands } = await project.routes();
  const sources = await project.sources();
  const operations = await reachOperations(project);
  const { reach } = operations;
  const tests = findTests(project.root, createMatcher(routes));
  const entries = operations.list.map((operation): OperationEntry => {
    const { route, method, action, handler } = operation;
    const { summary } = docCommentOf(handler?.node);
    return {
      method,
      pattern: route.pattern,
      ...(action === undefined ? {} : { action }),
      file: handler?.file ?? route.file.path,
      ...(handler === undefined ? {} : { line: nodePlace(handler.node).line }),
      ...(summary === "" ? {} : { summary: sentence(summary) }),
      guards: protectionOf(operation, operations).guards,
      input: inputOf(operation, reach),
      output: outputsOf(operation, reach),
    };
  });
  return {
    format: 1,
    version,
    name: basename(project.root),
    generated: generatedFile,
    tasks: describeTasks(await project.manifest()),
    routes: routes.map((route) => {
      const entry = describeRoute(route);
      const { pattern, kind, source: file, methods, actions = [], layouts, middleware } = entry;
      const [first = [], ...others] = entries.filter((each) => each.pattern === pattern)
        .map(({ guards }) => guards);
      const guards = first.filter((name) => others.every((list) => list.includes(name)));
      const own = { guards, tests: tests.get(pattern) ?? [] };
      return { pattern, kind, file, methods, actions, layouts, middleware, ...own };
    }),
    operations: entries,
    types: typesNamed(entries, operations),
    provides: findProvided(sources, reach),
    settings: settingEntries(await project.staticConfig()),
    variables: variableEntries(await project.variableReads()),
    islands: islands.map(({ name, source, url }) => ({ name, file: source, url })),
  };
}

export function describeTasks(manifest: Manifest): ProjectMap["tasks"] {
  return Object.entries(manifest["tasks"] ?? {}).map(([name, task]) => {
    const command = commandOf(manifest, name);
    const described = textOf(memberOf(task, "description"));
    return { name, text: described ?? (command === undefined ? "" : `\`${command}\``) };
  });
}

function findTests(root: string, match: RouteMatcher): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const file of listTests(root)) {
    for (const path of writtenPaths(textOfFile(join(root, file)))) {
      const pattern = match(path)?.pattern;
      if (pattern !== undefined) found.getOrInsertComputed(pattern, () => new Set()).add(file);
    }
  }
  return new Map([...found].map(([pattern, files]) => [pattern, [...files].sort(compareText)]));
}

/** Returns the paths that are literals in code; `${…}` in a template matches any segment. */
export function writtenPaths(code: string): Set<string> {
  const paths = new Set<string>();
  for (const [, , text = ""] of code.matchAll(/(["'`])(\/(?:(?!\1)[^\n\\])*)\1/g)) {
    const path = text.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "x").replace(/[?#].*/s, "");
    if (!/[\s<>"'`$]/.test(path)) paths.add(path);
  }
  return paths;
}

export interface ProvidedEntry {
  readonly key: string;
  /** The type of the value, as the key declares it; absent if it cannot be read. */
  readonly type?: string;
  readonly file: string;
}

function findProvided(sources: Sources, reach: Reach): ProvidedEntry[] {
  const found = new Map<string, ProvidedEntry>();
  walkCalls(sources, /\bprovide\s*\(/, ({ expression: callee, arguments: [, key] }, file) => {
    if (key === undefined || !reach.isFramework(file, callee, { as: "provide" })) return;
    const name = key.getText();
    const declared = ts.isIdentifier(key) ? reach.local(file, name) : undefined;
    const made = initialValue(declared?.node);
    const type = made && ts.isCallExpression(made) ? made.typeArguments?.[0]?.getText() : undefined;
    const entry = { key: name, ...(type === undefined ? {} : { type }) };
    found.set(name, { ...entry, file: declared?.file ?? file });
  });
  return [...found.values()].sort((a, b) => compareText(a.key, b.key));
}

export interface TypeEntry {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

function typesNamed(
  entries: readonly Pick<OperationEntry, "input" | "output">[],
  { reach, list }: Operations,
): TypeEntry[] {
  const found = new Map<string, TypeEntry>();
  entries.forEach(({ input, output }, index) => {
    const file = list[index]?.handler?.file;
    if (file === undefined) return;
    const texts = [...input, ...output].map(({ type }) => type).join(" ");
    for (const [name] of texts.matchAll(/\b[A-Z]\w*/g)) {
      const declaration = reach.local(file, name);
      if (declaration === undefined) continue;
      const { file: own, node } = declaration;
      const text = node.getText().replaceAll(/\/\*[^]*?(?:\*\/|(?![^]))|^[ \t]*\/\/.*$/gm, "")
        .replaceAll(/\s+/g, " ").replace(/^export /, "").trim();
      found.set(`${name}\n${own}`, { name, file: own, line: nodePlace(node).line, text });
    }
  });
  return [...found.values()].sort((a, b) =>
    compareText(a.name, b.name) || compareText(a.file, b.file)
  );
}

const secretNames = /^(?:secret|previousSecret|variables.*|observability\.token)$/;

/** Returns the settings in code order. A group set as a whole may contain a secret. */
function settingEntries({ assignments }: StaticConfig): ProjectMap["settings"] {
  return assignments.map(({ path, value, place: { file, line } }) => {
    const text = value?.getText().replaceAll(/\s+/g, " ") ?? "…";
    const isSecret = secretNames.test(path) || /\btoken\b/.test(text);
    return { name: path, value: isSecret && /["'`]/.test(text) ? "…" : text, file, line };
  });
}

function variableEntries(reads: readonly VariableRead[]): ProjectMap["variables"] {
  return [...Map.groupBy(reads, ({ variable }) => variable)].map(([name, places]) => ({
    name,
    files: [...new Set(places.map(({ file }) => file))].sort(compareText),
  })).sort((a, b) => compareText(a.name, b.name));
}
