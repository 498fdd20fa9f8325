/**
 * The generator: reads `app/`, writes `fw_gen.ts`. It is kept alive by `dev`, so that a save parses
 * only what changed.
 *
 * @module
 */
import { generatedFile } from "@fw/fw/conventions";
import { isAbsolute, join, relative } from "@std/path";
import { type Messages, messagesIn } from "../messages/catalog.ts";
import { checkConventionFile, type ConventionFile } from "../project/routes/convention_file.ts";
import { emitModule } from "./emit.ts";
import { readTextIfThere } from "../project/files/if_there.ts";
import { checkIslands } from "../project/routes/islands.ts";
import { checkNearFiles } from "../project/routes/near_file.ts";
import { ManifestError, readManifest } from "../project/manifest.ts";
import { createModuleStore, type ModuleStore } from "../project/sources/store.ts";
import { buildRoutes, type RoutePlan } from "../project/routes/table.ts";
import { type AppFolder, scanApp } from "../project/routes/scan.ts";
import { replaceFile } from "../project/files/write_inside.ts";
import { type Problem, sortProblems } from "../problem.ts";

/** One route as the command line shows it. */
export interface RouteEntry {
  /** The methods that have a handler, in the order of `Allow`; `HEAD` goes with `GET`. */
  readonly methods: readonly string[];
  /** The template, such as `/blog/{slug}`. */
  readonly pattern: string;
  /** Whether it is for browsers or for programs. */
  readonly kind: "page" | "api";
  /** The file that declares it, relative to the project, with `/`. */
  readonly source: string;
  /** The file whose `Kind` holds for it; absent where none is declared, and for pages. */
  readonly kindSource?: string;
  /** Whether a file turned the check of the CSRF token off; absent where it did not. */
  readonly csrf?: false;
}

/** What one generation gave. */
export type GenerateResult =
  | {
    readonly ok: true;
    /** Whether the generated file differs from what was there before. */
    readonly changed: boolean;
    /** The routes in the order of their patterns. */
    readonly routes: readonly RouteEntry[];
  }
  | {
    readonly ok: false;
    /** Everything that is wrong, in the order of its places; nothing was written. */
    readonly problems: readonly Problem[];
  };

/** A generator for one project; calls must not overlap. */
export interface Generator {
  /**
   * Reads the app and writes the generated file where its text differs.
   *
   * @param changed Files that are known to have changed, absolute or relative to the project. Others
   * are still noticed by their date and size. @default []
   */
  generate(changed?: readonly string[]): Promise<GenerateResult>;
}

/** How {@linkcode createGenerator} works. */
export interface GeneratorOptions {
  /** The catalogue in which problems are worded. @default English */
  readonly messages?: Messages;
  /** Whether the file is written; otherwise only `changed` tells that it would be. @default true */
  readonly write?: boolean;
}

/**
 * Makes the generator of one project.
 *
 * @param root The project's folder, absolute.
 * @param options The language, and whether to write.
 */
export function createGenerator(root: string, options: GeneratorOptions = {}): Generator {
  const { messages = messagesIn("en"), write = true } = options;
  const texts = messages.problems;
  let store: ModuleStore | undefined;
  return { generate };

  async function generate(changed: readonly string[] = []): Promise<GenerateResult> {
    const { default: ts } = await import("typescript");
    store ??= createModuleStore(root, ts);
    store.startRound(changed.map((path) => relativePath(root, path)));
    const { app, problems: found } = scanApp(root, texts);
    const problems = [...found];
    if (app === undefined) return { ok: false, problems };
    const files = checkFiles(app, { store, texts, problems });
    const routes = buildRoutes(app, { files, texts, problems });
    const islands = checkIslands(root, { store, texts, problems });
    for (const path of store.followed()) {
      for (const { line, column, message } of store.read(path)?.faults ?? []) {
        problems.push({ file: path, line, column, code: "E_PARSE", ...texts.parse(message) });
      }
    }
    const isLibrary = await readIsLibrary(root, { texts, problems });
    if (problems.length > 0) return { ok: false, problems: sortProblems(problems) };
    const text = emitModule({ routes, rootFiles: filesOf(app, files), islands, isLibrary });
    const isChanged = await updateFile(join(root, generatedFile), { text, write });
    return { ok: true, changed: isChanged, routes: routes.map(toEntry) };
  }
}

interface CheckState {
  readonly store: ModuleStore;
  readonly texts: Messages["problems"];
  readonly problems: Problem[];
}

/** Whether a host mounts the app: a `deno.json` with `exports` says so. */
async function readIsLibrary(
  root: string,
  state: Pick<CheckState, "texts" | "problems">,
): Promise<boolean> {
  try {
    return (await readManifest(root))["exports"] !== undefined;
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    const { file, line, column, detail } = error;
    state.problems.push({ file, line, column, code: "E_PARSE", ...state.texts.parse(detail) });
    return false;
  }
}

/** Checks every convention file of a folder and of all below it. */
function checkFiles(app: AppFolder, state: CheckState): Map<string, ConventionFile> {
  const files = new Map<string, ConventionFile>();
  const visit = (folder: AppFolder): void => {
    for (const [base, name] of folder.files) {
      const path = `${folder.path}/${name}`;
      files.set(path, checkConventionFile({ path, base }, state));
    }
    checkNearFiles(folder, state);
    folder.folders.forEach(visit);
  };
  visit(app);
  return files;
}

/** The checked files of one folder by their convention. */
function filesOf(
  folder: AppFolder,
  files: ReadonlyMap<string, ConventionFile>,
): Map<string, ConventionFile> {
  const found = new Map<string, ConventionFile>();
  for (const [base, name] of folder.files) {
    const file = files.get(`${folder.path}/${name}`);
    if (file !== undefined) found.set(base, file);
  }
  return found;
}

function toEntry({ methods, pattern, file, kindFile }: RoutePlan): RouteEntry {
  const kind: RouteEntry["kind"] = file.base === "page" ? "page" : kindFile?.kind ?? "api";
  return {
    methods,
    pattern,
    kind,
    source: file.path,
    ...(kindFile === undefined || file.base === "page" ? {} : { kindSource: kindFile.path }),
    ...(file.names.has("CSRF") ? { csrf: false } : {}),
  };
}

/** Writes a file where its text differs; gives whether it does. Line ends do not count. */
async function updateFile(
  path: string,
  options: { readonly text: string; readonly write: boolean },
): Promise<boolean> {
  const { text, write } = options;
  const before = await readTextIfThere(path);
  if (before?.replaceAll("\r\n", "\n") === text) return false;
  if (write) await replaceFile(path, text);
  return true;
}

function relativePath(root: string, path: string): string {
  const inside = isAbsolute(path) ? relative(root, path) : path;
  return inside.replaceAll("\\", "/");
}
