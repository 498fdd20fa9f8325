/** Checks the sign-in: where sessions are stored, and where providers redirect. */
import ts from "npm:typescript@6.0.3";
import { type AuthCall, sessionMakers } from "../facts/auth_names.ts";
import type { Place } from "../problem.ts";
import { isAbsent } from "../project/settings/settings.ts";
import { memberNamed, memberValue, writtenText } from "../project/sources/syntax.ts";
import { type AuditFacts, type Findings, foundAt } from "./facts.ts";

const providers: ReadonlySet<string> = new Set(
  [...sessionMakers].filter((name) => name !== "createSessions"),
);
/** Functions whose sessions or tokens are either stored or signed and sent to the client. */
const keptMakers: ReadonlySet<string> = new Set([...sessionMakers, "createTokens"]);
const watched = keptMakers.union(new Set(["passkeys", "memorySessionStore", "memoryPasskeyStore"]));

export function checkSignIn(facts: AuditFacts): Findings {
  const { operations, settings, texts } = facts;
  const calls = operations.names.calls(watched);
  if (!calls.some(({ name }) => keptMakers.has(name))) return [];
  const places = (is: (call: AuthCall) => boolean): Place[] =>
    calls.filter(is).map(({ place }) => place);
  const isSecretAbsent = settings.possible("secret").some(isAbsent);
  const hasProvider = calls.some(({ name }) => providers.has(name));
  return [
    ...foundAt("critical", texts.signInSecret(), isSecretAbsent ? places(isSigning) : []),
    ...foundAt(
      "critical",
      texts.signInPasskeys(),
      places(({ name }) => name === "memoryPasskeyStore"),
    ),
    ...foundAt("critical", texts.signInRedirect(), [
      ...places(isOpenRedirect),
      ...openVariable(facts),
    ]),
    ...foundAt(
      "warning",
      texts.signInMemory(),
      places(({ name }) => name === "memorySessionStore"),
    ),
    ...foundAt(
      "warning",
      texts.signInRoles(),
      places((call) => hasProvider && sessionMakers.has(call.name) && isUnstored(call)),
    ),
    ...foundAt("info", texts.signInCookies(), places(isUnstored)),
  ];
}

/** Returns the calls that sign: those of providers and passkeys, and sessions and tokens without a store. */
export function signingCalls({ operations: { names } }: AuditFacts): readonly AuthCall[] {
  return names.calls(watched).filter(isSigning);
}

function isSigning(call: AuthCall): boolean {
  return isUnstored(call) || providers.has(call.name) || call.name === "passkeys";
}

function isUnstored({ name, node }: AuthCall): boolean {
  return keptMakers.has(name) &&
    node.arguments.every((argument) =>
      ts.isObjectLiteralExpression(argument) &&
      argument.properties.every((member) =>
        !ts.isSpreadAssignment(member) && !/^(?:stored?|sessions)$/.test(member.name.getText())
      )
    );
}

function isOpenRedirect({ name, node: { arguments: [client] } }: AuthCall): boolean {
  return providers.has(name) &&
    isPlainHttp(writtenText(memberValue(memberNamed(client, "redirectUrl"))));
}

function openVariable({ env }: AuditFacts): Place[] {
  return Object.keys(env)
    .filter((name) => /^FW_[A-Z]+_REDIRECT_URL$/.test(name) && isPlainHttp(env[name]))
    .map((name) => ({ file: name }));
}

function isPlainHttp(url: string | undefined): boolean {
  return /^http:\/\//i.test(url ?? "");
}
