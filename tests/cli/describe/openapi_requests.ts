/** Requests built from a document: valid ones, and ones with at least one mistake. */
import type {
  ApiDocument,
  MediaType,
  Operation,
  Schema,
} from "../../../cli/describe/openapi/document.ts";
import type { Random } from "../../random.ts";

export interface Target {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

export function targetsOf(document: ApiDocument): readonly Target[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation }))
  );
}

type Fields = readonly (readonly [name: string, value: unknown])[];

export function createRequestMaker(
  document: ApiDocument,
  { random, isValid }: { readonly random: Random; readonly isValid: boolean },
): (target: Target) => Request {
  const between = (low: number, high: number): number =>
    low + Math.floor(random() * (high - low + 1));
  const pick = <T>(list: readonly T[]): T | undefined => list[between(0, list.length - 1)];
  const some = (count: number): undefined[] => Array.from({ length: count });
  return ({ path, method, operation }) => {
    const query = new URLSearchParams();
    let url = path;
    for (const { in: place, name, schema, required } of operation.parameters ?? []) {
      const value = isValid ? fitting(schema) : odd();
      const text = String(Array.isArray(value) ? value[0] ?? "a" : value).toWellFormed();
      if (place === "path") {
        // Another path would be another operation.
        const safe = text.replace(/[/\\]/g, "-").replace(/^\.{0,2}$/, "a");
        url = url.replace(`{${name}}`, encodeURIComponent(safe));
      } else if (required || random() < 0.6) query.append(name, text);
    }
    if (!isValid) query.append(`x${between(0, 8)}`, "odd");
    const address = `http://localhost${url}${query.size === 0 ? "" : `?${query}`}`;
    const { content } = operation.requestBody ?? {};
    const body = content === undefined ? {} : bodyOf(content);
    const request = new Request(address, { method: method.toUpperCase(), ...body });
    // As API clients send it; a browser gets errors as pages.
    request.headers.set("accept", "application/json");
    return request;
  };

  /** Returns a valid value. */
  function fitting(given: Schema, depth = 0): unknown {
    const name = String(given["$ref"] ?? "").replace("#/components/schemas/", "");
    const schema = name === "" ? given : document.components.schemas[name] ?? {};
    if ("const" in schema) return schema["const"];
    if (Array.isArray(schema["enum"])) return pick(schema["enum"]);
    const type = Array.isArray(schema["type"]) ? pick(schema["type"]) : schema["type"];
    const limit = (name: string, otherwise: number): number => Number(schema[name] ?? otherwise);
    if (type === "string") return textOf(schema, limit("minLength", 0), limit("maxLength", 12));
    if (type === "boolean") return random() < 0.5;
    if (type === "integer" || type === "number") {
      const low = limit("minimum", 0);
      const high = limit("maximum", low + 1_000);
      return type === "integer" ? between(low, high) : low + random() * (high - low);
    }
    if (type === "array") {
      const low = limit("minItems", 0);
      const high = depth > 3 ? low : Math.min(limit("maxItems", low + 3), low + 3);
      return some(between(low, high)).map(() => fitting(Object(schema["items"]), depth + 1));
    }
    if (type !== "object") return null;
    const required: readonly unknown[] = Object(schema["required"] ?? []);
    const properties: readonly [string, Schema][] = Object.entries(Object(schema["properties"]));
    return Object.fromEntries(
      properties.filter(([name]) => required.includes(name) || (depth < 3 && random() < 0.6))
        .map(([name, inner]) => [name, fitting(inner, depth + 1)]),
    );
  }

  function textOf({ format, anyOf }: Schema, low: number, high: number): string {
    if (format === "email") return "ada@example.com";
    if (format === "uri") return "https://example.com/a";
    if (format === "int64") return String(between(0, 1e9));
    if (anyOf !== undefined || format === "date") return "2026-05-14";
    const characters = some(between(low, Math.min(high, low + 12)))
      .map(() => pick([..."abcXYZ09 é漢🎈<&\"'"]));
    return characters.join("").trim().padEnd(low, "x");
  }

  /** Returns a value that is rarely valid: of another type, too long, out of range, or hostile. */
  function odd(): unknown {
    return pick<unknown>([
      ...[null, "", "x".repeat(600), -1, 1e308, 0.5, true, [], [[["deep"]]], {}],
      ...[{ constructor: "x" }, "\u0000", "'; drop table events; --", "../../etc/passwd"],
      ...["2026-13-45", "99999999999999999999999"],
    ]);
  }

  function bodyOf(content: Readonly<Record<string, MediaType>>): RequestInit {
    const [type, { schema = {} }] = pick(Object.entries(content)) ?? ["", {}];
    const fields = { ...Object(fitting(schema)) };
    if (!isValid) {
      if (random() < 0.3) return malformed(type);
      const name = pick(Object.keys(fields));
      if (name === undefined || random() < 0.3) fields["unknown"] = odd();
      else if (random() < 0.5) fields[name] = odd();
      else delete fields[name];
    }
    if (/json/.test(type)) {
      return { body: JSON.stringify(fields), headers: { "content-type": type } };
    }
    const all: Fields = Object.entries(fields);
    const entries = all.flatMap(([name, each]) =>
      Array.isArray(each) ? each.map((inner) => [name, inner] as const) : [[name, each] as const]
    );
    if (type !== "multipart/form-data") {
      return { body: new URLSearchParams(entries.map(([name, each]) => [name, String(each)])) };
    }
    const form = new FormData();
    for (const [name, each] of entries) {
      form.append(name, ["photo", "text"].includes(name) ? pngFile(name) : String(each));
    }
    return { body: form };
  }

  function malformed(type: string): RequestInit {
    const [body, contentType = type] = pick<readonly [body: string, type?: string]>([
      ["{"],
      ["[]", "application/json"],
      ["\u0000\u0001"],
      ["a=%zz", "application/x-www-form-urlencoded"],
      ["--x\r\nbroken", "multipart/form-data; boundary=x"],
      ["<a/>", "application/xml"],
      [""],
      [`"${"x".repeat(1_100_000)}"`, "application/json"],
      ["[".repeat(10_000), "application/json"],
    ]) ?? [""];
    return { body, headers: { "content-type": contentType } };
  }
}

function pngFile(name: string): File {
  const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
  return new File([bytes], `${name}.png`, { type: "image/png" });
}
