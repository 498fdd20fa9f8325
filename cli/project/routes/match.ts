import { comparePatterns } from "./table.ts";

/** A segment of a written URL whose text is known only at run time. */
export const anySegment = "\0";

type Matched = { readonly pattern: string };

/** Returns the route of a path, as the runtime finds it. */
export type RouteMatcher<T = Matched> = (path: string) => T | undefined;

export function createMatcher<T extends Matched>(routes: readonly T[]): RouteMatcher<T> {
  const known = routes.toSorted((a, b) => comparePatterns(a.pattern, b.pattern))
    .map((route) => ({ route, wanted: segmentsOf(route.pattern) }));
  return (path) => {
    const parts = segmentsOf(path).map(literalOf);
    return known.find(({ wanted }) => fits(wanted, parts))?.route;
  };
}

function segmentsOf(path: string): readonly string[] {
  const trimmed = path.replace(/^\/+|\/+$/g, "");
  return trimmed === "" ? [] : trimmed.split("/");
}

function fits(wanted: readonly string[], parts: readonly (string | RegExp)[]): boolean {
  const isRest = wanted.at(-1)?.endsWith("...}") === true;
  if (isRest ? parts.length < wanted.length : parts.length !== wanted.length) return false;
  return wanted.every((name, at) => {
    const part = parts[at];
    return name.startsWith("{") || (part instanceof RegExp ? part.test(name) : part === name);
  });
}

/** Returns the literal that a segment of a path means, or all that one with a hole may mean. */
function literalOf(segment: string): string | RegExp {
  if (segment.includes(anySegment)) {
    return new RegExp(`^${segment.split(anySegment).map(RegExp.escape).join(".*")}$`, "s");
  }
  try {
    return decodeURIComponent(segment).normalize("NFC");
  } catch {
    return segment;
  }
}
