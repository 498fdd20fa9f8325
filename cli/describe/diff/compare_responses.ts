/**
 * Compares what two versions of an operation answer: statuses, headers and bodies.
 *
 * @module
 */
import type { DocumentResponse } from "../document/operations.ts";
import { memberOf } from "../../project/json.ts";
import type { ChangePlace } from "./change.ts";
import type { OperationChanges, OperationPair } from "./changes.ts";
import { compareContents } from "./compare_contents.ts";

/** Compares the responses of two operations. */
export function compareResponses(
  changes: OperationChanges,
  { before, after }: OperationPair,
): void {
  const others = new Map(after.responses.map((each) => [each.status, each]));
  const hadDefault = before.responses.some(({ status }) => status === "default");
  for (const response of before.responses) {
    const other = others.get(response.status);
    others.delete(response.status);
    if (other !== undefined) {
      compareResponse(changes, { before: response, after: other });
      continue;
    }
    // An error that cannot happen any more breaks no client.
    changes.add(placeOfResponse(response.status), {
      kind: "status removed",
      level: isSuccess(response.status) ? "breaking" : "notice",
    });
  }
  for (const { status } of others.values()) {
    changes.add(placeOfResponse(status), {
      kind: "status added",
      level: isSuccess(status) && !hadDefault ? "notice" : "compatible",
    });
  }
}

function compareResponse(
  changes: OperationChanges,
  { before, after }: { readonly before: DocumentResponse; readonly after: DocumentResponse },
): void {
  const { status } = after;
  compareHeaders(changes, { before, after });
  if (before.contents.length === 0 && after.contents.length > 0) {
    changes.add(placeOfResponse(status), { kind: "added", level: "compatible" });
    return;
  }
  compareContents(changes, {
    before: before.contents,
    after: after.contents,
    direction: "response",
    placeAt: (mediaType, field) => ({ part: "response", status, mediaType, field }),
  });
}

function compareHeaders(
  changes: OperationChanges,
  { before, after }: { readonly before: DocumentResponse; readonly after: DocumentResponse },
): void {
  const { status } = after;
  for (const [name, header] of before.headers) {
    const place: ChangePlace = { part: "header", status, name, field: "" };
    const other = after.headers.get(name);
    const wasRequired = memberOf(header, "required") === true;
    if (other === undefined) {
      changes.add(place, {
        kind: "header removed",
        level: wasRequired ? "breaking" : "notice",
      });
      continue;
    }
    const isRequired = memberOf(other, "required") === true;
    if (wasRequired !== isRequired) {
      changes.add(place, {
        kind: isRequired ? "became required" : "became optional",
        level: isRequired ? "compatible" : "breaking",
      });
    }
    changes.compareSchemas({
      before: memberOf(header, "schema"),
      after: memberOf(other, "schema"),
      direction: "response",
      placeAt: (field) => ({ part: "header", status, name, field }),
    });
  }
  for (const name of after.headers.keys()) {
    if (before.headers.has(name)) continue;
    const place: ChangePlace = { part: "header", status, name, field: "" };
    changes.add(place, { kind: "header added", level: "compatible" });
  }
}

function placeOfResponse(status: string): ChangePlace {
  return { part: "response", status, mediaType: "", field: "" };
}

function isSuccess(status: string): boolean {
  return /^[123]/.test(status);
}
