/** What docs/sessions.md shows, made and run. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { deno } from "../cli/support.ts";
import { checkGuideApp, type GuideAppOptions, inGuideApp } from "./guide_app.ts";
import { type RunningApp, startApp } from "./running_app.ts";

const guide = "docs/sessions.md";
const base = "/shop";
const secret = "0123456789abcdef0123456789abcdef";
const address = "ada@example.org";
const password = "correct horse battery";

const asTold: GuideAppOptions = {
  manifest: [
    ['"deno test ', '"FW_DB=:memory: deno test '],
    [
      "--allow-read=public,.fw/spool --allow-write=.fw/spool",
      "--allow-read=public,.fw/spool,data --allow-write=.fw/spool,data",
    ],
  ],
  files: {
    "seed.ts": `import { DatabaseSync } from "node:sqlite";
import { AccountStore } from "./lib/accounts.ts";
Deno.mkdirSync("data");
const accounts = new AccountStore(new DatabaseSync("data/app.sqlite"));
await accounts.add("${address}", "${password}");
accounts.close();
`,
  },
};

Deno.test("sessions guide: its types are right and its own test passes", async () => {
  await inGuideApp(guide, ({ cwd }) => checkGuideApp(cwd), asTold);
});

/** Posts a form without following the answer. */
async function post(
  app: RunningApp,
  path: string,
  form: { readonly cookie: string; readonly fields?: Readonly<Record<string, string>> },
): Promise<Response> {
  const token = "t".repeat(43);
  const answer = await app.get(`${base}${path}`, {
    method: "POST",
    body: new URLSearchParams({ _csrf: token, ...form.fields }),
    headers: { cookie: `fw_csrf=${token}; ${form.cookie}` },
    redirect: "manual",
  });
  await answer.body?.cancel();
  return answer;
}

/** Where a path leads with a cookie: its status, and its `Location`. */
async function visit(
  app: RunningApp,
  path: string,
  cookie = "",
): Promise<[status: number, location: string | null]> {
  const answer = await app.get(`${base}${path}`, { headers: { cookie }, redirect: "manual" });
  await answer.body?.cancel();
  return [answer.status, answer.headers.get("location")];
}

Deno.test("sessions guide: signs in and out below a base path, and limits the tries", async () => {
  await inGuideApp(guide, async ({ cwd, task }) => {
    const seeded = await deno(["run", "-A", "seed.ts"], cwd);
    assertEquals(seeded, { code: 0, output: "" });
    const env = { FW_SECRET: secret, FW_BASE_PATH: base };
    await using app = startApp(await task("start"), { cwd, env });
    await app.url();
    const away: [number, string] = [302, "/shop/login?next=%2Fshop%2Faccount"];
    const fields = { email: address, password };

    assertEquals(await visit(app, "/account"), away);
    assertEquals(await visit(app, "/account", "fw_session=anything"), away);
    for (
      const [next, location] of [
        ["/shop/account?tab=2", "/shop/account?tab=2"],
        ["https://other.example/", "/shop/account"],
        ["//other.example/", "/shop/account"],
        ["/\\other.example/", "/shop/account"],
        ["/\t/other.example/", "/shop/account"],
        ["/account", "/shop/account"],
      ]
    ) {
      const path = `/login?next=${encodeURIComponent(next ?? "")}`;
      const answer = await post(app, path, { cookie: "", fields });
      assertEquals([answer.status, answer.headers.get("location")], [303, location ?? ""]);
    }

    const signedIn = await post(app, "/login", { cookie: "", fields });
    const set = signedIn.headers.getSetCookie().find((line) => line.startsWith("fw_session="));
    assert(set);
    assertMatch(set, /; Path=\/shop; Max-Age=1209600; HttpOnly; SameSite=Lax$/);
    const [cookie = ""] = set.split(";");
    assertEquals(await visit(app, "/account", cookie), [200, null]);
    assertEquals(await visit(app, "/login", cookie), [303, "/shop/account"]);

    assertEquals((await post(app, "/logout", { cookie })).headers.get("location"), "/shop/");
    assertEquals(await visit(app, "/account", cookie), away);

    // At once: where each takes long the limit would never be reached.
    const guesses = Array.from({ length: 20 }, async (_, guess) => {
      const wrong = { email: `${guess}@example.org`, password: "wrong" };
      return (await post(app, "/login", { cookie: "", fields: wrong })).status;
    });
    assertEquals(new Set(await Promise.all(guesses)), new Set([422, 429]));
  }, asTold);
});
