import { escapeLines, type Incident, incidentDigest } from "@fw/fw/addon";
import { appFolder } from "@fw/fw/conventions";
import { dirname } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { exitCodes, type Io, paintFor } from "../io.ts";
import { findIncidentFolder, incidentTest, readIncidents } from "../incident/incident.ts";
import { messagesOf } from "../messages/catalog.ts";
import { type Project, requireProject } from "../project/project.ts";
import { openEdits } from "../scaffold/edits.ts";
import { Stop } from "../stop.ts";

export async function incident(args: CommandArgs, io: Io): Promise<number> {
  const project = await requireProject(io);
  const { messages } = project;
  const folder = await findIncidentFolder(project, { from: args.value("from") });
  const [requestId] = args.positionals;
  const incidents = await readIncidents(folder);
  if (requestId === undefined) return listIncidents(incidents, io, folder);
  const found = incidents.find((each) => each.requestId === requestId);
  if (found === undefined) throw new Stop(messages.incident.none(folder, escapeLines(requestId)));
  return await writeIncidentTest(found, project, io);
}

function listIncidents(incidents: readonly Incident[], io: Io, folder: string): number {
  const { incident: texts } = messagesOf(io);
  if (incidents.length === 0) io.stdout(`${texts.empty(folder)}\n`);
  else {
    const paint = paintFor(io);
    for (const { time, status, method, path, requestId, error } of incidents) {
      const [first = ""] = error.split("\n", 1);
      // A client chose the id and the path, so escape what a terminal would interpret.
      const line = escapeLines(`${time}  ${status}  ${method} ${path}`.replaceAll("\n", " "));
      io.stdout(`${paint.bold(escapeLines(requestId))}  ${line}\n    ${escapeLines(first)}\n`);
    }
  }
  return exitCodes.ok;
}

async function writeIncidentTest(incident: Incident, project: Project, io: Io): Promise<number> {
  const { messages } = project;
  const { routes } = await project.routes();
  // Use the project's own route for the folder: a path from the incident file could lead anywhere.
  const route = routes.find(({ pattern }) => pattern === incident.route);
  const folder = route === undefined ? appFolder : dirname(route.file.path);
  const base = route === undefined ? "" : `${route.file.base}_`;
  const digest = incidentDigest(`${incident.requestId} ${incident.time}`).slice(0, 8);
  const file = `${folder}/${base}incident_${digest}_test.ts`;
  const edits = await openEdits(project);
  edits.put({ file, text: incidentTest(incident) });
  await edits.write(io);
  io.stdout(`${messages.generateTestHint(file)}\n`);
  return exitCodes.ok;
}
