/**
 * The differences between two OpenAPI documents, as data.
 *
 * @module
 */

/**
 * What a difference means for clients of the older document: `breaking` ones may fail, `compatible` ones
 * cannot, `notice` is worth a look.
 */
export type ChangeLevel = "breaking" | "compatible" | "notice";

/** The levels, most serious first. */
export const changeLevels: readonly ChangeLevel[] = ["breaking", "notice", "compatible"];

/** What differs, independent of what it means. */
export type ChangeKind =
  | "operation removed"
  | "operation added"
  | "operation id"
  | "deprecated"
  | "not deprecated"
  | "removed"
  | "added"
  | "added required"
  | "became required"
  | "became optional"
  | "serialization"
  | "media type removed"
  | "media type added"
  | "status removed"
  | "status added"
  | "header removed"
  | "header added"
  | "event removed"
  | "event added"
  | "security added"
  | "security removed"
  | "scheme changed"
  | "scheme removed"
  | "server removed"
  | "renamed"
  | "type"
  | "null added"
  | "null removed"
  | "value removed"
  | "value added"
  | "values limited"
  | "values unlimited"
  | "limit"
  | "limit added"
  | "limit removed"
  | "constraint"
  | "constraint added"
  | "constraint removed"
  | "choice removed"
  | "choice added"
  | "members closed"
  | "members opened"
  | "default"
  | "not compared"
  | "too large";

/** The part of an operation that differs. */
export type ChangePlace =
  | { readonly part: "operation" }
  | {
    readonly part: "parameter";
    readonly in: string;
    readonly name: string;
    readonly field: string;
  }
  | { readonly part: "request"; readonly mediaType: string; readonly field: string }
  | {
    readonly part: "response";
    readonly status: string;
    readonly mediaType: string;
    readonly field: string;
  }
  | {
    readonly part: "header";
    readonly status: string;
    readonly name: string;
    readonly field: string;
  }
  | { readonly part: "event"; readonly name: string; readonly field: string }
  | { readonly part: "webhook"; readonly name: string }
  | { readonly part: "callback"; readonly name: string };

/** A difference. */
export interface Change {
  readonly level: ChangeLevel;
  readonly kind: ChangeKind;
  /** The operation, such as `POST /api/events`; `""` for the whole document. */
  readonly operation: string;
  readonly place: ChangePlace;
  /** The keyword or the name that differs; `""` where the kind says it all. */
  readonly name: string;
  /** The older value as text. */
  readonly from: string;
  /** The newer value as text. */
  readonly to: string;
}

/** The parts of a difference that its finder knows. */
export type ChangeFacts =
  & Pick<Change, "kind" | "level">
  & Partial<Pick<Change, "name" | "from" | "to">>;
