/** The administration of accounts: `generate auth --users`. */
import { join } from "@std/path";
import { reachOperations } from "../facts/operations.ts";
import { protectionOf } from "../facts/protection.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { readMigrationFiles } from "../project/migrations.ts";
import type { Project } from "../project/project.ts";
import { addMigration } from "./database.ts";
import { readEngine } from "./database/engine.ts";
import { auditKinds, toPostgresSql } from "./database/postgres_sql.ts";
import type { Edits } from "./edits.ts";
import type { NavEntry } from "./nav.ts";
import { sampleText } from "./sample.ts";

/** The roles that administrators give; the first is their own. */
export type Roles = readonly [admin: string, ...others: string[]];

export const usersFile = "lib/users.ts";
const migrationSample = "kit/migrations/0003_add_user_states.sql";

/** The roles after that of administrators. */
const roleList = /(?<=roles: readonly string\[\] = \[\s*admin)[^\]]*(?=\])/;

/** Reads the roles of a generated administration; `undefined` without one. */
export async function readRoles({ root }: Project): Promise<Roles | undefined> {
  const text = await readTextIfThere(join(root, usersFile));
  const [, admin] = /^const admin = "([^"]+)"/m.exec(text ?? "") ?? [];
  const [others = ""] = roleList.exec(text ?? "") ?? [];
  const named = [...others.matchAll(/"([^"]+)"/g)].flatMap(([, each]) => each ?? []);
  return admin === undefined ? undefined : [admin, ...named];
}

/** Finds the roles that the guards of a project name. */
export async function findRoles(project: Project, admin: string): Promise<Roles> {
  const operations = await reachOperations(project);
  const guards = operations.list.flatMap((each) => protectionOf(each, operations).guards);
  const named = guards.flatMap((guard) =>
    /^requireRole\(([^)…]*)\)/.exec(guard)?.[1]?.split(/,\s*/) ?? []
  );
  return [admin, ...new Set(named.filter((role) => role !== "" && role !== admin).sort())];
}

export async function joinRoles(
  edits: Edits,
  roles: readonly (string | undefined)[],
): Promise<void> {
  const known: readonly string[] = await readRoles(edits.project) ?? [];
  const added = roles.filter((role) => role !== undefined && !known.includes(role));
  if (added.length > 0 && await edits.read("scripts/set_role.ts") !== undefined) {
    await edits.tellCommand(edits.project.messages.generateRole(added.join(" ")));
  }
  if (known.length === 0 || added.length === 0) return;
  await edits.change(
    usersFile,
    (text) => text.replace(roleList, listText([...known.slice(1), ...added])),
  );
}

/** Removes roles that no guard names anymore. */
export async function leaveRoles(
  edits: Edits,
  roles: readonly (string | undefined)[],
): Promise<void> {
  const [admin, ...others] = await readRoles(edits.project) ?? [];
  if (admin === undefined || !others.some((role) => roles.includes(role))) return;
  edits.project.refresh();
  const named = await findRoles(edits.project, admin);
  const kept = others.filter((role) => named.includes(role) || !roles.includes(role));
  await edits.change(usersFile, (text) => text.replace(roleList, listText(kept)));
}

function listText(roles: readonly (string | undefined)[]): string {
  return roles.map((role) => `, ${JSON.stringify(role)}`).join("");
}

export function usersEntry(admin: string): NavEntry {
  return {
    path: "/users",
    catalog: "userMessages",
    key: "title",
    file: "lib/user_messages.ts",
    icon: "shield",
    guard: "sessions",
    role: admin,
  };
}

/** Adds the migration that the administration needs, unless an earlier run did. */
export async function addUserStates(edits: Edits): Promise<void> {
  const { project } = edits;
  const { files } = await readMigrationFiles(project);
  if (files.some(({ name }) => name.endsWith("_add_user_states"))) return;
  const sql = sampleText(migrationSample);
  const kinds = new Map([["users.disabled", "bool"], ...auditKinds("users")] as const);
  const engine = await readEngine(project.root);
  const text = engine === "sqlite" ? sql : toPostgresSql(sql, kinds).text;
  await addMigration(edits, "add_user_states", text);
}
