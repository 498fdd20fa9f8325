/**
 * Keeps the bundles of islands up to date.
 *
 * @module
 */
import { islandsFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { errorAt, type Problem, startOfFile } from "../problem.ts";
import { isInside } from "../project/files/write_inside.ts";
import type { Project } from "../project/project.ts";
import { bundleFolder, type IslandFile, listIslands } from "../project/routes/islands.ts";
import { type BundleForm, runBundler } from "./bundle.ts";
import { type IslandInputs, readIslandInputs } from "./inputs.ts";
import {
  type BundleFolder,
  markBundles,
  modulesOf,
  outputName,
  readBundles,
  writeBundles,
} from "./outputs.ts";

export type BundleOutcome =
  /** The bundles are up to date. `form` is `development` if one of them has that form. */
  | { readonly kind: "fresh"; readonly islands: number; readonly form: BundleForm }
  /** The bundles were updated. */
  | {
    readonly kind: "written";
    readonly written: readonly string[];
    readonly removed: readonly string[];
  }
  /** The bundles are out of date, and nothing was to be written. */
  | { readonly kind: "stale"; readonly files: readonly string[] }
  /** The sources cannot be bundled; nothing was written. */
  | { readonly kind: "failed"; readonly problems: readonly Problem[] }
  /** The bundles are out of date, and the bundler is not available. Existing bundles are kept. */
  | {
    readonly kind: "unavailable";
    readonly reason: string;
    /** The sources whose bundles are stale or missing. */
    readonly files: readonly string[];
  };

export interface BundlerSettings {
  /** The form of the bundles. @default "production" */
  readonly form?: BundleForm;
  /** Whether to write files; otherwise bundles of either form are accepted. @default true */
  readonly write?: boolean;
}

/** A bundler for one project. Calls must not overlap. */
export interface Bundler {
  /**
   * Updates the bundles.
   *
   * @throws The system's error if a file cannot be read or written.
   */
  bundle(): Promise<BundleOutcome>;
  /** Whether a file, relative to the project, may be part of a bundle. */
  uses(path: string): boolean;
}

/** Files that decide what an import resolves to and how it is compiled. */
const settingsFile = /^(?:deno\.jsonc?|deno\.lock|package\.json|import_map\.json)$/;

/**
 * Returns the bundler of one project. The first line of each bundle holds a fingerprint of its
 * inputs: if none changed, only `deno info` runs, and without islands nothing does.
 *
 * @param project The project.
 */
export function createBundler(
  project: Pick<Project, "root" | "messages">,
  settings: BundlerSettings = {},
): Bundler {
  return new ProjectBundler(project, settings);
}

class ProjectBundler implements Bundler {
  readonly #project: Pick<Project, "root" | "messages">;
  readonly #form: BundleForm;
  readonly #isWriting: boolean;
  #inputs: IslandInputs | undefined;
  #isSure = false;

  constructor(
    project: Pick<Project, "root" | "messages">,
    { form = "production", write = true }: BundlerSettings,
  ) {
    this.#project = project;
    this.#form = form;
    this.#isWriting = write;
  }

  uses(path: string): boolean {
    if (path.startsWith(`${islandsFolder}/`) || settingsFile.test(path)) return true;
    // After a failure, a missing file may have been added.
    return !this.#isSure || (this.#inputs?.files.has(path) ?? false);
  }

  async bundle(): Promise<BundleOutcome> {
    this.#isSure = false;
    const outcome = await this.#update();
    this.#isSure = outcome.kind === "fresh" || outcome.kind === "written";
    return outcome;
  }

  async #update(): Promise<BundleOutcome> {
    const { root } = this.#project;
    const form = this.#form;
    const islands = uniqueIslands(root);
    const before = await readBundles(root);
    this.#inputs = undefined;
    if (islands.length === 0 && before.outputs.size === 0) {
      return { kind: "fresh", islands: 0, form };
    }
    if (this.#isWriting && !await isInside(root, join(root, bundleFolder))) {
      return { kind: "failed", problems: [this.#outsideProblem()] };
    }
    const taken = islands.filter((island) => before.others.has(outputName(island)));
    if (taken.length > 0) {
      return { kind: "failed", problems: taken.map((island) => this.#takenProblem(island)) };
    }
    if (islands.length > 0) this.#inputs = await readIslandInputs(root, islands);
    const inputs = this.#inputs;
    const stale = findStale(islands, {
      before,
      inputs,
      form: this.#isWriting ? form : undefined,
    });
    if (stale.length === 0) {
      return { kind: "fresh", islands: islands.length, form: formOf(before, form) };
    }
    if (!this.#isWriting) return { kind: "stale", files: stale };
    return islands.length === 0
      ? { kind: "written", ...await writeBundles(root, before, new Map()) }
      : await this.#rebuild(islands, { before, stale });
  }

  async #rebuild(
    islands: readonly IslandFile[],
    { before, stale }: { readonly before: BundleFolder; readonly stale: readonly string[] },
  ): Promise<BundleOutcome> {
    const { root, messages } = this.#project;
    const form = this.#form;
    const files = this.#inputs?.files ?? new Set();
    const run = await runBundler(root, { islands, form, inputs: files, messages });
    if (run.kind === "failed") return run;
    if (run.kind === "unavailable") return { ...run, files: stale };
    const fingerprints = this.#inputs?.fingerprints ?? new Map();
    const marked = markBundles(run.files, { islands, fingerprints, form });
    return { kind: "written", ...await writeBundles(root, before, marked) };
  }

  #outsideProblem(): Problem {
    const text = this.#project.messages.islands.bundlesOutside();
    return errorAt({ file: bundleFolder, ...startOfFile }, "E_OUTSIDE_LINK", text);
  }

  #takenProblem(island: IslandFile): Problem {
    const text = this.#project.messages.islands.bundleTaken(island.source);
    return errorAt({ file: island.output, ...startOfFile }, "E_BUNDLE_TAKEN", text);
  }
}

/** Returns the islands by name. The generator reports sources with the same name. */
function uniqueIslands(root: string): IslandFile[] {
  return [...new Map(listIslands(root).map((island) => [outputName(island), island])).values()];
}

/**
 * Returns the form of the bundles as a whole: one development bundle makes them unfit for
 * production.
 */
function formOf({ outputs }: BundleFolder, form: BundleForm): BundleForm {
  const forms = [...outputs.values()].map((output) => output.form);
  return forms.includes("development") ? "development" : form;
}

/** Returns the sources whose bundles are stale, or the bundles that have no source. */
function findStale(
  islands: readonly IslandFile[],
  state: {
    readonly before: BundleFolder;
    readonly inputs: IslandInputs | undefined;
    readonly form: BundleForm | undefined;
  },
): string[] {
  const { before: { outputs }, inputs, form } = state;
  const used = new Set<string>();
  const stale: string[] = [];
  for (const island of islands) {
    const name = outputName(island);
    const output = outputs.get(name);
    const modules = modulesOf(name, outputs);
    for (const module of modules ?? [name]) used.add(module);
    const isFresh = output?.fingerprint !== undefined && modules !== undefined &&
      output.fingerprint === inputs?.fingerprints.get(island.source) &&
      (form === undefined || form === output.form);
    if (!isFresh) stale.push(island.source);
  }
  if (stale.length > 0) return stale;
  return [...outputs.keys()].filter((name) => !used.has(name))
    .map((name) => `${bundleFolder}/${name}`);
}
