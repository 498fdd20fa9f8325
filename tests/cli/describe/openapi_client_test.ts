// test: child, runs git, `deno check` and what describes an app
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { checkDocument } from "../../../cli/check/openapi.ts";
import type { StepOptions } from "../../../cli/check/step.ts";
import { writeClient } from "../../../cli/describe/client/write_client.ts";
import { readOlderDocument } from "../../../cli/describe/diff/against.ts";
import { messagesIn } from "../../../cli/messages/catalog.ts";
import { createProject } from "../../../cli/project/project.ts";
import { deno, inScratch, runCli, writeFiles } from "../support.ts";
import { inApp, manifest, tortureRoot } from "./openapi_app.ts";

const route = (field: string): string =>
  `import { type Ctx, struct, text } from "@fw/fw";

export const NewEvent = struct({ title: text("required,max=80"), note: text("${field}") });

/** Creates an event. */
export async function POST(c: Ctx) {
  const { title } = await c.bindJson(NewEvent);
  return c.json(201, { title, seats: 12 });
}
`;

async function runDeno(args: readonly string[], folder: string): Promise<void> {
  const { code, output } = await deno(args, folder);
  assertEquals(code, 0, output.slice(0, 3000));
}

async function git(root: string, ...args: readonly string[]): Promise<void> {
  const identity = ["-c", "user.name=x", "-c", "user.email=x@example.com"];
  const { success, stderr } = await new Deno.Command("git", {
    args: [...identity, ...args],
    cwd: root,
  }).output();
  assert(success, new TextDecoder().decode(stderr));
}

Deno.test("openapi --client writes a client that type-checks, and --check sees when it is old", async () => {
  await inApp({ "app/api/events/route.ts": route("max=9") }, async (root) => {
    const flags = ["openapi", "--client", "client.ts"];
    const first = await runCli(flags, { cwd: root });
    assertEquals([first.code, first.stderr], [0, ""]);
    assertStringIncludes(first.stdout, "Wrote client.ts (methods: 1).");
    assertStringIncludes((await runCli(flags, { cwd: root })).stdout, "client.ts is up to date.");
    assertEquals((await runCli([...flags, "--check"], { cwd: root })).code, 0);
    const use = `import { createClient } from "./client.ts";
const client = createClient({ baseUrl: "https://example.com" });
export const seats = async (): Promise<number> =>
  (await client.postApiEvents({ body: { title: "Jazz" } })).seats;
`;
    const text = await Deno.readTextFile(join(root, "client.ts"));
    const method = /Promise<(\w+)Value>/.exec(text)?.[1] ?? "";
    const name = method.slice(0, 1).toLowerCase() + method.slice(1);
    await Deno.writeTextFile(join(root, "use.ts"), use.replace("postApiEvents", name));
    await runDeno(["check", "use.ts"], root);
    await Deno.writeTextFile(join(root, "app/api/events/route.ts"), route("required"));
    const stale = await runCli([...flags, "--check"], { cwd: root });
    assertEquals(stale.code, 1);
    assertStringIncludes(stale.stderr, "E_CLIENT_STALE");
    await Deno.writeTextFile(join(root, "mine.ts"), "export const mine = 1;\n");
    const taken = await runCli(["openapi", "--client", "mine.ts"], { cwd: root });
    assertEquals(taken.code, 1);
    assertStringIncludes(taken.stderr, "E_CLIENT: mine.ts was not written by");
    assertEquals(await Deno.readTextFile(join(root, "mine.ts")), "export const mine = 1;\n");
  }, { name: "openapi_client" });
});

function checkOptions(root: string, { fix }: { readonly fix: boolean }): StepOptions {
  const signal = AbortSignal.timeout(60_000);
  return { fix, signal, isOwn: false, pages: root, changed: undefined };
}

/** The files that the step of `check` finds stale. */
async function staleFiles(root: string, options: { readonly fix: boolean }): Promise<string[]> {
  const { problems } = await checkDocument(createProject(root), checkOptions(root, options));
  return problems.map(({ code, place }) => `${code} ${place?.file}`);
}

Deno.test("check: a written client of the project is compared with the code, and --fix writes it", async () => {
  await inApp({ "app/api/events/route.ts": route("max=9") }, async (root) => {
    for (const client of ["lib/a.ts", "b.ts"]) {
      const { code } = await runCli(["openapi", "--client", client], { cwd: root });
      assertEquals(code, 0);
    }
    const written = await Deno.readTextFile(join(root, "b.ts"));
    const others: Readonly<Record<string, string>> = {
      // The client of another service, which nothing here can write.
      "lib/other.ts": written.replace("A client of shop ", "A client of the shop "),
      "lib/mine.ts": `${written.slice(written.indexOf("\n") + 1)}`,
    };
    await writeFiles(root, others);
    assertEquals(await staleFiles(root, { fix: false }), []);
    // An older version of the API is the same API.
    await Deno.writeTextFile(join(root, "b.ts"), written.replace("shop 1.2.3.", "shop 1.0.0."));
    assertEquals(await staleFiles(root, { fix: false }), ["E_CLIENT_STALE b.ts"]);
    await Deno.writeTextFile(join(root, "app/api/events/route.ts"), route("required"));
    const stale = ["E_CLIENT_STALE b.ts", "E_CLIENT_STALE lib/a.ts"];
    assertEquals(await staleFiles(root, { fix: false }), [
      "E_OPENAPI_STALE openapi.json",
      ...stale,
    ]);
    await Deno.remove(join(root, "openapi.json"));
    assertEquals(await staleFiles(root, { fix: false }), stale);
    assertEquals(await staleFiles(root, { fix: true }), []);
    assertEquals(await staleFiles(root, { fix: false }), []);
    const names = (await Array.fromAsync(Deno.readDir(root))).map(({ name }) => name);
    assert(!names.includes("openapi.json"), "a file was written that the project did not have");
    for (const [name, text] of Object.entries(others)) {
      assertEquals(await Deno.readTextFile(join(root, name)), text);
    }
  });
});

Deno.test("check: a client keeps its API when the title changes with the document", async () => {
  await inApp({ "app/api/events/route.ts": route("max=9") }, async (root) => {
    const { code } = await runCli(["openapi", "--client", "client.ts"], { cwd: root });
    assertEquals(code, 0);
    const renamed = { ...JSON.parse(manifest), name: "market" };
    await Deno.writeTextFile(join(root, "deno.json"), JSON.stringify(renamed));
    const stale = ["E_OPENAPI_STALE openapi.json", "E_CLIENT_STALE client.ts"];
    assertEquals(await staleFiles(root, { fix: false }), stale);
    assertEquals(await staleFiles(root, { fix: true }), []);
    assertStringIncludes(await Deno.readTextFile(join(root, "client.ts")), "A client of market ");
  });
});

Deno.test("check --fix: the clients of other services are kept, whatever their titles", async () => {
  await inApp({ "app/api/events/route.ts": route("max=9") }, async (root) => {
    const { code } = await runCli(["openapi", "--client", "lib/own.ts"], { cwd: root });
    assertEquals(code, 0);
    const written = await Deno.readTextFile(join(root, "lib/own.ts"));
    const retitled = (name: string): string => written.replace("shop 1.2.3.", `${name}.`);
    const others: Readonly<Record<string, string>> = {
      "lib/longer.ts": retitled("shop payments"),
      "lib/longer_version.ts": retitled("shop payments 1.2.3"),
      // The clients of services of the same name, and one that was moved.
      "lib/same.ts": retitled("shop 7.0.0"),
      "lib/moved.ts": written,
      "lib/older_head.ts": retitled("shop 1.0.0").replace(/^\/\/ Written to .*\n/m, ""),
    };
    await writeFiles(root, others);
    const unsure = ["lib/moved.ts", "lib/older_head.ts", "lib/same.ts"];
    for (const fix of [false, true]) {
      assertEquals(await staleFiles(root, { fix }), unsure.map((file) => `E_CLIENT ${file}`));
      for (const [name, text] of Object.entries(others)) {
        assertEquals(await Deno.readTextFile(join(root, name)), text, name);
      }
    }
    const { problems } = await checkDocument(
      createProject(root),
      checkOptions(root, { fix: true }),
    );
    assertEquals(problems.map(({ severity }) => severity), ["warning", "warning", "warning"]);
    assertStringIncludes(problems[0]?.fix ?? "", "deno task openapi --client lib/moved.ts");
    // The command itself, which names the file, writes it.
    assertEquals((await runCli(["openapi", "--client", "lib/moved.ts"], { cwd: root })).code, 0);
    assertEquals(
      await staleFiles(root, { fix: false }),
      unsure.slice(1).map((file) => `E_CLIENT ${file}`),
    );
  });
});

Deno.test("check: the client of another service asks for no document of the project", async () => {
  const untyped = `import type { Ctx } from "@fw/fw";

export const GET = (c: Ctx) => c.json(200, JSON.parse("{}"));
`;
  await inApp({ "app/api/route.ts": route("max=9") }, async (root) => {
    const { code } = await runCli(["openapi", "--client", "lib/weather.ts"], { cwd: root });
    assertEquals(code, 0);
    const written = await Deno.readTextFile(join(root, "lib/weather.ts"));
    await writeFiles(root, {
      "app/api/route.ts": untyped,
      "lib/weather.ts": written.replace("A client of shop 1.2.3.", "A client of Weather 1.0."),
    });
    await Deno.remove(join(root, "openapi.json"));
    const result = await checkDocument(createProject(root), checkOptions(root, { fix: false }));
    assertEquals(result.problems, []);
    assertStringIncludes(result.note ?? "", "openapi.json");
  });
});

Deno.test("openapi --against fails for breaking changes alone", async () => {
  await inApp({ "app/api/events/route.ts": route("max=9") }, async (root) => {
    assertEquals((await runCli(["openapi"], { cwd: root })).code, 0);
    await git(root, "init", "-q", "-b", "main");
    await git(root, "add", "openapi.json");
    await git(root, "commit", "-qm", "Add the document");
    const same = await runCli(["openapi", "--against", "main"], { cwd: root });
    assertEquals([same.code, same.stdout], [0, "No difference from main.\n"]);
    await Deno.writeTextFile(join(root, "app/api/events/route.ts"), route("required,max=9"));
    const breaking = await runCli(["openapi", "--against", "HEAD"], { cwd: root });
    assertEquals(breaking.code, 1);
    assertStringIncludes(
      breaking.stdout,
      'breaking: POST /api/events: request field "note" became required\n',
    );
    const json = await runCli(["openapi", "--against", "openapi.json", "--json"], { cwd: root });
    const report = JSON.parse(json.stdout);
    assertEquals([json.code, report.ok], [1, false]);
    assertEquals(report.problems[0].code, "breaking_change");
    assertEquals(report.changes[0], {
      level: "breaking",
      kind: "became required",
      operation: "POST /api/events",
      place: { part: "request", mediaType: "application/json", field: "note" },
      name: "",
      from: "",
      to: "",
    });
    // Nothing was written: the file still has the older form.
    const old = await runCli(["openapi", "--check"], { cwd: root });
    assertEquals(old.code, 1);
    await Deno.writeTextFile(join(root, "app/api/events/route.ts"), route("max=20"));
    const compatible = await runCli(["openapi", "--against", "main"], { cwd: root });
    assertEquals(compatible.code, 0, compatible.stdout);
    assertMatch(compatible.stdout, /^compatible: POST \/api\/events: request field "note" changed/);
    await Deno.writeTextFile(join(root, "text.json"), "{}");
    const refused = await runCli(["openapi", "--against=nowhere"], { cwd: root });
    assertEquals(refused.code, 1);
    assertStringIncludes(refused.stderr, "E_AGAINST: Cannot compare with");
    for (const against of ["--output=x", "main:deno.json", "text.json", "-x", "main..x"]) {
      const options = { cwd: root, root, file: "openapi.json", messages: messagesIn("en") };
      const older = await readOlderDocument(against, options);
      assert(!older.ok, against);
      assertStringIncludes(older.message, "Cannot compare with");
    }
  });
});

Deno.test("the document of every form of type and schema gives a client that type-checks", async () => {
  const document = JSON.parse(await Deno.readTextFile(join(tortureRoot, "openapi.json")));
  const outcome = writeClient(document);
  assert(outcome.ok, JSON.stringify(outcome));
  await inScratch(async (folder) => {
    const text = outcome.text.split("\n").filter((line) => !line.startsWith("// deno-")).join("\n");
    await Deno.writeTextFile(join(folder, "client.ts"), text);
    await Deno.writeTextFile(join(folder, "deno.json"), "{}");
    await runDeno(["fmt", "--check", "client.ts"], folder);
    await runDeno(["lint", "client.ts"], folder);
    await runDeno(["check", "client.ts"], folder);
  }, { name: "openapi_forms" });
});
