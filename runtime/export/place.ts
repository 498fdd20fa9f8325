import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Config } from "../base/ctx/config.ts";
import type { Runtime } from "../pipeline/runtime.ts";
import { ExportConnection } from "../request/connections.ts";
import { isWithin } from "../serve/static/disk.ts";
import { mountedFrom } from "../serve/static/mounts.ts";
import type { ExportOptions } from "./options.ts";
import type { Site } from "./site.ts";

/** The address of a site without a `baseUrl`: no host has it, so it is recognisable where it shows up. */
const unknownOrigin = "http://export.invalid";

type SiteAddress = Pick<Site, "origin" | "isKnown">;

/**
 * Finds the address at which pages are requested.
 *
 * @throws {TypeError} for a base URL that is none, that has another path than the base path, or a host
 * that is not allowed.
 */
export function findAddress(options: ExportOptions, compiled: Runtime): SiteAddress {
  const { baseUrl } = options;
  if (baseUrl === undefined) return guessAddress(compiled.app.config);
  const url = URL.parse(baseUrl);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (url === null || !isWeb || url.username !== "" || url.search !== "" || url.hash !== "") {
    throw new TypeError(
      `Cannot export for "${baseUrl}": write the site's address without user, query and fragment, such as "https://example.com".`,
    );
  }
  const path = url.pathname.replace(/\/+$/, "");
  const { base } = compiled;
  if (path !== "" && path !== base) {
    throw new TypeError(
      `Cannot export for "${baseUrl}": the base path is "${base}"; set it to "${path}" (config.basePath, FW_BASE_PATH), or leave the path out.`,
    );
  }
  if (compiled.isAllowedHost?.(url.host, null, new ExportConnection()) === false) {
    throw new TypeError(
      `Cannot export for "${baseUrl}": config.allowedHosts (FW_ALLOWED_HOSTS) has no "${url.hostname}"; add it.`,
    );
  }
  return { origin: url.origin, isKnown: true };
}

/** An application that names its hosts would refuse any other. */
function guessAddress(config: Pick<Config, "allowedHosts">): SiteAddress {
  const { allowedHosts } = config;
  const host = allowedHosts.find((pattern) => !pattern.startsWith("*"));
  if (host !== undefined) return { origin: `https://${host.toLowerCase()}`, isKnown: true };
  const [pattern] = allowedHosts;
  if (pattern === undefined) return { origin: unknownOrigin, isKnown: false };
  throw new TypeError(
    `Cannot export without an address: config.allowedHosts has only "${pattern}"; give baseUrl.`,
  );
}

/**
 * Finds the folder of the site.
 *
 * @throws {TypeError} for a folder that is one of them, lies in one of them or holds one.
 */
export function findExportDir(
  dir: string | URL,
  own: { readonly appDir: string | undefined; readonly config: Config },
): string {
  const path = resolve(pathOf(dir));
  const real = realOf(path);
  const { public: publicSource, mounts } = own.config;
  for (const source of [publicSource, ...Object.values(mounts).map(mountedFrom)]) {
    if (typeof source !== "string" && !(source instanceof URL)) continue;
    const folder = realOf(resolve(pathOf(source)));
    if (isWithin(real, folder) || isWithin(folder, real)) {
      throw new TypeError(
        `Cannot export to "${path}": the folder "${folder}" with static files is there; choose another.`,
      );
    }
  }
  const app = own.appDir === undefined ? undefined : realOf(own.appDir);
  const isSource = app !== undefined &&
    (isWithin(app, real) || isWithin(real, join(app, "app")));
  if (!isSource) return path;
  throw new TypeError(
    `Cannot export to "${path}": the application itself is there; choose another folder, such as "dist".`,
  );
}

function pathOf(dir: string | URL): string {
  return dir instanceof URL || dir.startsWith("file:") ? fileURLToPath(dir) : dir;
}

/** Returns the path with links resolved, as far as it exists and is readable. */
function realOf(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    const isMissing = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotADirectory;
    // What may not be looked at, or is inside an executable, is compared by its name.
    if (!isMissing || dirname(path) === path) return path;
    return join(realOf(dirname(path)), relative(dirname(path), path));
  }
}
