import { findNearest } from "@fw/fw/addon";
import { join } from "@std/path";
import type { CommandArgs } from "../args.ts";
import type { Io } from "../io.ts";
import type { Messages } from "../messages/catalog.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { formatText } from "../project/process/tools.ts";
import { configuredLanguages } from "../project/settings/settings.ts";
import { Stop, UsageError } from "../stop.ts";
import {
  accountSchema,
  accountTables,
  authFiles,
  type AuthPlan,
  authVariables,
  findProvider,
  messagesFile,
  providers,
  setupNeeds,
  userMenuFile,
} from "./auth.ts";
import {
  addDatabase,
  addMigration,
  findTableMaker,
  openSound,
  refuseForeignFile,
} from "./database.ts";
import { readEngine } from "./database/engine.ts";
import { type Edits, openEdits } from "./edits.ts";
import { joinKit, writeKit } from "./kit.ts";
import { addUserMenu, joinNav } from "./nav.ts";
import { isRoleName } from "./resource/access.ts";
import type { NewFile } from "./sample.ts";
import { joinSetupFile, setupFile } from "./setup.ts";
import { joinTasks } from "./tasks.ts";
import { addUserStates, findRoles, readRoles, usersEntry } from "./users.ts";

export async function generateAuth(args: CommandArgs, io: Io): Promise<number> {
  const request = parseRequest(args);
  const project = await openSound(io);
  const { messages } = project;
  const languages = configuredLanguages(await project.settings({}));
  const engine = await readEngine(project.root);
  const { routes } = await project.routes();
  const lacksStart = !routes.some(({ pattern }) => pattern === "/");
  const roles = await readRoles(project);
  const addsUsers = request.admin !== undefined && roles === undefined;
  const present = { ...request, languages, engine, roles, lacksStart };
  const { plan: planned, old } = await planSignIn(project.root, present, addsUsers);
  const plan = addsUsers ? { ...planned, roles: await findRoles(project, request.admin) } : planned;
  const edits = await openEdits(project);
  if (old === undefined) await addAccountTables(edits);
  if (addsUsers) await addUserStates(edits);
  await addSignIn(edits, { plan, old });
  if (old === undefined) await addDatabase(edits);
  await joinKit(edits);
  if (old === undefined) await linkAccount(edits);
  if (plan.roles !== undefined) await joinNav(edits, usersEntry(plan.roles[0]));
  if (plan.hasPasskeys) {
    // The passkey script and the kit's files for its pages.
    edits.follow(async () =>
      (await writeKit(project.root, { hasPasskeys: true })).flatMap(({ file, became }) =>
        became === "made" || became === "updated" ? [messages.files[became](file)] : []
      )
    );
  }
  const { provider } = plan;
  await joinTasks(edits, { engine, hasProvider: provider !== undefined, hosts: provider?.hosts });
  edits.tell(nextSteps(plan, messages));
  if (addsUsers) await edits.tellCommand(messages.generateRole(request.admin));
  return await edits.finish(io);
}

interface Request extends Pick<AuthPlan, "hasPasswords" | "hasPasskeys" | "provider"> {
  /** The role of the users who administer accounts. @default no such pages */
  readonly admin: string | undefined;
}

function parseRequest(args: CommandArgs): Request {
  const named = args.value("provider");
  const provider = named === undefined ? undefined : new Map(Object.entries(providers)).get(named);
  const hasPasskeys = args.has("passkeys");
  const hasPasswords = hasPasskeys || args.has("passwords");
  const admin = args.has("users") ? args.value("users") ?? "admin" : undefined;
  if (admin !== undefined && !isRoleName(admin)) {
    throw new UsageError(({ resource }) => resource.role(admin, "users"));
  }
  const names = Object.keys(providers);
  if (named !== undefined && provider === undefined) {
    throw new UsageError(({ generateAuthProvider }) =>
      generateAuthProvider(named, names.join(", "), findNearest(named, names))
    );
  }
  if (!hasPasswords && provider === undefined && admin === undefined) {
    throw new UsageError(({ generateAuthWhat }) => generateAuthWhat(names.join(", ")));
  }
  return { provider, hasPasskeys, hasPasswords, admin };
}

interface SignIn {
  readonly plan: AuthPlan;
  /** The plan of an earlier run, to which this run adds passwords, passkeys or a provider. */
  readonly old?: AuthPlan | undefined;
}

/** Merges the existing sign-in with the request. @throws {Stop} if they conflict. */
async function planSignIn(
  root: string,
  request: AuthPlan,
  addsUsers: boolean,
): Promise<SignIn> {
  const files = ["lib/accounts.ts", "lib/account_links.ts", "lib/passkeys.ts", "lib/auth.ts"];
  const [accounts, links, passkeys, auth, login] = await Promise.all(
    [...files, "app/login/route.ts"].map((file) => readTextIfThere(join(root, file))),
  );
  if (accounts === undefined) {
    if (auth !== undefined) refuse("provider");
    if (!request.hasPasswords && request.provider === undefined) refuse("none");
    return { plan: request };
  }
  if (!accounts.includes("function sessionOwner(")) refuse("foreign");
  const provider = auth === undefined ? undefined : findProvider(auth);
  const hasPasswords = links !== undefined;
  const hasPasskeys = passkeys !== undefined;
  if (provider !== undefined && request.provider !== undefined) {
    refuse(provider === request.provider ? "already" : "second");
  }
  const isMore = addsUsers || request.provider !== undefined ||
    (request.hasPasskeys && !hasPasskeys) ||
    (request.hasPasswords && !hasPasswords);
  if (!isMore) refuse("already");
  if (request.hasPasswords && !hasPasswords && login !== undefined) refuse("login");
  const old = { ...request, hasPasswords, hasPasskeys, provider };
  const more = {
    hasPasswords: hasPasswords || request.hasPasswords,
    hasPasskeys: hasPasskeys || request.hasPasskeys,
    provider: provider ?? request.provider,
  };
  return { plan: { ...old, ...more }, old };
}

function refuse(reason: keyof Messages["generateAuthBeside"]): never {
  throw new Stop(({ generateAuthBeside }) => generateAuthBeside[reason]);
}

/** Adds the files of a sign-in. Edited files are kept, and their missing lines are printed. */
async function addSignIn(edits: Edits, { plan, old }: SignIn): Promise<void> {
  const { root, messages } = edits.project;
  const written = async (plan: AuthPlan): Promise<readonly NewFile[]> =>
    await Promise.all(authFiles(plan).map((each) => edits.localize(edits.restyle(each))));
  const oldFiles = old === undefined ? [] : await written(old);
  const before = new Map(oldFiles.map(({ file, text }) => [file, text]));
  for (const { file, text } of await written(plan)) {
    const own = await edits.read(file);
    const was = before.get(file);
    const part = shared[file];
    if (text === was || (part !== undefined && own?.includes(part) === true)) continue;
    if (own === undefined || (was === undefined && file !== setupFile)) {
      edits.put({ file, text });
    } else if (was !== undefined && own === await formatText(root, was)) {
      await edits.change(file, () => text);
    } else if (file === setupFile) {
      const known = old === undefined ? [] : setupNeeds(old);
      const needed = setupNeeds(plan).filter((part) => !known.includes(part));
      await joinSetupFile(edits, needed.map((part) => ({ part })));
    } else {
      const known = new Set(was?.split("\n"));
      const lines = text.split("\n").filter((line) => line.trim() !== "" && !known.has(line));
      const isLacking = !lines.every((line) => own?.includes(line.trim()));
      if (isLacking) edits.tell(messages.generateEdited(file, lines.join("\n")));
    }
  }
}

/** Files that `generate mail` writes too, and that are kept, by a part of their text. */
const shared: Readonly<Record<string, string>> = {
  "lib/mail.ts": "export function openMail(",
  "lib/origin.ts": "export function originOf(",
};

function nextSteps(plan: AuthPlan, messages: Messages): string {
  const variables = authVariables(plan).join(", ");
  return [
    messages.generateAuthVars(variables),
    ...plan.hasPasswords ? [messages.generateAuthMailHost] : [],
    ...plan.provider === undefined || plan.provider.hosts !== undefined
      ? []
      : [messages.generateAuthProviderHost],
    messages.generateAuthNext[plan.hasPasswords ? "accounts" : "provider"],
  ].join("\n");
}

async function addAccountTables(edits: Edits): Promise<void> {
  const { project } = edits;
  await refuseForeignFile(project);
  for (const table of accountTables) {
    const maker = await findTableMaker(project, table);
    if (maker !== undefined) throw new Stop(project.messages.generateAuthTable(maker, table));
  }
  await addMigration(edits, "create_accounts", accountSchema(await readEngine(project.root)));
}

async function linkAccount(edits: Edits): Promise<void> {
  if (await addUserMenu(edits, userMenuFile)) return;
  const entry = {
    path: "/account",
    catalog: "accountMessages",
    key: "accountLink",
    file: messagesFile,
    icon: "user",
  };
  await joinNav(edits, entry);
}
