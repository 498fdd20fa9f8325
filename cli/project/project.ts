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
import type { ProductionSettings, StaticConfig } from "./settings/settings.ts";
import type { SourceCall, VariableRead } from "./sources/calls.ts";
import { importedFiles } from "./sources/graph.ts";
import type { Sources } from "./sources/sources.ts";
import type { ProjectTypes } from "./sources/types.ts";
import {
  commandOf,
  denoCommands,
  isAllowAll,
  parseStartTask,
  programFlags,
  type StartTask,
} from "./start_task.ts";
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

export function createProject(root: string, { env = {}, messages = messagesIn("en") }: {
  readonly env?: Io["env"];
  readonly messages?: Messages;
} = {}): Project {
  let opened: Sources | undefined;
  // Modules that load the parser are imported when a command needs them.
  const sources = lazy(async () => {
    const { Sources } = await import("./sources/sources.ts");
    return opened = new Sources(root);
  });
  const facts = {
    manifest: lazy(() => readManifest(root)),
    types: lazy(async () => {
      const { readTypes } = await import("./sources/types.ts");
      return readTypes(root, { sources: await sources(), manifest: await project.manifest() });
    }),
    routes: lazy(() => routesOf(project)),
    imports: lazy(() => importedFiles(root)),
    variableReads: lazy(async () =>
      (await import("./sources/calls.ts")).findVariableReads(await sources())
    ),
    startTask: lazy(async () => parseStartTask(commandOf(await project.manifest(), "start") ?? "")),
    environment: lazy(() => environmentOf(project, env)),
    staticConfig: lazy(async () =>
      (await import("./settings/settings.ts")).staticConfigOf(await sources())
    ),
  };
  const project: Project = {
    ...facts,
    root,
    messages,
    isLibrary: async () => (await project.manifest())["exports"] !== undefined,
    sources,
    calls: async (names) => (await import("./sources/calls.ts")).findCalls(await sources(), names),
    settings: async (given) => {
      const { productionSettings } = await import("./settings/settings.ts");
      return productionSettings(await project.staticConfig(), given ?? await project.environment());
    },
    refresh: (changed = []) => {
      for (const fact of Object.values(facts)) fact.forget();
      opened?.refresh(
        changed.map((path) =>
          (isAbsolute(path) ? relative(root, path) : path).replaceAll("\\", "/")
        ),
      );
    },
  };
  return project;
}

function lazy<T>(read: () => Promise<T>): (() => Promise<T>) & { readonly forget: () => void } {
  let kept: Promise<T> | undefined;
  return Object.assign(() => kept ??= read(), { forget: () => void (kept = undefined) });
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
  for (const flag of new Set(task?.flags)) {
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

export interface OwnRun {
  /** The flags that decide what a program may do. */
  readonly flags: readonly string[];
  /** The variables that it sets, and those of this process that its flags allow it to read. */
  readonly env: Readonly<Record<string, string>>;
}

/** Returns how the `test` task runs code, else how `start` does; `undefined` without both. */
export async function readOwnRun(project: Project): Promise<OwnRun | undefined> {
  const command = commandOf(await project.manifest(), "test") ?? "";
  const [test] = denoCommands(command, "test");
  // A command with shell expansion cannot be read.
  if (test !== undefined && test.unread.length === 0) {
    return ownRun(test.args.filter((word) => word.startsWith("-")), test.env);
  }
  const start = await project.startTask();
  if (start === undefined || start.unread.length > 0) return undefined;
  return ownRun(start.flags, start.env);
}

function ownRun(written: readonly string[], env: Readonly<Record<string, string>>): OwnRun {
  const flags = programFlags(written);
  const isOpen = flags.some((flag) => isAllowAll(flag) || /^(?:--allow-env|-E)$/.test(flag));
  const names = flags.flatMap((flag) =>
    /^(?:--allow-env|-E)=(.*)$/.exec(flag)?.[1]?.split(",") ?? []
  );
  const isAllowed = (name: string): boolean =>
    isOpen ||
    names.some((each) => each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : name === each);
  const readable = Object.entries(Deno.env.toObject()).filter(([name]) => isAllowed(name));
  return { flags, env: { ...Object.fromEntries(readable), ...env } };
}
