import { join } from "node:path";
import { isJsonObject } from "../base/values.ts";

/** The file in which an export keeps what it wrote. */
export const exportManifest = ".fw_export.json";

/** The record of a file that an export wrote. */
export interface FileRecord {
  /** A digest of its content; `""` for one that was about to be written. */
  readonly hash: string;
  /** Its length in bytes. */
  readonly size: number;
  /** Its time of change after it was written, in milliseconds since 1970. */
  readonly writtenMs: number;
  /** The modification time of the source file, for a copy. */
  readonly sourceMs?: number | undefined;
}

/** The files of an export by name. */
export type FileRecords = ReadonlyMap<string, FileRecord>;

/**
 * Reads what an earlier export wrote.
 *
 * @returns `undefined` where the folder has none, or one that no export can have written: what it names
 * may be removed, so nothing in it is believed.
 */
export async function readExportManifest(dir: string): Promise<FileRecords | undefined> {
  const path = join(dir, exportManifest);
  try {
    // A link could lead to a manifest that belongs to another folder.
    if (!(await Deno.lstat(path)).isFile) return undefined;
    return parseManifest(JSON.parse(await Deno.readTextFile(path)));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function parseManifest(value: unknown): FileRecords | undefined {
  if (!isJsonObject(value) || value["version"] !== 1 || !isJsonObject(value["files"])) {
    return undefined;
  }
  const records = new Map<string, FileRecord>();
  for (const [name, given] of Object.entries(value["files"])) {
    const record = isOwnName(name) ? parseRecord(given) : undefined;
    if (record === undefined) return undefined;
    records.set(name, record);
  }
  return records;
}

function parseRecord(value: unknown): FileRecord | undefined {
  if (!isJsonObject(value)) return undefined;
  const { hash, size, writtenMs, sourceMs } = value;
  const isRecord = typeof hash === "string" && typeof size === "number" &&
    typeof writtenMs === "number" && (sourceMs === undefined || typeof sourceMs === "number");
  return isRecord ? { hash, size, writtenMs, sourceMs } : undefined;
}

/** Reports whether a name is that of a file in the folder, and not of one above it or elsewhere. */
function isOwnName(name: string): boolean {
  return !/[\\:\0]/.test(name) && !/(?:^|\/)(?:\.{0,2})(?:\/|$)/.test(name);
}

/** Writes what an export wrote, sorted, so that equal sites have equal files. */
export async function writeExportManifest(dir: string, records: FileRecords): Promise<void> {
  const sorted = [...records].sort(([one], [other]) => one < other ? -1 : one > other ? 1 : 0);
  const lines = sorted.map(([name, record]) => `${JSON.stringify(name)}:${JSON.stringify(record)}`);
  const text = `{"version":1,"files":{\n${lines.join(",\n")}\n}}\n`;
  const path = join(dir, exportManifest);
  const temporary = `${path}.tmp`;
  await Deno.remove(temporary).catch(() => {});
  await Deno.writeTextFile(temporary, text, { createNew: true });
  await Deno.rename(temporary, path);
}
