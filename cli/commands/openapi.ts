import { dirname, relative, resolve } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { compareWith } from "../describe/diff/against.ts";
import { describeApi } from "../describe/openapi/describe.ts";
import {
  documentFile,
  formatDocument,
  readDocumentFile,
  staleDocumentProblem,
} from "../describe/openapi/document.ts";
import { exitCodes, type Io } from "../io.ts";
import { printJson, printProblems } from "../printer.ts";
import { hasErrors } from "../problem.ts";
import { replaceFile } from "../project/files/write_inside.ts";
import { requireProject } from "../project/project.ts";

export async function openapi(args: CommandArgs, io: Io): Promise<number> {
  const project = await requireProject(io);
  const { messages: { openapi: texts, files } } = project;
  const { document, problems } = await describeApi(project);
  const output = args.value("output");
  const file = output ?? documentFile;
  // The default file is in the project; a given path is relative to the working directory.
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
  const isStale = changed && args.has("check");
  const all = isStale ? [...problems, staleDocumentProblem(file, project.messages)] : problems;
  if (changed && path !== undefined && !isStale) {
    await Deno.mkdir(dirname(path), { recursive: true });
    await replaceFile(path, text);
  }
  const ok = !hasErrors(all);
  if (args.has("json")) {
    printJson({ ok, problems: all, file, changed, operations }, io);
  } else {
    if (path === undefined) io.stdout(text ?? "");
    printProblems(all, io);
    if (ok && path !== undefined) {
      io.stdout(`${changed ? texts.written(file, String(operations)) : files.fresh(file)}\n`);
    }
  }
  return ok ? exitCodes.ok : exitCodes.failure;
}
