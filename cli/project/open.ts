import type { Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { findProject, findRoot } from "./manifest.ts";
import { createProject, type Project } from "./project.ts";

/** Opens the project above the working directory. Without one, its routes report the error. */
export function openProject(io: Io): Project {
  return createProject(findRoot(io.cwd), { env: io.env, messages: messagesOf(io) });
}

/**
 * Opens the project above the working directory by its real path, for a command that needs one.
 * Prints an error if there is none.
 *
 * @returns The project, or `undefined`.
 */
export async function requireProject(io: Io): Promise<Project | undefined> {
  const messages = messagesOf(io);
  const found = findProject(io.cwd);
  if (found === undefined) io.stderr(`${messages.noProject(io.cwd)}\n`);
  else return createProject(await Deno.realPath(found), { env: io.env, messages });
  return undefined;
}

/**
 * Opens the project like {@linkcode requireProject}, for a command that runs the application.
 * Refuses a library, which a host mounts.
 */
export async function requireApp(command: string, io: Io): Promise<Project | undefined> {
  const project = await requireProject(io);
  if (project === undefined || !await isLibrary(project)) return project;
  io.stderr(`${messagesOf(io).library(command, "deno.json")}\n`);
  return undefined;
}

async function isLibrary(project: Project): Promise<boolean> {
  try {
    return await project.isLibrary();
  } catch {
    // The command reports an unreadable file later, with another message.
    return false;
  }
}
