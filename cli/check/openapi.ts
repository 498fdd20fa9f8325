/**
 * Compares `openapi.json` and the written clients with the code.
 *
 * @module
 */
import { join } from "@std/path";
import { writeClientFile } from "../describe/client/file.ts";
import { findClients, ownClients } from "../describe/client/own_clients.ts";
import { describeApi } from "../describe/openapi/describe.ts";
import {
  documentFile,
  formatDocument,
  readDocumentFile,
  staleDocumentProblem,
} from "../describe/openapi/document_file.ts";
import { fallbackTitle, infoOf } from "../describe/openapi/info.ts";
import { errorAt, type Problem } from "../problem.ts";
import { replaceFile } from "../project/files/write_inside.ts";
import { memberOf, parseJson } from "../project/json.ts";
import type { Project } from "../project/project.ts";
import type { StepOptions, StepResult } from "./step.ts";

/**
 * Checks a project that has the file, or a client that `fw openapi --client` wrote; with `fix` they are
 * written again.
 */
export async function checkDocument(project: Project, { fix }: StepOptions): Promise<StepResult> {
  const { root, messages } = project;
  const path = join(root, documentFile);
  const present = await readDocumentFile(path);
  const { own, unsure } = ownClients(await findClients(project), await infosOf(project, present));
  const doubts = unsure.map(({ path: file }): Problem => ({
    ...errorAt({ file }, "E_CLIENT", messages.client.unsure(file)),
    severity: "warning",
  }));
  if (present === undefined && own.length === 0) {
    return { problems: doubts, note: messages.check.noFile(documentFile) };
  }
  const { document, problems, warnings } = await describeApi(project);
  if (document === undefined || problems.length > 0) {
    return { problems: [...warnings, ...problems] };
  }
  const text = formatDocument(document);
  const found: Problem[] = [...warnings];
  if (present !== undefined && text !== present) {
    if (fix) await replaceFile(path, text);
    else found.push(staleDocumentProblem(document, { file: documentFile, present, messages }));
  }
  for (const { path: name } of own) {
    const options = { name, path: join(root, name), inProject: name, isCheck: !fix, messages };
    const outcome = await writeClientFile(document, options);
    found.push(...outcome.problems);
  }
  if (fix && own.length > 0) project.refresh();
  return { problems: [...found, ...doubts] };
}

/** Returns `info` of the document and of the written one: clients have the title of their time. */
async function infosOf(project: Project, present: string | undefined): Promise<unknown[]> {
  const title = await fallbackTitle(project.root);
  const { info } = infoOf(await project.manifest(), { title, basePath: "" });
  return present === undefined ? [info] : [info, memberOf(parseJson(present), "info")];
}
