import { App, type Config, createLogger, type Ctx, type Flash, Off } from "../../../mod.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  newTestClient,
  testRequest,
  withCookie,
  withHeader,
  withSigned,
} from "../../../runtime/testing/mod.ts";
import type { TestClient, TestResponse } from "../../../runtime/testing/mod.ts";

const isFragment = withHeader("FW-Fragment", "list");

function newApp(config: Partial<Config> = {}): { app: App; lines: () => string } {
  let lines = "";
  const logger = createLogger({ write: (text) => lines += text });
  const app = new App({ env: "dev", devReload: Off, logRequest: Off, logger, ...config });
  const queue = (c: Ctx): void => {
    // In a header, to which the limit of the target does not apply.
    const texts: string[] = JSON.parse(
      decodeURIComponent(c.request.headers.get("x-texts") ?? "[]"),
    );
    for (const text of [...c.url.searchParams.getAll("text"), ...texts]) c.flash("success", text);
  };
  const route = (pattern: string, GET: (c: Ctx) => Response): void =>
    app.route({ pattern, methods: { GET } });
  route("/go", (c) => {
    queue(c);
    return c.redirect("/see");
  });
  route("/stay", (c) => {
    queue(c);
    return c.text(200, "stays");
  });
  route("/undo", (c) => {
    const ids = Array(Number(c.url.searchParams.get("ids"))).fill("123456");
    c.flash("success", "x".repeat(600), { text: "Undo", href: "/notes", fields: { id: ids } });
    return c.redirect("/see");
  });
  route("/read-and-go", (c) => {
    const taken = c.flashes();
    queue(c);
    return c.json(200, taken);
  });
  route("/see", (c) => {
    const first = c.flashes();
    assertEquals(c.flashes(), first);
    return c.json(200, first);
  });
  route("/look", (c) => c.text(200, "reads nothing"));
  return { app, lines: () => lines };
}

async function see(client: TestClient): Promise<string[]> {
  const list: Flash[] = JSON.parse((await client.get("/see").wantStatus(200)).body);
  return list.map(({ kind, text }) => `${kind}: ${text}`);
}

/** Returns the messages of the header `FW-Flash`, as a client reads them. */
function headerOf(response: TestResponse): unknown {
  const value = response.header("fw-flash");
  return value === undefined ? undefined : JSON.parse(decodeURIComponent(value));
}

Deno.test("a message is shown once, on the next page that reads messages", async () => {
  const client = newTestClient(newApp().app);
  await client.get("/go?text=saved+%C3%A9&text=%3Cb%3E").wantStatus(303);
  await client.get("/look").wantStatus(200);
  assertEquals(await see(client), ["success: saved é", "success: <b>"]);
  assertEquals(await see(client), []);
});

Deno.test("messages of several requests accumulate until they are read", async () => {
  const client = newTestClient(newApp().app);
  await client.get("/go?text=1");
  await client.get("/stay?text=2").wantStatus(200);
  assertEquals(await see(client), ["success: 1", "success: 2"]);
});

Deno.test("messages queued during a read wait for the next request", async () => {
  const client = newTestClient(newApp().app);
  await client.get("/go?text=1");
  await client.get("/read-and-go?text=2").wantContains('"1"');
  assertEquals(await see(client), ["success: 2"]);
});

Deno.test("a response sets the cookie once, and deletes it after a read", async () => {
  const { app } = newApp();
  const client = newTestClient(app);
  const set = await client.get("/go?text=1&text=2&text=3");
  assertEquals(set.headers.getSetCookie().length, 1);
  const read = await client.get("/see");
  assertEquals(read.headers.getSetCookie(), [
    "fw_flash=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
  ]);
  assertEquals((await client.get("/see")).headers.getSetCookie(), []);
});

Deno.test("messages of a fragment travel in FW-Flash unless it redirects", async () => {
  const client = newTestClient(newApp().app);
  const stay = await client.get("/stay?text=a+%22%C3%A9%0A", isFragment).wantStatus(200);
  assertEquals(headerOf(stay), [{ kind: "success", text: 'a "é\n' }]);
  assertEquals(stay.headers.getSetCookie(), []);
  assertEquals(await see(client), []);
  const go = await client.get("/go?text=b", isFragment);
  assertEquals(headerOf(go), undefined);
  assertEquals(await see(client), ["success: b"]);
});

Deno.test("a fragment leaves the cookie's messages for the page", async () => {
  const client = newTestClient(newApp().app);
  await client.get("/go?text=1");
  await client.get("/stay?text=2", isFragment);
  assertEquals(await see(client), ["success: 1"]);
});

Deno.test("production without a secret writes no cookie and logs one warning", async () => {
  const { app, lines } = newApp({ env: "prod" });
  const client = newTestClient(app);
  await client.get("/go?text=1").wantStatus(303);
  const second = await client.get("/go?text=1").wantStatus(303);
  assertEquals(second.headers.getSetCookie(), []);
  assertEquals(await see(client), []);
  const warnings = lines().trim().split("\n").map((line) => JSON.parse(line));
  assertEquals(warnings.map(({ level, cookie, route }) => [level, cookie, route]), [
    ["warn", "fw_flash", "/go"],
  ]);
  const fragment = await client.get("/stay?text=1", isFragment);
  assertEquals(headerOf(fragment), [{ kind: "success", text: "1" }]);
});

Deno.test("long texts and many messages are truncated to the limits of a cookie and a header", async () => {
  const { app } = newApp();
  const rows: readonly [name: string, texts: string[]][] = [
    ["a long text", ["x".repeat(9_000)]],
    ["a long text of three bytes each", ["日".repeat(5_000)]],
    ["a long text of pairs", ["😀".repeat(3_000)]],
    ["many texts", Array.from({ length: 60 }, (_, i) => `${i} ${"x".repeat(100)}`)],
    ["half a pair", ["\ud83d"]],
  ];
  for (const [name, texts] of rows) {
    const sent = withHeader(
      "x-texts",
      encodeURIComponent(JSON.stringify(texts.map((text) => text.toWellFormed()))),
    );
    const client = newTestClient(app);
    const set = await client.get("/go", sent).wantStatus(303);
    assert((set.header("set-cookie") ?? "").length <= 4_096, name);
    const seen = await see(client);
    assert(seen.length > 0, name);
    assert(seen.every((text) => text.isWellFormed()), name);
    const fragment = await client.get("/stay", isFragment, sent).wantStatus(200);
    assert((fragment.header("fw-flash") ?? "x".repeat(9_000)).length <= 8_000, name);
  }
  const client = newTestClient(app);
  await client.get(
    `/go?${new URLSearchParams([..."abc".repeat(10)].map((text) => ["text", text]))}`,
  );
  assertEquals((await see(client)).length, 20);
});

Deno.test("a message keeps its button unless it does not fit into the cookie", async () => {
  const client = newTestClient(newApp().app);
  const rows: readonly [ids: number, hasAction: boolean][] = [[100, true], [1_000, false]];
  for (const [ids, hasAction] of rows) {
    await client.get(`/undo?ids=${ids}`).wantStatus(303);
    const [flash]: Flash[] = JSON.parse((await client.get("/see")).body);
    assertEquals([flash?.action !== undefined, flash?.text.length], [hasAction, 500], `${ids}`);
  }
});

Deno.test("invalid messages in a cookie are skipped", async () => {
  const { app } = newApp();
  const rows: readonly [payload: string, want: Flash[]][] = [
    ["", []],
    ["null", []],
    ["{}", []],
    ["[", []],
    ['"text"', []],
    ["[null,1,[],{}]", []],
    ['[{"kind":"evil","text":"x"}]', []],
    ['[{"kind":"info","text":1}]', []],
    ['[{"kind":"info","text":"x","action":null}]', []],
    ['[{"kind":"info","text":"x","action":{"text":"y","href":"/","fields":1}}]', []],
    ['[{"kind":"info","text":"x"},{}]', [{ kind: "info", text: "x" }]],
  ];
  for (const [payload, want] of rows) {
    const response = await testRequest(app, "GET", "/see", withSigned("fw_flash", payload));
    assertEquals(JSON.parse(response.wantStatus(200).body), want, payload);
  }
  await testRequest(app, "GET", "/see", withCookie("fw_flash", "forged")).wantContains("[]");
});

Deno.test("flash refuses an unknown kind and a call after the head is sent", async () => {
  const { app } = newApp();
  let kept: Ctx | undefined;
  app.route({ pattern: "/keep", methods: { GET: (c) => (kept = c).noContent() } });
  await testRequest(app, "GET", "/keep", withSigned("fw_flash", '[{"kind":"info","text":"x"}]'));
  assertThrows(() => kept?.flash("info", "x"), TypeError, "the head has been sent");
  assertEquals(kept?.flashes(), []);
  const other = newApp().app;
  other.route({
    pattern: "/bad",
    // @ts-expect-error the compiler refuses the kind as well
    methods: { GET: (c) => c.flash("warning", "x") },
  });
  await testRequest(other, "GET", "/bad").wantStatus(500).wantContains("Cannot flash the kind");
});
