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
import { readTextIfThere } from "../project/files/look.ts";
import { writeOwned } from "../project/files/owned_file.ts";
import { isInside, replaceFile } from "../project/files/write_inside.ts";
import { manifestNames } from "../project/manifest.ts";
import { openProject } from "../project/open.ts";
import type { Project } from "../project/project.ts";
import { configuredLanguages } from "../project/settings/languages.ts";
import {
  authFiles,
  type AuthPlan,
  authVariables,
  isProviderName,
  linkAccount,
  providerNames,
} from "./auth.ts";
import { findSignIn, planSignIn } from "./auth_plan.ts";
import { changeTasks } from "./tasks.ts";
import { writeAuthFiles } from "./write_auth.ts";
import { misfitOf } from "./flags.ts";
import { usesKit } from "./kit.ts";

/**
 * Writes a sign-in: all of its files or none, then the generated file. Beside the accounts of an earlier
 * run it adds passkeys or a provider.
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
  const languages = await configuredLanguages(project);
  const hasKit = await usesKit(project.root);
  const present = await findSignIn(project.root, languages);
  const planned = planSignIn(present, { ...request, hasKit, languages });
  if (planned.kind === "refused") {
    io.stderr(`${messages.generateAuthBeside[planned.reason]}\n`);
    return exitCodes.failure;
  }
  const { plan } = planned;
  const old = present.kind === "accounts" ? authFiles(present.plan) : [];
  if (!await writeAuthFiles(project, { files: authFiles(plan), old }, io)) {
    return exitCodes.failure;
  }
  if (present.kind === "none") await linkFromLayout(project, io);
  if (plan.hasPasskeys) await writeScript(project, io);
  await writeTasks(project, plan, io);
  const after = await generateFile(project);
  if (!after.ok) {
    printProblems(after.problems, io);
    return exitCodes.failure;
  }
  io.stdout(`${nextSteps(plan, messages)}\n`);
  return exitCodes.ok;
}

/** What the command line asks for. */
type AuthRequest = Pick<AuthPlan, "hasAccounts" | "hasPasskeys" | "provider">;

function readRequest(args: CommandArgs, messages: Messages): AuthRequest | string {
  if (args.positionals.length > 1) return messages.generateFlagMisfit("<url>", "auth");
  const misfit = misfitOf("auth", args);
  if (misfit !== undefined) return messages.generateFlagMisfit(misfit, "auth");
  const provider = args.value("provider");
  const hasPasskeys = args.has("passkeys");
  const hasAccounts = hasPasskeys || args.has("passwords");
  const names = providerNames.join(", ");
  if (provider === undefined) {
    return hasAccounts ? { provider, hasPasskeys, hasAccounts } : messages.generateAuthWhat(names);
  }
  if (isProviderName(provider)) return { provider, hasPasskeys, hasAccounts };
  const nearest = findNearest(provider, providerNames);
  return messages.generateAuthProvider(provider, { names, nearest });
}

function nextSteps(plan: AuthPlan, messages: Messages): string {
  const variables = authVariables(plan).join(", ");
  return [
    messages.generateAuthVars(variables),
    ...plan.hasAccounts ? [messages.generateAuthMailHost] : [],
    ...plan.provider === undefined ? [] : [messages.generateAuthProviderHost],
  ].join("\n");
}

/** Links the account from the layout of a new project; of another one the developer knows better. */
async function linkFromLayout(project: Project, io: Io): Promise<void> {
  const messages = messagesOf(io);
  const path = join(project.root, "app/layout.ts");
  const text = await readTextIfThere(path);
  const linked = text === undefined ? undefined : linkAccount(text);
  if (linked === undefined || !await isInside(project.root, path)) {
    io.stdout(`${messages.generateAuthLink}\n`);
    return;
  }
  await Deno.writeTextFile(path, linked);
  io.stdout(`${messages.generateChanged("app/layout.ts")}\n`);
}

/** Changes the tasks, and says what is left to the developer. */
async function writeTasks(project: Project, plan: AuthPlan, io: Io): Promise<void> {
  const messages = messagesOf(io);
  const manifest = await project.manifest();
  for (const name of manifestNames) {
    const path = join(project.root, name);
    const text = await readTextIfThere(path);
    if (text === undefined) continue;
    const changed = changeTasks(text, {
      manifest,
      needs: { hasDatabase: plan.hasAccounts, hasProvider: plan.provider !== undefined },
    });
    if (changed.text !== text && await isInside(project.root, path)) {
      await replaceFile(path, changed.text);
      project.refresh([name]);
      io.stdout(`${messages.generateChanged(name)}\n`);
    }
    for (const task of changed.left) io.stdout(`${messages.generateAuthTask[task]}\n`);
    return;
  }
}

/** Writes the browser's part, which `fw ui` keeps fresh. */
async function writeScript(project: Project, io: Io): Promise<void> {
  const folder = join(project.root, publicFolder);
  if (!await isInside(project.root, folder)) return;
  await Deno.mkdir(folder, { recursive: true });
  const name = "passkeys.js";
  const outcome = await writeOwned(join(folder, name), {
    body: passkeys,
    comment: { open: "/*", close: "*/" },
    command: "ui",
    force: false,
  });
  if (outcome === "made" || outcome === "updated") {
    io.stdout(`${messagesOf(io).generateMade(`${publicFolder}/${name}`)}\n`);
  }
}
