import { newTestClient, testRequest, withHeader } from "@fw/fw/testing";
import { withUser } from "@fw/fw/auth/testing";
import { assert, assertEquals } from "@std/assert";
import { firstEmail } from "@/lib/organisers.ts";
import { sessions } from "@/lib/sign_in.ts";
import { password, withApp } from "./app.ts";

const options = { isSignedIn: false };

const guarded: readonly string[] = [
  "/organize",
  "/organize/venues",
  "/organize/account",
  "/organize/events/new",
  "/organize/events/swifts-over-the-roofs/edit",
  "/organize/events/swifts-over-the-roofs/delete",
];

for (const path of guarded) {
  Deno.test(`sign-in: ${path} is for organisers`, () =>
    withApp(async (app) => {
      const login = `/login?next=${encodeURIComponent(path)}`;
      await testRequest(app, "GET", path).wantStatus(302).wantHeader("location", login);
      await testRequest(app, "GET", path, withUser(sessions)).wantStatus(403);
    }, options));
}

Deno.test("sign-in: deleting takes the role of an administrator", () =>
  withApp(async (app) => {
    const path = "/organize/events/fado-without-a-microphone/delete";
    const organiser = withUser(sessions, { roles: ["organiser"] });
    await testRequest(app, "GET", path, organiser).wantStatus(403);
    const admin = withUser(sessions, { roles: ["organiser", "admin"] });
    await testRequest(app, "GET", path, admin).wantStatus(200);
  }, options));

Deno.test("sign-in: the first organiser signs in, sees own sessions, and signs out everywhere", () =>
  withApp(async (app) => {
    const laptop = newTestClient(app);
    const firefox = withHeader("user-agent", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0");
    const right = { email: firstEmail, password };
    await laptop.get("/login").wantStatus(200).wantContains("Sign in with a passkey");
    await laptop.postForm("/login", { ...right, password: "wrong" }).wantStatus(422);
    await laptop.postForm("/login?next=/organize/venues", right, firefox)
      .wantStatus(303).wantHeader("location", "/organize/venues");
    const phone = newTestClient(app);
    await phone.postForm("/login", right).wantStatus(303).wantHeader("location", "/organize");
    const page = await laptop.get("/organize/account").wantStatus(200)
      .wantContains("Firefox on Linux").wantContains("This one").wantContains("Add a passkey");
    const ids = [...page.body.matchAll(/name="end" value="([^"]{43})"/g)].map(([, id]) => id);
    assertEquals(ids.length, 1);
    await laptop.postForm("/organize/account", { end: ids[0] ?? "" }).wantStatus(303);
    await phone.get("/organize").wantStatus(302);
    await phone.postForm("/login", right).wantStatus(303);
    await laptop.postForm("/organize/account", { end: "all" }).wantStatus(303);
    for (const client of [laptop, phone]) await client.get("/organize").wantStatus(302);
    await phone.postForm("/login", right).wantStatus(303);
    await phone.postForm("/logout", {}).wantStatus(303).wantHeader("location", "/");
    assert(phone.cookie("fw_session") === undefined);
  }, options));

Deno.test("sign-in: the first password makes one account and no second", () =>
  withApp(async (app) => {
    const client = newTestClient(app);
    await client.postForm("/login", { email: "eve@example.org", password }).wantStatus(422);
    await client.postForm("/login", { email: firstEmail, password }).wantStatus(303);
    await client.postForm("/login", { email: "eve@example.org", password }).wantStatus(422);
  }, options));

Deno.test("sign-in: guesses are slowed down", () =>
  withApp(async (app) => {
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++) {
      const client = newTestClient(app);
      statuses.push((await client.postForm("/login", { email: "x", password: "" })).status);
    }
    assertEquals([statuses[0], statuses.at(-1)], [422, 429]);
  }, options));

Deno.test("sign-in: without a provider its routes are not there", () =>
  withApp(async (app) => {
    for (const path of ["/login/provider", "/auth/callback?code=a&state=b"]) {
      await testRequest(app, "GET", path).wantStatus(404);
    }
    await testRequest(app, "GET", "/login/passkey").wantStatus(200).wantContains('"challenge"');
  }, options));
