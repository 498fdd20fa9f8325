/**
 * Turns JSON Schemas into types of the language. A `$ref` becomes a named type, so that a schema may
 * contain itself.
 *
 * @module
 */
import type { JsonObject } from "@fw/fw/addon";
import { entriesOf, listOf, memberOf, objectOf, textOf, textsOf } from "../../project/json.ts";
import { findAt, pointerParts } from "../document/values.ts";
import { docComment } from "./comment.ts";
import { SchemaSides, type Side } from "./sides.ts";
import { literalSource } from "../../gen/source_text.ts";
import { type Names, typeName } from "./names.ts";
import {
  findCircularNames,
  intersectionOf,
  type MemberNode,
  nameType,
  type TypeNode,
  unionOf,
  writeAlias,
} from "./type_text.ts";

/** The most schemas that are written; a document that repeats large parts by reference has more. */
const maxSchemas = 250_000;

/** How deep schemas are nested without a `$ref`; what is deeper is `unknown`. */
const maxDepth = 48;

/** A document that asks for more than the writer does. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

/** How a schema is read. */
export interface SchemaUse {
  /** Whether it is a member of a multipart form, where a binary text is a file. @default false */
  readonly isMultipart?: boolean;
  /** Who sends it: what a schema marks `readOnly` stands in no request, `writeOnly` in no response. */
  readonly side?: Side;
  /** Members that the schema around it leaves out. @default none */
  readonly left?: ReadonlySet<string>;
  /** The schemas around it. @default 0 */
  readonly depth?: number;
}

const unknownType = nameType("unknown");
const textType = nameType("string");

/** Makes types, and collects the named ones that they mention. */
export class TypeMaker {
  readonly #document: unknown;
  readonly #names: Names;
  readonly #named = new Map<string, string>();
  readonly #waiting: { name: string; parts: readonly string[]; side: Side }[] = [];
  readonly #sides: SchemaSides;
  readonly #faults = new Set<string>();
  #count = 0;

  constructor(document: unknown, names: Names) {
    this.#document = document;
    this.#names = names;
    this.#sides = new SchemaSides(document);
    // First of all, so that no operation takes the name of a component.
    for (const [name] of entriesOf(memberOf(memberOf(document, "components"), "schemas"))) {
      this.#nameOf(["components", "schemas", name], "response");
    }
  }

  /** References that lead nowhere or out of the document. */
  get faults(): readonly string[] {
    return [...this.#faults];
  }

  /** Writes the named types that were mentioned, and those that they mention. */
  writeNamed(): string {
    const types = new Map<string, { readonly comment: string; readonly type: TypeNode }>();
    for (let at = 0; at < this.#waiting.length; at++) {
      const next = this.#waiting[at];
      if (next === undefined) break;
      const schema = findAt(this.#document, next.parts);
      const title = textOf(memberOf(schema, "title"));
      const comment = docComment([title, ...commentOf(schema)], "");
      types.set(next.name, { comment, type: this.typeOf(schema, { side: next.side }) });
    }
    const circular = findCircularNames(new Map([...types].map(([name, { type }]) => [name, type])));
    return [...types].map(([name, { comment, type }]) =>
      comment + writeAlias(name, circular.has(name) ? unknownType : type)
    ).join("\n");
  }

  /**
   * Returns the type of a schema.
   *
   * @throws {TooLargeError} for a document that has too many.
   */
  typeOf(schema: unknown, use: SchemaUse = {}): TypeNode {
    const { depth = 0 } = use;
    if (++this.#count > maxSchemas) throw new TooLargeError("more schemas than a client can have");
    if (schema === false) return nameType("never");
    const object = objectOf(schema);
    if (object === undefined || depth > maxDepth) return unknownType;
    const ref = textOf(memberOf(object, "$ref"));
    if (ref !== undefined) return this.#referenceType(ref, use);
    const left = this.#sides.leftOut(object, use.side);
    const inner = {
      ...use,
      depth: depth + 1,
      ...(left.size === 0 ? {} : { left: left.union(use.left ?? new Set<string>()) }),
    };
    const parts = [this.#ownType(object, inner)];
    for (const keyword of ["oneOf", "anyOf"]) {
      const choices = listOf(memberOf(object, keyword));
      // `anyOf: [{ format: "date" }, …]` narrows the text beside it: its parts have no type.
      if (choices.length > 0) {
        parts.push(unionOf(choices.map((each) => this.typeOf(each, inner))));
      }
    }
    parts.push(...listOf(memberOf(object, "allOf")).map((each) => this.typeOf(each, inner)));
    return intersectionOf(parts);
  }

  #referenceType(ref: string, use: SchemaUse): TypeNode {
    const parts = pointerParts(ref);
    const target = parts === undefined ? undefined : findAt(this.#document, parts);
    if (parts === undefined || target === undefined) {
      this.#faults.add(ref);
      return unknownType;
    }
    // A named type cannot say that it stands in a multipart form.
    if (use.isMultipart === true && isBinary(target)) return nameType("Blob");
    const isApart = use.side === "request" && this.#sides.areApart(parts);
    return nameType(this.#nameOf(parts, isApart ? "request" : "response"));
  }

  #nameOf(parts: readonly string[], side: Side): string {
    // One name for each target and side, however the reference is escaped.
    const key = [side, ...parts].join("\u0000");
    const known = this.#named.get(key);
    if (known !== undefined) return known;
    const wanted = typeName(parts.at(-1) ?? "Document");
    const name = this.#names.take(side === "request" ? `${wanted}Request` : wanted);
    this.#named.set(key, name);
    this.#waiting.push({ name, parts, side });
    return name;
  }

  #ownType(schema: JsonObject, use: SchemaUse): TypeNode {
    if (Object.hasOwn(schema, "const")) return literalType(memberOf(schema, "const"));
    const values = memberOf(schema, "enum");
    if (Array.isArray(values)) return unionOf(values.map(literalType));
    const types = typeNames(schema);
    if (types.length === 0) return unknownType;
    return unionOf(types.map((type) => this.#typeNamed(type, schema, use)));
  }

  #typeNamed(type: string, schema: JsonObject, use: SchemaUse): TypeNode {
    switch (type) {
      case "string":
        return use.isMultipart === true && isBinary(schema) ? nameType("Blob") : textType;
      case "integer":
        return memberOf(schema, "format") === "int64"
          ? unionOf([nameType("number"), nameType("bigint")])
          : nameType("number");
      case "number":
      case "boolean":
      case "null":
        return nameType(type);
      case "array":
        return this.#arrayType(schema, use);
      case "object":
        return this.#objectType(schema, use);
      default:
        return unknownType;
    }
  }

  #arrayType(schema: JsonObject, { left: _, ...use }: SchemaUse): TypeNode {
    const rest = memberOf(schema, "items") ?? true;
    const first = listOf(memberOf(schema, "prefixItems"));
    if (first.length === 0) return { kind: "array", item: this.typeOf(rest, use) };
    const least = memberOf(schema, "minItems");
    const count = typeof least === "number" ? least : 0;
    const items = first.map((item, at) => ({
      type: this.typeOf(item, use),
      role: at < count ? "required" as const : "optional" as const,
    }));
    if (rest === false) return { kind: "tuple", items };
    return {
      kind: "tuple",
      items: [...items, { type: this.typeOf(rest, use), role: "rest" }],
    };
  }

  #objectType(schema: JsonObject, use: SchemaUse): TypeNode {
    const { left = new Set<string>(), ...inner } = use;
    const properties = entriesOf(memberOf(schema, "properties"))
      .filter(([name]) => !left.has(name));
    const required = new Set(textsOf(memberOf(schema, "required"))).difference(left);
    const members: MemberNode[] = properties.map(([name, each]) => ({
      name,
      type: this.typeOf(each, inner),
      isOptional: !required.delete(name),
      comment: commentOf(each),
    }));
    for (const name of required) {
      members.push({ name, type: unknownType, isOptional: false, comment: [] });
    }
    const others = memberOf(schema, "additionalProperties") ??
      entriesOf(memberOf(schema, "patternProperties"))[0]?.[1];
    if (members.length > 0) {
      // Members and an index signature must agree, which only `unknown` does with every schema.
      return { kind: "object", members, isOpen: objectOf(others) !== undefined };
    }
    return {
      kind: "record",
      item: this.typeOf(others ?? true, inner),
    };
  }
}

/** Returns the paragraphs of a comment about a schema. */
export function commentOf(schema: unknown): readonly (string | undefined)[] {
  return [
    textOf(memberOf(schema, "description")),
    memberOf(schema, "deprecated") === true ? "Deprecated." : undefined,
  ];
}

function typeNames(schema: JsonObject): readonly string[] {
  const given = memberOf(schema, "type");
  const names = new Set(typeof given === "string" ? [given] : textsOf(given));
  if (names.size === 0) {
    const isArray = ["items", "prefixItems"].some((name) => Object.hasOwn(schema, name));
    const isObject = ["properties", "required", "additionalProperties", "patternProperties"]
      .some((name) => typeof memberOf(schema, name) === "object");
    if (isObject) names.add("object");
    else if (isArray) names.add("array");
    else if (isBinary(schema)) names.add("string");
  }
  if (names.size > 0 && memberOf(schema, "nullable") === true) names.add("null");
  return [...names];
}

function literalType(value: unknown): TypeNode {
  switch (typeof value) {
    case "string":
      return nameType(literalSource(value));
    case "number":
      return nameType(Number.isFinite(value) ? String(value) : "number");
    case "boolean":
      return nameType(String(value));
    default:
      if (value === null) return nameType("null");
      return Array.isArray(value)
        ? { kind: "array", item: unknownType }
        : { kind: "record", item: unknownType };
  }
}

/**
 * Reports whether a text holds bytes: OpenAPI 3.0 says it by `format`, 3.1 by `contentMediaType`.
 */
export function isBinary(schema: unknown): boolean {
  if (memberOf(schema, "format") === "binary") return true;
  const mediaType = textOf(memberOf(schema, "contentMediaType"));
  return mediaType !== undefined && memberOf(schema, "contentEncoding") === undefined &&
    !mediaType.startsWith("application/json");
}
