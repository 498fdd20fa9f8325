import { join } from "../../base/file_path.ts";
import {
  type Incident,
  incidentDigest,
  incidentFileName,
  type IncidentName,
  parseIncidentName,
} from "../../base/observe/incident.ts";
import { removeQuietly } from "../../body/upload/spool.ts";

/** The maximum number of incidents, each of at most `maxIncidentBytes`. */
const maxFiles = 100;

/** The maximum number of folder entries to look through: the setting may name a large folder by mistake. */
const maxEntries = 10_000;

/** The age at which a partial file is known to be left by a killed process, in milliseconds. */
const maxPartialMs = 60_000;

interface Entry extends IncidentName {
  readonly file: string;
}

/** Writes an incident, readable only by the application's user; removes the oldest over the limit. */
export async function writeIncident(dir: string, incident: Incident): Promise<void> {
  const text = `${JSON.stringify(incident, null, 2)}\n`;
  const name: IncidentName = { timeMs: Date.now(), digest: incidentDigest(incident.requestId) };
  const random = crypto.randomUUID().slice(0, 8);
  await makeFolder(dir);
  // Before writing, because a full disk needs the removal most.
  const entries = await listEntries(dir);
  for (const entry of entries.slice(0, Math.max(0, entries.length + 1 - maxFiles))) {
    await removeQuietly(entry.file);
  }
  const file = join(dir, incidentFileName(name, random));
  const partial = `${file}.part`;
  try {
    // `createNew` does not follow a link that another user created.
    await Deno.writeTextFile(partial, text, { createNew: true, mode: 0o600 });
    await Deno.rename(partial, file);
  } catch (error) {
    await Deno.remove(partial).catch(() => {});
    throw error;
  }
}

async function makeFolder(dir: string): Promise<void> {
  const ignoreExisting = (error: unknown): void => {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  };
  await Deno.mkdir(dir, { recursive: true, mode: 0o700 }).catch(ignoreExisting);
  // The data of users' requests must not be committed.
  await Deno.writeTextFile(join(dir, ".gitignore"), "*\n", { createNew: true, mode: 0o600 })
    .catch(ignoreExisting);
}

async function listEntries(dir: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  let left = maxEntries;
  for await (const { name, isFile } of Deno.readDir(dir)) {
    if (left-- === 0) break;
    const parsed = isFile ? parseIncidentName(name.replace(/\.part$/, "")) : undefined;
    if (parsed === undefined) continue;
    const file = join(dir, name);
    if (name.endsWith(".part")) {
      if (Date.now() - parsed.timeMs > maxPartialMs) await removeQuietly(file);
      continue;
    }
    entries.push({ ...parsed, file });
  }
  return entries.sort((a, b) => a.timeMs - b.timeMs || (a.file < b.file ? -1 : 1));
}
