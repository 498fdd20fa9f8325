/** Many requests of every kind: the memory they leave does not grow with their number. */
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { startWatched } from "../watched_process.ts";
import { sendLoad } from "./load.ts";

/**
 * The allowed growth per request between parts, in bytes. It is below the smallest object that a
 * list can hold, and above the variation without a leak.
 */
const maxBytesPerRequest = 16;

/** When the load stops, finished or not. */
const maxMs = 600_000;

const part = 40_000;
const script = fromFileUrl(new URL("server.ts", import.meta.url));

/** Returns the resident memory after a garbage collection, in bytes. */
async function readRss(url: string): Promise<number> {
  const response = await fetch(`${url}memory`);
  assertEquals(response.status, 200);
  const { rss } = await response.json();
  assert(rss > 1_000_000, `${rss} bytes`);
  return rss;
}

Deno.test("40,000 mixed requests leave at most 16 bytes each in memory after a warm-up of 40,000", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(join(folder, "site.css"), "a { color: red }\n".repeat(100));
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(`the machine is too slow: ${maxMs} ms`), maxMs);
  try {
    const flags = ["--unstable-no-legacy-abort", "--v8-flags=--expose-gc"];
    await using server = startWatched(Deno.execPath(), {
      args: ["run", "-A", "--no-check", ...flags, script, folder],
      env: { PORT: "", FW_ENV: "" },
    });
    const url = await server.url();
    const load = { requests: part, signal: stop.signal };
    // The first part fills everything that is filled once.
    await sendLoad(Number(new URL(url).port), load);
    const sizes = [await readRss(url)];
    // A leak grows with the requests of each part, so no part is stable then.
    let growth = Infinity;
    while (sizes.length < 12 && growth > maxBytesPerRequest) {
      const sent = await sendLoad(Number(new URL(url).port), load);
      sizes.push(await readRss(url));
      growth = ((sizes.at(-1) ?? 0) - (sizes.at(-2) ?? 0)) / sent;
    }
    const shown = sizes.map((bytes) => `${(bytes / 1_048_576).toFixed(1)} MB`).join(" → ");
    console.log(`${shown}, ${growth.toFixed(1)} bytes per request`);
    assert(growth < maxBytesPerRequest, shown);
  } finally {
    clearTimeout(timer);
    await Deno.remove(folder, { recursive: true });
  }
});
