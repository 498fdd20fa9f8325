/**
 * Applications that a host mounts.
 *
 * @module
 */
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { readManifest } from "./manifest.ts";

/**
 * Refuses a command that needs an application which runs by itself: one whose `deno.json` has
 * `exports` is a library.
 *
 * @param root The project's folder, absolute.
 * @param options The command's name, and where to print.
 * @returns The exit code with which the command must end, or `undefined` where it may go on.
 */
export async function refuseLibrary(
  root: string,
  options: { readonly command: string; readonly io: Io },
): Promise<number | undefined> {
  const { command, io } = options;
  if (!await isLibrary(root)) return undefined;
  io.stderr(`${messagesOf(io).library(command, "deno.json")}\n`);
  return exitCodes.failure;
}

async function isLibrary(root: string): Promise<boolean> {
  try {
    return (await readManifest(root))["exports"] !== undefined;
  } catch {
    // A file that cannot be read is another message, which the command gives later.
    return false;
  }
}
