import type { SecuritySettings } from "@fw/fw";
import type { PossibleValue, ProductionSettings } from "../project/settings/production.ts";
import { type AuditFacts, found, placesOf, type Verdict } from "./facts.ts";

export function checkSettings({ settings, messages }: AuditFacts): Verdict {
  const { audit: texts } = messages;
  if (settings.unread === undefined) return texts.settingsRead;
  const places = [settings.unread];
  return [found("info", texts.settingsUnread(), { places })];
}

/** Checks that production does not run as development. */
export function checkEnv(facts: AuditFacts): Verdict {
  const { settings, task, env, messages: { audit: texts } } = facts;
  const isDev = (value: unknown): boolean => String(value).trim().toLowerCase() === "dev";
  const code = settings.possible("env").filter((value) =>
    value.kind === "known" && isDev(value.value)
  );
  if (code.length > 0) {
    return [found("critical", texts.envDev("Config"), { places: placesOf(code) })];
  }
  if (isDev(task?.env["FW_ENV"])) {
    const places = [{ file: "deno.json" }];
    return [found("critical", texts.envDev("deno.json: start"), { places })];
  }
  if (isDev(env["FW_ENV"])) return [found("warning", texts.envDevHere())];
  return texts.envProd;
}

export function checkMetrics({ settings, messages }: AuditFacts): Verdict {
  const { audit: texts } = messages;
  const paths = settings.possible("observability.metrics").filter(isSet);
  const [first] = paths;
  if (first === undefined) return texts.metricsOff;
  const path = first.kind === "known" ? String(first.value) : texts.somePath;
  const isGuarded = ["token", "trusted"].some((name) =>
    settings.possible(`observability.${name}`).every(isSet)
  );
  if (isGuarded) return texts.metricsGuarded(path);
  return [found("critical", texts.metricsOpen(path), { places: placesOf(paths) })];
}

/** Checks that trusted networks are not the whole internet. */
export function checkTrusted({ settings, messages }: AuditFacts): Verdict {
  const { audit: texts } = messages;
  const { networks, values } = wholeNetworks(settings, "observability.trusted");
  if (networks === "") return texts.trustedFine;
  const text = texts.trustedEverybody(networks);
  return [found("warning", text, { places: placesOf(values) })];
}

export function checkProxies({ settings, messages }: AuditFacts): Verdict {
  const { audit: texts } = messages;
  const { networks, values } = wholeNetworks(settings, "trustedProxies");
  if (networks !== "") {
    const text = texts.proxiesEverybody(networks);
    return [found("warning", text, { places: placesOf(values) })];
  }
  if (settings.possible("trustedProxies").every(isSet)) return texts.proxiesSet;
  return [found("info", texts.proxiesNone())];
}

/** Checks that the accepted hosts are limited. */
export function checkHosts({ settings, messages }: AuditFacts): Verdict {
  const { audit: texts } = messages;
  if (settings.possible("allowedHosts").every(isSet)) return texts.hostsSet;
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

export function checkHeaders({ settings, messages }: AuditFacts): Verdict {
  const { audit: texts } = messages;
  const isOff = (value: PossibleValue): boolean => value.kind === "off";
  const off = headers.filter((name) => settings.possible(`security.${name}`).some(isOff));
  const delegated = settings.possible("security.delegated")
    .filter((value) => value.kind === "known" && value.value === true);
  if (delegated.length > 0) off.push("delegated");
  if (off.length === 0) return texts.headersOn;
  const places = [
    ...off.flatMap((name) => placesOf(settings.possible(`security.${name}`).filter(isOff))),
    ...placesOf(delegated),
  ];
  return [found("info", texts.headersOff(off.join(", ")), { places })];
}

/** Reports whether a value turns a setting on, as far as is known. */
function isSet(value: PossibleValue): boolean {
  if (value.kind === "off") return false;
  if (value.kind === "unknown") return true;
  return Array.isArray(value.value) ? value.value.length > 0 : Boolean(value.value);
}

/** Returns the entries that are a whole address family. */
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
