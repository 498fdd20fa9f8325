import type { SecuritySettings } from "@fw/fw";
import {
  isSetTrue,
  knownTexts,
  type PossibleValue,
  type ProductionSettings,
} from "../project/settings/production.ts";
import { type AuditFacts, type Findings, type Found, found, placesOf } from "./facts.ts";
import { publicFolder } from "@fw/fw/conventions";
import { resolve } from "@std/path";
import { liesIn, realPathSoFar } from "../project/files/look.ts";
import { runGit } from "../project/process/git.ts";
import { isAllowAll } from "../project/start_task.ts";

export function checkSettings({ settings, texts }: AuditFacts): Findings {
  if (settings.unread === undefined) return [];
  const places = [settings.unread];
  return [found("info", texts.settingsUnread(), places)];
}

export function checkEnv(facts: AuditFacts): Findings {
  const { settings, task, env, texts } = facts;
  const isDev = (value: unknown): boolean => String(value).trim().toLowerCase() === "dev";
  const code = settings.possible("env").filter((value) =>
    value.kind === "known" && isDev(value.value)
  );
  if (code.length > 0) {
    return [found("critical", texts.envDev("Config"), placesOf(code))];
  }
  if (isDev(task?.env["FW_ENV"])) {
    const places = [{ file: "deno.json" }];
    return [found("critical", texts.envDev("deno.json: start"), places)];
  }
  if (isDev(env["FW_ENV"])) return [found("warning", texts.envDevHere())];
  return [];
}

export function checkMetrics({ settings, texts }: AuditFacts): Findings {
  const paths = settings.possible("observability.metrics").filter(isSet);
  const [first] = paths;
  if (first === undefined) return [];
  const isGuarded = ["token", "trusted"].some((name) =>
    settings.possible(`observability.${name}`).every(isSet)
  );
  if (isGuarded) return [];
  const path = first.kind === "known" ? String(first.value) : texts.somePath;
  return [found("critical", texts.metricsOpen(path), placesOf(paths))];
}

export function checkTrusted({ settings, texts }: AuditFacts): Findings {
  const { networks, values } = wholeNetworks(settings, "observability.trusted");
  if (networks === "") return [];
  const text = texts.trustedEverybody(networks);
  return [found("warning", text, placesOf(values))];
}

export function checkProxies({ settings, texts }: AuditFacts): Findings {
  const { networks, values } = wholeNetworks(settings, "trustedProxies");
  if (networks !== "") {
    const text = texts.proxiesEverybody(networks);
    return [found("warning", text, placesOf(values))];
  }
  if (settings.possible("trustedProxies").every(isSet)) return [];
  return [found("info", texts.proxiesNone())];
}

export function checkHosts({ settings, texts }: AuditFacts): Findings {
  if (settings.possible("allowedHosts").every(isSet)) return [];
  return [found("warning", texts.hostsNone())];
}

/** The settings that are headers: the compiler asks for one that is missing here. */
const headers = Object.keys(
  {
    csp: true,
    strictTransportSecurity: true,
    frameOptions: true,
    contentTypeOptions: true,
    referrerPolicy: true,
    permissionsPolicy: true,
    crossOriginOpenerPolicy: true,
  } satisfies Record<Exclude<keyof SecuritySettings, "cspExtra" | "delegated" | "nonce">, true>,
);

export function checkHeaders({ settings, texts }: AuditFacts): Findings {
  const isOff = (value: PossibleValue): boolean => value.kind === "off";
  const off = headers.filter((name) => settings.possible(`security.${name}`).some(isOff));
  const delegated = settings.possible("security.delegated").filter(isSetTrue);
  if (delegated.length > 0) off.push("delegated");
  if (off.length === 0) return [];
  const places = [
    ...off.flatMap((name) => placesOf(settings.possible(`security.${name}`).filter(isOff))),
    ...placesOf(delegated),
  ];
  return [found("info", texts.headersOff(off.join(", ")), places)];
}

function isSet(value: PossibleValue): boolean {
  if (value.kind === "off") return false;
  if (value.kind === "unknown") return true;
  return Array.isArray(value.value) ? value.value.length > 0 : Boolean(value.value);
}

function wholeNetworks(
  settings: ProductionSettings,
  path: string,
): { readonly networks: string; readonly values: readonly PossibleValue[] } {
  const entriesOf = (value: PossibleValue): string[] =>
    value.kind === "known" && Array.isArray(value.value)
      ? value.value.map(String).filter((entry) => /\/0+$/.test(entry.trim()))
      : [];
  const values = settings.possible(path).filter((value) => entriesOf(value).length > 0);
  return { networks: [...new Set(values.flatMap(entriesOf))].join(", "), values };
}

/** Checks that no client and no repository gets what users sent, and that the folder can be written. */
export async function checkIncidents(facts: AuditFacts): Promise<Findings> {
  const { root, settings, texts } = facts;
  const values = settings.possible("observability.incidents")
    .filter((value) => value.kind !== "known" || Boolean(value.value));
  if (values.length === 0) return [];
  const findings: Found[] = [];
  for (const value of values) {
    // Known at run time only: the application itself refuses a folder that it serves.
    if (value.kind !== "known" || typeof value.value !== "string") continue;
    const folder = value.value;
    const path = await realPathSoFar(resolve(root, folder));
    const places = placesOf([value]);
    if (await isServed(path, facts)) {
      findings.push(found("critical", texts.incidentsServed(folder), places));
    }
    if (await isTracked(root, path)) {
      findings.push(found("critical", texts.incidentsCommitted(folder), places));
    }
    if (!mayWrite(path, facts)) {
      findings.push(found("warning", texts.incidentsRefused(folder), places));
    }
  }
  return findings;
}

async function isServed(path: string, { root, settings }: AuditFacts): Promise<boolean> {
  for (const folder of [publicFolder, ...knownTexts(settings, "public")]) {
    if (liesIn(path, await realPathSoFar(resolve(root, folder)))) return true;
  }
  return false;
}

async function isTracked(root: string, path: string): Promise<boolean> {
  const run = await runGit(root, ["ls-files", "-z", "--", path]);
  if (run?.code !== 0) return false;
  return run.stdout.split("\0").some((name) => /(?:^|\/)fw-incident-[^/]+$/.test(name));
}

function mayWrite(path: string, { root, task }: AuditFacts): boolean {
  if (task === undefined || task.flags.some(isAllowAll)) return true;
  return ["read", "write"].every((kind) => {
    const short = kind === "read" ? "-R" : "-W";
    return task.flags.some((flag) => {
      const [name, list] = flag.split(/=(.*)/s, 2);
      if (name !== `--allow-${kind}` && name !== short) return false;
      return list === undefined ||
        list.split(/(?<!,),(?!,)/).some((entry) => liesIn(path, resolve(root, entry)));
    });
  });
}
