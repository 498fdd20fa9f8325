/** Compares `openapi.json` with the code. */
import { join } from "@std/path";
import { describeApi } from "../describe/openapi/describe.ts";
import {
  documentFile,
  formatDocument,
  readDocumentFile,
  staleDocumentProblem,
} from "../describe/openapi/document_file.ts";
import { replaceFile } from "../project/files/write_inside.ts";
import type { Project } from "../project/project.ts";
import type { StepOptions, StepResult } from "./step.ts";

/** Checks a project that has the file; with `fix` it is written again. */
export async function checkDocument(project: Project, { fix }: StepOptions): Promise<StepResult> {
  const { root, messages } = project;
  const path = join(root, documentFile);
  const present = await readDocumentFile(path);
  if (present === undefined) return { problems: [], note: messages.check.noFile(documentFile) };
  const { document, problems, warnings } = await describeApi(project);
  if (document === undefined || problems.length > 0) {
    return { problems: [...warnings, ...problems] };
  }
  const text = formatDocument(document);
  if (text === present) return { problems: warnings };
  if (!fix) {
    const stale = staleDocumentProblem(document, { file: documentFile, present, messages });
    return { problems: [...warnings, stale] };
  }
  await replaceFile(path, text);
  return { problems: warnings };
}
