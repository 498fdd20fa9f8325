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
import type { Problem } from "../problem.ts";
import { replaceFile } from "../project/files/write_inside.ts";
import { parseJson } from "../project/json.ts";
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
  const clients = await findClients(project);
  if (present === undefined && clients.length === 0) {
    return { problems: [], note: messages.check.noFile(documentFile) };
  }
  const { document, problems, warnings } = await describeApi(project);
  if (document === undefined || problems.length > 0) {
    return { problems: [...warnings, ...problems] };
  }
  // The clients know the API by the title that it had when they were written.
  const documents = present === undefined ? [document] : [document, parseJson(present)];
  const own = ownClients(clients, documents);
  const text = formatDocument(document);
  const found: Problem[] = [...warnings];
  if (present !== undefined && text !== present) {
    if (fix) await replaceFile(path, text);
    else found.push(staleDocumentProblem(document, { file: documentFile, present, messages }));
  }
  for (const { path: name } of own) {
    const options = { name, path: join(root, name), isCheck: !fix, messages };
    const outcome = await writeClientFile(document, options);
    found.push(...outcome.problems);
  }
  if (fix && own.length > 0) project.refresh();
  return { problems: found };
}
