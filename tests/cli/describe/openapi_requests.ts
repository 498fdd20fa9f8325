/** Requests made from a document. */
import type {
  ApiDocument,
  MediaType,
  Operation,
  Parameter,
} from "../../../cli/describe/openapi/document.ts";
import type { Random } from "../../random.ts";
import { pick, Values } from "./openapi_values.ts";

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

/** Makes requests to operations; each that shall not fit is wrong in one place at least. */
export class RequestMaker {
  readonly #random: Random;
  readonly #values: Values;
  readonly #isValid: boolean;

  constructor(document: ApiDocument, options: { random: Random; isValid: boolean }) {
    const { random, isValid } = options;
    this.#random = random;
    this.#values = new Values(document, random);
    this.#isValid = isValid;
  }

  make({ path, method, operation }: Target): Request {
    const { parameters = [], requestBody } = operation;
    const query = new URLSearchParams();
    let url = path;
    for (const parameter of parameters) {
      const text = this.#parameter(parameter);
      if (parameter.in === "path") {
        // Another path would be another operation.
        const safe = text.replace(/[/\\]/g, "-").replace(/^\.{0,2}$/, "a");
        url = url.replace(`{${parameter.name}}`, encodeURIComponent(safe));
      } else if (parameter.required || this.#random() < 0.6) query.append(parameter.name, text);
    }
    if (!this.#isValid) query.append(`x${Math.floor(this.#random() * 9)}`, "odd");
    const address = `http://localhost${url}${query.size === 0 ? "" : `?${query}`}`;
    const body = requestBody === undefined ? {} : this.#body(requestBody.content);
    const request = new Request(address, { method: method.toUpperCase(), ...body });
    // As a client of an API says; a browser gets errors as pages.
    request.headers.set("accept", "application/json");
    return request;
  }

  #parameter({ schema }: Parameter): string {
    const value = this.#isValid ? this.#values.fitting(schema) : this.#values.odd();
    const text = Array.isArray(value) ? String(value[0] ?? "a") : String(value);
    return text.toWellFormed();
  }

  #body(content: Readonly<Record<string, MediaType>>): RequestInit {
    const [first, ...rest] = Object.entries(content);
    if (first === undefined) return {};
    const [type, { schema = {} }] = pick(this.#random, [first, ...rest]);
    const value = this.#values.fitting(schema);
    const fields = { ...Object(value) };
    if (!this.#isValid) {
      if (this.#random() < 0.3) return this.#malformed(type);
      const names = Object.keys(fields);
      const name = names[Math.floor(this.#random() * names.length)];
      if (name === undefined || this.#random() < 0.3) fields["unknown"] = this.#values.odd();
      else if (this.#random() < 0.5) fields[name] = this.#values.odd();
      else delete fields[name];
    }
    if (/json/.test(type)) {
      return { body: JSON.stringify(fields), headers: { "content-type": type } };
    }
    const entries = Object.entries(fields).flatMap(([name, each]): [string, string | Blob][] =>
      Array.isArray(each)
        ? each.map((inner) => [name, String(inner)])
        : [[name, ["photo", "text"].includes(name) ? pngFile(name) : String(each)]]
    );
    if (type !== "multipart/form-data") {
      const pairs = entries.map(([name, each]) => [name, String(each)]);
      return { body: new URLSearchParams(pairs) };
    }
    const form = new FormData();
    for (const [name, each] of entries) form.append(name, each);
    return { body: form };
  }

  #malformed(type: string): RequestInit {
    const [body, contentType] = pick<readonly [string, string]>(this.#random, [
      ["{", type],
      ["[]", "application/json"],
      ["\u0000\u0001", type],
      ["a=%zz", "application/x-www-form-urlencoded"],
      ["--x\r\nbroken", "multipart/form-data; boundary=x"],
      ["<a/>", "application/xml"],
      ["", type],
      [`"${"x".repeat(1_100_000)}"`, "application/json"],
      ["[".repeat(10_000), "application/json"],
    ]);
    return { body, headers: { "content-type": contentType } };
  }
}

function pngFile(name: string): File {
  const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
  return new File([bytes], `${name}.png`, { type: "image/png" });
}
