import { App, type Config, createLogger, type Ctx, Off } from "../../../../mod.ts";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { Signer, signerOf } from "../../../../runtime/request/signed.ts";
import {
  newTestClient,
  testRequest,
  withCookie,
  withoutCsrf,
} from "../../../../runtime/testing/mod.ts";
import { routeOf } from "../../app/support.ts";

const secret = "0123456789abcdef0123456789abcdef";
const newer = "fedcba9876543210fedcba9876543210";

function newApp(config: Partial<Config> = {}): { app: App; lines: () => string } {
  let lines = "";
  const logger = createLogger({ write: (text) => lines += text });
  const app = new App({ env: "dev", devReload: Off, logRequest: Off, logger, ...config });
  app.route(routeOf("GET", "/sign/{name}", (c) => {
    c.setSigned(c.param("name"), c.query("value") ?? "user-1", Number(c.query("ttl") ?? 60_000));
    return c.noContent();
  }));
  const GET = (c: Ctx) => c.json(200, { value: c.signed(c.param("name")) ?? null });
  app.route(routeOf("GET", "/read/{name}", GET));
  return { app, lines: () => lines };
}

async function signBy(app: App, path = "/sign/sid"): Promise<[name: string, value: string]> {
  const response = await testRequest(app, "GET", path, withoutCsrf()).wantStatus(204);
  const [name = "", value = ""] = (response.header("set-cookie") ?? "").split(/[=;]/);
  return [name, value];
}

async function readBy(app: App, cookie: [string, string]): Promise<unknown> {
  const response = await testRequest(app, "GET", `/read/${cookie[0]}`, withCookie(...cookie));
  return JSON.parse(response.wantStatus(200).body).value;
}

Deno.test("setSigned and signed round-trip any text", async () => {
  const { app } = newApp();
  for (const value of ["", "user-1", 'é;, "\\\r\n\0', "日本語", "😀", "a.b.c", "x".repeat(2_000)]) {
    const cookie = await signBy(app, `/sign/sid?value=${encodeURIComponent(value)}`);
    assertEquals(await readBy(app, cookie), value);
  }
});

Deno.test("setSigned writes the attributes for the time to live", async () => {
  const { app } = newApp();
  const rows: readonly [url: string, attributes: string][] = [
    ["/sign/sid", "; Path=/; Max-Age=60; HttpOnly; SameSite=Lax"],
    ["/sign/sid?ttl=1500", "; Path=/; Max-Age=2; HttpOnly; SameSite=Lax"],
    ["https://a.example/sign/sid", "; Path=/; Max-Age=60; HttpOnly; Secure; SameSite=Lax"],
  ];
  for (const [url, attributes] of rows) {
    const header = (await testRequest(app, "GET", url)).header("set-cookie") ?? "";
    assert(header.endsWith(attributes), header);
  }
});

Deno.test("a signed cookie is valid in processes with the same secret, and during rotation", async () => {
  const first = newApp({ env: "prod", secret }).app;
  const cookie = await signBy(first);
  const rows: readonly [name: string, config: Partial<Config>, want: unknown][] = [
    ["the same secret", { env: "prod", secret }, "user-1"],
    ["the secret as bytes", { env: "prod", secret: new TextEncoder().encode(secret) }, "user-1"],
    ["being rotated out", { env: "prod", secret: newer, previousSecret: secret }, "user-1"],
    ["rotated out", { env: "prod", secret: newer }, null],
    ["only the previous", { env: "prod", previousSecret: secret }, "user-1"],
    ["no secret", { env: "prod" }, null],
    ["no secret in development", { env: "dev" }, null],
  ];
  for (const [name, config, want] of rows) {
    assertEquals(await readBy(newApp(config).app, cookie), want, name);
  }
});

Deno.test("an application can sign only after it is compiled", () => {
  const { app } = newApp();
  const message =
    "Cannot sign a cookie: the application has no keys yet; call app.handler() first.";
  assertThrows(() => signerOf(app), TypeError, message);
  app.handler();
  assert(signerOf(app).canSign);
});

Deno.test("the previous secret is not used to sign", async () => {
  const rotating = newApp({ env: "prod", secret: newer, previousSecret: secret }).app;
  const cookie = await signBy(rotating);
  assertEquals(await readBy(newApp({ env: "prod", secret: newer }).app, cookie), "user-1");
  assertEquals(await readBy(newApp({ env: "prod", secret }).app, cookie), null);
});

Deno.test("development generates a secret that lasts as long as the application", async () => {
  const { app } = newApp();
  const client = newTestClient(app);
  await client.get("/sign/sid").wantStatus(204);
  await client.get("/read/sid").wantContains('"user-1"');
});

Deno.test("production without a secret refuses to sign and warns once per cookie name", async () => {
  const { app, lines } = newApp({ env: "prod" });
  for (const name of ["sid", "sid", "cart", "sid", "cart"]) {
    await testRequest(app, "GET", `/sign/${name}`).wantStatus(500);
  }
  const warnings = lines().split("\n").filter((line) => line.includes('"warn"'))
    .map((line) => JSON.parse(line)).filter(({ cookie }) => cookie !== undefined);
  const found = warnings.map(({ cookie, route }) => [cookie, route]);
  assertEquals(found, [["sid", "/sign/{name}"], ["cart", "/sign/{name}"]]);
  assertStringIncludes(warnings[0].msg, "FW_SECRET");
  assertStringIncludes(lines(), 'Cannot sign \\"sid\\"');
  await testRequest(app, "GET", "/read/sid", withCookie("sid", "x.y.z")).wantContains("null");
});

Deno.test("production without a secret warns only if something is signed", async () => {
  const { app, lines } = newApp({ env: "prod" });
  await testRequest(app, "GET", "/read/sid").wantStatus(200);
  assertEquals(lines(), "");
});

Deno.test("Signer.verify refuses a cookie after its time to live", () => {
  const signer = new Signer({ secret, previousSecret: undefined, env: "prod" });
  const text = signer.sign("a", "v", { ttlMs: 1_000 });
  const now = Date.now;
  const start = now();
  try {
    for (const [afterMs, want] of [[0, "v"], [900, "v"], [1_100, undefined]] as const) {
      Date.now = () => start + afterMs;
      assertEquals(signer.verify("a", text), want, String(afterMs));
    }
  } finally {
    Date.now = now;
  }
});
