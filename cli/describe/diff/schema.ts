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
import type { ChangeFacts } from "./change.ts";
import { choiceText, pairChoices } from "./choices.ts";
import { compareKeywords, type Effect, type Schemas } from "./keywords.ts";
import { normalize } from "./normalize.ts";
import { isSameTarget, type SameTargets, targetOf } from "./same_targets.ts";
import { jsonText, shorten } from "./shown.ts";

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
    const { budget } = documents;
    const before = normalize(pair.before, { document: documents.before, budget });
    const after = normalize(pair.after, { document: documents.after, budget });
    if (budget.left < 0) {
      report(field, { kind: "too large", level: "breaking" });
      return;
    }
    if (before === undefined || after === undefined) {
      return this.#compareAny({ before, after }, field);
    }
    compareKeywords({ before, after }, (effect, facts) => this.#report(field, effect, facts));
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

  #compareNotes({ before, after }: Schemas, field: string): void {
    const { report } = this.#comparison;
    const was = memberOf(before, "deprecated") === true;
    const is = memberOf(after, "deprecated") === true;
    if (was !== is) report(field, { kind: is ? "deprecated" : "not deprecated", level: "notice" });
    const [from, to] = [
      jsonText(memberOf(before, "default")),
      jsonText(memberOf(after, "default")),
    ];
    if (from === to) return;
    report(field, { kind: "default", level: "notice", from: shorten(from), to: shorten(to) });
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

interface At {
  readonly field: string;
  readonly depth: number;
}

function joinField(field: string, name: string): string {
  return field === "" ? name : `${field}.${name}`;
}
