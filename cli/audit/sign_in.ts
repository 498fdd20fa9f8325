/** Looks at how users sign in: what keeps their sessions, and where providers send them. */
import ts from "npm:typescript@6.0.3";
import type { Place } from "../problem.ts";
import { isAbsent } from "../project/settings/production.ts";
import type { Sources } from "../project/sources/sources.ts";
import { type AuthCall, sessionMakers } from "../facts/auth_names.ts";
import { type AuditFacts, type Findings, type Found, found } from "./facts.ts";

const providers: ReadonlySet<string> = new Set(
  [...sessionMakers].filter((name) => name !== "createSessions"),
);
const watched: ReadonlySet<string> = new Set([
  ...sessionMakers,
  "passkeys",
  "memorySessionStore",
  "memoryPasskeyStore",
]);

const providerVariables: readonly string[] = [
  "FW_OIDC_ISSUER",
  "FW_OIDC_CLIENT_ID",
  "FW_OIDC_CLIENT_SECRET",
  "FW_OIDC_REDIRECT_URL",
];

export function checkSignIn(facts: AuditFacts): Findings {
  const { operations, settings, texts } = facts;
  const { sources } = operations.reach;
  const calls = operations.names.calls(watched);
  if (!calls.some(({ name }) => sessionMakers.has(name))) return [];
  const placesOf = (is: (call: AuthCall) => boolean): Place[] =>
    calls.filter(is).map(({ place }) => place);
  const isSecretAbsent = settings.possible("secret").some(isAbsent);
  const findings: Found[] = [];
  const add = (severity: Found["severity"], text: Parameters<typeof found>[1], places: Place[]) => {
    if (places.length > 0) findings.push(found(severity, text, places));
  };
  if (isSecretAbsent) {
    add(
      "critical",
      texts.signInSecret(),
      placesOf((call) => signsCookies(call)),
    );
  }
  add("critical", texts.signInPasskeys(), placesOf(({ name }) => name === "memoryPasskeyStore"));
  add("critical", texts.signInRedirect(), [
    ...placesOf((call) => isOpenRedirect(call)),
    ...openVariable(facts),
  ]);
  add("warning", texts.signInMemory(), placesOf(({ name }) => name === "memorySessionStore"));
  const inCookies = placesOf((call) => isInCookies(call));
  if (calls.some(({ name }) => providers.has(name))) {
    add("warning", texts.signInRoles(), inCookies);
  }
  add("info", texts.signInCookies(), inCookies);
  const unset = unsetVariables(facts, { sources, calls });
  if (unset.length > 0) findings.push(found("info", texts.signInVariables(unset.join(", "))));
  return findings;
}

/** Returns the calls of sign-ins that sign cookies: those of providers and passkeys, and sessions without a store. */
export function signingSignIns({ operations: { names } }: AuditFacts): readonly AuthCall[] {
  return names.calls(watched).filter(signsCookies);
}

function signsCookies(call: AuthCall): boolean {
  return isInCookies(call) || providers.has(call.name) || call.name === "passkeys";
}

function isInCookies(call: AuthCall): boolean {
  return sessionMakers.has(call.name) && hasOption(call, ["store", "sessions"]) === "absent";
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

/** Reports whether an object among the arguments has one of the members; `unknown` where code makes it. */
function hasOption({ node }: AuthCall, names: readonly string[]): "present" | "absent" | "unknown" {
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

function isOpenRedirect({ name, node }: AuthCall): boolean {
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
