/**
 * Compares two JSON Schemas: whether the newer one accepts less (narrower) or more (wider).
 *
 * A request that becomes narrower breaks the clients that send what is refused now; a response that
 * becomes wider breaks the clients that receive what they did not expect.
 *
 * @module
 */
import type { JsonObject } from "@fw/fw/addon";
import { entriesOf, listOf, memberOf, textsOf } from "../../project/json.ts";
import { followReferences } from "../document/values.ts";
import type { ChangeFacts, ChangeKind } from "./change.ts";
import { choiceText, pairChoices } from "./choices.ts";
import {
  constraintEffect,
  constraintOf,
  constraints,
  type Effect,
  effectOf,
  limits,
  numberOf,
} from "./constraints.ts";
import {
  accepts,
  hasChoices,
  normalize,
  targetOf,
  typesOf,
  typeText,
  valuesOf,
  withoutNull,
} from "./normal_schema.ts";
import { isSameTarget, type SameTargets } from "./same_targets.ts";
import { jsonText, shorten, shown } from "./shown.ts";

/** Who writes the values of a schema. */
export type Direction = "request" | "response";

/** Two documents, and what is known to be equal in both. */
export interface Documents {
  readonly before: unknown;
  readonly after: unknown;
  readonly same: SameTargets;
  /** Counts the schemas that are compared, over all operations. */
  readonly budget: { left: number };
}

/** One comparison of two schemas. */
export interface SchemaComparison {
  readonly documents: Documents;
  readonly direction: Direction;
  /** Receives what differs, and the member that differs. */
  readonly report: (field: string, facts: ChangeFacts) => void;
}

/** How deep schemas are compared without a reference. */
const maxDepth = 100;

/** Compares two schemas and all that they contain. */
export function compareSchemas(
  before: unknown,
  after: unknown,
  comparison: SchemaComparison,
): void {
  new SchemaWalk(comparison).compare({ before, after, field: "", depth: 0 });
}

interface Pair {
  readonly before: unknown;
  readonly after: unknown;
  readonly field: string;
  readonly depth: number;
}

class SchemaWalk {
  readonly #comparison: SchemaComparison;
  /** Pairs of references that were compared, so that a schema may contain itself. */
  readonly #seen = new Set<string>();

  constructor(comparison: SchemaComparison) {
    this.#comparison = comparison;
  }

  compare(pair: Pair): void {
    const { documents, report } = this.#comparison;
    const { field, depth } = pair;
    // Two absent or unchanged boolean schemas.
    if (pair.before === pair.after) return;
    if (--documents.budget.left < 0 || depth > maxDepth) {
      // What was not compared counts as broken: a check must not pass because it gave up.
      report(field, { kind: "too large", level: "breaking" });
      return;
    }
    const targets = [
      targetOf(documents.before, pair.before),
      targetOf(documents.after, pair.after),
    ] as const;
    const [from, to] = targets;
    if (isSameTarget(documents.same, from?.ref, to?.ref) && from?.isNullable === to?.isNullable) {
      return;
    }
    if (from !== undefined || to !== undefined) {
      // A pair of names differs in one way wherever it stands; a name and something else does not.
      const isPair = from?.isNullable === to?.isNullable;
      const key = JSON.stringify([from?.ref, to?.ref, isPair ? "" : field]);
      if (this.#seen.has(key)) return;
      this.#seen.add(key);
    }
    const before = normalize(documents.before, pair.before);
    const after = normalize(documents.after, pair.after);
    if (before === undefined || after === undefined) {
      return this.#compareAny({ before, after }, field);
    }
    this.#compareTypes({ before, after }, field);
    this.#compareValues({ before, after }, field);
    this.#compareLimits({ before, after }, field);
    this.#compareNotes({ before, after }, field);
    this.#compareMembers({ before, after }, { field, depth });
    this.#compareItems({ before, after }, { field, depth });
    this.#compareChoices({ before, after }, { field, depth });
  }

  #report(field: string, effect: Effect, facts: Omit<ChangeFacts, "level">): void {
    const { direction, report } = this.#comparison;
    const breaks = effect === "other" || (direction === "request") === (effect === "narrower");
    report(field, { ...facts, level: breaks ? "breaking" : "compatible" });
  }

  /** One of the schemas accepts nothing: `false`. */
  #compareAny(
    { before, after }: { readonly before: unknown; readonly after: unknown },
    field: string,
  ): void {
    if (before === undefined && after === undefined) return;
    const effect = after === undefined ? "narrower" : "wider";
    const text = (schema: unknown): string => schema === undefined ? "nothing" : "something";
    this.#report(field, effect, { kind: "type", from: text(before), to: text(after) });
  }

  #compareTypes({ before, after }: Schemas, field: string): void {
    const [from, to] = [typesOf(before), typesOf(after)];
    if (from === undefined && to === undefined) return;
    if (from !== undefined && to !== undefined) {
      if (from.has("null") !== to.has("null")) {
        const isAdded = to.has("null");
        this.#report(field, isAdded ? "wider" : "narrower", {
          kind: isAdded ? "null added" : "null removed",
        });
      }
      const [own, other] = [withoutNull(from), withoutNull(to)];
      const lost = [...own].some((type) => !accepts(other, type));
      const gained = [...other].some((type) => !accepts(own, type));
      if (lost || gained) {
        this.#report(field, effectOf(lost, gained), {
          kind: "type",
          from: typeText(own),
          to: typeText(other),
        });
      }
      return;
    }
    // Without `type`, every type is accepted, unless other keywords choose the values.
    if (hasChoices(before) || hasChoices(after)) return;
    this.#report(field, from === undefined ? "narrower" : "wider", {
      kind: "type",
      from: from === undefined ? "any" : typeText(from),
      to: to === undefined ? "any" : typeText(to),
    });
  }

  #compareValues({ before, after }: Schemas, field: string): void {
    const [from, to] = [valuesOf(before), valuesOf(after)];
    if (from !== undefined && to !== undefined) {
      for (const value of from) {
        if (!to.has(value)) {
          this.#report(field, "narrower", { kind: "value removed", name: shorten(value) });
        }
      }
      for (const value of to) {
        if (!from.has(value)) {
          this.#report(field, "wider", { kind: "value added", name: shorten(value) });
        }
      }
    } else if (to !== undefined) {
      this.#report(field, "narrower", {
        kind: "values limited",
        to: [...to].map(shorten).join(", "),
      });
    } else if (from !== undefined) {
      this.#report(field, "wider", {
        kind: "values unlimited",
        from: [...from].map(shorten).join(", "),
      });
    }
  }

  #compareLimits({ before, after }: Schemas, field: string): void {
    for (const [name, isLower] of limits) {
      const [from, to] = [numberOf(before, name), numberOf(after, name)];
      if (from === to) continue;
      const kind: ChangeKind = from === undefined
        ? "limit added"
        : to === undefined
        ? "limit removed"
        : "limit";
      const isNarrower = from === undefined ||
        to !== undefined && (isLower ? to > from : to < from);
      // "At least 0" says nothing about a length.
      if (isLower && name !== "minimum" && name !== "exclusiveMinimum") {
        if ((from ?? 0) === (to ?? 0)) continue;
      }
      this.#report(field, isNarrower ? "narrower" : "wider", {
        kind,
        name,
        from: String(from ?? ""),
        to: String(to ?? ""),
      });
    }
    for (const name of constraints) this.#compareConstraint({ before, after }, { field, name });
  }

  #compareConstraint(
    { before, after }: Schemas,
    { field, name }: { readonly field: string; readonly name: string },
  ): void {
    const [from, to] = [constraintOf(before, name), constraintOf(after, name)];
    if (from === to) return;
    const texts = { from: shorten(from ?? ""), to: shorten(to ?? "") };
    if (from === undefined) {
      this.#report(field, "narrower", { kind: "constraint added", name, to: texts.to });
    } else if (to === undefined) {
      this.#report(field, "wider", { kind: "constraint removed", name, from: texts.from });
    } else {
      const effect = constraintEffect(name, from, to);
      this.#report(field, effect, { kind: "constraint", name, ...texts });
    }
  }

  #compareNotes({ before, after }: Schemas, field: string): void {
    const { report } = this.#comparison;
    const was = memberOf(before, "deprecated") === true;
    const is = memberOf(after, "deprecated") === true;
    if (was !== is) report(field, { kind: is ? "deprecated" : "not deprecated", level: "notice" });
    const [from, to] = [memberOf(before, "default"), memberOf(after, "default")];
    if (jsonText(from) === jsonText(to)) return;
    report(field, { kind: "default", level: "notice", from: shown(from), to: shown(to) });
  }

  #compareMembers({ before, after }: Schemas, at: At): void {
    const own = new Map(entriesOf(memberOf(before, "properties")));
    const other = new Map(entriesOf(memberOf(after, "properties")));
    const required = {
      before: new Set(textsOf(memberOf(before, "required"))),
      after: new Set(textsOf(memberOf(after, "required"))),
    };
    for (const name of new Set([...own.keys(), ...other.keys()])) {
      const field = joinField(at.field, name);
      if (!other.has(name)) {
        this.#memberRemoved({ field, after, wasRequired: required.before.has(name) });
      } else if (!own.has(name)) {
        this.#memberAdded({ name, field, required, schema: other.get(name) });
      } else {
        this.#compareRequired(field, required.before.has(name), required.after.has(name));
        this.compare({
          before: own.get(name),
          after: other.get(name),
          field,
          depth: at.depth + 1,
        });
      }
    }
    this.#compareOthers({ before, after }, at);
  }

  #memberRemoved(
    { field, after, wasRequired }: {
      readonly field: string;
      readonly after: JsonObject;
      readonly wasRequired: boolean;
    },
  ): void {
    const { direction, report } = this.#comparison;
    // An open request ignores what clients still send; a response may have lacked an optional field.
    const isBreaking = direction === "request"
      ? memberOf(after, "additionalProperties") === false
      : wasRequired;
    report(field, { kind: "removed", level: isBreaking ? "breaking" : "notice" });
  }

  #memberAdded(
    { name, field, required, schema }: {
      readonly name: string;
      readonly field: string;
      readonly required: { readonly before: Set<string>; readonly after: Set<string> };
      readonly schema: unknown;
    },
  ): void {
    const { direction, report, documents } = this.#comparison;
    const isRequired = required.after.has(name);
    const isReadOnly = memberOf(followReferences(documents.after, schema), "readOnly") === true;
    const isBreaking = direction === "request" && isRequired && !isReadOnly &&
      !required.before.has(name);
    report(field, {
      kind: isRequired ? "added required" : "added",
      level: isBreaking ? "breaking" : "compatible",
    });
  }

  #compareRequired(field: string, was: boolean, is: boolean): void {
    if (was === is) return;
    this.#report(field, is ? "narrower" : "wider", {
      kind: is ? "became required" : "became optional",
    });
  }

  /** Compares what members without a name of their own must be. */
  #compareOthers({ before, after }: Schemas, { field, depth }: At): void {
    const from = memberOf(before, "additionalProperties") ?? true;
    const to = memberOf(after, "additionalProperties") ?? true;
    if (from === false || to === false) {
      if (from === to) return;
      this.#report(field, to === false ? "narrower" : "wider", {
        kind: to === false ? "members closed" : "members opened",
      });
      return;
    }
    this.compare({ before: from, after: to, field: joinField(field, "*"), depth: depth + 1 });
  }

  #compareItems({ before, after }: Schemas, { field, depth }: At): void {
    const [first, second] = [
      listOf(memberOf(before, "prefixItems")),
      listOf(memberOf(after, "prefixItems")),
    ];
    const [from, to] = [memberOf(before, "items") ?? true, memberOf(after, "items") ?? true];
    for (let at = 0; at < Math.max(first.length, second.length); at++) {
      this.compare({
        before: at < first.length ? first[at] : from,
        after: at < second.length ? second[at] : to,
        field: `${field}[${at}]`,
        depth: depth + 1,
      });
    }
    if (from === true && to === true) return;
    this.compare({ before: from, after: to, field: `${field}[]`, depth: depth + 1 });
  }

  #compareChoices({ before, after }: Schemas, { field, depth }: At): void {
    const { documents } = this.#comparison;
    for (const keyword of ["oneOf", "anyOf"]) {
      const own = [...listOf(memberOf(before, keyword))];
      const other = [...listOf(memberOf(after, keyword))];
      if (own.length === 0 && other.length === 0) continue;
      if (own.length === 0 || other.length === 0) {
        // A schema that became a choice of itself and others is still there.
        const isAdded = own.length === 0;
        this.#report(field, isAdded ? "narrower" : "wider", {
          kind: isAdded ? "constraint added" : "constraint removed",
          name: keyword,
        });
        continue;
      }
      const pairs = pairChoices(own, other);
      for (const [from, to] of pairs.both) {
        this.compare({ before: from, after: to, field, depth: depth + 1 });
      }
      for (const each of pairs.removed) {
        this.#report(field, "narrower", {
          kind: "choice removed",
          name: choiceText(documents.before, each),
        });
      }
      for (const each of pairs.added) {
        this.#report(field, "wider", {
          kind: "choice added",
          name: choiceText(documents.after, each),
        });
      }
    }
  }
}

interface Schemas {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

interface At {
  readonly field: string;
  readonly depth: number;
}

function joinField(field: string, name: string): string {
  return field === "" ? name : `${field}.${name}`;
}
