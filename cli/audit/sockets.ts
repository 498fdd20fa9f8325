/**
 * Finds routes that upgrade to a WebSocket for every client.
 *
 * @module
 */
import type { Route } from "../project/routes/table.ts";
import { AuthNames } from "../project/reach/auth_names.ts";
import { refuses } from "../project/reach/refusals.ts";
import type { AuditFacts } from "./facts.ts";
import { found, type Verdict } from "./verdict.ts";

/**
 * Checks that each route that upgrades knows its client: by a guard of `@fw/fw/auth`, or by code that answers
 * 401 or 403, in the route, in its middleware or in a file that one of them imports.
 */
export async function checkSockets(facts: AuditFacts): Promise<Verdict> {
  const { project, generated, calls, messages: { audit: texts } } = facts;
  const files = new Set(
    calls.filter(({ name, isOnContext }) => name === "upgradeWebSocket" || isOnContext)
      .filter(({ name }) => name.startsWith("upgrade")).map(({ file }) => file),
  );
  if (files.size === 0) return texts.socketsNone;
  const sources = await project.sources();
  const names = new AuthNames(sources);
  const guards = (path: string): boolean =>
    names.hasGuard(path) || names.someSource(path, (source) => refuses(sources.ts, source));
  const places = (generated.ok ? generated.routes : [])
    .filter((route) => upgrades(route, { names, files }))
    .filter(({ file, middleware }) => ![file, ...middleware].some(({ path }) => guards(path)))
    .map(({ file: { path } }) => ({ file: path }));
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
