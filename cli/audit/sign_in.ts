/**
 * Looks at how users sign in: what keeps their sessions, where providers send them, what has no guard.
 *
 * @module
 */
import { dirname } from "@std/path";
import type ts from "typescript";
import type { Place } from "../problem.ts";
import type { Route } from "../project/routes/table.ts";
import { isAbsent } from "../project/settings/production.ts";
import { positionOf, type TypeScript } from "../project/sources/exports.ts";
import type { AuditFacts } from "./facts.ts";
import { type Found, found, type Verdict } from "./verdict.ts";

/** What makes sessions, and the sign-ins of identity providers, whose flow is in signed cookies. */
const providers: ReadonlySet<string> = new Set([
  "oidc",
  "oidcFromEnv",
  "entraId",
  "keycloak",
  "cognito",
  "clerk",
]);
/** What signs cookies whatever keeps the sessions. */
const signers: ReadonlySet<string> = new Set([...providers, "passkeys"]);
const makers: ReadonlySet<string> = new Set(["createSessions", ...providers]);
const watched: ReadonlySet<string> = new Set([
  ...makers,
  ...signers,
  "memorySessionStore",
  "memoryPasskeyStore",
]);

/** A call of something of `@fw/fw/auth`. */
interface AuthCall {
  readonly name: string;
  readonly place: Place;
  readonly node: ts.CallExpression;
}

/** Returns the calls of sign-ins that sign cookies: those of providers and passkeys, and sessions without a store. */
export async function signingSignIns({ project }: AuditFacts): Promise<readonly AuthCall[]> {
  const { ts } = await project.sources();
  return (await authCalls(project))
    .filter((call) => signers.has(call.name) || isInCookies(ts, call));
}

function isInCookies(ts: TypeScript, call: AuthCall): boolean {
  return makers.has(call.name) && hasOption(ts, call, ["store", "sessions"]) === "absent";
}

async function authCalls(project: AuditFacts["project"]): Promise<AuthCall[]> {
  const sources = await project.sources();
  return sources.list().flatMap((path) => {
    const source = sources.read(path);
    return source?.text.includes("@fw/fw/auth") ? callsIn(sources.ts, source) : [];
  });
}

/** Looks at the sessions and at the addresses of identity providers. */
export async function checkSignIn(facts: AuditFacts): Promise<Verdict> {
  const { project, settings, messages: { audit: texts } } = facts;
  const sources = await project.sources();
  const calls = await authCalls(project);
  if (!calls.some(({ name }) => makers.has(name))) return texts.signInNone;
  const placesOf = (is: (call: AuthCall) => boolean): Place[] =>
    calls.filter(is).map(({ place }) => place);
  const isSecretAbsent = settings.possible("secret").some(isAbsent);
  const inCookies = (call: AuthCall): boolean => isInCookies(sources.ts, call);
  const findings: Found[] = [];
  const add = (severity: Found["severity"], text: Parameters<typeof found>[1], places: Place[]) => {
    if (places.length > 0) findings.push(found(severity, text, { places }));
  };
  if (isSecretAbsent) {
    add(
      "critical",
      texts.signInSecret(),
      placesOf((call) => inCookies(call) || signers.has(call.name)),
    );
  }
  add("critical", texts.signInPasskeys(), placesOf(({ name }) => name === "memoryPasskeyStore"));
  add("critical", texts.signInRedirect(), [
    ...placesOf((call) => isOpenRedirect(sources.ts, call)),
    ...openVariable(facts),
  ]);
  add("warning", texts.signInMemory(), placesOf(({ name }) => name === "memorySessionStore"));
  add("info", texts.signInCookies(), placesOf(inCookies));
  return findings.length === 0 ? texts.signInFine : findings;
}

function callsIn(
  ts: TypeScript,
  { path: file, tree }: { readonly path: string; readonly tree: ts.SourceFile },
): AuthCall[] {
  const calls: AuthCall[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) && ts.isIdentifier(node.expression) &&
      watched.has(node.expression.text)
    ) {
      const name = node.expression.text;
      calls.push({ name, node, place: { file, ...positionOf(tree, node.expression) } });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return calls;
}

/** Whether an object among the arguments has one of the members; `unknown` where code makes it. */
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

/** Whether a provider is told to send codes over plain HTTP. */
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

/** What a guard looks like in a middleware or a handler. */
const guard = /\.require(?:Admin|Role)?\b/;

/** Looks for routes without a guard beside a folder that has one: a guard covers its folder alone. */
export async function checkGuards(facts: AuditFacts): Promise<Verdict> {
  const { project, generated, messages: { audit: texts } } = facts;
  const sources = await project.sources();
  const hasGuard = (path: string): boolean => guard.test(sources.read(path)?.text ?? "");
  const routes = generated.ok ? generated.routes : [];
  const folders = new Set(
    routes.flatMap(({ middleware }) => middleware.map(({ path }) => path).filter(hasGuard))
      .map((path) => dirname(path)),
  );
  const floating = sources.list().flatMap((path) => {
    const source = sources.read(path);
    return source !== undefined && guard.test(source.text) ? floatingIn(sources.ts, source) : [];
  });
  if (floating.length > 0) return [found("critical", texts.guardsFloating(), { places: floating })];
  if (folders.size === 0) return texts.guardsNone;
  // Beside what is directly in the root of the routes stands the public part of the application.
  const parents = [...folders].map((folder) => dirname(folder)).filter((folder) =>
    folder !== "app"
  );
  const isGuarded = ({ file, middleware }: Route): boolean =>
    hasGuard(file.path) || middleware.some(({ path }) => hasGuard(path));
  const bare = routes.filter((route) =>
    !isGuarded(route) && parents.some((folder) => route.file.path.startsWith(`${folder}/`))
  );
  if (bare.length === 0) return texts.guardsFine;
  const places = bare.map(({ file: { path } }) => ({ file: path }));
  return [found("warning", texts.guardsMissing(), { places })];
}

/** Finds guards inside handlers whose promise is dropped: the handler goes on for everybody. */
function floatingIn(
  ts: TypeScript,
  { path: file, tree }: { readonly path: string; readonly tree: ts.SourceFile },
): Place[] {
  const places: Place[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
      const { expression: callee, arguments: given } = node.expression;
      const target = ts.isCallExpression(callee) ? callee.expression : callee;
      const isGuard = ts.isPropertyAccessExpression(target) && given.length === 1 &&
        (target === callee ? /^require(?:Admin)?$/ : /^requireRole$/).test(target.name.text);
      if (isGuard) places.push({ file, ...positionOf(tree, node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return places;
}
