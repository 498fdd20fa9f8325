/** Caches filled with the same values: fw and the npm package `lru-cache`. */
import { LRUCache } from "npm:lru-cache@11.5.3";
import { Cache } from "../../cache/mod.ts";
import { App, type Metrics } from "../../mod.ts";

/** The cached value: a small object. */
export interface Value {
  readonly id: number;
}

/** A cache and its measured call. */
export interface Contender {
  readonly name: string;
  /** Reads each name in turn; returns the sum of the ids. */
  readonly hit: (names: readonly string[]) => Promise<number>;
}

/** The version of the peer, as in its import. */
export const peer = "lru-cache 11.5.3";

const ttlMs = 3_600_000;

function valueOf(name: string): Value {
  return { id: name.length };
}

/** Creates caches with a value for every name, in report order; the first is the base. */
export function fill(names: readonly string[]): Promise<readonly Contender[]> {
  return Promise.all([
    fillPeer(names, { title: `${peer}, \`fetch()\``, ttl: 0 }),
    fillPeer(names, { title: `${peer}, \`fetch()\`, \`ttl\``, ttl: ttlMs }),
    fillOwn(names, { title: "fw `cache.do`", ttlMs: 0 }),
    fillOwn(names, { title: "fw `cache.do`, `ttlMs`", ttlMs }),
    fillOwn(names, { title: "fw `cache.do`, `ttlMs`, metrics", ttlMs, metrics: new App().metrics }),
  ]);
}

async function fillOwn(
  names: readonly string[],
  { title, ttlMs, metrics }: {
    readonly title: string;
    readonly ttlMs: number;
    readonly metrics?: Metrics;
  },
): Promise<Contender> {
  const cache = new Cache({
    name: "bench",
    maxEntries: names.length,
    ...(metrics === undefined ? {} : { metrics }),
  });
  const fetchValue = (name: string): Promise<Value> =>
    cache.do({ name, ttlMs, tags: ["bench"] }, () => Promise.resolve(valueOf(name)));
  for (const name of names) await fetchValue(name);
  return {
    name: title,
    hit: async (asked) => {
      let sum = 0;
      for (const name of asked) {
        // The tags and the function are created for each call, as in a handler.
        const { id } = await cache.do(
          { name, ttlMs, tags: ["bench"] },
          () => Promise.resolve(valueOf(name)),
        );
        sum += id;
      }
      return sum;
    },
  };
}

async function fillPeer(
  names: readonly string[],
  { title, ttl }: { readonly title: string; readonly ttl: number },
): Promise<Contender> {
  const cache = new LRUCache<string, Value>({
    max: names.length,
    ttl,
    fetchMethod: (name) => Promise.resolve(valueOf(name)),
  });
  for (const name of names) await cache.fetch(name);
  return {
    name: title,
    hit: async (asked) => {
      let sum = 0;
      for (const name of asked) sum += (await cache.fetch(name))?.id ?? 0;
      return sum;
    },
  };
}
