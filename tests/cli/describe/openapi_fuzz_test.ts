import { type App, createLogger, type Settings } from "@fw/fw";
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { Ajv2020, type ValidateFunction } from "npm:ajv@8.20.0/dist/2020.js";
import type {
  ApiDocument,
  MediaType,
  Operation,
  Parameter,
} from "../../../cli/describe/openapi/document.ts";
import { tortureRoot } from "./openapi_app.ts";
import { pick, type Random, randomFrom, Values } from "./openapi_values.ts";

/** How many requests of each kind are sent. */
const count = 2_000;

interface Target {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

// Not checked with the tests: it has an `enum`, which this repository refuses.
const { newApp }: { readonly newApp: (settings: Settings) => Promise<App> } = await import(
  new URL("../../fixtures/api/fw_gen.ts", import.meta.url).href
);

const document: ApiDocument = JSON.parse(
  await Deno.readTextFile(join(tortureRoot, "openapi.json")),
);
const targets: Target[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation }))
);

/** What the document says of the bodies, by operation, status and media type. */
const bodyChecks = new Map<string, ValidateFunction>();

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, "api");

/** Returns what is wrong with a JSON body; empty for one that fits its schema. */
function findBodyFaults(place: readonly string[], text: string): string {
  const pointer = place.map((part) =>
    encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))
  ).join("/");
  const check = bodyChecks.get(pointer) ?? ajv.compile({ $ref: `api#/${pointer}` });
  bodyChecks.set(pointer, check);
  try {
    return check(JSON.parse(text)) ? "" : ajv.errorsText(check.errors);
  } catch (error) {
    return `${error} in ${text.slice(0, 80)}`;
  }
}

async function send(isValid: boolean): Promise<readonly string[]> {
  const app = await newApp({ env: "prod", logger: createLogger({ write: () => {} }) });
  const random = randomFrom(isValid ? 1 : 2);
  const maker = new RequestMaker(random, isValid);
  const faults = new Set<string>();
  const statuses = new Set<number>();
  for (let index = 0; index < count; index++) {
    const target = targets[index % targets.length];
    if (target === undefined) break;
    statuses.add(await check(app, { target, request: maker.make(target), faults }));
  }
  // Requests that all end alike would prove little.
  assert(statuses.size >= 8, `the requests met only the statuses ${[...statuses]}`);
  await app.shutdown();
  return [...faults];
}

async function check(
  app: App,
  { target, request, faults }: {
    readonly target: Target;
    readonly request: Request;
    readonly faults: Set<string>;
  },
): Promise<number> {
  const { method, path, operation } = target;
  const what = `${method.toUpperCase()} ${path}`;
  const response = await app.fetch(request);
  const documented = operation.responses[response.status];
  if (response.status >= 500) faults.add(`${what}: ${response.status}`);
  else if (documented === undefined) faults.add(`${what}: ${response.status} is not documented`);
  else {
    const type = response.headers.get("content-type")?.split(";")[0];
    const types = Object.keys(documented.content ?? {});
    const isKnown = types.length === 0 ? response.body === null : types.includes(type ?? "");
    if (!isKnown) faults.add(`${what}: ${response.status} ${type} instead of ${types}`);
    else if (type !== undefined && /[/+]json$/.test(type)) {
      const place = ["paths", path, method, "responses", `${response.status}`, "content", type];
      const wrong = findBodyFaults([...place, "schema"], await response.text());
      if (wrong !== "") faults.add(`${what}: ${response.status} ${type}: ${wrong}`);
      return response.status;
    }
  }
  await response.body?.cancel();
  return response.status;
}

/** Makes requests to operations; each that shall not fit is wrong in one place at least. */
class RequestMaker {
  readonly #random: Random;
  readonly #values: Values;
  readonly #isValid: boolean;

  constructor(random: Random, isValid: boolean) {
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

Deno.test(`openapi: ${count} requests made from the document meet only documented responses and bodies`, async () => {
  const isValid = true;
  assertEquals(await send(isValid), []);
});

Deno.test(`openapi: ${count} wrong requests meet only documented responses and bodies`, async () => {
  const isValid = false;
  assertEquals(await send(isValid), []);
});
