import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { incidentDigest } from "@fw/fw/addon";
import { readIncidents } from "../../../cli/incident/incident.ts";
import { shareFolder } from "../../cli/shared_folder.ts";
import { deno, inProject, runCli, writeFiles } from "../../cli/support.ts";
import { checkTypes } from "../../cli/type_check.ts";

/** Returns a page that fails if a condition holds. */
const page = (condition: string): string =>
  `import { type Ctx, int, type Node, struct, text } from "@fw/fw";
import * as h from "@fw/fw/h";

const Order = struct({ title: text("required"), seats: int("min=1"), password: text("required") });

export function Page(c: Ctx): Node {
  c.title = "Orders";
  return h.h1(c.title);
}

export async function POST(c: Ctx): Promise<Response> {
  const { title, seats } = await c.bind(Order);
  if (${condition}) throw new Error(\`no room for \${title}\`);
  return c.redirect("/orders");
}
`;

/** Text that would end a string, a comment or a template, or control a terminal. */
const hostile = "\"'`${Deno.exit(9)}*/\n\u2028Deno.exit(9);//\u001b[31m</script>\\";

/** A text field refuses the escape character. */
const hostileTitle = hostile.replace("\u001b", "");

const csrf = "A".repeat(43);

const once = `import { newApp } from "./fw_gen.ts";

const app = await newApp();
const requests: [string, string, RequestInit][] = JSON.parse(Deno.args[0] ?? "[]");
for (const [method, path, init] of requests) {
  const response = await app.fetch(new Request("http://localhost" + path, { method, ...init }));
  await response.body?.cancel();
}
await app.shutdown();
`;

const shared = shareFolder("incident", async (folder) => {
  assertEquals((await runCli(["new", "my-app"], { cwd: folder })).code, 0);
  const cwd = join(folder, "my-app");
  await writeFiles(cwd, { "app/orders/page.ts": page("seats === 3"), "once.ts": once });
  assertEquals((await runCli(["gen"], { cwd })).code, 0);
});

const tampered = {
  time: "2026-01-01T00:00:00.000Z",
  requestId: hostile,
  status: 500,
  method: `GET${hostile}`,
  path: `/x${hostile}?a=1`,
  route: "/nowhere",
  source: "../../../etc/x.ts",
  headers: { "x": hostile, "content-type": "multipart/form-data; boundary=x" },
  body: { kind: "form", fields: [{ name: hostile, value: hostile }, { name: "password" }] },
  leftOut: [hostile, "header cookie"],
  error: hostile,
};

Deno.test("incident: a recorded failure becomes a test that fails until the bug is fixed", async (t) => {
  const cwd = join(shared(), "my-app");
  const body = new URLSearchParams({ title: hostileTitle, seats: "3", password: "hunter2" })
    .toString();
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "x-request-id": "order-1",
    "accept-language": "pt",
    "cookie": `fw_csrf=${csrf}`,
    "x-csrf-token": csrf,
  };
  const sent = ["POST", `/orders?q=${encodeURIComponent(hostile)}`, { headers, body }];
  const args = ["run", "-A", "once.ts", JSON.stringify([sent])];
  const run = await deno(args, cwd, { FW_INCIDENTS: ".fw/incidents" });
  assertEquals(run.code, 0, run.stderr);

  await t.step("the list names it, and a terminal interprets none of its text", async () => {
    const { code, stdout } = await runCli(["incident"], { cwd });
    assertEquals(code, 0);
    assertStringIncludes(stdout, "order-1");
    assertStringIncludes(stdout, "500  POST /orders?");
    assert(!stdout.includes("\u001b") && !stdout.includes("\u2028"), stdout);
    const [incident, ...more] = await readIncidents(join(cwd, ".fw/incidents"));
    assertEquals(more, []);
    assert(incident !== undefined && !JSON.stringify(incident).includes("hunter2"));
  });

  let tamperedFile = "";
  await t.step(
    "a tampered file becomes a test with quoted texts, inside app/",
    async () => {
      const name = `fw-incident-1767225600000-00000000-${incidentDigest(hostile)}.json`;
      await writeFiles(cwd, { [`other/${name}`]: JSON.stringify(tampered) });
      const made = await runCli(["incident", hostile, "--from", "other"], { cwd });
      assertEquals(made.code, 0, made.stderr);
      tamperedFile = /Wrote (\S+)\./.exec(made.stdout)?.[1] ?? "";
      assert(/^app\/incident_[0-9a-f]{8}_test\.ts$/.test(tamperedFile), tamperedFile);
      const source = await Deno.readTextFile(join(cwd, tamperedFile));
      // Outside of quoted texts and comments none of it remains.
      const code = source.replace(/\/\/.*/g, "").replace(/"(?:\\.|[^"\\])*"/g, '""');
      assert(!code.includes("Deno.exit") && !code.includes("script"), code);
      assert(!source.includes("\u2028") && !source.includes("\u001b"));
    },
  );

  let file = "";
  await t.step("the test is beside the page, formatted, typed and lint-free", async () => {
    const { code, stdout, stderr } = await runCli(["incident", "order-1"], { cwd });
    assertEquals(code, 0, stderr);
    file = /Wrote (\S+)\./.exec(stdout)?.[1] ?? "";
    assert(/^app\/orders\/page_incident_[0-9a-f]{8}_test\.ts$/.test(file), file);
    for (const args of [["fmt", "--check", file], ["lint", file]]) {
      const { code, output } = await deno(args, cwd);
      assertEquals(code, 0, output);
    }
    const types = await checkTypes([file, tamperedFile], cwd);
    assertEquals(types.code, 0, types.output);
  });

  await t.step("a second run does not overwrite the test", async () => {
    const { code, stderr } = await runCli(["incident", "order-1"], { cwd });
    assertEquals(code, 1);
    assertStringIncludes(stderr, "already exists");
  });

  await t.step("it fails with the 5xx and its error", async () => {
    const { code, output } = await deno(["test", "-A", "--no-check", file], cwd);
    assertEquals(code, 1, output);
    assertStringIncludes(output, "500");
    assertStringIncludes(output, "no room for");
  });

  await t.step("another status fails until it is expected", async () => {
    const pages = [
      page('title === "never"'),
      page("false").replace(/return c.redirect.*/, "throw httpError(404);")
        .replace("type Ctx", "type Ctx, httpError"),
    ];
    for (const [index, text] of pages.entries()) {
      await writeFiles(cwd, { "app/orders/page.ts": text });
      const { code, output } = await deno(["test", "-A", "--no-check", file], cwd);
      assertEquals(code, 1, output);
      assertStringIncludes(
        output,
        `replace this line with response.wantStatus(${[303, 404][index]})`,
      );
    }
  });

  await t.step("it passes after the bug is fixed and the response is expected", async () => {
    await writeFiles(cwd, { "app/orders/page.ts": page('title === "never"') });
    const source = await Deno.readTextFile(join(cwd, file));
    const expected = source.replace(/ {2}if \(response\.status >= 500\)[^]*/, "");
    await writeFiles(cwd, { [file]: `${expected}response.wantStatus(303); });\n` });
    const { code, output } = await deno(["test", "-A", "--no-check", file], cwd);
    assertEquals(code, 0, output);
    assertStringIncludes(output, "1 passed");
  });
});

const refusals: readonly (readonly [string, readonly string[], number, string])[] = [
  ["no incident with the id", ["incident", "nope"], 1, 'request id "nope"'],
  ["an id that is a path", ["incident", "../../etc/passwd"], 1, "No incident"],
  ["an empty list", ["incident"], 0, ""],
];

for (const [name, args, want, text] of refusals) {
  Deno.test(`incident: ${name}`, () =>
    inProject({ "app/page.ts": "export function Page(): void {}\n" }, async (cwd) => {
      const { code, stderr } = await runCli(args, { cwd });
      assertEquals(code, want, stderr);
      assertStringIncludes(stderr, text);
    }));
}
