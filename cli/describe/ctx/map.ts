/**
 * The map of a project: what `fw ctx` prints and `AGENTS.md` is made of. It is read from the syntax,
 * so that no code of the application runs.
 */
import { generatedFile, version } from "@fw/fw/conventions";
import { basename, join } from "@std/path";
import { compareText } from "../../problem.ts";
import { reachOperations } from "../../facts/operations.ts";
import { protectionOf } from "../../facts/protection.ts";
import { textOfFile } from "../../project/files/look.ts";
import { memberOf, textOf } from "../../project/json.ts";
import type { Project } from "../../project/project.ts";
import { anySegment, createMatcher, type RouteMatcher } from "../../project/routes/match.ts";
import { describeRoute } from "../../project/routes/routes.ts";
import { inputOf, type InputShape, type OutputShape, outputsOf, summaryOf } from "./shapes.ts";
import {
  findProvided,
  type ProvidedEntry,
  settingEntries,
  type SettingEntry,
  type TypeEntry,
  typesNamed,
  variableEntries,
  type VariableEntry,
} from "./entries.ts";
import { positionOf } from "../../project/sources/module_names.ts";
import { listTests } from "../../project/sources/sources.ts";

export interface RouteMapEntry {
  readonly pattern: string;
  readonly kind: "page" | "api";
  readonly file: string;
  readonly methods: readonly string[];
  readonly actions: readonly string[];
  readonly layouts: readonly string[];
  readonly middleware: readonly string[];
  readonly guards: readonly string[];
  /** The files of tests that request the route by a written path. */
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

export interface IslandEntry {
  readonly name: string;
  readonly file: string;
  readonly url: string;
}

/** Everything that `fw ctx --json` prints, besides `ok` and `problems`. */
export interface ProjectMap {
  readonly format: 1;
  readonly version: string;
  readonly name: string;
  readonly generated: string;
  readonly tasks: readonly TaskEntry[];
  /** The entries of the library that the sources import, such as `@fw/fw/ui`. */
  readonly packages: readonly string[];
  readonly routes: readonly RouteMapEntry[];
  readonly operations: readonly OperationEntry[];
  readonly types: readonly TypeEntry[];
  readonly provides: readonly ProvidedEntry[];
  readonly settings: readonly SettingEntry[];
  readonly variables: readonly VariableEntry[];
  readonly islands: readonly IslandEntry[];
}

/** Reads the map of a project. Its order depends on the sources alone. */
export async function readMap(project: Project): Promise<ProjectMap> {
  const { routes, islands } = await project.routes();
  const sources = await project.sources();
  const operations = await reachOperations(project);
  const { reach } = operations;
  const tests = findTests(project.root, createMatcher(routes));
  const entries = operations.list.map((operation): OperationEntry => {
    const { route, method, action, handler } = operation;
    const line = handler && positionOf(handler.node.getSourceFile(), handler.node).line;
    const summary = handler && summaryOf(handler.node);
    return {
      method,
      pattern: route.pattern,
      ...(action === undefined ? {} : { action }),
      file: handler?.file ?? route.file.path,
      ...(line === undefined ? {} : { line }),
      ...(summary === undefined ? {} : { summary }),
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
    tasks: Object.entries((await project.manifest())["tasks"] ?? {}).map(describeTask),
    packages: packagesOf(sources.list().map((path) => sources.read(path)?.text ?? "")),
    routes: routes.map((route) => {
      const { pattern, kind, source, methods, actions = [], layouts, middleware } = describeRoute(
        route,
      );
      const own = entries.filter((entry) => entry.pattern === pattern);
      return {
        pattern,
        kind,
        file: source,
        methods,
        actions,
        layouts,
        middleware,
        guards: inAll(own.map(({ guards }) => guards)),
        tests: tests.get(pattern) ?? [],
      };
    }),
    operations: entries,
    types: typesNamed(entries, operations),
    provides: findProvided(sources, reach),
    settings: settingEntries(await project.staticConfig()),
    variables: variableEntries(await project.variableReads()),
    islands: islands.map(({ name, source, url }) => ({ name, file: source, url })),
  };
}

function inAll(lists: readonly (readonly string[])[]): string[] {
  const [first = [], ...others] = lists;
  return first.filter((name) => others.every((list) => list.includes(name)));
}

function packagesOf(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const [, entry = ""] of text.matchAll(/ from "(@fw\/fw\/[a-z0-9/-]+)"/g)) found.add(entry);
  }
  return [...found].sort(compareText);
}

interface TaskEntry {
  readonly name: string;
  /** Its description, or else its command in backquotes. */
  readonly text: string;
}

function describeTask([name, task]: readonly [string, unknown]): TaskEntry {
  const command = textOf(task) ?? textOf(memberOf(task, "command"));
  const described = textOf(memberOf(task, "description"));
  return { name, text: described ?? (command === undefined ? "" : `\`${command}\``) };
}

function findTests(
  root: string,
  matcher: RouteMatcher,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const file of listTests(root)) {
    const text = textOfFile(join(root, file));
    for (const path of writtenPaths(text)) {
      const pattern = matcher.match(path)?.pattern;
      if (pattern === undefined) continue;
      found.set(pattern, (found.get(pattern) ?? new Set()).add(file));
    }
  }
  return new Map([...found].map(([pattern, files]) => [pattern, [...files].sort(compareText)]));
}

/** Returns the paths that stand as texts in code; a hole of a template is any segment. */
export function writtenPaths(code: string): Set<string> {
  const paths = new Set<string>();
  for (const [, , text = ""] of code.matchAll(/(["'`])(\/(?:(?!\1)[^\n\\])*)\1/g)) {
    const path = text.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, anySegment).replace(/[?#].*$/, "");
    if (!/[\s<>"'`$]/.test(path)) paths.add(path);
  }
  return paths;
}
