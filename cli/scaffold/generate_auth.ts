import { findNearest } from "@fw/fw/addon";
import { join } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { regenerate } from "../gen/generate.ts";
import { exitCodes, type Io } from "../io.ts";
import type { Messages } from "../messages/catalog.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { writeFiles } from "../project/files/write_files.ts";
import { migrationsFolder, numberText, readMigrationFiles } from "../project/migrations.ts";
import { formatText } from "../project/process/tools.ts";
import type { Project } from "../project/project.ts";
import { configuredLanguages } from "../project/settings/production.ts";
import { Stop, UsageError } from "../stop.ts";
import {
  accountLink,
  accountSchema,
  accountTables,
  authFiles,
  type AuthPlan,
  authVariables,
  findProvider,
  isProviderName,
  messagesFile,
  providerNames,
  setupCalls,
  userMenuFile,
} from "./auth.ts";
import { findTableMaker, missingDatabaseFiles, openSound, refuseForeignFile } from "./database.ts";
import { readEngine } from "./database/engine.ts";
import { changeFiles, restyleFiles } from "./imports.ts";
import { joinKit, writeKit } from "./kit.ts";
import { addNavEntry, addUserMenu, navHint } from "./nav.ts";
import type { NewFile } from "./sample.ts";
import { joinSetupFile, setupFile } from "./setup.ts";
import { joinTasks } from "./tasks.ts";

export async function generateAuth(args: CommandArgs, io: Io): Promise<number> {
  const request = parseRequest(args);
  const project = await openSound(io);
  const { messages } = project;
  const languages = configuredLanguages(await project.settings({}));
  const engine = await readEngine(project.root);
  const { plan, old } = await planSignIn(project.root, { ...request, languages, engine });
  const isNew = old === undefined;
  const database = isNew && plan.hasAccounts ? await accountDatabase(project) : [];
  await writeSignIn(project, { plan, old, database }, io);
  await joinKit(project, io);
  if (isNew) await linkAccount(project, plan, io);
  if (plan.hasPasskeys) {
    // The script of the browser, and what its pages need of the kit.
    for (const { file, became } of await writeKit(project.root, { hasPasskeys: true })) {
      const isNews = became === "made" || became === "updated";
      if (isNews) io.stdout(`${messages.files[became](file)}\n`);
    }
  }
  const needs = {
    engine: plan.hasAccounts ? plan.engine : undefined,
    hasProvider: plan.provider !== undefined,
  };
  await joinTasks(project, needs, io);
  await regenerate(project);
  io.stdout(`${nextSteps(plan, messages)}\n`);
  return exitCodes.ok;
}

function parseRequest(
  args: CommandArgs,
): Pick<AuthPlan, "hasAccounts" | "hasPasskeys" | "provider"> {
  const provider = args.value("provider");
  const hasPasskeys = args.has("passkeys");
  const hasAccounts = hasPasskeys || args.has("passwords");
  const names = providerNames.join(", ");
  if (provider === undefined) {
    if (!hasAccounts) throw new UsageError(({ generateAuthWhat }) => generateAuthWhat(names));
    return { provider, hasPasskeys, hasAccounts };
  }
  if (isProviderName(provider)) return { provider, hasPasskeys, hasAccounts };
  const nearest = findNearest(provider, providerNames);
  throw new UsageError(({ generateAuthProvider }) =>
    generateAuthProvider(provider, names, nearest)
  );
}

interface SignIn {
  readonly plan: AuthPlan;
  /** The accounts of an earlier run, which passkeys or a provider join. */
  readonly old?: AuthPlan | undefined;
}

/** Joins what is there with what was requested. @throws {Stop} where that cannot be. */
async function planSignIn(root: string, request: AuthPlan): Promise<SignIn> {
  const [accounts, passkeys, auth] = await Promise.all(
    ["accounts", "passkeys", "auth"].map((name) => readTextIfThere(join(root, `lib/${name}.ts`))),
  );
  if (accounts === undefined) {
    if (auth !== undefined && request.hasAccounts) refuse("provider");
    return { plan: request };
  }
  if (!accounts.includes("export const Accounts = key<AccountStore>")) refuse("foreign");
  const provider = auth === undefined ? undefined : findProvider(auth);
  const hasPasskeys = passkeys !== undefined;
  if (provider !== undefined && request.provider !== undefined) {
    refuse(provider === request.provider ? "already" : "second");
  }
  const isMore = request.provider !== undefined || (request.hasPasskeys && !hasPasskeys);
  if (!isMore) refuse("already");
  const old = { ...request, hasAccounts: true, hasPasskeys, provider };
  const more = {
    hasPasskeys: hasPasskeys || request.hasPasskeys,
    provider: provider ?? request.provider,
  };
  return { plan: { ...old, ...more }, old };
}

function refuse(reason: keyof Messages["generateAuthBeside"]): never {
  throw new Stop(({ generateAuthBeside }) => generateAuthBeside[reason]);
}

/**
 * Writes all new files or none. Of the old ones those that were edited are kept, and what they lack is
 * printed.
 */
async function writeSignIn(
  project: Project,
  { plan, old, database }: SignIn & { readonly database: readonly NewFile[] },
  io: Io,
): Promise<void> {
  const { root } = project;
  const wanted = [...database, ...await restyleFiles(project, authFiles(plan))];
  const oldFiles = old === undefined ? [] : await restyleFiles(project, authFiles(old));
  const before = new Map(oldFiles.map(({ file, text }) => [file, text]));
  const present = new Map<string, string | undefined>();
  for (const { file } of wanted) present.set(file, await readTextIfThere(join(root, file)));
  const files = wanted.filter(({ file }) => {
    const part = shared[file];
    return part === undefined || present.get(file)?.includes(part) !== true;
  });
  const isAdded = ({ file }: NewFile): boolean =>
    !before.has(file) && (file !== setupFile || present.get(file) === undefined);
  const added = files.filter(isAdded);
  await writeFiles(project, added, { io });
  for (const { file, text } of files.filter((each) => !isAdded(each))) {
    const was = before.get(file);
    if (text === was) continue;
    const own = present.get(file) ?? "";
    if (was !== undefined && own === await formatText(root, was)) {
      await changeFiles(project, new Map([[file, text]]), io);
    } else if (file === setupFile) {
      const known = old === undefined ? [] : setupCalls(old).map(({ open }) => open);
      const calls = setupCalls(plan).filter(({ open }) => !known.includes(open));
      await joinSetupFile(project, { written: added.map((each) => each.file), calls, io });
    } else {
      const known = new Set(was?.split("\n"));
      const lines = text.split("\n").filter((line) => line.trim() !== "" && !known.has(line));
      const isLacking = !lines.every((line) => own.includes(line.trim()));
      if (isLacking) io.stdout(`${project.messages.generateEdited(file, lines.join("\n"))}\n`);
    }
  }
  project.refresh(files.map(({ file }) => file));
}

/** Files that `generate mail` writes too, which are kept: a part of each, by which it is known. */
const shared: Readonly<Record<string, string>> = {
  "lib/mail.ts": "export function openMail(",
  "lib/origin.ts": "export function originOf(",
};

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
async function accountDatabase(project: Project): Promise<readonly NewFile[]> {
  const { files } = await readMigrationFiles(project);
  await refuseForeignFile(project);
  for (const table of accountTables) {
    const maker = await findTableMaker(project, table);
    if (maker !== undefined) throw new Stop(project.messages.generateAuthTable(maker, table));
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
  const entry = {
    path: "/account",
    catalog: "accountMessages",
    key: "accountLink",
    file: messagesFile,
    icon: "user",
  };
  if (await addNavEntry(project, entry, io)) return;
  const { generateAuthLink, navEntry } = project.messages;
  const hint = await navHint(project, entry);
  io.stdout(`${hint === undefined ? generateAuthLink(accountLink) : navEntry(hint)}\n`);
}
