import { join } from "@std/path";
import { compareText } from "../../problem.ts";
import { listTests } from "../../project/sources/list_tests.ts";
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
