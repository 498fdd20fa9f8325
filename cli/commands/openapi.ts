import { dirname, relative, resolve } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { changeLine, changeProblems, readOlderDocument } from "../describe/diff/against.ts";
import { compareDocuments } from "../describe/diff/compare.ts";
import { describeApi } from "../describe/openapi/describe.ts";
import type { ApiDocument } from "../describe/openapi/document.ts";
import {
  documentFile,
  formatDocument,
  readDocumentFile,
  staleDocumentProblem,
} from "../describe/openapi/document_file.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { printJson, printProblems } from "../printer.ts";
import { replaceFile } from "../project/files/write_inside.ts";
import { type Project, requireProject } from "../project/project.ts";

export async function openapi(args: CommandArgs, io: Io): Promise<number> {
  const { openapi: texts, files } = messagesOf(io);
  const project = await requireProject(io);
  const { document, problems, warnings } = await describeApi(project);
  const output = args.value("output");
  const file = output ?? documentFile;
  // The default file lies in the project, a named one where the command runs.
  const path = output === "-"
    ? undefined
    : resolve(output === undefined ? project.root : io.cwd, file);
  const against = args.value("against");
  if (document !== undefined && against !== undefined) {
    const own = path === undefined ? documentFile : relative(project.root, path);
    return await compareWith(against, {
      document,
      file: own,
      isJson: args.has("json"),
      project,
      io,
    });
  }
  const text = document === undefined ? undefined : formatDocument(document);
  const present = path === undefined ? text : await readDocumentFile(path);
  const changed = text !== undefined && present !== text;
  const operations = Object.values(document?.paths ?? {})
    .reduce((count, item) => count + Object.keys(item).length, 0);
  const { messages } = project;
  const stale = changed && document !== undefined && args.has("check")
    ? [staleDocumentProblem(document, { file, present, messages })]
    : [];
  const faults = document === undefined ? problems : stale;
  if (changed && path !== undefined && stale.length === 0) {
    await Deno.mkdir(dirname(path), { recursive: true });
    await replaceFile(path, text);
  }
  const ok = faults.length === 0;
  if (args.has("json")) {
    printJson({ ok, problems: [...warnings, ...faults], file, changed, operations }, io);
  } else {
    if (path === undefined) io.stdout(text ?? "");
    printProblems([...warnings, ...faults], io);
    if (ok && path !== undefined) {
      io.stdout(`${changed ? texts.written(file, String(operations)) : files.fresh(file)}\n`);
    }
  }
  return ok ? exitCodes.ok : exitCodes.failure;
}

/** Lists what changed since an older document. */
async function compareWith(
  against: string,
  { document, file, isJson, project, io }: {
    readonly document: ApiDocument;
    readonly file: string;
    readonly isJson: boolean;
    readonly project: Project;
    readonly io: Io;
  },
): Promise<number> {
  const { root, messages } = project;
  const own = file.replaceAll("\\", "/");
  const older = await readOlderDocument(against, { cwd: io.cwd, root, file: own, messages });
  const changes = compareDocuments(older, document);
  const count = (level: string): string =>
    String(changes.filter((change) => change.level === level).length);
  const ok = count("breaking") === "0";
  const { diff: texts } = messages;
  if (isJson) {
    const problems = changeProblems(changes, { messages, place: { file } });
    printJson({ ok, problems, changes }, io);
  } else if (changes.length === 0) io.stdout(`${texts.none(against)}\n`);
  else {
    for (const change of changes) io.stdout(`${changeLine(change, messages)}\n`);
    io.stdout(`${texts.summary(count("breaking"), count("notice"), count("compatible"))}\n`);
  }
  return ok ? exitCodes.ok : exitCodes.failure;
}
