import { comparePatterns } from "./table.ts";

type Matched = { readonly pattern: string };

/** Returns the route of a path by the runtime's rules. */
export type RouteMatcher<T = Matched> = (path: string) => T | undefined;

export function createMatcher<T extends Matched>(routes: readonly T[]): RouteMatcher<T> {
  const sorted = routes.toSorted((a, b) => comparePatterns(a.pattern, b.pattern))
    .map((route) => ({ route, parts: splitSegments(route.pattern) }));
  return (path) => {
    const segments = splitSegments(path).map(decodeSegment);
    return sorted.find(({ parts }) => matches(parts, segments))?.route;
  };
}

function splitSegments(path: string): string[] {
  const trimmed = path.replace(/^\/+|(?<!\/)\/+$/g, "");
  return trimmed === "" ? [] : trimmed.split("/");
}

function matches(parts: readonly string[], segments: readonly string[]): boolean {
  const hasRest = parts.at(-1)?.endsWith("...}") === true;
  if (hasRest ? segments.length < parts.length : segments.length !== parts.length) return false;
  return parts.every((part, at) => part.startsWith("{") || part === segments[at]);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).normalize("NFC");
  } catch {
    return segment;
  }
}
