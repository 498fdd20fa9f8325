import type { Route } from "../project/routes/table.ts";
import type { AuthNames } from "../facts/auth_names.ts";
import { reachOperations } from "../facts/operations.ts";
import type { AuditFacts } from "./facts.ts";
import { found, type Verdict } from "./verdict.ts";

/**
 * Checks that each route that upgrades knows its client: by a guard, in its middleware or its handler.
 */
export async function checkSockets(facts: AuditFacts): Promise<Verdict> {
  const { project, generated, calls, messages: { audit: texts } } = facts;
  const files = new Set(
    calls.filter(({ name, isOnContext }) => name === "upgradeWebSocket" || isOnContext)
      .filter(({ name }) => name.startsWith("upgrade")).map(({ file }) => file),
  );
  if (files.size === 0) return texts.socketsNone;
  const operations = await reachOperations(project);
  const { names, guards } = operations;
  const places = (generated.ok ? operations.list : [])
    .filter(({ route, method }) => method === "GET" && upgrades(route, { names, files }))
    .filter((operation) => guards.list(operation).length === 0)
    .map(({ route: { file: { path } } }) => ({ file: path }));
  return places.length === 0
    ? texts.socketsGuarded
    : [found("warning", texts.socketsOpen(), { places })];
}

function upgrades(
  { file, methods }: Route,
  { names, files }: { readonly names: AuthNames; readonly files: ReadonlySet<string> },
): boolean {
  if (files.has(file.path)) return true;
  // Only a GET can be upgraded, and a page that imports such a file rarely does so for the upgrade.
  if (file.base !== "route" || !methods.includes("GET")) return false;
  return names.someSource(file.path, ({ path }) => files.has(path));
}
