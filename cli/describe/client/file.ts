/**
 * Writes the client of a document to a file, or checks that the file is up to date.
 *
 * @module
 */
import { dirname } from "@std/path";
import type { Messages } from "../../messages/catalog.ts";
import { errorAt, type Problem } from "../../problem.ts";
import { readTextIfThere } from "../../project/files/look.ts";
import { replaceFile } from "../../project/files/write_inside.ts";
import { clientMark, writeClient } from "./write_client.ts";

export interface ClientFileOptions {
  /** The file as it was named. */
  readonly name: string;
  /** The file, absolute. */
  readonly path: string;
  /** The file relative to the project, with `/`. */
  readonly inProject: string;
  /** Whether nothing is written. */
  readonly isCheck: boolean;
  readonly messages: Messages;
}

export interface ClientFileOutcome {
  readonly problems: readonly Problem[];
  /** Whether the file was written, or with `isCheck` would be. */
  readonly isChanged: boolean;
  readonly methods: number;
}

/** Writes the client of a document. A file that is no written client is kept. */
export async function writeClientFile(
  document: unknown,
  { name, path, inProject, isCheck, messages }: ClientFileOptions,
): Promise<ClientFileOutcome> {
  const place = { file: name };
  const { client: texts } = messages;
  const outcome = writeClient(document, inProject);
  if (!outcome.ok) {
    const text = texts.faults(outcome.faults.slice(0, 12).join("; "));
    return { problems: [errorAt(place, "E_CLIENT", text)], isChanged: false, methods: 0 };
  }
  const { text, methods } = outcome;
  const present = (await readTextIfThere(path))?.replaceAll("\r\n", "\n");
  const isChanged = present !== text;
  if (!isChanged) return { problems: [], isChanged, methods };
  if (present !== undefined && !present.startsWith(clientMark)) {
    return { problems: [errorAt(place, "E_CLIENT", texts.taken(name))], isChanged: false, methods };
  }
  if (isCheck) {
    return { problems: [errorAt(place, "E_CLIENT_STALE", texts.stale(name))], isChanged, methods };
  }
  await Deno.mkdir(dirname(path), { recursive: true });
  await replaceFile(path, text);
  return { problems: [], isChanged, methods };
}
