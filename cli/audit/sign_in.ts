/**
 * Looks at how users sign in: what keeps their sessions, where providers send them, what has no guard.
 */
import { appFolder } from "@fw/fw/conventions";
import { basename, dirname } from "@std/path";
import type { Place } from "../problem.ts";
import { isAbsent } from "../project/settings/production.ts";
import type { TypeScript } from "../project/sources/exports.ts";
import type { Sources } from "../project/sources/sources.ts";
import { type AuthCall, AuthNames, sessionMakers } from "../facts/auth_names.ts";
import { type Operation, type Operations, reachOperations } from "../facts/operations.ts";
import type { AuditFacts } from "./facts.ts";
import { type Found, found, type Verdict } from "./verdict.ts";

/** The sign-ins of identity providers, whose flow is in signed cookies. */
const providers: ReadonlySet<string> = new Set(
  [...sessionMakers].filter((name) => name !== "createSessions"),
);
const watched: ReadonlySet<string> = new Set([
  ...sessionMakers,
  "passkeys",
  "memorySessionStore",
  "memoryPasskeyStore",
]);

/** The variables that `oidcFromEnv` reads. */
const providerVariables: readonly string[] = [
  "FW_OIDC_ISSUER",
  "FW_OIDC_CLIENT_ID",
  "FW_OIDC_CLIENT_SECRET",
  "FW_OIDC_REDIRECT_URL",
];

/** Looks at the sessions and at the addresses of identity providers. */
export async function checkSignIn(facts: AuditFacts): Promise<Verdict> {
  const { project, settings, messages: { audit: texts } } = facts;
  const sources = await project.sources();
  const calls = new AuthNames(sources).calls(watched);
  if (!calls.some(({ name }) => sessionMakers.has(name))) return texts.signInNone;
  const placesOf = (is: (call: AuthCall) => boolean): Place[] =>
    calls.filter(is).map(({ place }) => place);
  const isSecretAbsent = settings.possible("secret").some(isAbsent);
  const findings: Found[] = [];
  const add = (severity: Found["severity"], text: Parameters<typeof found>[1], places: Place[]) => {
    if (places.length > 0) findings.push(found(severity, text, { places }));
  };
  if (isSecretAbsent) {
    add(
      "critical",
      texts.signInSecret(),
      placesOf((call) => signsCookies(sources.ts, call)),
    );
  }
  add("critical", texts.signInPasskeys(), placesOf(({ name }) => name === "memoryPasskeyStore"));
  add("critical", texts.signInRedirect(), [
    ...placesOf((call) => isOpenRedirect(sources.ts, call)),
    ...openVariable(facts),
  ]);
  add("warning", texts.signInMemory(), placesOf(({ name }) => name === "memorySessionStore"));
  add("info", texts.signInCookies(), placesOf((call) => isInCookies(sources.ts, call)));
  const unset = unsetVariables(facts, { sources, calls });
  if (unset.length > 0) findings.push(found("info", texts.signInVariables(unset.join(", "))));
  return findings.length === 0 ? texts.signInFine : findings;
}

/** Returns the calls of sign-ins that sign cookies: those of providers and passkeys, and sessions without a store. */
export async function signingSignIns({ project }: AuditFacts): Promise<readonly AuthCall[]> {
  const sources = await project.sources();
  return new AuthNames(sources).calls(watched).filter((call) => signsCookies(sources.ts, call));
}

function signsCookies(ts: TypeScript, call: AuthCall): boolean {
  return isInCookies(ts, call) || providers.has(call.name) || call.name === "passkeys";
}

/** Reports whether the sessions of a maker are in cookies alone. */
function isInCookies(ts: TypeScript, call: AuthCall): boolean {
  return sessionMakers.has(call.name) && hasOption(ts, call, ["store", "sessions"]) === "absent";
}

/** Returns the variables that the file of a provider names and that are not set here. */
function unsetVariables(
  { env }: AuditFacts,
  { sources, calls }: { readonly sources: Sources; readonly calls: readonly AuthCall[] },
): readonly string[] {
  const names = calls.flatMap(({ name, place }) => {
    if (!providers.has(name)) return [];
    if (name === "oidcFromEnv") return providerVariables;
    const text = sources.read(place.file)?.text ?? "";
    return [...text.matchAll(/"(FW_(?!ENV")[A-Z0-9_]+)"/g)].map(([, variable = ""]) => variable);
  });
  return [...new Set(names)].filter((name) => (env[name] ?? "") === "");
}

/**
 * Reports whether an object among the arguments has one of the members; `unknown` where code makes
 * it.
 */
function hasOption(
  ts: TypeScript,
  { node }: AuthCall,
  names: readonly string[],
): "present" | "absent" | "unknown" {
  let isKnown = true;
  for (const argument of node.arguments) {
    if (!ts.isObjectLiteralExpression(argument)) {
      isKnown = false;
      continue;
    }
    for (const member of argument.properties) {
      if (ts.isSpreadAssignment(member)) isKnown = false;
      else if (member.name !== undefined && names.includes(member.name.getText())) return "present";
    }
  }
  return isKnown ? "absent" : "unknown";
}

/** Reports whether a provider is told to send codes over plain HTTP. */
function isOpenRedirect(ts: TypeScript, { name, node }: AuthCall): boolean {
  const [client] = node.arguments;
  if (!providers.has(name) || client === undefined || !ts.isObjectLiteralExpression(client)) {
    return false;
  }
  return client.properties.some((member) =>
    ts.isPropertyAssignment(member) && member.name.getText() === "redirectUrl" &&
    ts.isStringLiteralLike(member.initializer) && isPlainHttp(member.initializer.text)
  );
}

function openVariable({ env }: AuditFacts): Place[] {
  const value = env["FW_OIDC_REDIRECT_URL"];
  return value !== undefined && isPlainHttp(value) ? [{ file: "FW_OIDC_REDIRECT_URL" }] : [];
}

function isPlainHttp(url: string): boolean {
  return /^http:\/\//i.test(url);
}

/**
 * Looks for routes without a guard beside a folder that has one: a guard covers its folder alone. Code of a
 * route or its middleware that makes a 401 or 403 counts as a guard. Directly in
 * the root of the routes stands the public part of the application: there only routes that write count, and
 * none that has to do with the sign-in itself. A guard in a group, such as `members-`, was put around some
 * routes and not around those beside it: of them, those that only read are worth a look and no warning.
 */
export async function checkGuards(facts: AuditFacts): Promise<Verdict> {
  const { project, generated, messages: { audit: texts } } = facts;
  if (!generated.ok) return texts.guardsNone;
  const operations = await reachOperations(project);
  const { names } = operations;
  const places = names.floatingGuards();
  if (places.length > 0) return [found("critical", texts.guardsFloating(), { places })];
  const folders = guardedFolders(operations);
  if (folders.length === 0) return texts.guardsNone;
  const groups: Record<"inner" | "readable" | "outer", Set<string>> = {
    inner: new Set(),
    readable: new Set(),
    outer: new Set(),
  };
  for (const { route: { file, middleware }, isWrite } of bareOperations(operations)) {
    // A guard of one method, such as `MiddlewareDELETE`, leaves the others of its folder open.
    const beside = folders.filter(({ folder, parent }) =>
      (parent !== appFolder && file.path.startsWith(`${parent}/`)) ||
      (isWrite && file.path.startsWith(`${folder}/`))
    );
    const knows = [file, ...middleware].some(({ path }) => names.knows(path));
    if (beside.length > 0) {
      const isInner = isWrite || beside.some(({ isGroup }) => !isGroup);
      groups[isInner ? "inner" : "readable"].add(file.path);
    } else if (isWrite && !knows && folders.some(({ parent }) => parent === appFolder)) {
      groups.outer.add(file.path);
    }
  }
  const findings = [
    { severity: "warning", text: texts.guardsMissing(), files: [...groups.inner] },
    {
      severity: "info",
      text: texts.guardsBeside(),
      files: [...groups.readable].filter((file) => !groups.inner.has(file)),
    },
    { severity: "info", text: texts.guardsWriting(), files: [...groups.outer] },
  ] as const;
  const shown = findings.filter(({ files }) => files.length > 0).map(({ severity, text, files }) =>
    found(severity, text, { places: files.map((file) => ({ file })) })
  );
  return shown.length === 0 ? texts.guardsFine : shown;
}

/** Returns the operations whose code nothing refuses. */
function bareOperations(operations: Operations): readonly Operation[] {
  return operations.list.filter((each) => operations.guards.list(each).length === 0);
}

/** Returns the folders whose middleware is a guard of some operation. */
function guardedFolders(operations: Operations): readonly {
  readonly folder: string;
  readonly parent: string;
  readonly isGroup: boolean;
}[] {
  const files = operations.list.flatMap((operation) =>
    operation.route.middleware.map(({ path }) => path).filter((path) => {
      const middleware = operation.middleware.filter(({ file }) => file === path);
      const own = { ...operation, handler: undefined, middleware };
      return operations.guards.list(own).length > 0;
    })
  );
  return [...new Set(files.map((path) => dirname(path)))].map((folder) => ({
    folder,
    parent: dirname(folder),
    isGroup: basename(folder).endsWith("-"),
  }));
}
