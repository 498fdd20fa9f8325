/**
 * `fw generate auth`: writes the files of a sign-in.
 *
 * @module
 */
import { findNearest } from "@fw/fw/addon";
import { publicFolder } from "@fw/fw/conventions";
import { passkeys } from "@fw/fw/ui/files";
import { join } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { generate as generateFile } from "../gen/generate.ts";
import { exitCodes, type Io } from "../io.ts";
import { type Messages, messagesOf } from "../messages/catalog.ts";
import { printProblems } from "../printer.ts";
import { writeOwned } from "../project/files/owned_file.ts";
import { isInside } from "../project/files/write_inside.ts";
import { writeNew, type WrittenFile } from "../project/files/write_new.ts";
import { openProject } from "../project/open.ts";
import type { Project } from "../project/project.ts";
import { type AuthFile, linkAccount, passwordFiles, providerFiles, providerNames } from "./auth.ts";

/** What is asked for. */
interface AuthRequest {
  readonly provider: string | undefined;
  readonly hasPasskeys: boolean;
}

/**
 * Writes a sign-in: all of its files or none, then the generated file.
 *
 * @returns 0; 1 when a file is in the way or the app has problems; 2 for a wrong command line.
 */
export async function generateAuth(args: CommandArgs, io: Io): Promise<number> {
  const messages = messagesOf(io);
  const request = readRequest(args, messages);
  if (typeof request === "string") {
    io.stderr(`${request}\n${messages.seeHelp("fw generate --help")}\n`);
    return exitCodes.usage;
  }
  const project = openProject(io);
  const before = await project.routes();
  if (before.problems.length > 0) {
    printProblems(before.problems, io);
    return exitCodes.failure;
  }
  const { provider, hasPasskeys } = request;
  const files = provider === undefined ? passwordFiles({ hasPasskeys }) : providerFiles(provider);
  if (!await writeAll(project, files, io)) return exitCodes.failure;
  await linkFromLayout(project, io);
  if (hasPasskeys) await writeScript(project, io);
  const after = await generateFile(project);
  if (!after.ok) {
    printProblems(after.problems, io);
    return exitCodes.failure;
  }
  io.stdout(`${provider === undefined ? messages.generateAuthData : messages.generateAuthVars}\n`);
  return exitCodes.ok;
}

function readRequest(args: CommandArgs, messages: Messages): AuthRequest | string {
  if (args.positionals.length > 1) return messages.generateFlagMisfit("<url>", "auth");
  const misfit = ["methods", "bind", "form", "tmpl", "tsx"].find((name) => args.has(name));
  if (misfit !== undefined) return messages.generateFlagMisfit(`--${misfit}`, "auth");
  const provider = args.value("provider");
  const hasPasswords = args.has("passwords");
  const hasPasskeys = args.has("passkeys");
  if (provider === undefined) {
    return hasPasswords || hasPasskeys
      ? { provider, hasPasskeys }
      : messages.generateAuthWhat(providerNames.join(", "));
  }
  if (hasPasswords || hasPasskeys) {
    const flag = hasPasswords ? "--passwords" : "--passkeys";
    return messages.generateFlagMisfit(flag, `auth --provider ${provider}`);
  }
  return providerNames.includes(provider)
    ? { provider, hasPasskeys }
    : messages.generateAuthProvider(provider, {
      names: providerNames.join(", "),
      nearest: findNearest(provider, providerNames),
    });
}

/** Writes all files; where one is in the way, those that were written go again. */
async function writeAll(
  project: Project,
  files: readonly AuthFile[],
  io: Io,
): Promise<boolean> {
  const messages = messagesOf(io);
  const done: WrittenFile[] = [];
  for (const { file, text } of files) {
    const written = await writeNew(project.root, { file, text });
    if (typeof written === "string") {
      for (const each of done.reverse()) await each.undo();
      const say = written === "exists" ? messages.generateExists : messages.generateOutside;
      io.stderr(`${say(file)}\n`);
      return false;
    }
    done.push(written);
  }
  for (const { file } of files) io.stdout(`${messages.generateMade(file)}\n`);
  project.refresh(files.map(({ file }) => file));
  return true;
}

/** Links the account from the layout of a new project; of another one the developer knows better. */
async function linkFromLayout(project: Project, io: Io): Promise<void> {
  const messages = messagesOf(io);
  const path = join(project.root, "app/layout.ts");
  const text = await readIfThere(path);
  const linked = text === undefined ? undefined : linkAccount(text);
  if (linked === undefined || !await isInside(project.root, path)) {
    io.stdout(`${messages.generateAuthLink}\n`);
    return;
  }
  await Deno.writeTextFile(path, linked);
  io.stdout(`${messages.generateChanged("app/layout.ts")}\n`);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Writes the browser's part, which `fw ui` keeps fresh. */
async function writeScript(project: Project, io: Io): Promise<void> {
  const folder = join(project.root, publicFolder);
  if (!await isInside(project.root, folder)) return;
  await Deno.mkdir(folder, { recursive: true });
  const name = "passkeys.js";
  await writeOwned(join(folder, name), {
    body: passkeys,
    comment: { open: "/*", close: "*/" },
    command: "ui",
    force: false,
  });
  io.stdout(`${messagesOf(io).generateMade(`${publicFolder}/${name}`)}\n`);
}
