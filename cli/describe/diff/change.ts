import { cutText } from "../../problem.ts";

/** The meaning of a difference for clients of the older document. */
export type ChangeLevel = "breaking" | "notice" | "compatible";

/** The levels, most serious first. */
const changeLevels: readonly ChangeLevel[] = ["breaking", "notice", "compatible"];

export type ChangeKind =
  | "added"
  | "added required"
  | "removed"
  | "became required"
  | "became optional"
  | "changed"
  | "not compared";

export interface Difference {
  readonly level: ChangeLevel;
  readonly kind: ChangeKind;
  /** Such as `request.seats`, `response 200`, `query.page`, and `Event.seats` in a shared schema. */
  readonly place: string;
  /** The keyword that changed; `""` where the kind says it all. */
  readonly name: string;
  /** The older value as text; `""` for none. */
  readonly from: string;
  /** The newer value as text; `""` for none. */
  readonly to: string;
}

/** A difference, and the operations that it reaches, such as `POST /api/events`. */
export interface Change extends Difference {
  readonly operations: readonly string[];
}

/** Creates a difference; values are written as JSON on one line. */
export function difference(
  place: string,
  kind: ChangeKind,
  { level, name = "", from, to }: {
    readonly level: ChangeLevel;
    readonly name?: string;
    readonly from?: unknown;
    readonly to?: unknown;
  },
): Difference {
  return { level, kind, place, name, from: jsonText(from), to: jsonText(to) };
}

function jsonText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}

/** Cuts a value for a line. What is compared is compared whole. */
export function changedValue(text: string): string {
  return text === "" ? "–" : cutText(text, 121);
}

/** Joins the differences of many operations: each is listed once, with its most serious level. */
export class Changes {
  readonly #found = new Map<string, { difference: Difference; operations: string[] }>();

  add(found: Difference, operation?: string): void {
    const { level, place, kind, name, from, to } = found;
    const key = JSON.stringify([place, kind, name, from, to]);
    const own = operation === undefined ? [] : [operation];
    const known = this.#found.get(key);
    const isWorse = known === undefined ||
      changeLevels.indexOf(level) < changeLevels.indexOf(known.difference.level);
    if (isWorse) this.#found.set(key, { difference: found, operations: own });
    else if (known.difference.level === level) known.operations.push(...own);
  }

  /** Lists the changes, breaking ones first. */
  list(): readonly Change[] {
    const all = [...this.#found.values()].map(({ difference, operations }): Change => ({
      ...difference,
      operations: [...new Set(operations)],
    }));
    return all.toSorted((a, b) => changeLevels.indexOf(a.level) - changeLevels.indexOf(b.level));
  }
}
