/**
 * Finds the tests that request a route, by the paths written in them.
 *
 * @module
 */
import { join } from "@std/path";
import { compareText } from "../../problem.ts";
import { anySegment, type RouteMatcher } from "../../project/routes/match.ts";

/** Returns the files of tests by the pattern of the route that they request. */
export function findTests(
  root: string,
  matcher: RouteMatcher,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const file of listTests(root)) {
    const text = Deno.readTextFileSync(join(root, file));
    for (const path of writtenPaths(text)) {
      const pattern = matcher.match(path)?.pattern;
      if (pattern === undefined) continue;
      found.set(pattern, (found.get(pattern) ?? new Set()).add(file));
    }
  }
  return new Map([...found].map(([pattern, files]) => [pattern, [...files].sort(compareText)]));
}

/** Returns the paths that stand as texts in code; a hole of a template is any segment. */
export function writtenPaths(code: string): Set<string> {
  const paths = new Set<string>();
  for (const [, , text = ""] of code.matchAll(/(["'`])(\/(?:(?!\1)[^\n\\])*)\1/g)) {
    const path = text.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, anySegment).replace(/[?#].*$/, "");
    if (!/[\s<>"'`$]/.test(path)) paths.add(path);
  }
  return paths;
}

const testFile = /[._]test\.[cm]?[jt]sx?$/;

/** Lists the files of tests and what lies beside them in folders of tests, sorted. */
function listTests(root: string): string[] {
  const found: string[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const { name, isDirectory, isFile } of Deno.readDirSync(join(root, folder))) {
      if (name.startsWith(".") || name === "node_modules" || name === "dist") continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (isDirectory) folders.push(path);
      else if (isFile && testFile.test(name)) found.push(path);
    }
  }
  return found.sort(compareText);
}
