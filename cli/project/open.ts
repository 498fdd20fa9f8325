import type { Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { Stop } from "../stop.ts";
import { findProject, findRoot } from "./manifest.ts";
import { createProject, type Project } from "./project.ts";

/** Opens the project above the working directory. Without one, its routes report the error. */
export function openProject(io: Io): Project {
  return createProject(findRoot(io.cwd), { env: io.env, messages: messagesOf(io) });
}

/**
 * Opens the project above the working directory by its real path, for a command that needs one.
 *
 * @throws {Stop} if there is none.
 */
export async function requireProject(io: Io): Promise<Project> {
  const messages = messagesOf(io);
  const found = findProject(io.cwd);
  if (found === undefined) throw new Stop(messages.noProject(io.cwd));
  return createProject(await Deno.realPath(found), { env: io.env, messages });
}

/**
 * Opens the project like {@linkcode requireProject}, for a command that runs the application.
 *
 * @throws {Stop} for a library, which a host mounts.
 */
export async function requireApp(command: string, io: Io): Promise<Project> {
  const project = await requireProject(io);
  // The command reports an unreadable file later, with another message.
  const isLibrary = await project.isLibrary().catch(() => false);
  if (isLibrary) throw new Stop(messagesOf(io).library(command, "deno.json"));
  return project;
}
