/**
 * Compares what two versions of an operation receive: parameters and body.
 *
 * @module
 */
import type { DocumentOperation, DocumentParameter } from "../document/operations.ts";
import type { ChangeFacts, ChangePlace } from "./change.ts";
import type { OperationChanges, OperationPair } from "./changes.ts";
import { compareContents } from "./compare_contents.ts";

/** Compares the parameters of two operations. */
export function compareParameters(
  changes: OperationChanges,
  { before, after }: OperationPair,
): void {
  const others = new Map(after.parameters.map((each) => [parameterKey(after, each), each]));
  for (const parameter of before.parameters) {
    const key = parameterKey(before, parameter);
    const other = others.get(key);
    others.delete(key);
    const place = placeOfParameter(other ?? parameter);
    if (other === undefined) {
      // Servers ignore what they do not know, but the caller may count on it.
      changes.add(place, { kind: "removed", level: "notice" });
    } else compareParameter(changes, { before: parameter, after: other });
  }
  for (const parameter of others.values()) {
    const { isRequired } = parameter;
    changes.add(placeOfParameter(parameter), {
      kind: isRequired ? "added required" : "added",
      level: isRequired ? "breaking" : "compatible",
    });
  }
}

function compareParameter(
  changes: OperationChanges,
  { before, after }: { readonly before: DocumentParameter; readonly after: DocumentParameter },
): void {
  const place = placeOfParameter(after);
  const add = (facts: ChangeFacts): void => changes.add(place, facts);
  if (before.name !== after.name) {
    add({ kind: "renamed", level: "notice", from: before.name, to: after.name });
  }
  if (before.isRequired !== after.isRequired) {
    add({
      kind: after.isRequired ? "became required" : "became optional",
      level: after.isRequired ? "breaking" : "compatible",
    });
  }
  if (before.isDeprecated !== after.isDeprecated) {
    add({ kind: after.isDeprecated ? "deprecated" : "not deprecated", level: "notice" });
  }
  const [from, to] = [serializationOf(before), serializationOf(after)];
  if (from !== to) add({ kind: "serialization", level: "breaking", from, to });
  changes.compareSchemas({
    before: before.schema,
    after: after.schema,
    direction: "request",
    placeAt: (field) => placeOfParameter(after, field),
  });
}

/** Compares the request bodies of two operations. */
export function compareBodies(changes: OperationChanges, { before, after }: OperationPair): void {
  const [from, to] = [before.body, after.body];
  const place: ChangePlace = { part: "request", mediaType: "", field: "" };
  const add = (facts: ChangeFacts): void => changes.add(place, facts);
  if (to === undefined) {
    if (from !== undefined) add({ kind: "removed", level: "breaking" });
    return;
  }
  if (from === undefined) {
    add({
      kind: to.isRequired ? "added required" : "added",
      level: to.isRequired ? "breaking" : "compatible",
    });
    return;
  }
  if (from.isRequired !== to.isRequired) {
    add({
      kind: to.isRequired ? "became required" : "became optional",
      level: to.isRequired ? "breaking" : "compatible",
    });
  }
  compareContents(changes, {
    before: from.contents,
    after: to.contents,
    direction: "request",
    placeAt: (mediaType, field) => ({ part: "request", mediaType, field }),
  });
}

/** Parameters of a path are the same by their position. */
function parameterKey(operation: DocumentOperation, { place, name }: DocumentParameter): string {
  if (place === "path") {
    const names = [...operation.path.matchAll(/\{([^{}]*)\}/g)].map(([, each]) => each);
    const at = names.indexOf(name);
    if (at !== -1) return `path ${at}`;
  }
  return `${place} named ${place === "header" ? name.toLowerCase() : name}`;
}

function placeOfParameter({ place, name }: DocumentParameter, field: string = ""): ChangePlace {
  return { part: "parameter", in: place, name, field };
}

function serializationOf({ style, explode, mediaType, isCatchAll }: DocumentParameter): string {
  const parts = [mediaType ?? `${style}${explode ? ", exploded" : ""}`];
  return [...parts, ...isCatchAll ? ["rest of the path"] : []].join(", ");
}
