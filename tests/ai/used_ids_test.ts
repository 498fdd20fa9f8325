import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { maxStateChars, signedStates, UsedIds, usedIds } from "../../ai/runs/kept_state.ts";
import { callerOf } from "../../ai/runs/browser_history.ts";
import { createSessions, type Sessions } from "../../auth/mod.ts";
import { withUser } from "../../auth/testing.ts";
import { App, type Ctx, HttpError, Off, provideStores } from "../../mod.ts";
import { memoryOnce } from "../../runtime/addon.ts";
import { newTestClient } from "../../runtime/testing/mod.ts";

const hourMs = 3_600_000;

Deno.test("usedIds keeps one set of ids per application", () => {
  const idsOf = usedIds();
  const [a, b] = [new App(), new App()];
  assertEquals([a, b, undefined].map((app) => idsOf(app).take("1")), [true, true, true]);
  assertEquals([a, b, undefined].map((app) => idsOf(app).take("1")), [false, false, false]);
});

Deno.test("a signed state over the limit is not read", () => {
  const states = signedStates("test")(undefined);
  const binding = { principal: "", method: "m", params: {} };
  const open = (text: string) =>
    states.open(states.seal({ id: "1", answers: { text } }, binding), binding)?.id;
  assertEquals([open("x"), open("x".repeat(maxStateChars))], ["1", undefined]);
});

Deno.test("UsedIds accepts no id twice during a flood, and has room again after an hour", () => {
  let nowMs = 0;
  const ids = new UsedIds({ now: () => nowMs, maxIds: 3 });
  assertEquals(["a", "b", "c"].map((id) => ids.take(id)), [true, true, true]);
  assertEquals(["a", "b", "c"].map((id) => ids.take(id)), [false, false, false]);
  const error = assertThrows(() => ids.take("d"), HttpError);
  assertEquals([error.status, error.code], [503, "ai_approvals_full"]);
  nowMs = hourMs;
  assertEquals(["e", "f", "g"].map((id) => ids.take(id)), [true, true, true]);
});

const users = (user: string) => ({ user });
const strangers = (ip: string) => ({ ip });
for (
  const [name, who, statuses] of [
    ["a user", [users("ada"), users("bob")], [2, 2]],
    ["a client", [strangers("192.0.2.1"), strangers("198.51.100.1")], [2, 2]],
    ["a site", ["1", "2", "3"].map((id) => strangers(`2001:db8:1:${id}::1`)), [2, 2, 0]],
    ["a flood of strangers", [
      ...["1", "2", "3", "4"].map((id) => strangers(`198.51.${id}.1`)),
      users("ada"),
    ], [2, 2, 2, 0, 2]],
  ] as const
) {
  Deno.test(`UsedIds: ${name} leaves room for other callers`, () => {
    const ids = new UsedIds({ maxIds: 6, maxCallerIds: 2 });
    const taken = who.map((caller, at) =>
      ["a", "b", "c"].filter((id) => {
        try {
          return ids.take(`${id}${at}`, caller);
        } catch (error) {
          assertEquals(error instanceof HttpError && error.code, "ai_approvals_full");
          return false;
        }
      }).length
    );
    assertEquals(taken, [...statuses]);
  });
}

for (
  const [name, show, wanted] of [
    ["an account accepted by a guard", (c: Ctx, s: Sessions) => s.require(c), ["", "ada"]],
    ["an account read by the handler", (c: Ctx, s: Sessions) => s.user(c), ["", "ada"]],
    ["a request whose account was not read", () => undefined, undefined],
  ] as const
) {
  Deno.test(`UsedIds counts per user of a chat: ${name}`, async () => {
    const sessions = createSessions();
    const app = new App({ env: "dev", secret: "s".repeat(32), logRequest: Off });
    app.route({
      pattern: "/",
      methods: {
        GET: async (c) => {
          await show(c, sessions);
          return c.json(200, callerOf(c));
        },
      },
    });
    const client = newTestClient(app, withUser(sessions, { subject: "ada" }));
    const caller = JSON.parse((await client.get("/")).body);
    assertEquals(caller.user, wanted && JSON.stringify(wanted));
    assertEquals(typeof caller.ip, wanted === undefined ? "string" : "undefined");
  });
}

Deno.test("UsedIds counts per replica, and refuses if the store fails", async () => {
  const idsOf = usedIds();
  const once = memoryOnce();
  const [a, b, down] = [new App(), new App(), new App()];
  for (const app of [a, b]) provideStores(app, { once });
  const fail = () => Promise.reject(new Error("down"));
  provideStores(down, { once: { take: fail } });
  assertEquals([await idsOf(a).take("1"), await idsOf(b).take("1")], [true, false]);
  const error = await assertRejects(async () => await idsOf(down).take("1"), HttpError);
  assertEquals([error.status, error.code, error.headers], [503, "ticket_store_failed", {
    "retry-after": "2",
  }]);
});
