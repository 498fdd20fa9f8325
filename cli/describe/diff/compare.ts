import { entriesOf, listOf, memberOf, textOf } from "../../project/json.ts";
import {
  type Change,
  type ChangeLevel,
  changeLevels,
  type Direction,
  isRequired,
  type Report,
  SchemaComparer,
} from "./schema.ts";

/** Lists the differences, breaking ones first. An unknown member is breaking, so no check passes by omission. */
export function compareDocuments(before: unknown, after: unknown): readonly Change[] {
  const found = new Map<string, Change>();
  const reportFor = (operation: string): Report => ({ level, ...rest }) => {
    const key = JSON.stringify([operation, rest]);
    const known = found.get(key);
    // A shared schema of requests and responses has its most serious meaning.
    if (known === undefined || changeLevels.indexOf(level) < changeLevels.indexOf(known.level)) {
      found.set(key, { level, operation, ...rest });
    }
  };
  const report = reportFor("");
  const schemas = new SchemaComparer(before, after);
  try {
    compareRest("document", [before, after], report);
    compareParts(readSchemes(before), readSchemes(after), { schemas, report });
    const [older, newer] = [operationsOf(before), operationsOf(after)];
    for (const key of new Set([...older.keys(), ...newer.keys()])) {
      const [from, to] = [older.get(key), newer.get(key)];
      const own = reportFor(to?.label ?? from?.label ?? "");
      if (from === undefined) own({ level: "compatible", kind: "added", place: "operation" });
      else if (to === undefined) own({ level: "breaking", kind: "removed", place: "operation" });
      else {
        compareRest("operation", [from.operation, to.operation], own);
        compareSecurity(from.security, to.security, own);
        compareParts(readParts(from), readParts(to), { schemas, report: own });
      }
    }
    schemas.compareShared(report);
  } catch (error) {
    // The document is nested too deeply for the engine's stack.
    if (!(error instanceof RangeError)) throw error;
    report({ level: "breaking", kind: "not compared", place: "document" });
  }
  return [...found.values()].toSorted((a, b) =>
    changeLevels.indexOf(a.level) - changeLevels.indexOf(b.level)
  );
}

const known: Readonly<Record<string, string>> = {
  document: "openapi info tags externalDocs paths components security",
  operation: "summary description tags externalDocs security parameters requestBody responses",
  parameter: "name description example examples required schema",
  security: "description",
};
/** Members whose change deserves a notice but breaks no request. */
const notices: ReadonlySet<string> = new Set(["operationId", "deprecated", "servers"]);

function compareRest(
  place: string,
  [before, after]: readonly [before: unknown, after: unknown],
  report: Report,
  part = place,
): void {
  const names = [before, after].flatMap((each) => entriesOf(each).map(([name]) => name));
  for (const name of new Set(names)) {
    if (known[part]?.split(" ").includes(name)) continue;
    const [from, to] = [memberOf(before, name), memberOf(after, name)];
    if (JSON.stringify(from) === JSON.stringify(to)) continue;
    // Dropping the CSRF check breaks no client.
    const isLooser = name === "x-csrf" && to === undefined;
    const level = notices.has(name) ? "notice" : isLooser ? "compatible" : "breaking";
    report({ level, kind: "changed", place, name, from, to });
  }
}

interface OperationText {
  readonly label: string;
  readonly path: string;
  readonly operation: unknown;
  readonly security: readonly unknown[];
}

/** Returns the operations by method and path, ignoring the names of path parameters. */
function operationsOf(document: unknown): Map<string, OperationText> {
  return new Map(
    entriesOf(memberOf(document, "paths")).flatMap(([path, item]) =>
      entriesOf(item).map(([method, operation]) => {
        const security = listOf(memberOf(operation, "security") ?? memberOf(document, "security"));
        const label = `${method.toUpperCase()} ${path}`;
        const key = `${method} ${path.replace(/\{[^{}]*\}/g, "{}")}`;
        return [key, { label, path, operation, security }] as const;
      })
    ),
  );
}

/** Compares security: callers keep their access if every old alternative remains. */
function compareSecurity(from: readonly unknown[], to: readonly unknown[], report: Report): void {
  const [old, now] = [from, to].map((list) => list.map((each) => JSON.stringify(each)));
  if (JSON.stringify(old) === JSON.stringify(now)) return;
  const isLooser = now?.length === 0 ||
    (old?.length !== 0 && old?.every((each) => now?.includes(each)));
  const level = isLooser ? "compatible" : "breaking";
  report({ level, kind: "changed", place: "operation", name: "security", from, to });
}

interface Part {
  readonly value: unknown;
  readonly removed: ChangeLevel;
  /** The containing part. If that was added or removed, it alone is reported. */
  readonly owner?: string;
  /** The place of its schema, and whether clients or the server write its values. */
  readonly schema?: readonly [place: string, direction: Direction, value: unknown];
}

type Parts = ReadonlyMap<string, Part>;

function readSchemes(document: unknown): Parts {
  return new Map(
    entriesOf(memberOf(memberOf(document, "components"), "securitySchemes"))
      .map(([name, value]) => [`security ${name}`, { value, removed: "notice" }]),
  );
}

function readParts({ path, operation }: OperationText): Parts {
  const parts = new Map<string, Part>();
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  for (const value of listOf(memberOf(operation, "parameters"))) {
    const [place, name] = [textOf(memberOf(value, "in")), textOf(memberOf(value, "name"))];
    const own = `${place}.${place === "path" ? names.indexOf(name) : name}`;
    // Servers ignore unknown parameters, but the caller may rely on this one.
    const schema = [own, "request", memberOf(value, "schema")] as const;
    parts.set(own, { value, removed: "notice", schema });
  }
  const addContent = (owner: string, direction: Direction, value: unknown): void => {
    for (const [media, content] of entriesOf(memberOf(value, "content"))) {
      const schema = [owner, direction, memberOf(content, "schema")] as const;
      parts.set(`${owner} ${media}`, { value: undefined, removed: "breaking", owner, schema });
    }
  };
  const body = memberOf(operation, "requestBody");
  if (body !== undefined) parts.set("request", { value: body, removed: "breaking" });
  addContent("request", "request", body);
  for (const [status, value] of entriesOf(memberOf(operation, "responses"))) {
    const owner = `response ${status}`;
    // Removing an error response breaks no client.
    parts.set(owner, { value: undefined, removed: /^[123]/.test(status) ? "breaking" : "notice" });
    for (const [name, header] of entriesOf(memberOf(value, "headers"))) {
      const place = `${owner} header ${name}`;
      const schema = [place, "response", memberOf(header, "schema")] as const;
      parts.set(place, { value: undefined, removed: "notice", owner, schema });
    }
    addContent(owner, "response", value);
  }
  return parts;
}

/** Compares the parts of two operations: a new part is breaking only if it is required. */
function compareParts(
  before: Parts,
  after: Parts,
  { schemas, report }: { readonly schemas: SchemaComparer; readonly report: Report },
): void {
  for (const place of new Set([...before.keys(), ...after.keys()])) {
    const [from, to] = [before.get(place), after.get(place)];
    const isNeeded = isRequired(to?.value);
    if (to === undefined) {
      if (from?.owner !== undefined && !after.has(from.owner)) continue;
      report({ level: from?.removed ?? "breaking", kind: "removed", place });
    } else if (from === undefined) {
      if (to.owner !== undefined && !before.has(to.owner)) continue;
      const kind = isNeeded ? "added required" : "added";
      report({ level: isNeeded ? "breaking" : "compatible", kind, place });
    } else {
      const kind = isNeeded ? "became required" : "became optional";
      if (isRequired(from.value) !== isNeeded) {
        report({ level: isNeeded ? "breaking" : "compatible", kind, place });
      }
      const [part = ""] = place.split(" ");
      if (part !== "request") {
        const both = [from.value, to.value] as const;
        compareRest(place, both, report, part === "security" ? part : "parameter");
      }
      const [at, direction, schema] = to.schema ?? [];
      if (at === undefined || direction === undefined) continue;
      schemas.compare(from.schema?.[2], schema, { place: at, direction, report, depth: 0 });
    }
  }
}
