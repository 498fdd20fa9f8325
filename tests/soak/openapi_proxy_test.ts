import type { App, Settings } from "@fw/fw";
import { createLogger } from "@fw/fw";
import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import type { ApiDocument } from "../../cli/describe/openapi/document.ts";
import { testUnless } from "../../tools/skip.ts";
import { writeGroups } from "../../tools/test_groups.ts";
import { checkout, tortureRoot } from "../cli/describe/openapi_app.ts";
import { RequestMaker, targetsOf } from "../cli/describe/openapi_requests.ts";
import { randomFrom } from "../cli/describe/openapi_values.ts";
import { inScratch } from "../cli/support.ts";
import { type ApiCall, JudgedApp, noPrism, readOperations, withPrism } from "../prism.ts";

const preload = fromFileUrl(new URL("../examples/prism_preload.ts", import.meta.url));

/** Tests of the example that call what the document has, and what they leave out. */
const files = [
  ...["api", "attendees", "pages", "photos", "sign_in"].map((name) =>
    `examples/events/tests/${name}_test.ts`
  ),
  "tests/examples/prism_calls.ts",
];

const reason = await noPrism();

testUnless(reason, {
  name: "openapi: Prism finds no difference between the demo and its document while its tests run",
  fn: () =>
    inScratch(async (folder) => {
      const judged = join(folder, "judged");
      const document = join(checkout, "examples/events/openapi.json");
      const operations = await readOperations(document);
      // In one worker: to load the example takes longer than its tests.
      const [group = ""] = await writeGroups([files], folder);
      await withPrism(document, async (place) => {
        const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
          args: ["test", "-A", "--no-check", `--preload=${preload}`, group],
          cwd: checkout,
          env: { NO_COLOR: "1", PRISM_JOB: JSON.stringify({ place, operations, judged }) },
          stdin: "null",
        }).output();
        const decoder = new TextDecoder();
        assertEquals(code, 0, decoder.decode(stdout) + decoder.decode(stderr));
      });
      const lines = (await Deno.readTextFile(judged)).split("\n");
      assertEquals(findUnseen(operations, lines), [], "no test calls these with success");
    }),
});

/** Operations of the torture app that Prism cannot judge, each with why. */
const unfit: Readonly<Record<string, string>> = {
  "GET /types/bigint": "its JSON reader rounds integers above 2^53",
  "GET /types/pair": "it reads prefixItems as if they were absent",
  "GET /types/tuple": "it reads prefixItems as if they were absent",
  "POST /requests/file": "it does not answer a body of multipart/form-data",
};

testUnless(reason, {
  name: `openapi: Prism finds no difference between the torture app and its document, except ${
    JSON.stringify(unfit)
  }`,
  fn: async () => {
    // Not checked with the tests: it has an `enum`, which this repository refuses.
    const { newApp }: { readonly newApp: (settings: Settings) => Promise<App> } = await import(
      new URL("../fixtures/api/fw_gen.ts", import.meta.url).href
    );
    const file = join(tortureRoot, "openapi.json");
    const document: ApiDocument = JSON.parse(await Deno.readTextFile(file));
    const operations = await readOperations(file);
    const app = await newApp({ env: "prod", logger: createLogger({ write: () => {} }) });
    const maker = new RequestMaker(document, { random: randomFrom(3), isValid: 0 < 1 });
    const faults: string[] = [];
    await withPrism(file, async (place) => {
      const judging = new JudgedApp(place, operations);
      const send = judging.wrap(app.fetch);
      for (const target of targetsOf(document)) {
        const name = `${target.method.toUpperCase()} ${target.path}`;
        if (unfit[name] !== undefined) continue;
        for (let turn = 0; turn < 3; turn++) {
          const request = maker.make(target);
          if (await isUnfit(request)) continue;
          try {
            await (await send(request)).body?.cancel();
          } catch (error) {
            faults.push(`${name}: ${error}`);
          }
        }
      }
      assertEquals(faults, []);
      await judging.close();
      // What asks to sign in refuses the requests of a stranger, which is judged as well.
      const seen = [...judging.judged].map((line) => line.slice(0, -4));
      const names = operations.map(({ method, path }) => `${method} ${path}`);
      assertEquals(names.filter((name) => !seen.includes(name)).sort(), Object.keys(unfit).sort());
    });
    await app.shutdown();
  },
});

/** Returns the operations that no call met with success. */
function findUnseen(operations: readonly ApiCall[], judged: readonly string[]): readonly string[] {
  return operations.map(({ method, path }) => `${method} ${path}`).filter((name) =>
    !judged.some((line) => line.startsWith(`${name} `) && Number(line.slice(-3)) < 400)
  );
}

/** Whether Prism cannot read a body: it has no answer to multipart, and a form without fields is none. */
async function isUnfit(request: Request): Promise<boolean> {
  if (request.body === null) return false;
  const isMultipart = request.headers.get("content-type")?.startsWith("multipart/") ?? false;
  return isMultipart || await request.clone().text() === "";
}
