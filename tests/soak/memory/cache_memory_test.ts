import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { runDeno } from "../../../tools/workspace.ts";

Deno.test("Cache: names invented by clients do not fill the memory", async (t) => {
  const script = fromFileUrl(new URL("cache_memory_process.ts", import.meta.url));
  const args = ["run", "-A", "--no-check", "--v8-flags=--expose-gc", script];
  const { stdout, stderr } = await runDeno(args);
  assert(stdout.startsWith("{"), stderr);
  const found: Record<string, [mib: number, size: number]> = JSON.parse(stdout);
  const rows: [name: string, key: string, mostMib: number, size: number][] = [
    ["a million names leave the 10,000 that fit", "millionNames", 12, 10_000],
    ["a name sliced from a text does not retain the text", "cutNames", 6, 5_000],
    ["a name of 1 MB is not stored in full", "longNames", 3, 60],
    ["expired values are removed when others arrive", "expiredValues", 6, 10_000],
    ["failed runs leave nothing", "failures", 2, 0],
  ];
  for (const [name, key, mostMib, size] of rows) {
    await t.step(name, () => {
      const [mib, kept] = found[key] ?? [Infinity, -1];
      assertEquals(kept, size);
      assert(mib <= mostMib, `${mib} MiB`);
    });
  }
});
