import { entriesOf, listOf, memberOf, objectOf, textOf, textsOf } from "../../project/json.ts";
import { type Change, type ChangeLevel, Changes, type Difference, difference } from "./change.ts";
import { type Direction, SchemaComparer } from "./schema.ts";

/**
 * Lists the differences between two documents that `fw openapi` wrote, breaking ones first and each once.
 * What it does not know counts as breaking: a check must not pass because it gave up.
 */
export function compareDocuments(before: unknown, after: unknown): readonly Change[] {
  const changes = new Changes();
  const schemas = new SchemaComparer(before, after);
  try {
    const own = new Comparison(schemas, (each) => changes.add(each));
    own.compareRest("document", before, after);
    own.each(schemesOf(before), schemesOf(after), {
      place: (name) => `security ${name}`,
      removed: "notice",
      both: (place, from, to) => own.compareRest(place, from, to),
    });
    const others = operationsOf(after);
    for (const [key, from] of operationsOf(before)) {
      const to = others.get(key);
      const label = to?.label ?? from.label;
      const comparison = new Comparison(schemas, (each) => changes.add(each, label));
      if (to === undefined) comparison.add("operation", "removed", "breaking");
      else comparison.compareOperation(from, to);
      others.delete(key);
    }
    for (const { label } of others.values()) {
      changes.add(difference("operation", "added", { level: "compatible" }), label);
    }
  } catch (error) {
    // A document that is nested deeper than the engine's stack.
    if (!(error instanceof RangeError)) throw error;
    changes.add(difference("document", "not compared", { level: "breaking" }));
  }
  return changes.list();
}

/** Members that say nothing to a client, or that are compared by themselves. */
const known: Readonly<Record<string, string>> = {
  document: "openapi info tags externalDocs paths components security",
  operation: "summary description tags externalDocs security parameters requestBody responses",
  parameter: "name description example examples required schema",
  security: "description",
};
/** Members whose change is worth a look and breaks no request. */
const notices: ReadonlySet<string> = new Set(["operationId", "deprecated", "servers", "name"]);

interface OperationText {
  readonly label: string;
  readonly path: string;
  readonly operation: unknown;
  /** The alternatives of what a caller must have. */
  readonly security: readonly unknown[];
}

/** Returns the operations by method and path; the names of path parameters do not matter. */
function operationsOf(document: unknown): Map<string, OperationText> {
  return new Map(
    entriesOf(memberOf(document, "paths")).flatMap(([path, item]) =>
      entriesOf(item).map(([method, operation]) => {
        const security = memberOf(operation, "security") ?? memberOf(document, "security");
        const label = `${method.toUpperCase()} ${path}`;
        const key = `${method} ${path.replace(/\{[^{}]*\}/g, "{}")}`;
        return [key, { label, path, operation, security: listOf(security) }] as const;
      })
    ),
  );
}

function schemesOf(document: unknown): Map<string, unknown> {
  return membersOf(memberOf(document, "components"), "securitySchemes");
}

/** The meaning of a part that one of two lists lacks, and the comparison of two parts. */
interface PartRules {
  readonly place: (key: string) => string;
  readonly removed: ChangeLevel | ((key: string) => ChangeLevel);
  readonly both: (place: string, before: unknown, after: unknown) => void;
}

class Comparison {
  readonly #schemas: SchemaComparer;
  readonly #report: (found: Difference) => void;

  constructor(schemas: SchemaComparer, report: (found: Difference) => void) {
    this.#schemas = schemas;
    this.#report = report;
  }

  add(place: string, kind: Change["kind"], level: ChangeLevel): void {
    this.#report(difference(place, kind, { level }));
  }

  /** Compares two maps: a new part breaks only where it is required. */
  each(
    before: ReadonlyMap<string, unknown>,
    after: ReadonlyMap<string, unknown>,
    { place, removed, both }: PartRules,
  ): void {
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const at = place(key);
      if (!after.has(key)) {
        this.add(at, "removed", typeof removed === "string" ? removed : removed(key));
      } else if (before.has(key)) both(at, before.get(key), after.get(key));
      else if (isRequired(after.get(key))) this.add(at, "added required", "breaking");
      else this.add(at, "added", "compatible");
    }
  }

  compareRest(place: string, before: unknown, after: unknown, part = place.split(" ")[0]): void {
    const others = new Map(entriesOf(after));
    const names = new Set([...entriesOf(before).map(([name]) => name), ...others.keys()]);
    for (const name of names) {
      if (known[part ?? ""]?.split(" ").includes(name)) continue;
      const [from, to] = [memberOf(before, name), others.get(name)];
      if (JSON.stringify(from) === JSON.stringify(to)) continue;
      // A CSRF token that is no longer checked asks for less.
      const isLooser = name === "x-csrf" && to === undefined;
      const level = notices.has(name) ? "notice" : isLooser ? "compatible" : "breaking";
      this.#report(difference(place, "changed", { level, name, from, to }));
    }
  }

  compareOperation(before: OperationText, after: OperationText): void {
    const [own, other] = [before.operation, after.operation];
    this.compareRest("operation", own, other);
    this.#compareSecurity(before.security, after.security);
    const [from, to] = [parametersOf(before), parametersOf(after)];
    this.each(from, to, {
      place: (key) => {
        const parameter = to.get(key) ?? from.get(key);
        return `${memberOf(parameter, "in")}.${memberOf(parameter, "name")}`;
      },
      // Servers ignore what they do not know, but the caller may count on it.
      removed: "notice",
      both: (place, from, to) => this.#compareParameter(place, from, to),
    });
    this.each(partOf(own, "requestBody"), partOf(other, "requestBody"), {
      place: () => "request",
      removed: "breaking",
      both: (place, from, to) => {
        this.#compareRequired(place, from, to);
        this.#compareContents(place, "request", [from, to]);
      },
    });
    this.each(membersOf(own, "responses"), membersOf(other, "responses"), {
      place: (status) => `response ${status}`,
      // An error that cannot happen any more breaks no client.
      removed: (status) => /^[123]/.test(status) ? "breaking" : "notice",
      both: (place, from, to) => {
        this.each(membersOf(from, "headers"), membersOf(to, "headers"), {
          place: (name) => `${place} header ${name}`,
          removed: "notice",
          both: (at, own, other) => this.#compareSchemas(at, "response", [own, other]),
        });
        this.#compareContents(place, "response", [from, to]);
      },
    });
  }

  /** A caller that met one of the older alternatives must still meet one of the newer. */
  #compareSecurity(before: readonly unknown[], after: readonly unknown[]): void {
    const own = before.length === 0 ? [{}] : before;
    const other = after.length === 0 ? [{}] : after;
    const isLost = own.some((each) => !other.some((wanted) => satisfies(each, wanted)));
    const isGained = other.some((each) => !own.some((wanted) => satisfies(each, wanted)));
    if (!isLost && !isGained) return;
    const [from, to] = [own, other].map((each) => each.map(requirementText).join(" or "));
    const level = isLost ? "breaking" : "compatible";
    this.#report(difference("operation", "changed", { level, name: "security", from, to }));
  }

  #compareParameter(place: string, before: unknown, after: unknown): void {
    this.#compareRequired(place, before, after);
    const [from, to] = [memberOf(before, "name"), memberOf(after, "name")];
    if (from !== to) {
      this.#report(difference(place, "changed", { level: "notice", name: "name", from, to }));
    }
    this.compareRest(place, before, after, "parameter");
    this.#compareSchemas(place, "request", [before, after]);
  }

  #compareRequired(place: string, before: unknown, after: unknown): void {
    if (isRequired(before) === isRequired(after)) return;
    if (isRequired(after)) this.add(place, "became required", "breaking");
    else this.add(place, "became optional", "compatible");
  }

  #compareContents(place: string, direction: Direction, [before, after]: Both): void {
    this.each(membersOf(before, "content"), membersOf(after, "content"), {
      place: (media) => `${place} ${media}`,
      removed: "breaking",
      both: (_, from, to) => {
        this.#compareSchemas(place, direction, [from, to]);
        this.each(membersOf(from, "x-events"), membersOf(to, "x-events"), {
          place: (name) => `event ${name}`,
          removed: "breaking",
          both: (at, own, other) =>
            this.#compareSchemas(at, "response", [{ schema: own }, { schema: other }]),
        });
      },
    });
  }

  #compareSchemas(place: string, direction: Direction, [before, after]: Both): void {
    const [own, other] = [memberOf(before, "schema"), memberOf(after, "schema")];
    this.#schemas.compare(own, other, { place, direction }).forEach(this.#report);
  }
}

type Both = readonly [before: unknown, after: unknown];

function isRequired(part: unknown): boolean {
  return memberOf(part, "required") === true;
}

/** Returns the parameters of an operation; those of a path are the same by their position. */
function parametersOf({ path, operation }: OperationText): Map<string, unknown> {
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  return new Map(
    listOf(memberOf(operation, "parameters")).map((each) => {
      const [place, name] = [memberOf(each, "in"), textOf(memberOf(each, "name")) ?? ""];
      return [place === "path" ? `path ${names.indexOf(name)}` : `${place} named ${name}`, each];
    }),
  );
}

function membersOf(value: unknown, name: string): Map<string, unknown> {
  return new Map(entriesOf(memberOf(value, name)));
}

function partOf(value: unknown, name: string): Map<string, unknown> {
  const part = memberOf(value, name);
  return new Map(part === undefined ? [] : [[name, part]]);
}

function satisfies(credentials: unknown, requirement: unknown): boolean {
  return entriesOf(requirement).every(([name, scopes]) => {
    const own = objectOf(credentials)?.[name];
    return own !== undefined && textsOf(scopes).every((scope) => textsOf(own).includes(scope));
  });
}

function requirementText(requirement: unknown): string {
  return entriesOf(requirement).map(([name, scopes]) => {
    const own = textsOf(scopes);
    return own.length === 0 ? name : `${name}(${own.join(", ")})`;
  }).join(" + ") || "none";
}
