import { findNearest } from "@fw/fw/addon";
import { publicFolder } from "@fw/fw/conventions";
import { passkeys } from "@fw/fw/ui/files";
import { join } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { regenerate } from "../gen/generate.ts";
import { exitCodes, type Io } from "../io.ts";
import { type Messages, messagesOf } from "../messages/catalog.ts";
import { writeOwned } from "../project/files/owned_file.ts";
import { isInside } from "../project/files/write_inside.ts";
import { openProject } from "../project/open.ts";
import type { Project } from "../project/project.ts";
import { migrationsFolder, numberText, readMigrationFiles } from "../project/migrations.ts";
import { configuredLanguages } from "../project/settings/production.ts";
import {
  accountLink,
  accountSchema,
  accountTables,
  authFiles,
  type AuthPlan,
  authVariables,
  isProviderName,
  messagesFile,
  providerNames,
  setupCalls,
  userMenuFile,
} from "./auth.ts";
import { findSignIn, planSignIn, type PresentSignIn } from "./auth_plan.ts";
import {
  findForeignFile,
  findTableMaker,
  joinTasks,
  missingDatabaseFiles,
  setupFile,
} from "./database.ts";
import type { NewFile } from "./sample.ts";
import { restyleFiles } from "./imports.ts";
import { joinKit } from "./kit.ts";
import { addNavEntry, addUserMenu } from "./nav.ts";
import { readEngine } from "./database/engine.ts";
import { type AuthFiles, writeAuthFiles } from "./write_auth.ts";
import { Stop, UsageError } from "../stop.ts";

/**
 * Writes a sign-in: all of its files or none, then the generated file. Beside the accounts of an earlier
 * run it adds passkeys or a provider.
 */
export async function generateAuth(args: CommandArgs, io: Io): Promise<number> {
  const messages = messagesOf(io);
  const request = parseRequest(args, messages);
  const project = openProject(io);
  const [routes, migrations] = await Promise.all([project.routes(), readMigrationFiles(project)]);
  const problems = [...routes.problems, ...migrations.problems];
  if (problems.length > 0) throw new Stop(problems);
  const languages = configuredLanguages(await project.settings({}));
  const engine = await readEngine(project.root);
  const present = await findSignIn(project.root, { languages, engine });
  const plan = planSignIn(present, { ...request, languages, engine });
  const isNew = present.kind === "none";
  const database = isNew && plan.hasAccounts ? await accountDatabase(project, io) : [];
  const writing = await planWriting(project, { plan, present, database });
  await writeAuthFiles(project, writing, io);
  await joinKit(project, io);
  if (isNew) await linkAccount(project, plan, io);
  if (plan.hasPasskeys) await writeScript(project, io);
  await joinTasks(project, {
    needs: {
      engine: plan.hasAccounts ? plan.engine : undefined,
      hasProvider: plan.provider !== undefined,
    },
    texts: messages.generateAuthTask,
    io,
  });
  await regenerate(project);
  io.stdout(`${nextSteps(plan, messages)}\n`);
  return exitCodes.ok;
}

type AuthRequest = Pick<AuthPlan, "hasAccounts" | "hasPasskeys" | "provider">;

function parseRequest(args: CommandArgs, messages: Messages): AuthRequest {
  const provider = args.value("provider");
  const hasPasskeys = args.has("passkeys");
  const hasAccounts = hasPasskeys || args.has("passwords");
  const names = providerNames.join(", ");
  if (provider === undefined) {
    if (!hasAccounts) throw new UsageError(messages.generateAuthWhat(names));
    return { provider, hasPasskeys, hasAccounts };
  }
  if (isProviderName(provider)) return { provider, hasPasskeys, hasAccounts };
  const nearest = findNearest(provider, providerNames);
  throw new UsageError(messages.generateAuthProvider(provider, names, nearest));
}

/** Returns the files to write and those of an earlier run, both in the style of the project's imports. */
async function planWriting(
  project: Project,
  { plan, present, database }: {
    readonly plan: AuthPlan;
    readonly present: PresentSignIn;
    readonly database: readonly NewFile[];
  },
): Promise<AuthFiles> {
  const files = [...database, ...await restyleFiles(project, authFiles(plan))];
  const calls = setupCalls(plan);
  if (present.kind !== "accounts") return { files, old: [], calls };
  const known = setupCalls(present.plan).map(({ open }) => open);
  return {
    files,
    old: await restyleFiles(project, authFiles(present.plan)),
    calls: calls.filter(({ open }) => !known.includes(open)),
  };
}

function nextSteps(plan: AuthPlan, messages: Messages): string {
  const variables = authVariables(plan).join(", ");
  return [
    messages.generateAuthVars(variables),
    ...plan.hasAccounts ? [messages.generateAuthMailHost] : [],
    ...plan.provider === undefined ? [] : [messages.generateAuthProviderHost],
    messages.generateAuthNext[plan.hasAccounts ? "accounts" : "provider"],
  ].join("\n");
}

/**
 * Returns the files of the database in which the accounts are: their migration, and what opens it where
 * the project has no database yet.
 *
 * @throws {Stop} if a table or a file is in the way.
 */
async function accountDatabase(project: Project, io: Io): Promise<readonly NewFile[]> {
  const messages = messagesOf(io);
  const { files } = await readMigrationFiles(project);
  const foreign = await findForeignFile(project);
  if (foreign !== undefined) throw new Stop(messages.resource.foreign(foreign));
  for (const table of accountTables) {
    const maker = await findTableMaker(project, table);
    if (maker !== undefined) throw new Stop(messages.generateAuthTable(maker, table));
  }
  const file = `${migrationsFolder}/${numberText(files.length + 1)}_create_accounts.sql`;
  const opening = await missingDatabaseFiles(project);
  // The sign-in has a `Setup` of its own, which opens the database too.
  return [
    { file, text: accountSchema(await readEngine(project.root)) },
    ...opening.filter((each) => each.file !== setupFile),
  ];
}

/** Links the account from the frame; of another layout the developer knows better. */
async function linkAccount(project: Project, plan: AuthPlan, io: Io): Promise<void> {
  if (plan.hasAccounts && await addUserMenu(project, userMenuFile, io)) return;
  const messages = messagesOf(io);
  const entry = {
    path: "/account",
    catalog: "accountMessages",
    key: "accountLink",
    file: messagesFile,
    icon: "user",
  };
  if (await addNavEntry(project, entry, io)) return;
  io.stdout(`${messages.generateAuthLink(accountLink)}\n`);
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
    io.stdout(`${messagesOf(io).files.made(`${publicFolder}/${name}`)}\n`);
  }
}
