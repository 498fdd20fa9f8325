/** The output of `generate auth --passwords`, in production. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { listTree, runCli } from "../cli/support.ts";
import { checkAccountRaces } from "./account_races.ts";
import { shareFolder } from "../cli/shared_folder.ts";
import { until } from "../until.ts";
import { startMailService } from "./mail_service.ts";
import { type RunningApp, startApp } from "./running_app.ts";

const base = "/shop";
const ada = { email: "ada@example.org", password: "correct horse battery" };

const shared = shareFolder("generated_auth", async (folder) => {
  await runCli(["new", "app"], { cwd: folder });
  const made = await runCli(["generate", "auth", "--passwords"], { cwd: join(folder, "app") });
  assertEquals(made.code, 0, made.stderr);
});

/** Starts the application with its `start` task and its own database. */
async function start(env: Readonly<Record<string, string>>, db: string): Promise<RunningApp> {
  const cwd = join(shared(), "app");
  const { tasks } = JSON.parse(await Deno.readTextFile(join(cwd, "deno.json")));
  const all = { FW_ORIGIN: "https://club.example", FW_BASE_PATH: base, FW_DB: db, ...env };
  return startApp(tasks.start.command, { cwd, env: all });
}

/** The result of a response: its status, its location, and its cookies. */
interface Said {
  readonly status: number;
  readonly location: string | null;
  readonly cookies: readonly string[];
}

async function say(answer: Response): Promise<Said> {
  await answer.body?.cancel();
  const { status, headers } = answer;
  return { status, location: headers.get("location"), cookies: headers.getSetCookie() };
}

async function post(
  app: RunningApp,
  path: string,
  form: { readonly cookie?: string; readonly fields?: Readonly<Record<string, string>> } = {},
): Promise<Said> {
  const token = "t".repeat(43);
  return await say(
    await app.get(`${base}${path}`, {
      method: "POST",
      body: new URLSearchParams({ _csrf: token, ...form.fields }),
      headers: { cookie: `__Secure-fw_csrf.shop=${token}; ${form.cookie ?? ""}` },
      redirect: "manual",
    }),
  );
}

async function visit(app: RunningApp, path: string, cookie = ""): Promise<Said> {
  return await say(await app.get(`${base}${path}`, { headers: { cookie }, redirect: "manual" }));
}

const cookieOf = ({ cookies }: Said, name: string): string =>
  cookies.find((line) => line.startsWith(`${name}=`))?.split(";")[0] ?? "";

Deno.test("generated sign-in: registers by mail, signs in and out with a base path, and limits attempts", async () => {
  await using mail = startMailService();
  await using app = await start(mail.env, "data/flow.sqlite");
  await app.url();
  const away = "/shop/login?next=%2Fshop%2Faccount";
  assertEquals((await visit(app, "/account")).location, away);
  assertEquals((await visit(app, "/account", "__Secure-fw_session.shop=anything")).location, away);

  const signedUp = await post(app, "/signup", { fields: { email: ada.email } });
  assertEquals([signedUp.status, signedUp.location], [303, "/shop/signup?sent=1"]);
  const link = new URL(await mail.link(ada.email));
  assertEquals(link.origin, "https://club.example");
  const path = link.pathname.slice(base.length);
  const set = await post(app, path, { fields: ada });
  assertEquals([set.status, set.location], [303, "/shop/"]);
  const [session = ""] = set.cookies.filter((line) => line.startsWith("__Secure-fw_session.shop="));
  assertEquals(set.cookies.filter((line) => !/^__Secure-\w+\.shop\w*=/.test(line)), []);
  assertMatch(session, /; Path=\/shop; Max-Age=1209600; HttpOnly; Secure; SameSite=Lax$/);
  assertEquals((await post(app, path, { fields: ada })).status, 410);

  for (
    const [next, location] of [
      ["/shop/account?tab=2", "/shop/account?tab=2"],
      ["//other.example/", "/shop/"],
    ]
  ) {
    const said = await post(app, `/login?next=${encodeURIComponent(next ?? "")}`, { fields: ada });
    assertEquals([said.status, said.location], [303, location ?? ""]);
  }
  const cookie = cookieOf(set, "__Secure-fw_session.shop");
  assertEquals((await visit(app, "/account", cookie)).status, 200);
  assertEquals((await post(app, "/logout", { cookie })).location, "/shop/login");
  assertEquals((await visit(app, "/account", cookie)).location, away);

  // Concurrently, because slow requests in sequence would never reach the limit.
  const guesses = Array.from({ length: 20 }, async (_, guess) => {
    const fields = { email: `${guess}@example.org`, password: "wrong" };
    return (await post(app, "/login", { fields })).status;
  });
  assertEquals(new Set(await Promise.all(guesses)), new Set([422, 429]));
  app.kill("SIGTERM");
  assertEquals((await app.ended()).code, 0);
  // After a clean close, which merges the write-ahead log.
  const left = (await listTree(join(shared(), "app/data"))).filter((name) => name.includes("flow"));
  assertEquals(left, ["flow.sqlite"]);
});

Deno.test("generated sign-in: a reset responds equally, in equal time, with and without an account", async () => {
  await using mail = startMailService();
  await using app = await start(mail.env, "data/reset.sqlite");
  await app.url();
  const said = [];
  for (const email of [ada.email, ada.email, "bob@example.org"]) {
    const { status, location, cookies } = await post(app, "/reset", { fields: { email } });
    said.push(JSON.stringify([status, location, cookies.map((line) => line.split("=")[0])]));
    const path = new URL(await mail.link(email)).pathname.slice(base.length);
    if (said.length === 1) assertEquals((await post(app, path, { fields: ada })).status, 303);
  }
  assertEquals(new Set(said).size, 1);
  assert(mail.mails[0]?.text.includes("Create your account"));
  const texts = () => mail.mails.map(({ text }) => text);
  assert(texts().some((text) => text.startsWith("Set a new password for your account <")));
  // The owner is notified of a changed password, but not of the first one.
  const notices = () => texts().filter((text) => text.startsWith("A new password was set"));
  await post(app, "/reset", { fields: { email: ada.email } });
  const path = new URL(await mail.link(ada.email)).pathname.slice(base.length);
  assertEquals(notices(), []);
  assertEquals((await post(app, path, { fields: ada })).status, 303);
  await until(() => notices().length === 1);
});

Deno.test("generated sign-in: a new address gets a link, and the old one a notice", async () => {
  await using mail = startMailService();
  await using app = await start(mail.env, "data/email.sqlite");
  await app.url();
  await post(app, "/signup", { fields: { email: ada.email } });
  const path = new URL(await mail.link(ada.email)).pathname.slice(base.length);
  const cookie = cookieOf(await post(app, path, { fields: ada }), "__Secure-fw_session.shop");
  const email = "ada@example.com";
  await post(app, "/account/email", { cookie, fields: { email } });
  const link = new URL(await mail.link(email)).pathname.slice(base.length);
  const told = mail.mails.filter(({ text }) =>
    text.startsWith("Your account asked for a new email")
  );
  assertEquals(told.map(({ to }) => String(to)), [ada.email]);
  const changed = await post(app, link, { cookie });
  assertEquals([changed.status, changed.location], [303, "/shop/account"]);
  assertEquals(
    (await visit(app, "/account", cookieOf(changed, "__Secure-fw_session.shop"))).status,
    200,
  );
});

Deno.test("generated sign-in: a link goes to the account's address, not to one with the same lowercase form", async () => {
  await using mail = startMailService();
  await using app = await start(mail.env, "data/kelvin.sqlite");
  await app.url();
  // The Kelvin sign, whose lowercase form is the letter k.
  await post(app, "/reset", { fields: { email: "fran\u212a@example.org" } });
  await mail.link("frank@example.org");
  assertEquals(mail.mails.map(({ to }) => String(to)), ["frank@example.org"]);
});

Deno.test("generated accounts: an outdated password or role signs no user in and is not kept", async () => {
  await checkAccountRaces(join(shared(), "app"), ":memory:");
});
