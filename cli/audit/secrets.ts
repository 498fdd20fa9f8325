import { minSecretBytes } from "@fw/fw/addon";
import type { Messages } from "../messages/catalog.ts";
import { isAbsent, type PossibleValue } from "../project/settings/production.ts";
import { type AuditFacts, type Findings, type Found, found, placesOf } from "./facts.ts";
import { signingSignIns } from "./sign_in.ts";

const signingMethods: ReadonlySet<string> = new Set(["flash", "setSigned", "signed"]);

export function checkSecret(facts: AuditFacts): Findings {
  const { settings, texts } = facts;
  const values = settings.possible("secret");
  const findings = [
    ...checkKey({ name: "FW_SECRET", values, texts }),
    ...checkKey({
      name: "FW_SECRET_PREVIOUS",
      values: settings.possible("previousSecret"),
      texts,
    }),
  ];
  if (values.some(isAbsent)) findings.push(missingSecret(facts, values));
  return findings;
}

function missingSecret(facts: AuditFacts, values: readonly PossibleValue[]): Found {
  const { calls, texts } = facts;
  const source = values.find(isAbsent)?.source;
  const variable = source?.kind === "variable" ? source.name : "FW_SECRET";
  const signing = calls.filter((call) => call.isOnContext && signingMethods.has(call.name));
  const signIns = signingSignIns(facts);
  const all = [...signing, ...signIns];
  if (all.length === 0) return found("info", texts.secretMissing(variable));
  const names = [...new Set(all.map(({ name }) => name))].sort().join(", ");
  const places = [
    ...signing.map(({ file, line, column }) => ({ file, line, column })),
    ...signIns.map(({ place }) => place),
  ];
  return found("critical", texts.secretMissingUsed(variable, names), places);
}

export function checkToken(facts: AuditFacts): Findings {
  const { settings, texts } = facts;
  const values = settings.possible("observability.token");
  return checkKey({ name: "FW_OBS_TOKEN", values, texts });
}

/** Checks the length of a key without the blanks around it, and that it is not written in the code. */
function checkKey(key: {
  readonly name: string;
  readonly values: readonly PossibleValue[];
  readonly texts: Messages["audit"];
}): Found[] {
  const { name, values, texts } = key;
  const findings: Found[] = [];
  for (const value of values) {
    const places = placesOf([value]);
    if (value.kind === "unknown") {
      findings.push(found("info", texts.secretByCode(name), places));
    }
    if (value.kind !== "known" || typeof value.value !== "string" || value.value === "") continue;
    const said = value.source.kind === "variable" ? value.source.name : name;
    const bytes = new TextEncoder().encode(value.value.trim()).length;
    if (bytes < minSecretBytes) {
      findings.push(found("critical", texts.secretShort(said, bytes), places));
    }
    if (value.source.kind === "code") {
      findings.push(found("warning", texts.secretInCode(name), places));
    }
  }
  return findings;
}
