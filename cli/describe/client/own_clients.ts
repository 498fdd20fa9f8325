/**
 * Finds the written clients of a project's own API.
 *
 * @module
 */
import type { Project } from "../../project/project.ts";
import { objectOf } from "../../project/json.ts";
import { clientMark, placeLine, writeHead } from "./write_client.ts";

/** A written client among the sources of a project. */
export interface FoundClient {
  /** The path relative to the project, with `/`. */
  readonly path: string;
  /** The title and the version of its API, as the head of the file has them. */
  readonly name: string;
  /** Whether the head says that it was written to this path. */
  readonly isInPlace: boolean;
}

/** Lists the written clients among the project's own sources, in the order of their paths. */
export async function findClients(project: Project): Promise<FoundClient[]> {
  const sources = await project.sources();
  return sources.list().flatMap((path): FoundClient[] => {
    const text = (sources.read(path)?.text ?? "").replaceAll("\r\n", "\n");
    const name = nameOf(text);
    if (name === undefined) return [];
    return [{
      path,
      name,
      isInPlace: text.slice(0, maxHeadChars).includes(`\n${placeLine(path)}`),
    }];
  });
}

/** The clients whose titles are that of the project's API. */
export interface OwnClients {
  /** Those that were written to the path where they are: a document of the project wrote them. */
  readonly own: readonly FoundClient[];
  /** The rest: they were moved here, or are the clients of another service of the same title. */
  readonly unsure: readonly FoundClient[];
}

/**
 * Returns the clients of the API that the project's documents describe.
 *
 * @param infos The members `info` of these documents.
 */
export function ownClients(
  clients: readonly FoundClient[],
  infos: readonly unknown[],
): OwnClients {
  const titled = clients.filter(({ name }) => infos.some((info) => isNameOf(info, name)));
  return {
    own: titled.filter(({ isInPlace }) => isInPlace),
    unsure: titled.filter(({ isInPlace }) => !isInPlace),
  };
}

/** The most characters in which the title is looked for. */
const maxHeadChars = 4_000;

/** Reads title and version in the head of a client; `undefined` for any other text. */
function nameOf(text: string): string | undefined {
  if (!text.startsWith(clientMark)) return undefined;
  return /^ \* A client of (.+)\.$/m.exec(text.slice(0, maxHeadChars))?.[1];
}

/** Whether a name is the title of an API with this or an older version. */
function isNameOf(info: unknown, name: string): boolean {
  if (name === nameOf(writeHead({ info }))) return true;
  const title = nameOf(writeHead({ info: { ...objectOf(info), version: undefined } }));
  if (title === undefined || !name.startsWith(`${title} `)) return false;
  return /^\S*\d\S*$/.test(name.slice(title.length + 1));
}
