import type { Messages } from "../../messages/catalog.ts";
import { errorAt, type Problem } from "../../problem.ts";
import { readTextIfThere } from "../../project/files/look.ts";
import { parseJson } from "../../project/json.ts";
import type { ApiDocument } from "./document.ts";
import { findDrift } from "./drift.ts";

/** The file that `fw openapi` writes by default, in the project's folder. */
export const documentFile = "openapi.json";

/** The most differences that a message names. */
const maxDrift = 12;

/** Returns the text of the file. */
export function formatDocument(document: ApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Reads the file, with the line ends that {@linkcode formatDocument} writes; `undefined` without one. */
export async function readDocumentFile(path: string): Promise<string | undefined> {
  return (await readTextIfThere(path))?.replaceAll("\r\n", "\n");
}

/** Returns the problem of a file that is missing or differs from the document of the code. */
export function staleDocumentProblem(
  document: ApiDocument,
  { file, present, messages: { openapi: texts } }: {
    readonly file: string;
    /** The text of the file. */
    readonly present: string | undefined;
    readonly messages: Messages;
  },
): Problem {
  if (present === undefined) return errorAt({ file }, "E_OPENAPI_STALE", texts.missing(file));
  // A file that is no JSON differs as a whole.
  const drift = findDrift(parseJson(present), document);
  const shown = drift.slice(0, maxDrift)
    .map(({ kind, place }) => `${texts.driftKinds[kind]} ${place}`.trim());
  const rest = drift.length - shown.length;
  const places = [...shown, ...(rest > 0 ? [texts.moreDrift(String(rest))] : [])].join("; ");
  return errorAt({ file, line: 1 }, "E_OPENAPI_STALE", texts.stale(file, places));
}
