import { ExpiringNames } from "../../../../runtime/base/stores/stores.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { App, Off, provideStores } from "../../../../mod.ts";
import { findStores, memoryChannels } from "../../../../runtime/addon.ts";

Deno.test("fw_store_failures_total: counts only calls that throw or reject, by store", async () => {
  const token = "t".repeat(32);
  const app = new App({ logRequest: Off, observability: { metrics: "/metrics", token } });
  provideStores(app, {
    channels: memoryChannels(),
    limits: { take: () => Promise.reject(new Error("down")) },
    once: {
      take: () => {
        throw new Error("down");
      },
    },
  });
  const { limits, once, channels } = findStores(app);
  for (let call = 0; call < 2; call++) {
    await assertRejects(async () => await limits?.take("a", { rate: 1, burst: 1 }), Error, "down");
  }
  await assertRejects(async () => await once?.take("a", 1_000), Error, "down");
  assertEquals((await channels?.read("a", 0, 1))?.last, 0);
  const response = await app.fetch(
    new Request("http://localhost/metrics", { headers: { authorization: `Bearer ${token}` } }),
  );
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("fw_store"));
  assertEquals(lines.toSorted(), [
    'fw_store_failures_total{store="channels"} 0',
    'fw_store_failures_total{store="limits"} 2',
    'fw_store_failures_total{store="once"} 1',
  ]);
});

Deno.test("ExpiringNames: drops expired names, then the oldest, and reports it once", () => {
  const clock = { now: 0 };
  const notices: number[] = [];
  const onFull = () => void notices.push(clock.now);
  const names = new ExpiringNames({ now: () => clock.now, maxNames: 3, onFull });
  names.add("a", 1_000);
  clock.now = 600;
  for (const id of ["b", "c"]) names.add(id, 1_000);
  // Again, so it is the last to expire.
  names.add("b", 1_000);
  clock.now = 1_000;
  names.add("d", 1_000);
  assertEquals(["a", "b", "c", "d"].map((id) => names.has(id)), [false, true, true, true]);
  assertEquals(notices, []);
  for (const id of ["e", "f"]) names.add(id, 1_000);
  const found = ["b", "c", "d", "e", "f"].map((id) => names.has(id));
  assertEquals([found, notices], [[false, false, true, true, true], [1_000]]);
});
