import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { addressOf } from "../address.ts";
import { MemoryRateLimitStore } from "../../../../mod.ts";

const mib = 1_048_576;
const script = fromFileUrl(new URL("../process.ts", import.meta.url));

Deno.test("80 MB of proxy chains leave only their addresses in memory", async () => {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--v8-flags=--expose-gc", script],
    env: { NO_COLOR: "1" },
  }).output();
  const bytes = Number(new TextDecoder().decode(stdout).trim() || NaN);
  assert(bytes < 32 * mib, `${(bytes / mib).toFixed(1)} MB\n${new TextDecoder().decode(stderr)}`);
});

Deno.test("the limiter keeps at most 65,536 clients", () => {
  const store = new MemoryRateLimitStore();
  for (let index = 0; index < 70_000; index++) store.take(addressOf(index), { rate: 1, burst: 2 });
  assertEquals(store.size, 65_536);
});

Deno.test("an exhausted client cannot refill its bucket through a flood", () => {
  let now = 0;
  const store = new MemoryRateLimitStore({ now: () => now, maxClients: 1_000 });
  const rule = { rate: 0.001, burst: 2 };
  while (store.take("attacker", rule) === 0);
  for (let index = 0; index < 100_000; index++, now += 0.01) store.take(addressOf(index), rule);
  assert(store.take("attacker", rule) > 0);
  assertEquals(store.size, 1_000);
});
