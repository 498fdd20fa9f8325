/** The code of docs/handlers.md, docs/uploads.md and docs/api_client.md, run as in production. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { runCli } from "../../cli/support.ts";
import { inGuideApp } from "./app.ts";
import { type RunningApp, startApp } from "../running_app.ts";

const token = "t".repeat(43);
const cookie = `fw_csrf=${token}`;
const page = "export function Page(): void {}\nexport function POST(): void {}\n";

const apiErrors = [
  ["GET", "nothing", 404, { code: "not_found", message: "Not Found" }],
  ["PUT", "seats", 405, { code: "method_not_allowed", message: "Method Not Allowed" }],
] as const;

Deno.test("handlers guide: the guard, error.ts and kind.ts work with a base path", async () => {
  const files = {
    "app/login/page.ts": page,
    "app/contact/page.ts": page,
    "app/organizer-/drafts/page.ts": page,
    "app/api/seats/route.ts": "export function GET(): void {}\n",
  };
  await inGuideApp("docs/handlers.md", async ({ cwd, task }) => {
    await using app = startApp(await task("start"), { cwd, env: { FW_BASE_PATH: "/shop" } });
    for (const sent of ["", "session=anything"]) {
      const init: RequestInit = { headers: { cookie: sent }, redirect: "manual" };
      const { status, headers } = await take(app.get("/shop/drafts", init));
      assertEquals([status, headers.get("location")], [303, "/shop/login?next=%2Fshop%2Fdrafts"]);
    }
    const { status, text } = await take(app.get("/shop/contact", { method: "POST" }));
    assertEquals(status, 403);
    assertStringIncludes(text, "<h1>Send it again</h1>");
    assertStringIncludes(text, '<a href="/shop/contact">Open it again</a>');
    const other = await take(app.get("/shop/login", { method: "DELETE" }));
    assertEquals(other.status, 405);
    assertStringIncludes(other.text, "<h1>Method Not Allowed</h1>");
    for (const [method, path, failed, error] of apiErrors) {
      const found = await take(app.get(`/shop/api/${path}`, { method }));
      assertEquals([found.status, JSON.parse(found.text)], [failed, { error }]);
    }
  }, { files });
});

function send(app: RunningApp, bytes: number): Promise<Answer> {
  const png = new Uint8Array(bytes);
  png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const body = new FormData();
  body.set("_csrf", token);
  body.set("title", "Ferry");
  body.set("photo", new File([png], "ferry.png"));
  const init: RequestInit = { method: "POST", body, headers: { cookie }, redirect: "manual" };
  return take(app.get("/photos/new", init));
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function take(asked: Promise<Response>): Promise<Answer> {
  const answer = await asked;
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

Deno.test("uploads guide: accepts a photo within both limits and refuses one over either", () =>
  inGuideApp("docs/uploads.md", async ({ cwd, task }) => {
    await Deno.mkdir(`${cwd}/uploads`);
    await using app = startApp(await task("start"), { cwd });
    assertEquals((await send(app, 1_900_000)).status, 303);
    assertEquals((await Deno.stat(`${cwd}/uploads/ferry.png`)).size, 1_900_000);
    const larger = await send(app, 2_110_000);
    assertEquals(larger.status, 422);
    assertStringIncludes(larger.text, "<p>must be at most 2 MiB</p>");
    assertStringIncludes(larger.text, 'value="Ferry"');
    assertEquals((await send(app, 2_200_000)).status, 413);
  }, {
    manifest: [[
      "--allow-read=public,.fw/spool --allow-write=.fw/spool",
      "--allow-read=public,.fw/spool,uploads --allow-write=.fw/spool,uploads",
    ]],
  }));

Deno.test("api client guide: the API page needs only the permissions of the start task", () =>
  inGuideApp("docs/api_client.md", async ({ cwd, task }) => {
    assertEquals((await runCli(["openapi"], { cwd })).code, 0);
    await using app = startApp(await task("start"), { cwd });
    const { status, text } = await take(app.get("/api-docs"));
    assertEquals(status, 200);
    assertStringIncludes(text, "/api/hello");
  }));
