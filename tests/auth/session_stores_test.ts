import { assert, assertEquals, assertThrows } from "@std/assert";
import { memorySessionStore, type StoredSession } from "../../auth/mod.ts";
import { withUser } from "../../auth/testing.ts";
import { kvStores } from "../../data/kv/mod.ts";
import { provideStores } from "../../mod.ts";
import { newTestClient } from "../../runtime/testing/mod.ts";
import { MemoryKv } from "../data/kv/memory_kv.ts";
import { newSession, storeSuite } from "./store_suite.ts";
import { signInApp } from "./support.ts";

// The engines' stores run the same suite together with their other stores.
for (const { name, run } of storeSuite) {
  Deno.test(`session store (memory): ${name}`, () =>
    run((now) => {
      const store = memorySessionStore({ now });
      return { store, other: store, close: () => {} };
    }));
}

Deno.test("memorySessionStore: evicts the least recently used session at its limit", () => {
  const now = Date.now();
  const store = memorySessionStore({ maxSessions: 3, now: () => now });
  for (const id of ["a", "b", "c"]) void store.create(newSession(id, { subject: id }));
  void store.touch("a", { usedAtMs: now, expiresAtMs: now + 1_000 });
  void store.create(newSession("d", { subject: "d" }));
  assertEquals(["a", "b", "c", "d"].filter((id) => store.read(id) !== undefined), ["a", "c", "d"]);
  assertEquals(store.list({ provider: "", subject: "b" }), []);
});

Deno.test("memorySessionStore: each sign-in removes only a few expired sessions", () => {
  const clock = { now: Date.now() };
  const store = memorySessionStore({ now: () => clock.now });
  const add = (id: number): void =>
    void store.create(newSession(`${id}`, { subject: "a", expiresAtMs: clock.now + 1_000 }));
  for (let id = 0; id < 1_000; id++) add(id);
  clock.now += 5_000;
  add(1_000);
  // With the clock set back, the list counts the sessions that the store still holds.
  clock.now -= 5_000;
  assertEquals(Array.from(store.list({ provider: "", subject: "a" }) as []).length, 997);
});

Deno.test("memorySessionStore: removes expired sessions even while others are in use", () => {
  const clock = { now: Date.now() };
  const store = memorySessionStore({ maxSessions: 100_000, now: () => clock.now });
  const deadlines = (): Pick<StoredSession, "usedAtMs" | "expiresAtMs" | "endsAtMs"> => ({
    usedAtMs: clock.now,
    expiresAtMs: clock.now + 7_200_000,
    endsAtMs: clock.now + 9e9,
  });
  const busy = Array.from({ length: 50 }, (_, at) => `busy-${at}`);
  for (const id of busy) void store.create(newSession(id, { subject: id, ...deadlines() }));
  for (let minute = 0; minute < 4_320; minute++) {
    clock.now += 60_000;
    for (const id of busy) void store.touch(id, deadlines());
    void store.create(newSession(`idle-${minute}`, { subject: "idle", ...deadlines() }));
  }
  // One a minute for two hours leaves 120 live sessions. Reading deletes expired ones, so the list
  // with the clock set back counts what the store still holds.
  clock.now -= 3_600_000 * 24 * 3;
  const kept = store.list({ provider: "", subject: "idle" });
  assert(Array.isArray(kept) && kept.length < 500, String((kept as readonly unknown[]).length));
});

for (const maxSessions of [0, 1.5]) {
  Deno.test(`memorySessionStore: refuses a maxSessions of ${maxSessions}`, () => {
    assertThrows(() => memorySessionStore({ maxSessions }), Error, "Cannot keep");
  });
}

for (const isProvided of [true, false]) {
  Deno.test(`stored: true keeps sessions in ${isProvided ? "the provided store" : "memory"}`, async () => {
    const { sessions: store } = kvStores(new MemoryKv());
    const { app, sessions } = signInApp({ stored: true });
    if (isProvided) provideStores(app, { sessions: store });
    const client = newTestClient(app, withUser(sessions, { subject: "42" }));
    for (let times = 0; times < 2; times++) await client.get("/api/me").wantStatus(200);
    const kept = await store.list({ provider: "", subject: "42" });
    assertEquals(kept.length, isProvided ? 1 : 0);
    // Deleting it on the server ends the session, because the cookie contains nothing else.
    if (!isProvided) return;
    await store.deleteBySubject({ provider: "", subject: "42" });
    await client.get("/api/me").wantStatus(401);
  });
}
