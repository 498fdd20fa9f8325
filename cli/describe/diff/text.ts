/**
 * Writes a difference between two documents as one line, and as a problem.
 *
 * @module
 */
import { escapeLines } from "@fw/fw/addon";
import type { Messages } from "../../messages/catalog.ts";
import type { Place, Problem } from "../../problem.ts";
import type { Change, ChangePlace } from "./change.ts";

/** Writes a change as a line such as `POST /api/events: request field "seats" became required`. */
export function changeText(change: Change, { diff }: Messages): string {
  const { kind, operation, place, name, from, to } = change;
  const subject = subjectOf(place, { operation, diff });
  const text = diff.kinds[kind](subject, name, from, to);
  return operation === "" ? text : `${operation}: ${text}`;
}

/** Writes a change as a line led by its level; control characters of the document are escaped. */
export function changeLine(change: Change, messages: Messages): string {
  const text = escapeLines(changeText(change, messages)).replaceAll("\n", " ");
  return `${messages.diff.levels[change.level]}: ${text}`;
}

/** Turns changes into problems: breaking ones are errors, notices warnings, the rest information. */
export function changeProblems(
  changes: readonly Change[],
  { messages, place }: { readonly messages: Messages; readonly place: Place },
): Problem[] {
  const { fix } = messages.diff;
  return changes.map((change) => {
    const message = changeText(change, messages);
    switch (change.level) {
      case "breaking":
        return { code: "breaking_change", severity: "error", place, message, fix: fix.breaking };
      case "notice":
        return { code: "api_change", severity: "warning", place, message, fix: fix.notice };
      case "compatible":
        return { code: "api_change", severity: "info", place, message };
    }
  });
}

function subjectOf(
  place: ChangePlace,
  { operation, diff: { parts } }: {
    readonly operation: string;
    readonly diff: Messages["diff"];
  },
): string {
  const owned = (owner: string, field: string): string =>
    field === "" ? owner : parts.field(field, owner);
  switch (place.part) {
    case "operation":
      return operation === "" ? parts.document : operation;
    case "parameter":
      return owned(parts.parameter(place.in, place.name), place.field);
    case "request":
      return place.field === "" ? parts.request : parts.requestField(place.field);
    case "response":
      return place.field === ""
        ? parts.response(place.status)
        : parts.responseField(place.status, place.field);
    case "header":
      return owned(parts.header(place.status, place.name), place.field);
    case "event":
      return owned(parts.event(place.name), place.field);
    case "webhook":
      return parts.webhook(place.name);
    case "callback":
      return parts.callback(place.name);
  }
}
