/** The meaning of a difference for clients of the older document, most serious first. */
export const changeLevels = ["breaking", "notice", "compatible"] as const;
export type ChangeLevel = typeof changeLevels[number];

export interface Change {
  readonly level: ChangeLevel;
  readonly kind:
    | "added"
    | "added required"
    | "removed"
    | "became required"
    | "became optional"
    | "changed"
    | "not compared";
  /** Such as `POST /api/events`; `""` for the document and for shared schemas. */
  readonly operation: string;
  /** Such as `request.seats`, `response 200`, `query.page`, and `Event.seats` in a shared schema. */
  readonly place: string;
  /** The keyword that changed, with both of its values; only of the kind `changed`. */
  readonly name?: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

export type Report = (change: Omit<Change, "operation">) => void;

export function isRequired(part: unknown): boolean {
  return Object(part).required === true;
}
