/**
 * The written OpenAPI document: its file, its text, and how it differs from the code.
 *
 * @module
 */
import type { Messages } from "../../messages/catalog.ts";
import type { ProblemText } from "../../problem.ts";
import { readTextIfThere } from "../../project/files/look.ts";
import type { ApiDocument } from "./document.ts";
import { findDrift } from "./drift.ts";

/** The file that `fw openapi` writes by default. */
export const documentFile = "openapi.json";

/** The most differences that a message names. */
const maxDrift = 12;

/** Returns the text of a document as it is written. */
export function formatDocument(document: ApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Reads a written document with the line ends of {@linkcode formatDocument}. */
export async function readWrittenDocument(path: string): Promise<string | undefined> {
  return (await readTextIfThere(path))?.replaceAll("\r\n", "\n");
}

/**
 * Describes where a written document differs from the code.
 *
 * @param document The document of the code.
 * @param options `written`: the text of the file. `name`: the file as the message names it.
 */
export function staleText(
  document: ApiDocument,
  { written, name, texts }: {
    readonly written: string;
    readonly name: string;
    readonly texts: Messages["openapi"];
  },
): ProblemText {
  const drift = findDrift(parsed(written), document);
  const shown = drift.slice(0, maxDrift)
    .map(({ kind, place }) => `${texts.driftKinds[kind]} ${place}`.trim());
  const rest = drift.length - shown.length;
  const places = [...shown, ...(rest > 0 ? [texts.moreDrift(String(rest))] : [])].join("; ");
  return texts.stale(name, places);
}

/** A file that is not valid JSON differs as a whole. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
