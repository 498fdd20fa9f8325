import type { Logger } from "../base/observe/logger.ts";
import type { StaticFiles } from "../serve/static/files.ts";

/** Maximum number of missing files that are remembered, to report each once. */
const maxReported = 100;

/**
 * Creates the check that reports in development, once for each name, that `c.asset` was called with the
 * name of a file that does not exist: the page would get a 404 for it.
 */
export function createAssetCheck(
  files: StaticFiles | undefined,
  log: Logger,
): (name: string) => void {
  const reported = new Set<string>();
  return (name) => {
    const path = name.replace(/[?#].*$/, "");
    if (reported.has(path) || reported.size >= maxReported || files?.has(path)) return;
    reported.add(path);
    log.warn(`Cannot find the asset "${path}": public${path} does not exist`, {
      fix:
        "create the file, or correct the name; `deno task ui` writes those of the component kit, " +
        "with --passkeys also passkeys.js",
    });
  };
}
