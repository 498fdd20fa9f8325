import { dirname, fromFileUrl, join, relative, resolve } from "@std/path";
import type { Config } from "../../base/ctx/config.ts";
import { isWithin } from "../static/disk.ts";

/**
 * Refuses a folder of incidents that the application serves: clients would read what others sent.
 *
 * @throws {TypeError} naming both settings.
 */
export function refuseServedFolder(
  folder: string,
  served: Pick<Config, "public" | "mounts"> & { readonly defaultPublic: string | undefined },
): void {
  const { public: own = served.defaultPublic, mounts } = served;
  const places: (readonly [string, unknown])[] = [
    ["config.public", own],
    ...Object.entries(mounts).map(([prefix, mount]): [string, unknown] => {
      const isSettings = typeof mount === "object" && "from" in mount;
      return [`config.mounts["${prefix}"]`, isSettings ? mount.from : mount];
    }),
  ];
  for (const [setting, place] of places) {
    const path = pathOf(place);
    if (path === undefined || !isWithin(realPath(folder), path)) continue;
    throw new TypeError(
      `Cannot set config.observability.incidents to "${folder}": ${setting} serves that folder, so clients could read the requests; choose another, such as ".fw/incidents".`,
    );
  }
}

function pathOf(place: unknown): string | undefined {
  if (typeof place === "string") return realPath(place);
  return place instanceof URL && place.protocol === "file:"
    ? realPath(fromFileUrl(place))
    : undefined;
}

/**
 * Resolves the links of a path where that is possible: a link into the static files is served too. What
 * does not exist yet is made below the folder that does.
 */
function realPath(path: string): string {
  const whole = resolve(path);
  for (let at = whole;; at = dirname(at)) {
    try {
      return join(Deno.realPathSync(at), relative(at, whole));
    } catch {
      if (dirname(at) === at) return whole;
    }
  }
}
