import type { CommandArgs } from "../args.ts";
import { auditProject, type AuditReport } from "../audit/checks.ts";
import { gatherFacts } from "../audit/facts.ts";
import { exitCodes, type Io, paintFor } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { formatProblems, printJson } from "../printer.ts";
import { hasErrors, type Problem } from "../problem.ts";
import { requireProject } from "../project/project.ts";

export async function audit(args: CommandArgs, io: Io): Promise<number> {
  const project = await requireProject(io);
  const { messages } = project;
  const isJson = args.has("json");
  if (!isJson) io.stdout(`${messages.audit.looking}\n\n`);
  const report = await auditProject(await gatherFacts(project));
  const isOk = !hasErrors(report.problems);
  if (isJson) printJson({ ok: isOk, ...report, counts: countProblems(report) }, io);
  else print(report, io);
  return isOk ? exitCodes.ok : exitCodes.failure;
}

function countProblems(
  { problems, passed }: AuditReport,
): Readonly<Record<"critical" | "warning" | "info" | "passed", number>> {
  const count = (severity: Problem["severity"]): number => {
    // Problems that differ only in their place count once.
    const same = problems.filter((problem) => problem.severity === severity);
    return new Set(same.map(({ code, message }) => `${code} ${message}`)).size;
  };
  return {
    critical: count("critical"),
    warning: count("warning"),
    info: count("info"),
    passed: passed.length,
  };
}

// A longer list would hide the other problems.
const maxPlaces = 5;

function print(report: AuditReport, io: Io): void {
  const messages = messagesOf(io);
  const { audit: texts } = messages;
  const { problems, passed } = report;
  const counts = countProblems(report);
  io.stdout([
    formatProblems(problems, { messages, paint: paintFor(io), maxPlaces }),
    ...(passed.length === 0 ? [] : [`${texts.inOrder} ${passed.join(", ")}.\n`]),
    `${texts.summary(counts.critical, counts.warning, counts.info, counts.passed)}\n`,
  ].join("\n"));
}
