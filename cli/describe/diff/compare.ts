/**
 * Compares two OpenAPI documents: what changed for clients that were written for the older one.
 *
 * @module
 */
import {
  type DocumentContent,
  type DocumentOperation,
  type DocumentParameter,
  type DocumentResponse,
  readOperations,
} from "../document/operations.ts";
import { entriesOf, listOf, memberOf, textOf } from "../../project/json.ts";
import { followReferences } from "../document/values.ts";
import { type Change, type ChangeFacts, changeLevels, type ChangePlace } from "./change.ts";
import { findSameTargets } from "./same_targets.ts";
import { compareSchemas, type Direction, type Documents } from "./schema.ts";
import { shown } from "./shown.ts";
import { compareSecurity } from "./security.ts";

/** The most schemas that are compared; a hostile document has more. */
const maxSchemas = 200_000;

/** The most changes that are listed. */
const maxChanges = 10_000;

/**
 * Lists the differences between two documents, breaking ones first. Never throws: what cannot be compared
 * is a breaking difference.
 *
 * @param before The document that clients were written for, as any value.
 * @param after The document of now.
 */
export function compareDocuments(before: unknown, after: unknown): readonly Change[] {
  try {
    const changes = new Comparison(before, after).run();
    const rank = (change: Change): number => changeLevels.indexOf(change.level);
    return changes.toSorted((a, b) => rank(a) - rank(b));
  } catch (error) {
    // A document that is nested deeper than the engine's stack.
    if (!(error instanceof RangeError)) throw error;
    return [tooLarge];
  }
}

const tooLarge: Change = {
  level: "breaking",
  kind: "too large",
  operation: "",
  place: { part: "operation" },
  name: "",
  from: "",
  to: "",
};

type OperationPair = { readonly before: DocumentOperation; readonly after: DocumentOperation };

class Comparison {
  readonly #documents: Documents;
  readonly #changes = new Map<string, Change>();

  constructor(before: unknown, after: unknown) {
    const same = findSameTargets(before, after);
    this.#documents = { before, after, same, budget: { left: maxSchemas } };
  }

  run(): Change[] {
    const { before, after } = this.#documents;
    const others = new Map(readOperations(after).map((each) => [keyOf(each), each]));
    for (const operation of readOperations(before)) {
      const other = others.get(keyOf(operation));
      others.delete(keyOf(operation));
      if (other === undefined) {
        this.#add(labelOf(operation), operationPlace, {
          kind: "operation removed",
          level: "breaking",
        });
      } else this.#compareOperations({ before: operation, after: other });
    }
    for (const operation of others.values()) {
      this.#add(labelOf(operation), operationPlace, {
        kind: "operation added",
        level: "compatible",
      });
    }
    this.#compareSchemes();
    this.#compareServers();
    return [...this.#changes.values()];
  }

  #add(operation: string, place: ChangePlace, facts: ChangeFacts): void {
    if (this.#changes.size >= maxChanges) {
      this.#changes.set("", tooLarge);
      return;
    }
    const { kind, level, name = "", from = "", to = "" } = facts;
    const change = { level, kind, operation, place, name, from, to };
    // A schema that is reached in two ways differs once.
    this.#changes.set(JSON.stringify(change), change);
  }

  #compareOperations({ before, after }: OperationPair): void {
    const label = labelOf(after);
    const add = (facts: ChangeFacts): void => this.#add(label, operationPlace, facts);
    if (before.id !== after.id && before.id !== undefined) {
      add({ kind: "operation id", level: "notice", from: before.id, to: after.id ?? "" });
    }
    if (before.isDeprecated !== after.isDeprecated) {
      add({ kind: after.isDeprecated ? "deprecated" : "not deprecated", level: "notice" });
    }
    for (const facts of compareSecurity(before.security, after.security)) add(facts);
    this.#compareParameters(label, { before, after });
    this.#compareBodies(label, { before, after });
    this.#compareResponses(label, { before, after });
  }

  #compareParameters(label: string, { before, after }: OperationPair): void {
    const others = new Map(after.parameters.map((each) => [parameterKey(after, each), each]));
    for (const parameter of before.parameters) {
      const key = parameterKey(before, parameter);
      const other = others.get(key);
      others.delete(key);
      const place = placeOfParameter(other ?? parameter);
      if (other === undefined) {
        // Servers ignore what they do not know, but the caller may count on it.
        this.#add(label, place, { kind: "removed", level: "notice" });
      } else this.#compareParameter(label, { before: parameter, after: other });
    }
    for (const parameter of others.values()) {
      const { isRequired } = parameter;
      this.#add(label, placeOfParameter(parameter), {
        kind: isRequired ? "added required" : "added",
        level: isRequired ? "breaking" : "compatible",
      });
    }
  }

  #compareParameter(
    label: string,
    { before, after }: { readonly before: DocumentParameter; readonly after: DocumentParameter },
  ): void {
    const place = placeOfParameter(after);
    const add = (facts: ChangeFacts): void => this.#add(label, place, facts);
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
    this.#compareSchemas(label, {
      before: before.schema,
      after: after.schema,
      direction: "request",
      placeAt: (field) => placeOfParameter(after, field),
    });
  }

  #compareSchemas(
    label: string,
    { before, after, direction, placeAt }: {
      readonly before: unknown;
      readonly after: unknown;
      readonly direction: Direction;
      readonly placeAt: (field: string) => ChangePlace;
    },
  ): void {
    compareSchemas(before ?? true, after ?? true, {
      documents: this.#documents,
      direction,
      report: (field, facts) => this.#add(label, placeAt(field), facts),
    });
  }

  #compareBodies(label: string, { before, after }: OperationPair): void {
    const [from, to] = [before.body, after.body];
    const place: ChangePlace = { part: "request", mediaType: "", field: "" };
    const add = (facts: ChangeFacts): void => this.#add(label, place, facts);
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
    this.#compareContents(label, {
      before: from.contents,
      after: to.contents,
      direction: "request",
      placeAt: (mediaType, field) => ({ part: "request", mediaType, field }),
    });
  }

  #compareResponses(label: string, { before, after }: OperationPair): void {
    const others = new Map(after.responses.map((each) => [each.status, each]));
    const hadDefault = before.responses.some(({ status }) => status === "default");
    for (const response of before.responses) {
      const other = others.get(response.status);
      others.delete(response.status);
      if (other !== undefined) {
        this.#compareResponse(label, { before: response, after: other });
        continue;
      }
      // An error that cannot happen any more breaks no client.
      this.#add(label, placeOfResponse(response.status), {
        kind: "status removed",
        level: isSuccess(response.status) ? "breaking" : "notice",
      });
    }
    for (const { status } of others.values()) {
      this.#add(label, placeOfResponse(status), {
        kind: "status added",
        level: isSuccess(status) && !hadDefault ? "notice" : "compatible",
      });
    }
  }

  #compareResponse(
    label: string,
    { before, after }: { readonly before: DocumentResponse; readonly after: DocumentResponse },
  ): void {
    const { status } = after;
    this.#compareHeaders(label, { before, after });
    if (before.contents.length === 0 && after.contents.length > 0) {
      this.#add(label, placeOfResponse(status), { kind: "added", level: "compatible" });
      return;
    }
    this.#compareContents(label, {
      before: before.contents,
      after: after.contents,
      direction: "response",
      placeAt: (mediaType, field) => ({ part: "response", status, mediaType, field }),
    });
  }

  #compareHeaders(
    label: string,
    { before, after }: { readonly before: DocumentResponse; readonly after: DocumentResponse },
  ): void {
    const { status } = after;
    for (const [name, header] of before.headers) {
      const place: ChangePlace = { part: "header", status, name, field: "" };
      const other = after.headers.get(name);
      const wasRequired = memberOf(header, "required") === true;
      if (other === undefined) {
        this.#add(label, place, {
          kind: "header removed",
          level: wasRequired ? "breaking" : "notice",
        });
        continue;
      }
      const isRequired = memberOf(other, "required") === true;
      if (wasRequired !== isRequired) {
        this.#add(label, place, {
          kind: isRequired ? "became required" : "became optional",
          level: isRequired ? "compatible" : "breaking",
        });
      }
      this.#compareSchemas(label, {
        before: memberOf(header, "schema"),
        after: memberOf(other, "schema"),
        direction: "response",
        placeAt: (field) => ({ part: "header", status, name, field }),
      });
    }
    for (const name of after.headers.keys()) {
      if (before.headers.has(name)) continue;
      const place: ChangePlace = { part: "header", status, name, field: "" };
      this.#add(label, place, { kind: "header added", level: "compatible" });
    }
  }

  #compareContents(
    label: string,
    { before, after, direction, placeAt }: {
      readonly before: readonly DocumentContent[];
      readonly after: readonly DocumentContent[];
      readonly direction: Direction;
      readonly placeAt: (mediaType: string, field: string) => ChangePlace;
    },
  ): void {
    const others = new Map(after.map((each) => [each.mediaType, each]));
    for (const content of before) {
      const { mediaType } = content;
      const other = others.get(mediaType);
      others.delete(mediaType);
      if (other === undefined) {
        this.#add(label, placeAt(mediaType, ""), {
          kind: "media type removed",
          level: "breaking",
          name: mediaType,
        });
        continue;
      }
      this.#compareSchemas(label, {
        before: content.schema,
        after: other.schema,
        direction,
        placeAt: (field) => placeAt(mediaType, field),
      });
      this.#compareEvents(label, { before: content, after: other });
    }
    for (const mediaType of others.keys()) {
      this.#add(label, placeAt(mediaType, ""), {
        kind: "media type added",
        level: "compatible",
        name: mediaType,
      });
    }
  }

  #compareEvents(
    label: string,
    { before, after }: { readonly before: DocumentContent; readonly after: DocumentContent },
  ): void {
    const others = new Map(after.events);
    for (const [name, schema] of before.events) {
      if (!others.has(name)) {
        const place: ChangePlace = { part: "event", name, field: "" };
        this.#add(label, place, { kind: "event removed", level: "breaking" });
        continue;
      }
      this.#compareSchemas(label, {
        before: schema,
        after: others.get(name),
        direction: "response",
        placeAt: (field) => ({ part: "event", name, field }),
      });
      others.delete(name);
    }
    // Clients of a stream pass over the events that they do not know.
    for (const name of others.keys()) {
      const place: ChangePlace = { part: "event", name, field: "" };
      this.#add(label, place, { kind: "event added", level: "compatible" });
    }
  }

  #compareSchemes(): void {
    const [before, after] = [this.#documents.before, this.#documents.after].map((document) => {
      const schemes = memberOf(memberOf(document, "components"), "securitySchemes");
      return new Map(
        entriesOf(schemes).map(([name, scheme]) => [
          name,
          followReferences(document, scheme),
        ]),
      );
    });
    for (const [name, scheme] of before ?? []) {
      const other = after?.get(name);
      const [from, to] = [schemeText(scheme), schemeText(other)];
      if (from === to) continue;
      this.#add("", operationPlace, {
        kind: other === undefined ? "scheme removed" : "scheme changed",
        level: other === undefined ? "notice" : "breaking",
        name,
        from,
        to,
      });
    }
  }

  #compareServers(): void {
    const [before, after] = [this.#documents.before, this.#documents.after].map((document) =>
      listOf(memberOf(document, "servers")).flatMap((each) => textOf(memberOf(each, "url")) ?? [])
    );
    for (const url of before ?? []) {
      if (after?.includes(url)) continue;
      this.#add("", operationPlace, { kind: "server removed", level: "notice", name: url });
    }
  }
}

const operationPlace: ChangePlace = { part: "operation" };

function labelOf({ method, path }: DocumentOperation): string {
  return `${method.toUpperCase()} ${path}`;
}

/** Operations are the same by method and path; the names of path parameters do not matter. */
function keyOf({ method, path }: DocumentOperation): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, "{}")}`;
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

function placeOfResponse(status: string): ChangePlace {
  return { part: "response", status, mediaType: "", field: "" };
}

function isSuccess(status: string): boolean {
  return /^[123]/.test(status);
}

function serializationOf({ style, explode, mediaType, isCatchAll }: DocumentParameter): string {
  const parts = [mediaType ?? `${style}${explode ? ", exploded" : ""}`];
  return [...parts, ...isCatchAll ? ["rest of the path"] : []].join(", ");
}

/** What a client must know of a security scheme. */
function schemeText(scheme: unknown): string {
  const names = ["type", "in", "name", "scheme", "openIdConnectUrl"];
  const parts = names.map((name) => memberOf(scheme, name));
  return parts.filter((part) => part !== undefined)
    .map((part) => typeof part === "string" ? part : shown(part)).join(" ");
}
