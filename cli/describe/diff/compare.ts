/**
 * Compares two OpenAPI documents: what changed for clients that were written for the older one.
 *
 * @module
 */
import { type DocumentOperation, documentOperations } from "../document/operations.ts";
import { type Change, type ChangeFacts, changeLevels, type ChangePlace } from "./change.ts";
import { Changes, OperationChanges, type OperationPair, tooLarge } from "./changes.ts";
import { compareCallbacks, compareWebhooks } from "./compare_callers.ts";
import { compareSecuritySchemes, compareServers } from "./compare_globals.ts";
import { compareBodies, compareParameters } from "./compare_request.ts";
import { compareResponses } from "./compare_responses.ts";
import { findSameTargets } from "./same_targets.ts";
import { compareSecurity } from "./security.ts";

/** The most schemas that are compared; a hostile document has more. */
const maxSchemas = 400_000;

/**
 * Lists the differences between two documents, breaking ones first. Never throws: what cannot be compared
 * is a breaking difference.
 *
 * @param before The document that clients were written for, as any value.
 * @param after The document of now.
 */
export function compareDocuments(before: unknown, after: unknown): readonly Change[] {
  try {
    const changes = listChanges(before, after);
    const rank = (change: Change): number => changeLevels.indexOf(change.level);
    return changes.toSorted((a, b) => rank(a) - rank(b));
  } catch (error) {
    // A document that is nested deeper than the engine's stack.
    if (!(error instanceof RangeError)) throw error;
    return [tooLarge];
  }
}

const operationPlace: ChangePlace = { part: "operation" };

function listChanges(before: unknown, after: unknown): Change[] {
  const same = findSameTargets(before, after);
  const changes = new Changes({ before, after, same, budget: { left: maxSchemas } });
  const others = new Map(documentOperations(after).map((each) => [keyOf(each), each]));
  for (const operation of documentOperations(before)) {
    const other = others.get(keyOf(operation));
    others.delete(keyOf(operation));
    if (other === undefined) {
      changes.add(labelOf(operation), operationPlace, {
        kind: "operation removed",
        level: "breaking",
      });
    } else {
      const own = new OperationChanges(changes, labelOf(other));
      compareOperations(own, { before: operation, after: other });
      compareCallbacks(own, { before: operation.callbacks, after: other.callbacks, same });
    }
  }
  for (const operation of others.values()) {
    changes.add(labelOf(operation), operationPlace, {
      kind: "operation added",
      level: "compatible",
    });
  }
  compareWebhooks(changes);
  compareSecuritySchemes(changes);
  compareServers(changes);
  return changes.list();
}

function compareOperations(changes: OperationChanges, { before, after }: OperationPair): void {
  const add = (facts: ChangeFacts): void => changes.add(operationPlace, facts);
  if (before.id !== after.id && before.id !== undefined) {
    add({ kind: "operation id", level: "notice", from: before.id, to: after.id ?? "" });
  }
  if (before.isDeprecated !== after.isDeprecated) {
    add({ kind: after.isDeprecated ? "deprecated" : "not deprecated", level: "notice" });
  }
  for (const facts of compareSecurity(before.security, after.security)) add(facts);
  compareParameters(changes, { before, after });
  compareBodies(changes, { before, after });
  compareResponses(changes, { before, after });
}

function labelOf({ method, path }: DocumentOperation): string {
  return `${method.toUpperCase()} ${path}`;
}

/** Operations are the same by method and path; the names of path parameters do not matter. */
function keyOf({ method, path }: DocumentOperation): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, "{}")}`;
}
