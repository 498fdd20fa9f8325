import { assert, assertEquals } from "@std/assert";
import { walk } from "@std/fs";
import { join } from "@std/path";
import { eventForm, pngFile, tokenOf } from "../../../examples/events/tests/event_fields.ts";
import { root } from "../../../tools/workspace.ts";
import { startWatched } from "../../watched_process.ts";
import { newFolder } from "../../new_folder.ts";

const folder = join(root, "examples/events");

/** Starts the example as its README says, with an empty folder and no optional setting. */
async function withDemo(
  home: string,
  run: (url: string) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await using demo = startWatched(Deno.execPath(), {
    args: ["task", "demo"],
    cwd: root,
    env: { PORT: "0", EVENTS_DATA: home, ...env },
  });
  const url = await demo.url();
  assertEquals(new URL(url).hostname, "127.0.0.1");
  await run(url);
  demo.kill("SIGTERM");
  await demo.ended();
}

function cookieOf(response: Response, name: string): string {
  const [cookie = ""] = response.headers.getSetCookie().filter((text) =>
    text.startsWith(`${name}=`)
  );
  return cookie.slice(0, cookie.indexOf(";"));
}

/** Signs in with the password printed on the first start, and returns the cookies. */
async function signIn(url: string, home: string): Promise<string> {
  const loginUrl = new URL("/login", url);
  const form = await fetch(loginUrl);
  const token = tokenOf(await form.text());
  const password = await Deno.readTextFile(join(home, "organiser.password"));
  const response = await fetch(loginUrl, {
    method: "POST",
    headers: { cookie: cookieOf(form, "fw_csrf") },
    body: new URLSearchParams({ _csrf: token, email: "organiser@miradouro.example", password }),
    redirect: "manual",
  });
  await response.body?.cancel();
  assertEquals(response.status, 303);
  return `${cookieOf(response, "fw_csrf")}; ${cookieOf(response, "fw_session")}`;
}

/** Creates an event as a browser does, with a picture spooled to a temporary file. */
async function createEvent(
  url: string,
  cookie: string,
): Promise<{ readonly page: string; readonly flash: string }> {
  const formUrl = new URL("/organize/events/new", url);
  const form = await fetch(formUrl, { headers: { cookie } });
  const token = tokenOf(await form.text());
  // The sample events are in the next weeks; this day is after them.
  const day = Temporal.Now.plainDateISO("Europe/Lisbon").add({ days: 75 });
  const response = await fetch(formUrl, {
    method: "POST",
    headers: { cookie },
    body: eventForm(
      { _csrf: token, starts: `${day}T19:00`, ends: `${day}T20:30` },
      pngFile({ size: 2_000_000 }),
    ),
    redirect: "manual",
  });
  await response.body?.cancel();
  assertEquals(response.status, 303);
  const location = response.headers.get("location") ?? "";
  return { page: new URL(location, url).href, flash: cookieOf(response, "fw_flash") };
}

async function listNames(path: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(path));
  return entries.map(({ name }) => name).sort();
}

Deno.test({
  name: "demo: the task serves, accepts a picture and signs with the permissions it lists",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await Deno.mkdir(join(folder, "data"), { recursive: true });
    await using home = await newFolder({ dir: join(folder, "data"), prefix: "test_" });
    let made = { page: "", flash: "" };
    await withDemo(home.path, async (url) => {
      const list = await fetch(new URL("/events?q=fado", url));
      assertEquals(list.status, 200);
      assert((await list.text()).includes("Fado Without a Microphone"));
      made = await createEvent(url, await signIn(url, home.path));
      const photo = await fetch(`${made.page}/photo`);
      assertEquals(photo.headers.get("content-type"), "image/png");
      assertEquals((await photo.bytes()).length, 2_000_000);
    });
    // Shutdown closes the database, so no journal is left.
    assertEquals(await listNames(home.path), [
      "events.sqlite",
      "incoming",
      "organiser.password",
      "secret.key",
      "uploads",
    ]);
    assertEquals(await listNames(join(home.path, "incoming")), []);
    assertEquals(await listNames(join(home.path, "uploads")), ["terrace.png"]);
    for (const name of ["secret.key", "organiser.password"]) {
      assertEquals(((await Deno.stat(join(home.path, name))).mode ?? 0) & 0o777, 0o600);
    }
    // The key is kept, so cookies signed before a restart stay valid.
    await withDemo(home.path, async (url) => {
      const page = await fetch(new URL(new URL(made.page).pathname, url), {
        headers: { cookie: made.flash },
      });
      assert((await page.text()).includes("“Swifts over the Roofs” is on the schedule."));
    });
  },
});

Deno.test({
  name: "demo: with an empty cache, Deno installs no package and keeps at most 25 MB",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await Deno.mkdir(join(folder, "data"), { recursive: true });
    await using home = await newFolder({ dir: join(folder, "data"), prefix: "test_" });
    await using cache = await newFolder();
    await withDemo(home.path, async (url) => {
      const page = await fetch(url);
      await page.body?.cancel();
      assertEquals(page.status, 200);
    }, { DENO_DIR: cache.path });
    let bytes = 0;
    for await (const { path, isFile } of walk(cache.path)) {
      assert(!path.includes("/npm/"), path);
      if (isFile) bytes += (await Deno.stat(path)).size;
    }
    assert(bytes < 25_000_000, `${bytes} bytes`);
  },
});
