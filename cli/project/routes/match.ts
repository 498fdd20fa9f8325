import { comparePatterns } from "./table.ts";

/** A segment of a literal URL whose text is known only at run time. */
export const anySegment = "\0";

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
  const trimmed = path.replace(/^\/+|\/+$/g, "");
  return trimmed === "" ? [] : trimmed.split("/");
}

function matches(parts: readonly string[], segments: readonly string[]): boolean {
  const hasRest = parts.at(-1)?.endsWith("...}") === true;
  if (hasRest ? segments.length < parts.length : segments.length !== parts.length) return false;
  return parts.every((part, at) => part.startsWith("{") || fits(part, segments[at] ?? ""));
}

/** Reports whether a segment matches a name; its holes match any text. */
function fits(name: string, segment: string): boolean {
  if (!segment.includes(anySegment)) return name === segment;
  const parts = segment.split(anySegment);
  let at = 0;
  for (const part of parts) {
    const next = name.indexOf(part, at);
    if (next < 0) return false;
    at = next + part.length;
  }
  return name.startsWith(parts[0] ?? "") && name.endsWith(parts.at(-1) ?? "");
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).normalize("NFC");
  } catch {
    return segment;
  }
}
