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
import type { Problem } from "../problem.ts";
import { replaceFile } from "../project/files/write_inside.ts";
import { requireProject } from "../project/open.ts";
import type { Project } from "../project/project.ts";

/**
 * Writes the document; with `--check`, only compares it with the file; with `--against`, only lists what changed since an older document.
 */
export async function openapi(args: CommandArgs, io: Io): Promise<number> {
  const messages = messagesOf(io);
  const project = await requireProject(io);
  const { document, problems, warnings } = await describeApi(project);
  const target = targetOf(args, { project, io });
  const against = args.value("against");
  if (document !== undefined && against !== undefined) {
    return await compareWith(against, { document, target, args, project, io });
  }
  const result = document === undefined
    ? { problems, changed: false, operations: 0 }
    : await deliver(document, { target, args, project, io });
  const all = [...warnings, ...result.problems];
  const isOk = result.problems.length === 0;
  if (args.has("json")) {
    const { changed, operations } = result;
    printJson({ ok: isOk, problems: all, file: target.name, changed, operations }, io);
  } else {
    printProblems(all, io);
    if (isOk && target.path !== undefined) {
      const text = result.changed
        ? messages.openapi.written(target.name, String(result.operations))
        : messages.files.fresh(target.name);
      io.stdout(`${text}\n`);
    }
  }
  return isOk ? exitCodes.ok : exitCodes.failure;
}

interface Target {
  /** The file as it was named; `-` for standard output. */
  readonly name: string;
  /** Absolute; `undefined` for standard output. */
  readonly path: string | undefined;
}

function targetOf(
  args: CommandArgs,
  { project, io }: { readonly project: Project; readonly io: Io },
): Target {
  const output = args.value("output");
  if (output === "-") return { name: "-", path: undefined };
  // The default file lies in the project, a named one where the command runs.
  const folder = output === undefined ? project.root : io.cwd;
  const name = output ?? documentFile;
  return { name, path: resolve(folder, name) };
}

interface Delivered {
  readonly problems: readonly Problem[];
  readonly changed: boolean;
  readonly operations: number;
}

interface Delivery {
  readonly target: Target;
  readonly args: CommandArgs;
  readonly project: Project;
  readonly io: Io;
}

async function deliver(
  document: ApiDocument,
  { target, args, project, io }: Delivery,
): Promise<Delivered> {
  const text = formatDocument(document);
  const operations = Object.values(document.paths)
    .reduce((count, item) => count + Object.keys(item).length, 0);
  if (target.path === undefined) {
    if (!args.has("json")) io.stdout(text);
    return { problems: [], changed: false, operations };
  }
  const present = await readDocumentFile(target.path);
  const isChanged = present !== text;
  if (args.has("check")) {
    const { messages } = project;
    const problems = isChanged
      ? [staleDocumentProblem(document, { file: target.name, present, messages })]
      : [];
    return { problems, changed: isChanged, operations };
  }
  if (isChanged) {
    await Deno.mkdir(dirname(target.path), { recursive: true });
    await replaceFile(target.path, text);
  }
  return { problems: [], changed: isChanged, operations };
}

async function compareWith(
  against: string,
  { document, target, args, project, io }: Delivery & { readonly document: ApiDocument },
): Promise<number> {
  const messages = messagesOf(io);
  const file = target.path === undefined ? documentFile : relative(project.root, target.path);
  const place = { file };
  const older = await readOlderDocument(against, {
    cwd: io.cwd,
    root: project.root,
    file: file.replaceAll("\\", "/"),
    messages,
  });
  const changes = compareDocuments(older, document);
  const count = (level: string): string =>
    String(changes.filter((change) => change.level === level).length);
  const isOk = count("breaking") === "0";
  const { diff: texts } = messages;
  if (args.has("json")) {
    printJson({ ok: isOk, problems: changeProblems(changes, { messages, place }), changes }, io);
  } else if (changes.length === 0) io.stdout(`${texts.none(against)}\n`);
  else {
    for (const change of changes) io.stdout(`${changeLine(change, messages)}\n`);
    io.stdout(`${texts.summary(count("breaking"), count("notice"), count("compatible"))}\n`);
  }
  return isOk ? exitCodes.ok : exitCodes.failure;
}
