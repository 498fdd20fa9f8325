/**
 * The facts about a project, read without running its code. Each fact is read on first use and kept
 * until {@linkcode Project.refresh}.
 */
import { isAbsolute, join, relative } from "@std/path";
import { parseEnv } from "node:util";
import type { Io } from "../io.ts";
import { type Messages, messagesIn, messagesOf } from "../messages/catalog.ts";
import { errorAt, sortProblems } from "../problem.ts";
import { readTextIfThere } from "./files/look.ts";
import { findProject, findRoot, type Manifest, ManifestError, readManifest } from "./manifest.ts";
import { type RouteTable, scanRoutes } from "./routes/routes.ts";
import type { StaticConfig } from "./settings/config.ts";
import type { ProductionSettings } from "./settings/production.ts";
import type { SourceCall } from "./sources/calls.ts";
import { importedFiles } from "./sources/graph.ts";
import type { Sources } from "./sources/sources.ts";
import type { ProjectTypes } from "./sources/types.ts";
import type { VariableRead } from "./sources/variables.ts";
import { commandOf, parseStartTask, type StartTask } from "./start_task.ts";
import { Stop } from "../stop.ts";

export interface Project {
  readonly root: string;
  readonly messages: Messages;
  /** Returns the members of `deno.json`. @throws {ManifestError} if the file is not valid JSON. */
  manifest(): Promise<Manifest>;
  isLibrary(): Promise<boolean>;
  sources(): Promise<Sources>;
  /** Returns the types, which share their trees with the sources; `undefined` on import errors. */
  types(): Promise<ProjectTypes | undefined>;
  routes(): Promise<RouteTable>;
  calls(names: readonly string[]): Promise<readonly SourceCall[]>;
  variableReads(): Promise<readonly VariableRead[]>;
  /** Returns the files that the application imports, including data; empty on import errors. */
  imports(): Promise<ReadonlySet<string>>;
  startTask(): Promise<StartTask | undefined>;
  /** Returns the known variables of production: process, `start` task and its `--env-file`s. */
  environment(): Promise<Io["env"]>;
  staticConfig(): Promise<StaticConfig>;
  settings(env?: Io["env"]): Promise<ProductionSettings>;
  refresh(changed?: readonly string[]): void;
}

export function createProject(root: string, options: {
  readonly env?: Io["env"];
  readonly messages?: Messages;
} = {}): Project {
  const { env = {}, messages = messagesIn("en") } = options;
  let opened: Sources | undefined;
  // Modules that load the parser are imported when a command needs them.
  const sources = lazy(async () => {
    const { Sources } = await import("./sources/sources.ts");
    return opened = new Sources(root);
  });
  const manifest = lazy(() => readManifest(root));
  const types = lazy(async () => {
    const { readTypes } = await import("./sources/types.ts");
    return readTypes(root, { sources: await sources(), manifest: await manifest() });
  });
  const routes = lazy(() => routesOf(project));
  const imports = lazy(() => importedFiles(root));
  const variableReads = lazy(async () =>
    (await import("./sources/variables.ts")).findVariableReads(await sources())
  );
  const startTask = lazy(async () => parseStartTask(commandOf(await manifest(), "start") ?? ""));
  const environment = lazy(() => environmentOf(project, env));
  const staticConfig = lazy(async () =>
    (await import("./settings/config.ts")).staticConfigOf(await sources())
  );
  const facts = {
    manifest,
    types,
    routes,
    imports,
    variableReads,
    startTask,
    environment,
    staticConfig,
  };
  const project: Project = {
    ...facts,
    root,
    messages,
    isLibrary: async () => (await manifest())["exports"] !== undefined,
    sources,
    calls: async (names) => (await import("./sources/calls.ts")).findCalls(await sources(), names),
    settings: async (given) => {
      const { productionSettings } = await import("./settings/production.ts");
      return productionSettings(await staticConfig(), given ?? await environment());
    },
    refresh: (changed = []) => {
      for (const fact of Object.values(facts)) fact.forget();
      opened?.refresh(changed.map((path) => relativePath(root, path)));
    },
  };
  return project;
}

interface Lazy<T> {
  (): Promise<T>;
  forget(): void;
}

function lazy<T>(read: () => Promise<T>): Lazy<T> {
  let kept: Promise<T> | undefined;
  return Object.assign(() => kept ??= read(), { forget: () => kept = undefined });
}

function relativePath(root: string, path: string): string {
  const inside = isAbsolute(path) ? relative(root, path) : path;
  return inside.replaceAll("\\", "/");
}

/** Reads the routes. An invalid `deno.json` is one of their problems. */
async function routesOf(project: Project): Promise<RouteTable> {
  const { root, messages: { problems: texts } } = project;
  const table = scanRoutes(root, { sources: await project.sources(), texts });
  try {
    await project.manifest();
    return table;
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    const { file, line, column, detail } = error;
    const problem = errorAt({ file, line, column }, "E_PARSE", texts.parse(detail));
    return { ...table, problems: sortProblems([...table.problems, problem]) };
  }
}

/** Returns the variables for developer commands, which include `.env` as in `dev`. */
export async function devEnvironment(project: Project): Promise<Io["env"]> {
  const text = await readTextIfThere(join(project.root, ".env"));
  return { ...parseEnv(text ?? ""), ...await project.environment() };
}

async function environmentOf(project: Project, env: Io["env"]): Promise<Io["env"]> {
  const task = await project.startTask();
  const files: Record<string, string | undefined> = {};
  for (const flag of task?.flags ?? []) {
    const match = /^--env-file(?:=(.+))?$/.exec(flag);
    if (match === null) continue;
    const text = await readTextIfThere(join(project.root, match[1] ?? ".env"));
    // The first file that sets a variable wins.
    if (text !== undefined) Object.assign(files, { ...parseEnv(text), ...files });
  }
  return { ...files, ...env, ...task?.env };
}

/** Opens the project above the working directory. Without one, its routes report the error. */
export function openProject(io: Io): Project {
  return projectAt(findRoot(io.cwd), io);
}

/** Opens the project above the working directory by its real path. @throws {Stop} if there is none. */
export async function requireProject(io: Io): Promise<Project> {
  const found = findProject(io.cwd);
  if (found === undefined) throw new Stop(messagesOf(io).noProject(io.cwd));
  return projectAt(await Deno.realPath(found), io);
}

function projectAt(root: string, io: Io): Project {
  return createProject(root, { env: io.env, messages: messagesOf(io) });
}

/** Opens a project whose application the command runs. @throws {Stop} for a library, which a host mounts. */
export async function requireApp(command: string, io: Io): Promise<Project> {
  const project = await requireProject(io);
  // The command reports an unreadable file later, with another message.
  const isLibrary = await project.isLibrary().catch(() => false);
  if (isLibrary) throw new Stop(project.messages.library(command, "deno.json"));
  return project;
}
