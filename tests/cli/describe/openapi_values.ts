/** Makes values from the schemas of a document: those that fit, and those that do not. */
import type { ApiDocument, Schema } from "../../../cli/describe/openapi/document.ts";
import type { Random } from "../../random.ts";

export function pick<T>(random: Random, list: readonly [T, ...T[]]): T {
  return list[Math.floor(random() * list.length)] ?? list[0];
}

/** Makes values for the schemas of one document. */
export class Values {
  readonly #document: ApiDocument;
  readonly #random: Random;

  constructor(document: ApiDocument, random: Random) {
    this.#document = document;
    this.#random = random;
  }

  resolve(schema: Schema): Schema {
    const { $ref } = schema;
    if (typeof $ref !== "string") return schema;
    return this.#document.components.schemas[$ref.replace("#/components/schemas/", "")] ?? {};
  }

  /** Returns a value that fits. */
  fitting(given: Schema, depth = 0): unknown {
    const schema = this.resolve(given);
    if ("const" in schema) return schema["const"];
    if (Array.isArray(schema["enum"])) return this.#one(schema["enum"]);
    const type = Array.isArray(schema["type"]) ? this.#one(schema["type"]) : schema["type"];
    switch (type) {
      case "string":
        return this.#text(schema);
      case "integer":
      case "number":
        return this.#number(schema, type);
      case "boolean":
        return this.#random() < 0.5;
      case "array":
        return this.#list(schema, depth);
      case "object":
        return this.#object(schema, depth);
      default:
        return null;
    }
  }

  #one(list: readonly unknown[]): unknown {
    return list[Math.floor(this.#random() * list.length)];
  }

  #between(low: number, high: number): number {
    return low + Math.floor(this.#random() * (high - low + 1));
  }

  #text(schema: Schema): string {
    if (schema["format"] === "email") return "ada@example.com";
    if (schema["format"] === "uri") return "https://example.com/a";
    if (schema["format"] === "int64") return String(this.#between(0, 1e9));
    if (schema["anyOf"] !== undefined || schema["format"] === "date") return "2026-05-14";
    const low = Number(schema["minLength"] ?? 0);
    const length = this.#between(low, Math.min(Number(schema["maxLength"] ?? 12), low + 12));
    return Array.from({ length }, () => this.#one([..."abcXYZ09 é漢🎈<&\"'"])).join("").trim()
      .padEnd(low, "x");
  }

  #number(schema: Schema, type: "integer" | "number"): number {
    const low = Number(schema["minimum"] ?? 0);
    const high = Number(schema["maximum"] ?? low + 1_000);
    return type === "integer" ? this.#between(low, high) : low + this.#random() * (high - low);
  }

  #list(schema: Schema, depth: number): unknown[] {
    const low = Number(schema["minItems"] ?? 0);
    const high = depth > 3 ? low : Math.min(Number(schema["maxItems"] ?? low + 3), low + 3);
    const items = (schema["items"] ?? {}) as Schema;
    return Array.from({ length: this.#between(low, high) }, () => this.fitting(items, depth + 1));
  }

  #object(schema: Schema, depth: number): Record<string, unknown> {
    const required = new Set((schema["required"] ?? []) as readonly string[]);
    const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>;
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => required.has(name) || (depth < 3 && this.#random() < 0.6))
        .map(([name, inner]) => [name, this.fitting(inner, depth + 1)]),
    );
  }

  /** Returns a value that rarely fits: of another type, too long, out of range, or hostile. */
  odd(): unknown {
    return pick<unknown>(this.#random, [
      null,
      "",
      "x".repeat(600),
      -1,
      1e308,
      0.5,
      true,
      [],
      [[["deep"]]],
      {},
      { constructor: "x" },
      "\u0000",
      "'; drop table events; --",
      "../../etc/passwd",
      "2026-13-45",
      "99999999999999999999999",
    ]);
  }
}
