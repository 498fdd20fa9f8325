import { type App, createLogger, type Settings } from "@fw/fw";
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { Ajv2020, type ValidateFunction } from "npm:ajv@8.20.0/dist/2020.js";
import type { ApiDocument } from "../../../cli/describe/openapi/document.ts";
import { tortureRoot } from "./openapi_app.ts";
import { createRequestMaker, type Target, targetsOf } from "./openapi_requests.ts";
import { randomFrom } from "../../random.ts";

const count = 800;

// Not type-checked with the tests: it contains an `enum`, which this repository forbids.
const { newApp }: { readonly newApp: (settings: Settings) => Promise<App> } = await import(
  new URL("../../fixtures/api/fw_gen.ts", import.meta.url).href
);

const document: ApiDocument = JSON.parse(
  await Deno.readTextFile(join(tortureRoot, "openapi.json")),
);
const targets = targetsOf(document);

/** The body schemas of the document, by operation, status and media type. */
const bodyChecks = new Map<string, ValidateFunction>();

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, "api");

/** Returns the errors of a JSON body, or an empty text for a valid one. */
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
  const make = createRequestMaker(document, { random, isValid });
  const faults = new Set<string>();
  const statuses = new Set<number>();
  for (let index = 0; index < count; index++) {
    const target = targets[index % targets.length];
    if (target === undefined) break;
    statuses.add(await check(app, { target, request: make(target), faults }));
  }
  // Requests with equal results would prove little.
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

Deno.test(`openapi: ${count} requests built from the document get only documented responses and bodies`, async () => {
  const isValid = true;
  assertEquals(await send(isValid), []);
});

Deno.test(`openapi: ${count} invalid requests get only documented responses and bodies`, async () => {
  const isValid = false;
  assertEquals(await send(isValid), []);
});
