import { assertEquals } from "@std/assert";
import { EndedSessions } from "../../auth/ended_sessions.ts";
import { newTestClient, testRequest, withCookie } from "../../runtime/testing/mod.ts";
import { appWith } from "./session_kinds.ts";

Deno.test("sessions (stateless): an ended cookie stays ended, however often others sign in again", async () => {
  const made = appWith(() => undefined);
  const ended: string[] = [];
  for (let count = 0; count < 100; count++) {
    const victim = newTestClient(made.app);
    await victim.postForm("/login", { subject: "victim" }).wantStatus(303);
    ended.push(victim.cookie("fw_session") ?? "");
    await victim.postForm("/logout", {}).wantStatus(303);
  }
  const other = newTestClient(made.app);
  for (let count = 0; count < 2_500; count++) {
    await other.postForm("/login", { subject: "mallory" }).wantStatus(303);
  }
  for (const cookie of ended) {
    await testRequest(made.app, "GET", "/who", withCookie("fw_session", cookie))
      .wantContains("null");
  }
});

Deno.test("EndedSessions: drops expired entries, then the oldest, with one notice", () => {
  const clock = { now: 0 };
  const notices: number[] = [];
  const ended = new EndedSessions({
    lifeMs: 1_000,
    now: () => clock.now,
    maxEntries: 3,
    onFull: () => void notices.push(clock.now),
  });
  ended.add("a");
  clock.now = 600;
  for (const id of ["b", "c"]) ended.add(id);
  // Again, so that it is the last to expire.
  ended.add("b");
  clock.now = 1_000;
  ended.add("d");
  assertEquals(["a", "b", "c", "d"].map((id) => ended.has(id)), [false, true, true, true]);
  assertEquals(notices, []);
  for (const id of ["e", "f"]) ended.add(id);
  assertEquals(["b", "c", "d", "e", "f"].map((id) => ended.has(id)), [
    false,
    false,
    true,
    true,
    true,
  ]);
  assertEquals(notices, [1_000]);
});
