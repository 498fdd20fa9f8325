/**
 * Finds the written clients of a project's own API.
 *
 * @module
 */
import type { Project } from "../../project/project.ts";
import { clientMark, writeHead } from "./write_client.ts";

/** A written client among the sources of a project. */
export interface FoundClient {
  /** The path relative to the project, with `/`. */
  readonly path: string;
  /** The title of its API, as the head of the file has it. */
  readonly title: string;
}

/** Lists the written clients among the project's own sources, in the order of their paths. */
export async function findClients(project: Project): Promise<FoundClient[]> {
  const sources = await project.sources();
  return sources.list().flatMap((path): FoundClient[] => {
    const title = titleOf(sources.read(path)?.text ?? "");
    return title === undefined ? [] : [{ path, title }];
  });
}

/**
 * Returns the clients of the API that some documents describe. A client of another service has another
 * title, and no document here could write it.
 */
export function ownClients(
  clients: readonly FoundClient[],
  documents: readonly unknown[],
): readonly FoundClient[] {
  const titles = new Set(documents.map((document) => titleOf(writeHead(document))));
  return clients.filter(({ title }) => titles.has(title));
}

/** The most characters in which the title is looked for. */
const maxHeadChars = 4_000;

/** Reads the title in the head of a client, without the version; `undefined` for any other text. */
function titleOf(text: string): string | undefined {
  if (!text.startsWith(clientMark)) return undefined;
  const [, name] = /^ \* A client of (.+)\.\r?$/m.exec(text.slice(0, maxHeadChars)) ?? [];
  return name?.replace(/ \S+$/, "");
}
