/**
 * Compares the requests that the server sends: webhooks of the document and callbacks of operations.
 *
 * @module
 */
import { entriesOf, memberOf } from "../../project/json.ts";
import type { ChangeFacts, ChangePlace } from "./change.ts";
import { type Changes, OperationChanges } from "./changes.ts";
import { isSameValue, type SameTargets } from "./same_targets.ts";

/** Compares the webhooks of two documents. */
export function compareWebhooks(changes: Changes): void {
  const { before, after, same } = changes.documents;
  const own = new OperationChanges(changes, "");
  compareByName(memberOf(before, "webhooks"), memberOf(after, "webhooks"), {
    same,
    add: (name, facts) => own.add({ part: "webhook", name }, facts),
  });
}

/** Compares the callbacks of two operations. */
export function compareCallbacks(
  changes: OperationChanges,
  { before, after, same }: {
    readonly before: unknown;
    readonly after: unknown;
    readonly same: SameTargets;
  },
): void {
  compareByName(before, after, {
    same,
    add: (name, facts) => {
      const place: ChangePlace = { part: "callback", name };
      changes.add(place, facts);
    },
  });
}

function compareByName(
  before: unknown,
  after: unknown,
  { same, add }: {
    readonly same: SameTargets;
    readonly add: (name: string, facts: ChangeFacts) => void;
  },
): void {
  const others = new Map(entriesOf(after));
  for (const [name, own] of entriesOf(before)) {
    if (!others.has(name)) add(name, { kind: "removed", level: "breaking" });
    // What was not compared counts as broken: a check must not pass because it gave up.
    else if (!isSameValue(same, own, others.get(name))) {
      add(name, { kind: "not compared", level: "breaking" });
    }
    others.delete(name);
  }
  for (const name of others.keys()) add(name, { kind: "added", level: "compatible" });
}
