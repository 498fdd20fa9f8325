/**
 * A cache over a real Deno KV in the file that is named, told what to do on standard input, for
 * `kv_cache_test.ts`; runs with `--unstable-kv`.
 */
/// <reference lib="deno.unstable" />
import { Cache } from "../../../cache/mod.ts";
import { kvStores } from "../../../data/kv/mod.ts";
import { createLogger } from "../../../mod.ts";

const kv = await Deno.openKv(Deno.args[0]);
let warnings = 0;
const log = createLogger({ write: () => void warnings++ });
const cache = new Cache({ name: "shared", store: kvStores(kv).cache, storeTimeoutMs: 10_000, log });

/** The fetch that is under way. */
let made: Promise<unknown> | undefined;
let open: (value: unknown) => void = () => {};

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function typeName(value: unknown): string {
  return typeof value === "object" && value !== null ? value.constructor.name : typeof value;
}

const commands: Record<string, (...args: unknown[]) => unknown> = {
  do: (name, tags, value) => cache.do({ name: String(name), tags: list(tags) }, () => value),
  begin: (name, tags) =>
    new Promise((resolve) => {
      made = cache.do({ name: String(name), tags: list(tags) }, () => {
        resolve("begun");
        return new Promise((end) => open = end);
      });
    }),
  end: (value) => {
    open(value);
    return made;
  },
  invalidate: async (tag) => {
    try {
      return await cache.invalidate(String(tag));
    } catch {
      return "failed";
    }
  },
  delete: (name) => cache.delete(String(name)),
  clear: () => cache.clear(),
  large: async (bytes) => {
    let answer = "found";
    await cache.do({ name: `large ${bytes}` }, () => {
      answer = "made";
      return new Uint8Array(Number(bytes));
    });
    return answer;
  },
  types: async () => {
    let answer = "found";
    const value = await cache.do({ name: "types" }, () => {
      answer = "made";
      return [new Map([[1, 2]]), new Set([1]), new Date(0), 1n, undefined, new Uint8Array(2)];
    });
    return `${answer} ${value.map(typeName)}`;
  },
  fill: async (count, tag) => {
    for (let at = 0; at < Number(count); at++) {
      await cache.do({ name: `filled ${at}`, tags: [String(tag)] }, () => at);
    }
    return count;
  },
  warnings: () => warnings,
  close: () => kv.close(),
};

let text = "";
for await (const chunk of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (text + chunk).split("\n");
  text = lines.pop() ?? "";
  for (const line of lines) {
    const [command, ...args]: [string, ...unknown[]] = JSON.parse(line);
    console.log(JSON.stringify(await commands[command]?.(...args) ?? null));
  }
}
