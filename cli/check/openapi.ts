/**
 * Compares `openapi.json` with the code.
 *
 * @module
 */
import { join } from "@std/path";
import { describeApi } from "../describe/openapi/describe.ts";
import {
  documentFile,
  formatDocument,
  readWrittenDocument,
  staleText,
} from "../describe/openapi/written.ts";
import { errorAt } from "../problem.ts";
import { replaceFile } from "../project/files/write_inside.ts";
import type { Project } from "../project/project.ts";
import type { StepOptions, StepResult } from "./step.ts";

/** Checks a project that has the file; with `fix` the file is written again. */
export async function checkDocument(project: Project, { fix }: StepOptions): Promise<StepResult> {
  const path = join(project.root, documentFile);
  const written = await readWrittenDocument(path);
  if (written === undefined) {
    return { problems: [], note: project.messages.check.noFile(documentFile) };
  }
  const { document, problems, warnings } = await describeApi(project);
  if (document === undefined || problems.length > 0) {
    return { problems: [...warnings, ...problems] };
  }
  const text = formatDocument(document);
  if (text === written) return { problems: warnings };
  if (fix) {
    await replaceFile(path, text);
    return { problems: warnings };
  }
  const { openapi: texts } = project.messages;
  const stale = staleText(document, { written, name: documentFile, texts });
  const problem = errorAt({ file: documentFile, line: 1 }, "E_OPENAPI_STALE", stale);
  return { problems: [...warnings, problem] };
}
