/**
 * Joins the sources of `cli/samples`, the templates of `fw new` and `fw generate`, into a JSON
 * file. A registry rewrites the specifiers of `.ts` files, and the templates must stay unchanged.
 *
 * `deno task samples` writes `cli/samples.json`; a test compares both.
 */
import { join } from "@std/path";
import { listFiles, root } from "./workspace.ts";

export const samplesFile = "cli/samples.json";

export async function joinSamples(): Promise<string> {
  const folder = "cli/samples";
  const paths = (await listFiles(folder, [
    ".ts",
    ".sql",
    ".css",
    ".md",
    "/gitignore",
    "/Dockerfile",
    "/Caddyfile",
    ".conf",
    ".yaml",
  ]))
    .filter((path) => !/fw_gen\.ts$|\/public\/ui|\/public\/passkeys/.test(path)).sort();
  const entries = paths.map(async (path) =>
    [path.slice(folder.length + 1), await Deno.readTextFile(join(root, path))] as const
  );
  return `${JSON.stringify(Object.fromEntries(await Promise.all(entries)), null, 2)}\n`;
}

if (import.meta.main) await Deno.writeTextFile(join(root, samplesFile), await joinSamples());
