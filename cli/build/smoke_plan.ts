/**
 * Works out what an executable can be asked, from the settings of the application.
 *
 * @module
 */
import { listenHostOf } from "../project/start_task.ts";
import type { ProductionSettings } from "../project/settings/production.ts";
import type { SampleFile } from "./sample_file.ts";
import type { SmokeTest } from "./smoke.ts";

/** What {@linkcode planSmokeTest} needs besides the settings. */
export interface SmokePlanOptions {
  /** The flags with which the executable runs. */
  readonly flags: readonly string[];
  /** A static file that it should hold. */
  readonly file: SampleFile | undefined;
}

const defaultHealth = "/_fw/health";

/**
 * Works out what an executable is asked. What code decides is not known here: then any answer will do.
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

/** A text that a setting certainly has; `undefined` where it is off or only a run can tell. */
function textOf(
  settings: ProductionSettings,
  options: { readonly path: string; readonly otherwise: string },
): string | undefined {
  const { path, otherwise } = options;
  const [only, ...others] = settings.possible(path);
  if (only?.kind !== "known" || others.length > 0) return undefined;
  return typeof only.value === "string" ? only.value : otherwise;
}

/** The hosts under which it answers; none where it answers any, `undefined` where only a run can tell. */
function hostsOf(settings: ProductionSettings): readonly string[] | undefined {
  const [only, ...others] = settings.possible("allowedHosts");
  if (only?.kind !== "known" || others.length > 0) return undefined;
  return Array.isArray(only.value) ? only.value.map(String) : [];
}
