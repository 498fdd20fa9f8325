/**
 * Collects the differences between two documents.
 *
 * @module
 */
import type { DocumentOperation } from "../document/operations.ts";
import type { Change, ChangeFacts, ChangePlace } from "./change.ts";
import { compareSchemas, type Direction, type Documents } from "./schema.ts";

/** The most changes that are listed. */
const maxChanges = 10_000;

/** An operation in both documents. */
export interface OperationPair {
  readonly before: DocumentOperation;
  readonly after: DocumentOperation;
}

/** The difference that stands for all that was not compared. */
export const tooLarge: Change = {
  level: "breaking",
  kind: "too large",
  operation: "",
  place: { part: "operation" },
  name: "",
  from: "",
  to: "",
};

/** Two schemas at the same place. */
export interface SchemaPair {
  readonly before: unknown;
  readonly after: unknown;
  readonly direction: Direction;
  readonly placeAt: (field: string) => ChangePlace;
}

/** The differences so far, each once. */
export class Changes {
  readonly documents: Documents;
  readonly #changes = new Map<string, Change>();

  constructor(documents: Documents) {
    this.documents = documents;
  }

  list(): Change[] {
    return [...this.#changes.values()];
  }

  add(operation: string, place: ChangePlace, facts: ChangeFacts): void {
    if (this.#changes.size >= maxChanges) {
      this.#changes.set("", tooLarge);
      return;
    }
    const { kind, level, name = "", from = "", to = "" } = facts;
    const change = { level, kind, operation, place, name, from, to };
    // A schema that is reached in two ways differs once.
    this.#changes.set(JSON.stringify(change), change);
  }
}

/** The differences of one operation. */
export class OperationChanges {
  readonly #changes: Changes;
  readonly #label: string;

  /** @param label The operation, such as `POST /api/events`. */
  constructor(changes: Changes, label: string) {
    this.#changes = changes;
    this.#label = label;
  }

  add(place: ChangePlace, facts: ChangeFacts): void {
    this.#changes.add(this.#label, place, facts);
  }

  compareSchemas({ before, after, direction, placeAt }: SchemaPair): void {
    compareSchemas(before ?? true, after ?? true, {
      documents: this.#changes.documents,
      direction,
      report: (field, facts) => this.add(placeAt(field), facts),
    });
  }
}
