import { settingRows } from "@fw/fw/addon";
import { publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { readTextIfThere } from "../project/files/look.ts";
import {
  isSetTrue,
  type PossibleValue,
  type ProductionSettings,
} from "../project/settings/settings.ts";
import { contrastFaults } from "../project/theme.ts";
import { type AuditFacts, type Checks, type Findings, found, foundAt, placesOf } from "./facts.ts";

const headers = settingRows().flatMap(([path, [kind]]) => kind === "header?" ? path : []);

export const exposureChecks = {
  settings: ({ settings: { unread }, texts }) =>
    foundAt("info", texts.settingsUnread(), unread === undefined ? [] : [unread]),

  env: ({ settings, task, env, texts }) => {
    const isDev = (value: unknown): boolean => String(value).trim().toLowerCase() === "dev";
    const code = settings.possible("env").filter((value) =>
      value.source.kind === "code" && value.kind === "known" && isDev(value.value)
    );
    if (code.length > 0) return [found("critical", texts.envDev("Config"), placesOf(code))];
    if (isDev(task?.env["FW_ENV"])) {
      return [found("critical", texts.envDev("deno.json: start"), [{ file: "deno.json" }])];
    }
    return isDev(env["FW_ENV"]) ? [found("warning", texts.envDevHere())] : [];
  },

  metrics: ({ settings, texts }) => {
    const paths = settings.possible("observability.metrics").filter(isSet);
    const [first] = paths;
    const isGuarded = ["token", "trusted"].some((name) =>
      settings.possible(`observability.${name}`).every(isSet)
    );
    if (first === undefined || isGuarded) return [];
    const path = first.kind === "known" ? String(first.value) : texts.somePath;
    return [found("critical", texts.metricsOpen(path), placesOf(paths))];
  },

  trusted: ({ settings, texts }) => {
    const { networks, values } = wholeNetworks(settings, "observability.trusted");
    if (networks === "") return [];
    return [found("warning", texts.trustedEverybody(networks), placesOf(values))];
  },

  proxies: ({ settings, texts }) => {
    const { networks, values } = wholeNetworks(settings, "trustedProxies");
    if (networks !== "") {
      return [found("warning", texts.proxiesEverybody(networks), placesOf(values))];
    }
    const isKnown = settings.possible("trustedProxies").every(isSet);
    return isKnown ? [] : [found("info", texts.proxiesNone())];
  },

  hosts: ({ settings, texts }) =>
    settings.possible("allowedHosts").every(isSet) ? [] : [found("warning", texts.hostsNone())],

  headers: ({ settings, texts }) => {
    const off = [...headers, "security.delegated"].map((name) => ({
      name: name.replace("security.", ""),
      values: settings.possible(name).filter((value) =>
        name === "security.delegated" ? isSetTrue(value) : value.kind === "off"
      ),
    })).filter(({ values }) => values.length > 0);
    const places = placesOf(off.flatMap(({ values }) => values));
    const names = off.map(({ name }) => name).join(", ");
    return off.length === 0 ? [] : [found("info", texts.headersOff(names), places)];
  },

  contrast: checkContrast,
} satisfies Checks;

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

const themeFile = `${publicFolder}/ui.theme.css`;

async function checkContrast({ root, texts }: AuditFacts): Promise<Findings> {
  const css = await readTextIfThere(join(root, themeFile));
  if (css === undefined) return [];
  return contrastFaults(css).map(({ block, front, ground, ratio, least }) => {
    const lines = css.slice(0, css.indexOf(`${block} {`)).split("\n").length;
    const ratioText = (Math.floor(ratio * 100) / 100).toFixed(2);
    return found(
      "warning",
      texts.contrastLow(`--${front}`, `--${ground}`, ratioText, String(least)),
      [{ file: themeFile, line: lines }],
    );
  });
}
