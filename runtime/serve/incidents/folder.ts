import { join } from "@std/path";
import {
  type Incident,
  incidentDigest,
  incidentFileName,
  type IncidentName,
  parseIncidentName,
} from "../../base/observe/incident.ts";

export interface FolderLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
  /** The most incidents of one route with one error: a page that always fails must not displace the others. */
  readonly maxPerFault: number;
}

const folderLimits: FolderLimits = {
  maxFiles: 200,
  maxBytes: 8_388_608,
  maxPerFault: 20,
};

/** The maximum number of folder entries to look through: the setting may name a large folder by mistake. */
const maxEntries = 10_000;

/** A partial file of this age was left by a process that was killed. */
const maxPartialMs = 60_000;

interface Entry extends IncidentName {
  readonly file: string;
  readonly bytes: number;
}

/** Writes an incident that only the application's user can read; removes the oldest over the limits. */
export async function writeIncident(
  dir: string,
  incident: Incident,
  limits: FolderLimits = folderLimits,
): Promise<void> {
  const text = `${JSON.stringify(incident, null, 2)}\n`;
  const name: IncidentName = {
    timeMs: Date.now(),
    fault: faultOf(incident),
    digest: incidentDigest(incident.requestId),
  };
  const random = crypto.randomUUID().slice(0, 8);
  await makeFolder(dir);
  // Before it is written: a full disk is a reason to remove, not to stop.
  await removeOldest(dir, { ...limits, coming: { fault: name.fault, bytes: text.length } });
  const file = join(dir, incidentFileName(name, random));
  const partial = `${file}.part`;
  try {
    // `createNew` follows no link that another user put there.
    await Deno.writeTextFile(partial, text, { createNew: true, mode: 0o600 });
    await Deno.rename(partial, file);
  } catch (error) {
    await Deno.remove(partial).catch(() => {});
    throw error;
  }
}

/** Eight hexadecimal digits that two failures of one route with one error share. */
function faultOf({ method, route, status, error }: Incident): string {
  const first = error.split("\n", 1)[0] ?? "";
  // Numbers and quoted texts in a message are often data.
  const form = first.replace(/"[^"]*"|'[^']*'|\d+/g, "?");
  return incidentDigest(`${method} ${route} ${status} ${form}`).slice(0, 8);
}

async function makeFolder(dir: string): Promise<void> {
  try {
    await Deno.mkdir(dir, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  // What the requests of users held must not be committed.
  await Deno.writeTextFile(join(dir, ".gitignore"), "*\n", { createNew: true, mode: 0o600 })
    .catch((error) => {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    });
}

async function removeOldest(
  dir: string,
  limits: FolderLimits & { readonly coming: Pick<Entry, "fault" | "bytes"> },
): Promise<void> {
  const { coming } = limits;
  const entries = await listEntries(dir);
  const ofFault = entries.filter(({ fault }) => fault === coming.fault);
  const doomed = new Set(ofFault.slice(0, Math.max(0, ofFault.length + 1 - limits.maxPerFault)));
  let bytes = coming.bytes;
  for (const entry of entries) if (!doomed.has(entry)) bytes += entry.bytes;
  for (const entry of entries) {
    const count = entries.length - doomed.size + 1;
    if (count <= limits.maxFiles && bytes <= limits.maxBytes) break;
    if (doomed.has(entry)) continue;
    doomed.add(entry);
    bytes -= entry.bytes;
  }
  for (const { file } of doomed) await removeIfThere(file);
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
      if (Date.now() - parsed.timeMs > maxPartialMs) await removeIfThere(file);
      continue;
    }
    const bytes = await sizeOf(file);
    if (bytes !== undefined) entries.push({ ...parsed, file, bytes });
  }
  return entries.sort((a, b) => a.timeMs - b.timeMs || (a.file < b.file ? -1 : 1));
}

/** Returns the size of a file; another process may have removed it. */
async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await Deno.lstat(file)).size;
  } catch {
    return undefined;
  }
}

async function removeIfThere(file: string): Promise<void> {
  try {
    await Deno.remove(file);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
