import {
  type Incident,
  incidentDigest,
  maxIncidentBytes,
  parseIncident,
  parseIncidentName,
} from "@fw/fw/addon";
import { join, resolve } from "@std/path";
import { listIfThere, readTextIfThere, statIfThere } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";
import { knownTexts } from "../project/settings/production.ts";

const defaultFolder = ".fw/incidents";

/** The given folder, else that of the settings as far as they can be read, else the default. */
export async function findIncidentFolder(
  project: Project,
  options: { readonly from?: string | undefined } = {},
): Promise<string> {
  const { from } = options;
  if (from !== undefined) return resolve(project.root, from);
  const known = knownTexts(await project.settings(), "observability.incidents");
  return resolve(project.root, known.find((text) => text !== "") ?? defaultFolder);
}

export async function readIncidents(folder: string): Promise<Incident[]> {
  return await readNamed(folder, () => true);
}

export async function findIncident(
  folder: string,
  requestId: string,
): Promise<Incident | undefined> {
  const digest = incidentDigest(requestId);
  const found = await readNamed(folder, (name) => name.digest === digest);
  return found.find((incident) => incident.requestId === requestId);
}

type NameFilter = (name: NonNullable<ReturnType<typeof parseIncidentName>>) => boolean;

async function readNamed(folder: string, isWanted: NameFilter): Promise<Incident[]> {
  const files = (await listIfThere(folder)).flatMap(({ name, isFile }) => {
    const parsed = isFile ? parseIncidentName(name) : undefined;
    return parsed !== undefined && isWanted(parsed) ? [{ name, timeMs: parsed.timeMs }] : [];
  });
  files.sort((a, b) => b.timeMs - a.timeMs);
  const incidents: Incident[] = [];
  for (const { name } of files) {
    const path = join(folder, name);
    if (((await statIfThere(path))?.size ?? Infinity) > maxIncidentBytes) continue;
    const incident = parseIncident(await readTextIfThere(path) ?? "");
    if (incident !== undefined) incidents.push(incident);
  }
  return incidents;
}
