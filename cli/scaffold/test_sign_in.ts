import { join } from "@std/path";
import { statIfThere } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";
import { reachOperations } from "../facts/operations.ts";
import { protectionOf } from "../facts/protection.ts";
import { readImportStyle } from "./imports.ts";

export interface TestSignIn {
  /** The guards of the route, such as `requireRole(editor)`. */
  readonly guards: readonly string[];
  /** The account of the generated sign-in; `undefined` without guards, or without that sign-in. */
  readonly account: TestAccount | undefined;
}

export interface TestAccount {
  readonly module: string;
  readonly role: string | undefined;
}

const accountFile = "lib/account_testing.ts";

export async function readTestSignIn(
  project: Project,
  { pattern, file }: { readonly pattern: string; readonly file: string },
): Promise<TestSignIn> {
  const operations = await reachOperations(project);
  const own = operations.list.filter(({ route }) => route.pattern === pattern);
  const guards = [
    ...new Set(own.flatMap((operation) => protectionOf(operation, operations).guards)),
  ];
  const hasAccounts = await statIfThere(join(project.root, accountFile)) !== undefined;
  if (guards.length === 0 || !hasAccounts) return { guards, account: undefined };
  const style = await readImportStyle(project);
  return { guards, account: { module: style(accountFile, file), role: roleOf(guards) } };
}

/** Returns the first role that a guard accepts; a role in code is the developer's to write. */
function roleOf(guards: readonly string[]): string | undefined {
  if (guards.includes("requireAdmin")) return "admin";
  const [, role] = guards.map((guard) => /^requireRole\(([^,)…]+)/.exec(guard)).find(Boolean) ?? [];
  return role;
}
