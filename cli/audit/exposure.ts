import { settingRows } from "@fw/fw/addon";
import { publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { readTextIfThere } from "../project/files/look.ts";
import {
  isSetTrue,
  isSurelySet,
  mayBeSet,
  type SettingValue,
} from "../project/settings/settings.ts";
import { contrastFaults } from "../project/theme.ts";
import { type AuditFacts, type Checks, type Findings, found, foundAt, placesOf } from "./facts.ts";

/** The settings that set headers. */
const headers = settingRows().flatMap(([path, [kind]]) => kind === "header?" ? path : []);

const delegated = "security.delegated";

export const exposureChecks = {
  settings: ({ settings: { unread }, texts }) =>
    foundAt("info", texts.settingsUnread(), unread === undefined ? [] : [unread]),

  env: ({ settings, task, env, texts }) => {
    const isDev = (value: unknown): boolean => String(value).trim().toLowerCase() === "dev";
    const set = settings.read("env");
    if (set.source.kind === "code" && set.kind === "known" && isDev(set.value)) {
      return [found("critical", texts.envDev("Config"), placesOf(set))];
    }
    if (isDev(task?.env["FW_ENV"])) {
      return [found("critical", texts.envDev("deno.json: start"), [{ file: "deno.json" }])];
    }
    return isDev(env["FW_ENV"]) ? [found("warning", texts.envDevHere())] : [];
  },

  metrics: ({ settings, texts }) => {
    const path = settings.read("observability.metrics");
    const isGuarded = ["token", "trusted"].some((name) =>
      isSurelySet(settings.read(`observability.${name}`))
    );
    if (!mayBeSet(path) || isGuarded) return [];
    const shown = path.kind === "known" ? String(path.value) : texts.somePath;
    return [found("critical", texts.metricsOpen(shown), placesOf(path))];
  },

  trusted: ({ settings, texts }) => {
    const trusted = settings.read("observability.trusted");
    const networks = wholeNetworks(trusted);
    if (networks === "") return [];
    return [found("warning", texts.trustedEverybody(networks), placesOf(trusted))];
  },

  proxies: ({ settings, texts }) => {
    const proxies = settings.read("trustedProxies");
    const networks = wholeNetworks(proxies);
    if (networks !== "") {
      return [found("warning", texts.proxiesEverybody(networks), placesOf(proxies))];
    }
    return isSurelySet(proxies) ? [] : [found("info", texts.proxiesNone())];
  },

  hosts: ({ settings, texts }) =>
    isSurelySet(settings.read("allowedHosts")) ? [] : [found("warning", texts.hostsNone())],

  headers: ({ settings, texts }) => {
    const values = new Map([...headers, delegated].map((name) => [name, settings.read(name)]));
    const off = [...values].filter(([name, value]) =>
      name === delegated ? isSetTrue(value) : value.kind === "off"
    );
    if (off.length === 0) return [];
    const names = off.map(([name]) => name.replace("security.", "")).join(", ");
    return [found("info", texts.headersOff(names), off.flatMap(([, value]) => placesOf(value)))];
  },

  contrast: checkContrast,
} satisfies Checks;

/** Returns the networks of a setting that contain every address. */
function wholeNetworks(value: SettingValue): string {
  const networks = value.kind === "known" && Array.isArray(value.value) ? value.value : [];
  const whole = networks.map(String).filter((entry) => /\/0+$/.test(entry.trim()));
  return [...new Set(whole)].join(", ");
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
