/** A segment of a written URL whose text is known only at run time. */
export const anySegment = "\0";

type Matched = { readonly pattern: string };

/** Returns the route of a path, as the runtime finds it. */
export type RouteMatcher<T = Matched> = (path: string) => T | undefined;

interface Branch<T> {
  readonly literals: Map<string, Branch<T>>;
  param: Branch<T> | undefined;
  rest: T | undefined;
  route: T | undefined;
}

export function createMatcher<T extends Matched>(routes: readonly T[]): RouteMatcher<T> {
  const root = newBranch<T>();
  for (const route of routes) {
    let at = root;
    for (const segment of route.pattern.split("/").filter((part) => part !== "")) {
      if (segment.endsWith("...}")) {
        at.rest = route;
        break;
      }
      at = segment.startsWith("{")
        ? at.param ??= newBranch()
        : at.literals.getOrInsertComputed(segment, () => newBranch());
    }
    if (!route.pattern.endsWith("...}")) at.route = route;
  }
  return (path) => {
    const trimmed = path.replace(/^\/+|\/+$/g, "");
    return find(root, trimmed === "" ? [] : trimmed.split("/"));
  };
}

function newBranch<T>(): Branch<T> {
  return { literals: new Map(), param: undefined, rest: undefined, route: undefined };
}

function find<T>(branch: Branch<T>, segments: readonly string[]): T | undefined {
  const [first, ...others] = segments;
  if (first === undefined) return branch.route;
  for (const next of literalsFor(branch, first)) {
    const found = find(next, others);
    if (found !== undefined) return found;
  }
  const found = branch.param && find(branch.param, others);
  return found ?? branch.rest;
}

function literalsFor<T>({ literals }: Branch<T>, segment: string): Branch<T>[] {
  if (!segment.includes(anySegment)) {
    return [literals.get(decodeSegment(segment))].flatMap((each) => each ?? []);
  }
  const parts = segment.split(anySegment);
  return [...literals].filter(([name]) => fits(name, parts)).map(([, branch]) => branch);
}

function fits(name: string, parts: readonly string[]): boolean {
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
