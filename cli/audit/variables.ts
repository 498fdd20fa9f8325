import { minSecretBytes } from "@fw/fw/addon";
import { join } from "@std/path";
import ts from "npm:typescript@6.0.3";
import { statIfThere } from "../project/files/look.ts";
import { runGit } from "../project/process/git.ts";
import { isAbsent } from "../project/settings/settings.ts";
import { walkCalls } from "../project/sources/calls.ts";
import { type AuditFacts, type Checks, type Found, found, placesOf } from "./facts.ts";
import { signingCalls } from "./sign_in.ts";

const signingMethods: ReadonlySet<string> = new Set(["flash", "setSigned", "signed"]);

const envFile = ".env";

export const variableChecks = {
  secret: (facts) => {
    const findings = [
      ...checkKey(facts, "secret", "FW_SECRET"),
      ...checkKey(facts, "previousSecret", "FW_SECRET_PREVIOUS"),
    ];
    const absent = facts.settings.possible("secret").find(isAbsent);
    if (absent === undefined) return findings;
    const { source } = absent;
    const missing = missingSecret(facts, source.kind === "variable" ? source.name : "FW_SECRET");
    return [...findings, missing];
  },

  token: (facts) => checkKey(facts, "observability.token", "FW_OBS_TOKEN"),

  /** Checks that the replicas of FW_REPLICAS share the framework's stores. */
  replicas: ({ env, operations: { reach: { sources } }, texts }) => {
    const count = env["FW_REPLICAS"] ?? "1";
    if (!(Number(count) > 1)) return [];
    let isShared = false;
    walkCalls(sources, /\bprovideStores\b/, ({ expression }) => {
      isShared ||= ts.isIdentifier(expression) && expression.text === "provideStores";
    });
    return isShared ? [] : [found("warning", texts.replicasMemory(count))];
  },

  /** Checks that git does not see `.env`, which holds secrets. */
  "env-file": async ({ root, texts }) => {
    if (!(await statIfThere(join(root, envFile)))?.isFile) return [];
    const run = await runGit(root, ["check-ignore", "--quiet", "--", envFile]);
    // 0 for an ignored file that is not in the index, 128 outside a repository.
    return run?.code === 1 ? [found("warning", texts.envFileSeen(), [{ file: envFile }])] : [];
  },
} satisfies Checks;

function missingSecret(facts: AuditFacts, variable: string): Found {
  const { calls, texts } = facts;
  const signing = calls.filter((call) => call.isOnContext && signingMethods.has(call.name));
  const signIns = signingCalls(facts);
  const all = [...signing, ...signIns];
  if (all.length === 0) return found("info", texts.secretMissing(variable, undefined));
  const names = [...new Set(all.map(({ name }) => name))].sort().join(", ");
  const places = [
    ...signing.map(({ file, line, column }) => ({ file, line, column })),
    ...signIns.map(({ place }) => place),
  ];
  return found("critical", texts.secretMissing(variable, names), places);
}

/** Checks that a key is long enough without surrounding blanks and is not hard-coded. */
function checkKey({ settings, texts }: AuditFacts, setting: string, name: string): Found[] {
  return settings.possible(setting).flatMap((possible) => {
    const { kind, source } = possible;
    const places = placesOf([possible]);
    if (kind === "unknown") return [found("info", texts.secretByCode(name), places)];
    const value = kind === "known" ? possible.value : undefined;
    if (typeof value !== "string" || value === "") return [];
    const said = source.kind === "variable" ? source.name : name;
    const bytes = new TextEncoder().encode(value.trim()).length;
    return [
      ...bytes < minSecretBytes ? [found("critical", texts.secretShort(said, bytes), places)] : [],
      ...source.kind === "code" ? [found("warning", texts.secretInCode(name), places)] : [],
    ];
  });
}
