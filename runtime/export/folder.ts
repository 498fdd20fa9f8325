import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import type { DiskFile } from "../serve/static/directory.ts";
import {
  exportManifest,
  type FileRecord,
  type FileRecords,
  writeExportManifest,
} from "./manifest.ts";
import { foldersOf } from "./name.ts";
import { type OpenedFolder, openFolder, unwritable } from "./opening.ts";

/** A file that cannot be written, with the reason. */
export class WriteRefusal extends Error {}

/** Files up to this size are read whole to be copied. */
const maxHeldBytes = 8 * 1_024 * 1_024;

/** The folder of an export. It never removes what no export wrote, and never follows a link. */
export class ExportFolder {
  /** The folder, absolute, without a link on the way. */
  readonly dir: string;
  readonly #lock: Disposable;
  readonly #old: FileRecords;
  /** The names that are not the export's own, where it may write all the same. */
  readonly #foreign: ReadonlySet<string>;
  readonly #claimed: Set<string> = new Set();
  readonly #records: Map<string, FileRecord> = new Map();
  readonly #folders: Map<string, Promise<void>> = new Map();
  #claiming: Promise<void> = Promise.resolve();
  #temporary = 0;
  #written = 0;
  #unchanged = 0;

  private constructor({ dir, lock, old, foreign }: OpenedFolder) {
    this.dir = dir;
    this.#lock = lock;
    this.#old = old;
    this.#foreign = foreign;
  }

  /**
   * Opens the folder of an export and creates it when it is missing.
   *
   * @param options `force` allows files of others in it.
   * @throws {TypeError} for a folder that holds files of others, that another export is writing to, that
   * cannot be written to, and for what is no folder.
   */
  static async open(dir: string, options: { readonly force: boolean }): Promise<ExportFolder> {
    return new ExportFolder(await openFolder(dir, options));
  }

  /** Releases the lock so that other exports can write here. */
  [Symbol.dispose](): void {
    this.#lock[Symbol.dispose]();
  }

  /** How many files were written. */
  get written(): number {
    return this.#written;
  }

  /** How many files were as they should be. */
  get unchanged(): number {
    return this.#unchanged;
  }

  /** Announces files before they are written: were the export cut off, they are known as its own. */
  claim(files: Iterable<string>): Promise<void> {
    for (const file of files) this.#claimed.add(file);
    // One after the other: two at once would write the same file.
    const claiming = this.#claiming.catch(() => {}).then(() => this.#announce());
    return this.#claiming = claiming;
  }

  async #announce(): Promise<void> {
    const records = new Map(this.#old);
    for (const file of this.#claimed) {
      const record = this.#records.get(file) ?? this.#old.get(file);
      if (record !== undefined) records.set(file, record);
      else if (!this.#foreign.has(file)) records.set(file, { hash: "", size: 0, writtenMs: 0 });
    }
    await this.#writeManifest(records);
  }

  /** The first thing that is written: here shows whether anything can be. */
  async #writeManifest(records: FileRecords): Promise<void> {
    try {
      await writeExportManifest(this.dir, records);
    } catch (error) {
      throw unwritable(this.dir, error) ?? error;
    }
  }

  /** Removes a file from the list of the site's files. */
  release(file: string): void {
    this.#claimed.delete(file);
  }

  /**
   * Writes a file that was claimed, unless it is there with that content.
   *
   * @throws {WriteRefusal} where something is in the way.
   */
  async write(file: string, bytes: Uint8Array): Promise<void> {
    const content: Content = {
      hash: createHash("sha256").update(bytes).digest("base64url"),
      size: bytes.length,
      write: (path) => Deno.writeFile(path, bytes, { createNew: true }),
    };
    await this.#put(file, content);
  }

  /**
   * Copies a file, unless it is there with that content.
   *
   * @throws {WriteRefusal} where something is in the way.
   */
  async copy(file: string, source: DiskFile): Promise<void> {
    const { size, modifiedMs } = source;
    await this.#makeFolders(file);
    const known = this.#old.get(file);
    const isKnown = known !== undefined && known.hash !== "" && known.size === size &&
      modifiedMs !== undefined && known.sourceMs === modifiedMs;
    if (isKnown && isAsWritten(await this.#find(file), known)) return this.#keep(file, known);
    if (size <= maxHeldBytes) {
      const bytes = await Deno.readFile(source.path);
      await this.write(file, bytes);
    } else {
      const hash = await hashFile(source.path);
      await this.#put(file, { hash, size, write: (path) => Deno.copyFile(source.path, path) });
    }
    const record = this.#records.get(file);
    if (record !== undefined) this.#records.set(file, { ...record, sourceMs: modifiedMs });
  }

  /**
   * Writes the manifest of the export.
   *
   * @param options `removesOld`: whether files of earlier exports go that are not in the site any more.
   * @returns What was removed, and what was left because it was changed since.
   */
  async finish(
    options: { readonly removesOld: boolean },
  ): Promise<{ readonly removed: readonly string[]; readonly kept: readonly string[] }> {
    const removed: string[] = [];
    const kept: string[] = [];
    const records = new Map<string, FileRecord>();
    for (const [file, record] of this.#old) {
      if (this.#claimed.has(file) || !options.removesOld) {
        records.set(file, record);
      } else {
        const outcome = await this.#removeOld(file, record);
        if (outcome === "removed") removed.push(file);
        if (outcome === "kept") kept.push(file);
      }
    }
    for (const [file, record] of this.#records) records.set(file, record);
    await this.#writeManifest(records);
    return { removed, kept };
  }

  async #find(file: string): Promise<Deno.FileInfo | undefined> {
    return await lookAt(join(this.dir, file));
  }

  #keep(file: string, record: FileRecord): void {
    this.#records.set(file, record);
    this.#unchanged++;
  }

  async #put(file: string, content: Content): Promise<void> {
    await this.#makeFolders(file);
    const path = join(this.dir, file);
    const found = await lookAt(path);
    if (found?.isDirectory) await this.#clearFolder(file);
    const info = found?.isDirectory ? undefined : found;
    if (info?.isFile && !this.#foreign.has(file) && await this.#isSame(file, info, content)) {
      const { hash, size } = content;
      return this.#keep(file, { hash, size, writtenMs: info.mtime?.getTime() ?? 0 });
    }
    await this.#replace(path, { isNew: info === undefined, content });
    const { mtime } = await Deno.lstat(path);
    const { hash, size } = content;
    this.#records.set(file, { hash, size, writtenMs: mtime?.getTime() ?? 0 });
    this.#written++;
  }

  async #isSame(file: string, info: Deno.FileInfo, content: Content): Promise<boolean> {
    if (info.size !== content.size) return false;
    const known = this.#old.get(file);
    if (known?.hash === content.hash && isAsWritten(info, known)) return true;
    // Version control and caches set other times: only the content is reliable.
    return await hashFile(join(this.dir, file)) === content.hash;
  }

  /** Replaces a file atomically, so a concurrent reader gets the old or the new one. */
  async #replace(
    path: string,
    file: { readonly isNew: boolean; readonly content: Content },
  ): Promise<void> {
    if (file.isNew) return await file.content.write(path);
    const temporary = join(this.dir, `${exportManifest}.${this.#temporary++}`);
    await Deno.remove(temporary).catch(() => {});
    await file.content.write(temporary);
    // A link at the path is replaced, not followed.
    await Deno.rename(temporary, path);
  }

  async #makeFolders(file: string): Promise<void> {
    for (const folder of foldersOf(file)) {
      const making = this.#folders.get(folder) ?? this.#makeFolder(folder);
      this.#folders.set(folder, making);
      await making;
    }
  }

  async #makeFolder(folder: string): Promise<void> {
    const path = join(this.dir, folder);
    const found = await lookAt(path);
    if (found?.isDirectory) return;
    if (found?.isSymlink) throw new WriteRefusal(`"${folder}" is a link; remove it.`);
    if (found !== undefined) {
      const record = this.#old.get(folder);
      const isOurs = record !== undefined && !this.#claimed.has(folder) &&
        await this.#removeOld(folder, record) === "removed";
      if (!isOurs) {
        throw new WriteRefusal(`"${folder}" is a file, and has to be a folder; remove it.`);
      }
    }
    await Deno.mkdir(path);
  }

  /** Empties a folder that has to be a file, where all in it is of earlier exports. */
  async #clearFolder(folder: string): Promise<void> {
    for (const [file, record] of this.#old) {
      if (!file.startsWith(`${folder}/`) || this.#claimed.has(file)) continue;
      await this.#removeOld(file, record);
    }
    if (await lookAt(join(this.dir, folder)) === undefined) return;
    throw new WriteRefusal(`"${folder}" is a folder, and has to be a file; remove it.`);
  }

  async #removeOld(file: string, record: FileRecord): Promise<"removed" | "kept" | "gone"> {
    if (this.#foreign.has(file)) return "kept";
    const path = join(this.dir, file);
    if (!await this.#isReachable(file)) return "kept";
    const info = await lookAt(path);
    if (info === undefined) return "gone";
    // Of a file whose content no export wrote down, the name alone proves nothing.
    const isOurs = info.isFile && record.hash !== "" && (isAsWritten(info, record) ||
      (info.size === record.size && await hashFile(path) === record.hash));
    if (!isOurs) return "kept";
    await Deno.remove(path);
    await removeEmpty(dirname(path), this.dir);
    return "removed";
  }

  /**
   * Reports whether no link lies on the way to a file: a link's target does not belong to the
   * export.
   */
  async #isReachable(file: string): Promise<boolean> {
    for (const folder of foldersOf(file)) {
      const info = await this.#find(folder);
      if (info?.isSymlink) return false;
    }
    return true;
  }
}

interface Content {
  readonly hash: string;
  readonly size: number;
  /** Writes it to a path at which nothing is. */
  readonly write: (path: string) => Promise<void>;
}

function isAsWritten(info: Deno.FileInfo | undefined, record: FileRecord): boolean {
  return info?.isFile === true && info.size === record.size &&
    info.mtime?.getTime() === record.writtenMs;
}

/** Removes folders that are empty now, from the inside out. */
async function removeEmpty(folder: string, root: string): Promise<void> {
  for (let at = folder; at !== root; at = dirname(at)) {
    try {
      await Deno.remove(at);
    } catch {
      // Something is left in it.
      return;
    }
  }
}

async function lookAt(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.lstat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return undefined;
    }
    throw error;
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  using file = await Deno.open(path);
  const chunk = new Uint8Array(256 * 1_024);
  for (let read = await file.read(chunk); read !== null; read = await file.read(chunk)) {
    hash.update(chunk.subarray(0, read));
  }
  return hash.digest("base64url");
}
