/**
 * Compares `openapi.json` with the code.
 *
 * @module
 */
import { join } from "@std/path";
import { describeApi } from "../describe/openapi/describe.ts";
import { findDrift } from "../describe/openapi/drift.ts";
import { errorAt } from "../problem.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { replaceFile } from "../project/files/write_inside.ts";
import type { Project } from "../project/project.ts";
import type { StepOptions, StepResult } from "./step.ts";

/** The file that `fw openapi` writes by default. */
const documentFile = "openapi.json";

const maxDrift = 12;

/** Checks a project that has the file; with `fix` the file is written again. */
export async function checkDocument(project: Project, { fix }: StepOptions): Promise<StepResult> {
  const path = join(project.root, documentFile);
  const present = (await readTextIfThere(path))?.replaceAll("\r\n", "\n");
  if (present === undefined) {
    return { problems: [], note: project.messages.check.noFile(documentFile) };
  }
  const { document, problems, warnings } = await describeApi(project);
  if (document === undefined || problems.length > 0) {
    return { problems: [...warnings, ...problems] };
  }
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (text === present) return { problems: warnings };
  if (fix) {
    await replaceFile(path, text);
    return { problems: warnings };
  }
  const { openapi: texts } = project.messages;
  const drift = findDrift(parsed(present), document);
  const places = drift.slice(0, maxDrift)
    .map(({ kind, place }) => `${texts.driftKinds[kind]} ${place}`.trim()).join("; ");
  const problem = errorAt(
    { file: documentFile, line: 1 },
    "E_OPENAPI_STALE",
    texts.stale(documentFile, places),
  );
  return { problems: [...warnings, problem] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
