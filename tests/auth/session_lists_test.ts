import { assert, assertEquals } from "@std/assert";
import { memorySessionStore } from "../../auth/mod.ts";
import { testRequest, withCookie, withForm } from "../../runtime/testing/mod.ts";
import { appWith, kinds } from "./session_kinds.ts";
import { signedIn, signInApp } from "./support.ts";

for (const [kind, open] of kinds.slice(1)) {
  const test = (name: string, body: () => Promise<void>): void =>
    Deno.test(`sessions (${kind}): ${name}`, body);
  const listOf = async (client: { get(path: string): PromiseLike<{ body: string }> }) =>
    JSON.parse((await client.get("/sessions")).body) as {
      id: string;
      device: string;
      isCurrent: boolean;
    }[];
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

  test("a user sees their own sessions with device and last use, and ends one", async () => {
    const made = appWith(open);
    const laptop = await signedIn(made, {}, firefox);
    made.clock.now += 1_000;
    const phone = await signedIn(made);
    await signedIn(made, { subject: "another" });
    const list = await listOf(laptop);
    const found = list.map(({ device, isCurrent }) => [device, isCurrent]);
    assertEquals(found, [["", false], ["Firefox on Linux", true]]);
    const id = encodeURIComponent(list[0]?.id ?? "");
    await laptop.request("DELETE", `/sessions?id=${id}`).wantContains("true");
    await laptop.request("DELETE", `/sessions?id=${id}`).wantContains("false");
    await phone.get("/me").wantStatus(302);
    await laptop.get("/me").wantStatus(200);
  });

  test("a user cannot end another user's session", async () => {
    const made = appWith(open);
    const ada = await signedIn(made);
    const bob = await signedIn(made, { subject: "bob" });
    const [his] = await listOf(bob);
    await ada.request("DELETE", `/sessions?id=${his?.id}`).wantContains("false");
    await bob.get("/me").wantStatus(200);
  });

  test("ending the current session also clears the cookie", async () => {
    const made = appWith(open);
    const client = await signedIn(made);
    const [own] = await listOf(client);
    await client.request("DELETE", `/sessions?id=${own?.id}`).wantContains("true");
    assertEquals(client.cookie("fw_session"), undefined);
  });

  test("a user signs out everywhere else, and everywhere", async () => {
    const made = appWith(open);
    const clients = [await signedIn(made), await signedIn(made), await signedIn(made)];
    const bob = await signedIn(made, { subject: "bob" });
    await clients[0]?.request("POST", "/sessions").wantContains("2");
    await clients[0]?.get("/me").wantStatus(200);
    await clients[1]?.get("/me").wantStatus(302);
    assertEquals(await made.sessions.endAll(made.app, "42"), 1);
    await clients[0]?.get("/me").wantStatus(302);
    await bob.get("/me").wantStatus(200);
  });

  test("the list does not contain the identifier in the cookie", async () => {
    const made = appWith(open);
    const client = await signedIn(made);
    const { body } = await client.get("/sessions");
    assert(!body.includes(client.cookie("fw_session") ?? "?"));
    const [own] = await listOf(client);
    await testRequest(made.app, "GET", "/api/me", withCookie("fw_session", own?.id ?? ""))
      .wantStatus(401);
  });

  test("a subject keeps at most maxPerSubject sessions", async () => {
    const made = appWith(open, { maxPerSubject: 3 });
    const clients = [];
    for (let times = 0; times < 5; times++) {
      made.clock.now += 1_000;
      clients.push(await signedIn(made));
    }
    const statuses = [];
    for (const client of clients) statuses.push((await client.get("/api/me")).status);
    assertEquals(statuses, [401, 401, 200, 200, 200]);
    // Another replica's clock is ahead.
    made.clock.now -= 60_000;
    await (await signedIn(made)).get("/api/me").wantStatus(200);
  });

  test("replicas that share a store accept each other's sessions", async () => {
    const store = open(Date.now) ?? memorySessionStore();
    const [one, two] = [signInApp({ store }), signInApp({ store })];
    const client = await signedIn(one);
    const cookie = withCookie("fw_session", client.cookie("fw_session") ?? "");
    await testRequest(two.app, "GET", "/api/me", cookie).wantStatus(200);
    await testRequest(two.app, "POST", "/logout", withForm({}), cookie).wantStatus(303);
    await client.get("/api/me").wantStatus(401);
  });
}
