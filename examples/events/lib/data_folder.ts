import { randomBytes } from "node:crypto";
import { dirname, fromFileUrl, join } from "@std/path";

/** The paths of the application's persistent data. */
export interface DataFolder {
  /** The database: a file, or `:memory:`. */
  readonly database: string;
  /** The folder of uploaded images. */
  readonly photos: string;
  /** The folder of uploads in progress. */
  readonly incoming: string;
  /** The file of the key that signs cookies. */
  readonly key: string;
  /** The file of the password with which the first organiser signs in. */
  readonly password: string;
}

/**
 * Returns the paths of the data: by default in `data/`, or next to a database that is elsewhere.
 *
 * @param variables The variables `EVENTS_DB` and `EVENTS_DATA`, if they are set.
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

/** Creates missing folders. */
export function makeFolders({ photos, incoming }: DataFolder): void {
  Deno.mkdirSync(photos, { recursive: true });
  Deno.mkdirSync(incoming, { recursive: true });
}

/**
 * Reads a random key from a file, which is created if it is missing, readable only by its owner.
 *
 * @returns 48 random bytes in base64url.
 */
export function readOrMakeKey(path: string): string {
  try {
    const key = randomBytes(48).toString("base64url");
    // If two processes start at once, one creates the file and the other reads it.
    Deno.writeTextFileSync(path, key, { createNew: true, mode: 0o600 });
    return key;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return Deno.readTextFileSync(path);
    throw error;
  }
}
