import { findNearest } from "../base/diagnose/nearest.ts";
import type { Logger } from "../base/observe/logger.ts";
import type { StaticFiles } from "../serve/static/files.ts";

/** Maximum number of names that are remembered, to report each once. */
const maxReported = 100;

/** The files that `fw ui` writes. */
const kitFile = /^\/(?:ui(?:\.[a-z]+)*\.(?:css|js)|passkeys\.js)$/;

/**
 * Creates the check that reports in development, once for each name, that `c.asset` was called with the
 * name of a file that does not exist: the page would ask for it and get a 404.
 */
export function createAssetCheck(
  options: {
    readonly files: StaticFiles | undefined;
    readonly log: Logger;
  },
): (name: string) => void {
  const { files, log } = options;
  const reported = new Set<string>();
  return (name) => {
    const path = name.replace(/[?#].*$/, "");
    if (reported.has(path) || reported.size >= maxReported || files?.has(path)) return;
    reported.add(path);
    log.warn(`Cannot find the asset "${path}": public${path} does not exist`, {
      fix: fixOf(path, [...files?.list().files.keys() ?? []]),
    });
  };
}

function fixOf(path: string, names: readonly string[]): string {
  const option = path === "/passkeys.js" ? " --passkeys" : "";
  if (kitFile.test(path)) {
    return `run \`deno task ui${option}\`, which writes the files of the component kit to public/`;
  }
  const near = findNearest(path, names);
  return near === undefined
    ? "create the file, or correct the name"
    : `did you mean "${near}"? Correct the name, or create the file`;
}
