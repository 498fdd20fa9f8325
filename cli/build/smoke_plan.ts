/**
 * Plans the test of an executable from the settings of the application.
 *
 * @module
 */
import type { ProductionSettings } from "../project/settings/production.ts";
import { listenHostOf } from "../project/start_task.ts";
import type { SampleFile } from "./sample_file.ts";
import type { SmokeTest } from "./smoke.ts";

export interface SmokePlanOptions {
  readonly flags: readonly string[];
  /** A static file that the executable should serve. */
  readonly file: SampleFile | undefined;
}

const defaultHealth = "/_fw/health";

/**
 * Plans the requests. If settings are not known, any response is accepted.
 *
 * @param settings The settings of the application.
 * @param options The flags, and a file.
 */
export function planSmokeTest(
  settings: ProductionSettings,
  options: SmokePlanOptions,
): Omit<SmokeTest, "executable" | "env"> {
  const { flags, file } = options;
  const listen = listenHostOf(flags);
  const base = textOf(settings, { path: "basePath", otherwise: "" });
  const hosts = hostsOf(settings);
  const isKnown = settings.unread === undefined && base !== undefined && hosts !== undefined;
  if (!isKnown) return { listen, livePath: undefined };
  const prefix = base.replace(/\/+$/, "");
  const health = textOf(settings, { path: "observability.health", otherwise: defaultHealth });
  const isOwnPublic = settings.possible("public").every(({ source }) => source.kind === "default");
  const [host] = hosts;
  return {
    listen,
    livePath: health === undefined ? undefined : `${prefix}${health}/live`,
    ...(host === undefined ? {} : { host: host.replace("*", "smoke-test") }),
    ...(file === undefined || !isOwnPublic ? {} : { file: { ...file, path: prefix + file.path } }),
  };
}

/** Returns the certain text of a setting; `undefined` if it is off or not known. */
function textOf(
  settings: ProductionSettings,
  options: { readonly path: string; readonly otherwise: string },
): string | undefined {
  const { path, otherwise } = options;
  const [only, ...others] = settings.possible(path);
  if (only?.kind !== "known" || others.length > 0) return undefined;
  return typeof only.value === "string" ? only.value : otherwise;
}

/** Returns the accepted hosts: none if any is accepted, `undefined` if not known. */
function hostsOf(settings: ProductionSettings): readonly string[] | undefined {
  const [only, ...others] = settings.possible("allowedHosts");
  if (only?.kind !== "known" || others.length > 0) return undefined;
  return Array.isArray(only.value) ? only.value.map(String) : [];
}
