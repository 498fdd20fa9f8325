/** The writer that all generators share. */
import { dirname, join } from "@std/path";
import { posix } from "node:path";
import { regenerate } from "../gen/generate.ts";
import { exitCodes, type Io } from "../io.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { createFile, isInside, isThere, replaceFile } from "../project/files/write_inside.ts";
import { memberOf } from "../project/json.ts";
import { groupArguments, runForeign } from "../project/process/foreign.ts";
import { runGit } from "../project/process/git.ts";
import type { Project } from "../project/project.ts";
import { configuredLanguages } from "../project/settings/settings.ts";
import { Stop } from "../stop.ts";
import { addImports, endOfImports } from "./imports.ts";
import { addLanguage, wordingLanguage } from "./languages.ts";
import type { NewFile } from "./sample.ts";

/** Returns the text of a file after a change; `undefined` if the change does not fit the text. */
export type Change = (present: string) => string | undefined;

/** Returns the specifier of a file for an importing file; both paths are relative to the root. */
export type ImportStyle = (file: string, from: string) => string;

/**
 * The existing files that may be replaced: committed ones, so that nothing is lost, or any, for a
 * copy of the project.
 */
export type Replaces = "none" | "committed" | "any";

export async function openEdits(project: Project, replaces: Replaces = "none"): Promise<Edits> {
  const { imports } = await project.manifest();
  // With an alias for the root, imports still work after a folder of pages is moved. Pages that
  // import each other move together.
  const hasAlias = memberOf(imports, "@/") === "./";
  const isNear = (file: string, from: string): boolean =>
    posix.dirname(file) === posix.dirname(from) ||
    [file, from].every((each) => /^app\/(?!api\/)/.test(each));
  const style: ImportStyle = (file, from) =>
    hasAlias && !isNear(file, from) ? `@/${file}` : relativeTo(file, from);
  return new Edits(project, style, replaces);
}

function relativeTo(file: string, from: string): string {
  const path = posix.relative(`/${posix.dirname(from)}`, `/${file}`);
  return path.startsWith(".") ? path : `./${path}`;
}

/** The files that a generator writes and changes. Nothing is written before {@linkcode Edits.write}. */
export class Edits {
  readonly project: Project;
  readonly style: ImportStyle;
  readonly #replaces: Replaces;
  readonly #edits = new Map<string, { readonly text: string; readonly isNew: boolean }>();
  readonly #steps: (() => Promise<readonly string[]>)[] = [];
  readonly #hints: string[] = [];
  readonly #present = new Map<string, string | undefined>();

  constructor(project: Project, style: ImportStyle, replaces: Replaces) {
    this.project = project;
    this.style = style;
    this.#replaces = replaces;
  }

  async read(file: string): Promise<string | undefined> {
    if (!this.#present.has(file)) {
      this.#present.set(file, await readTextIfThere(join(this.project.root, file)));
    }
    return this.#edits.get(file)?.text ?? this.#present.get(file);
  }

  has(file: string): boolean {
    return this.#edits.has(file);
  }

  made(): readonly string[] {
    return [...this.#edits].flatMap(([file, { isNew }]) => isNew ? [file] : []);
  }

  /** Adds files made from samples, with imports in the style of the project. */
  add(...files: readonly NewFile[]): void {
    for (const each of files) this.put(this.restyle(each));
  }

  async addMissing(...files: readonly NewFile[]): Promise<void> {
    for (const each of files) if (await this.read(each.file) === undefined) this.add(each);
  }

  put({ file, text }: NewFile): void {
    this.#edits.set(file, { text, isNew: true });
  }

  restyle({ file, text }: NewFile): NewFile {
    const restyled = text.replaceAll(
      /\bfrom "(\.[^"\n]+)"/g,
      (_, path: string) => `from "${this.style(posix.join(posix.dirname(file), path), file)}"`,
    );
    return { file, text: restyled };
  }

  /** Adds the languages of the application that the samples lack to the catalogs of a file. */
  async localize({ file, text }: NewFile): Promise<NewFile> {
    if (!text.includes("catalog({")) return { file, text };
    const tags = configuredLanguages(await this.project.settings({}))
      .filter((tag) => wordingLanguage(tag) === undefined);
    const localized = tags.reduce((whole, tag) => addLanguage(whole, tag) ?? whole, text);
    return { file, text: localized };
  }

  /** Changes a generated file. @returns `false` if the change does not fit its text. */
  async change(file: string, change: Change): Promise<boolean> {
    const present = await this.read(file) ?? "";
    const changed = change(present);
    if (changed === undefined) return false;
    // A catalog of the developer that lacks a language stays as it is.
    const isWhole = (await this.localize({ file, text: present })).text === present;
    const { text } = isWhole ? await this.localize({ file, text: changed }) : { text: changed };
    const { root } = this.project;
    if (text !== present && !await isInside(root, join(root, file))) return false;
    const isNew = this.#edits.get(file)?.isNew ?? false;
    if (text !== present) this.#edits.set(file, { text, isNew });
    return true;
  }

  /** Changes a generated file, or prints what the developer adds to an edited one. */
  async join(file: string, change: Change, told: string): Promise<void> {
    if (!await this.change(file, change)) this.tell(told);
  }

  /** Adds a region of a sample and its imports. @returns Its code, if it does not fit the file. */
  async insert(
    file: string,
    region: string,
    add: (present: string, code: string) => string | undefined,
  ): Promise<string | undefined> {
    const { text } = this.restyle({ file, text: region });
    const end = endOfImports(text);
    const code = text.slice(end).trim();
    const isAdded = await this.change(file, (present) => {
      const added = add(present, code);
      return added && addImports(added, text.slice(0, end));
    });
    return isAdded ? undefined : code;
  }

  /** Prints a `deno run`, with the project's `.env`, without which it opens another database. */
  async tellCommand(text: string): Promise<void> {
    const hasVariables = await isThere(join(this.project.root, ".env"));
    this.tell(hasVariables ? text.replace("deno run", "deno run --env-file=.env") : text);
  }

  /** Adds a step of {@linkcode Edits.write}, which returns the lines to print. */
  follow(step: () => Promise<readonly string[]>): void {
    this.#steps.push(step);
  }

  /** Adds a hint that {@linkcode Edits.finish} prints: a step left to the developer. */
  tell(line: string): void {
    this.#hints.push(line);
  }

  /** Writes everything, then the generated file, and prints both and the hints. */
  async finish(io: Io): Promise<number> {
    await this.write(io);
    try {
      await regenerate(this.project);
    } finally {
      // The hints apply even if the application has a problem.
      for (const hint of this.#hints) io.stdout(`${hint}\n`);
    }
    return exitCodes.ok;
  }

  /**
   * Writes the files, formatted by `deno fmt` with the project's settings: all of them or none.
   *
   * @returns Restores the files as they were, and removes the folders that were created.
   * @throws {Stop} for a file that exists and is not replaced, that has changed since it was read, or that a link
   * leads out of the project.
   */
  async write(io?: Io): Promise<() => Promise<void>> {
    const { root, messages } = this.project;
    for (const [file, { text, isNew }] of this.#edits) {
      if (isNew) this.put(await this.localize({ file, text }));
    }
    for (const [file, { isNew }] of this.#edits) {
      const cause = isNew ? await findRefusal(root, file, this.#replaces) : undefined;
      if (cause !== undefined) throw new Stop(messages.generateRefused[cause](file));
    }
    const replaced = new Set<string>();
    const steps: (() => Promise<void>)[] = [];
    const undo = async (): Promise<void> => {
      for (const step of steps.reverse()) await step();
    };
    for (const [file, { text, isNew }] of this.#edits) {
      const path = join(root, file);
      const mayReplace = !isNew || this.#replaces !== "none";
      try {
        if (mayReplace && await isThere(path)) {
          const before = await Deno.readTextFile(path);
          if (!isNew && before !== this.#present.get(file)) {
            throw new Stop(messages.generateRefused.changed(file));
          }
          await replaceFile(path, text);
          replaced.add(file);
          steps.push(() => replaceFile(path, before));
          continue;
        }
        for (const made of await makeFolders(dirname(path))) steps.push(() => Deno.remove(made));
        await createFile(path, text);
        steps.push(() => Deno.remove(path));
      } catch (error) {
        await undo();
        if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
        throw new Stop(messages.generateRefused.exists(file));
      }
    }
    const files = [...this.#edits.keys()];
    const sources = files.filter((file) => /\.tsx?$/.test(file));
    // The text is valid without formatting, if the formatter cannot run.
    for (const group of sources.length === 0 ? [] : groupArguments(sources)) {
      await runForeign(["fmt", "--quiet", ...group], { cwd: root });
    }
    this.project.refresh(files);
    const made = files.filter((file) => !replaced.has(file));
    for (const file of made) io?.stdout(`${messages.files.made(file)}\n`);
    for (const step of this.#steps) for (const line of await step()) io?.stdout(`${line}\n`);
    for (const file of replaced) io?.stdout(`${messages.files.changed(file)}\n`);
    return undo;
  }
}

/** Creates a folder and its parents; returns the created ones, outermost first. */
export async function makeFolders(folder: string): Promise<string[]> {
  const made: string[] = [];
  for (let at = folder; !await isThere(at); at = dirname(at)) made.unshift(at);
  await Deno.mkdir(folder, { recursive: true });
  return made;
}

async function findRefusal(
  root: string,
  file: string,
  replaces: Replaces,
): Promise<"exists" | "outside" | "twin" | "uncommitted" | undefined> {
  const path = join(root, file);
  if (!await isInside(root, dirname(path))) return "outside";
  if (await hasTwin(root, file)) return "twin";
  if (!await isThere(path)) return undefined;
  if (replaces === "none" || !(await Deno.lstat(path)).isFile) return "exists";
  return replaces === "any" || await isCommitted(root, file) ? undefined : "uncommitted";
}

/** Reports whether a name on the path differs from an existing one only in its case. */
async function hasTwin(folder: string, file: string): Promise<boolean> {
  const [name = "", ...rest] = file.split("/");
  const names = await Array.fromAsync(Deno.readDir(folder), (entry) => entry.name).catch(
    (): string[] => [],
  );
  return names.includes(name)
    ? rest.length > 0 && await hasTwin(join(folder, name), rest.join("/"))
    : names.some((each) => each.toLowerCase() === name.toLowerCase());
}

/** Compares hashes, because `git status` trusts marks such as `assume-unchanged`. */
async function isCommitted(root: string, file: string): Promise<boolean> {
  const committed = await runGit(root, ["rev-parse", "--verify", "--quiet", `HEAD:./${file}`]);
  const present = await runGit(root, ["hash-object", "--", file]);
  return committed?.code === 0 && present?.code === 0 && committed.stdout.trim() !== "" &&
    committed.stdout === present.stdout;
}
