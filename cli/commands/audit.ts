/**
 * `fw audit`: looks for what should not go into production.
 *
 * @module
 */
import { escapeLines } from "@fw/fw/conventions";
import { readArgs } from "../args.ts";
import { auditProject } from "../audit/checks.ts";
import { type Finding, type FindingPlace, severities, type Severity } from "../audit/finding.ts";
import { gatherFacts } from "../audit/project_facts.ts";
import { exitCodes, type Io, type Paint, paintFor } from "../io.ts";
import { type Messages, messagesOf } from "../messages/catalog.ts";
import { findProject } from "../project/manifest.ts";

/**
 * Looks at the settings, the routes and the packages of a project, without running its code, and
 * prints what it finds: for people, or with `--json` as
 * `{ ok: boolean, counts: { critical, warning, info, ok }, items: Finding[] }`.
 *
 * @param args The arguments after `audit`.
 * @param io The world that the command sees.
 * @returns 0; 1 when something is critical; 2 for a wrong command line.
 */
export async function audit(args: readonly string[], io: Io): Promise<number> {
  const messages = messagesOf(io);
  const help = messages.help.audit;
  const outcome = readArgs(args, { booleans: ["json"] }, { command: "audit", help, messages, io });
  if (!outcome.ok) return outcome.code;
  const found = findProject(io.cwd);
  if (found === undefined) {
    io.stderr(`${messages.noProject(io.cwd)}\n`);
    return exitCodes.failure;
  }
  const isJson = outcome.args.has("json");
  if (!isJson) io.stdout(`${messages.audit.looking}\n\n`);
  const findings = await auditProject(await gatherFacts(await Deno.realPath(found), io));
  const counts = countFindings(findings);
  const isOk = counts.critical === 0;
  if (isJson) io.stdout(`${JSON.stringify({ ok: isOk, counts, items: findings }, null, 2)}\n`);
  else io.stdout(formatFindings(findings, { counts, messages, paint: paintFor(io) }));
  return isOk ? exitCodes.ok : exitCodes.failure;
}

type Counts = Readonly<Record<Severity, number>>;

function countFindings(findings: readonly Finding[]): Counts {
  const counts = { critical: 0, warning: 0, info: 0, ok: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

interface Layout {
  readonly counts: Counts;
  readonly messages: Messages;
  readonly paint: Paint;
}

/** The worst first; what is in order in one paragraph at the end. */
function formatFindings(findings: readonly Finding[], layout: Layout): string {
  const { counts, messages: { audit: texts } } = layout;
  const bad = severities.filter((severity) => severity !== "ok")
    .flatMap((severity) => findings.filter((finding) => finding.severity === severity));
  const good = findings.filter(({ severity }) => severity === "ok").map(({ message }) => message);
  return [
    ...bad.map((finding) => formatFinding(finding, layout)),
    ...(good.length === 0 ? [] : [`${texts.inOrder} ${escapeLines(good.join("; "))}.\n`]),
    `${texts.summary(counts.critical, counts.warning, counts.info, counts.ok)}\n`,
  ].join("\n");
}

function formatFinding(finding: Finding, { messages, paint }: Layout): string {
  const { id, severity, message, fix, places = [] } = finding;
  const { audit: texts } = messages;
  const name = texts.severity[severity];
  const painted = severity === "critical" ? paint.red(name) : paint.bold(name);
  const lines = [
    `${painted} ${paint.dim(`${id}:`)} ${escapeLines(message)}`,
    ...placeLines(places, texts).map(escapeLines),
    ...(fix === undefined ? [] : [escapeLines(fix)]),
  ];
  return `${lines.join("\n    ")}\n`;
}

// More would hide the other findings.
const maxPlaces = 5;

function placeLines(places: readonly FindingPlace[], texts: Messages["audit"]): string[] {
  const shown = places.slice(0, maxPlaces).map(({ file, line, column }) =>
    texts.place([file, line, column].filter((part) => part !== undefined).join(":"))
  );
  const hidden = places.length - shown.length;
  return hidden === 0 ? shown : [...shown, texts.morePlaces(hidden)];
}
