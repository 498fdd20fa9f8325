import { randomBytes } from "node:crypto";
import { dirname, fromFileUrl, join } from "@std/path";

/** Where the application keeps what outlives it. */
export interface DataFolder {
  /** The database: a file, or `:memory:`. */
  readonly database: string;
  /** The folder of the uploaded pictures. */
  readonly photos: string;
  /** The folder of uploads that are still coming in. */
  readonly incoming: string;
  /** The file of the key that signs cookies. */
  readonly key: string;
  /** The file of the password with which the first organiser signs in. */
  readonly password: string;
}

/**
 * Finds the places of the data. By default all are in `data/`, or beside a database that is elsewhere.
 *
 * @param variables The variables `EVENTS_DB` and `EVENTS_DATA`, as far as they are set.
 */
export function findDataFolder(
  { database, folder }: {
    readonly database: string | undefined;
    readonly folder: string | undefined;
  },
): DataFolder {
  const isFile = database !== undefined && database !== ":memory:";
  const home = folder ??
    (isFile ? dirname(database) : fromFileUrl(new URL("../data/", import.meta.url)));
  return {
    database: database ?? join(home, "events.sqlite"),
    photos: join(home, "uploads"),
    incoming: join(home, "incoming"),
    key: join(home, "secret.key"),
    password: join(home, "organiser.password"),
  };
}

/** Makes the folders that are missing. */
export function makeFolders({ photos, incoming }: DataFolder): void {
  Deno.mkdirSync(photos, { recursive: true });
  Deno.mkdirSync(incoming, { recursive: true });
}

/**
 * Reads a random key from a file, which is made when it is missing, for its owner alone.
 *
 * @returns 48 random bytes in base64url.
 */
export function readOrMakeKey(path: string): string {
  try {
    const key = randomBytes(48).toString("base64url");
    // Of two processes that start at once, one makes the file and the other reads it.
    Deno.writeTextFileSync(path, key, { createNew: true, mode: 0o600 });
    return key;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return Deno.readTextFileSync(path);
    throw error;
  }
}
