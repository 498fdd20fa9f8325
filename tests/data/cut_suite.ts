/** Operations of stores interrupted at every step, and the result of the next call. */
import { assert, assertEquals } from "@std/assert";
import type { Stores } from "../../mod.ts";
import { newSession } from "../auth/store_suite.ts";
import { passkey } from "./stores_suite.ts";

type All = Required<Omit<Stores, "channels">>;

/** Runs a step of a store; an interrupted step throws, before or after its effect. */
export type Step = <T>(run: () => Promise<T>) => Promise<T>;

export type OpenCut = (step: Step) => All | Promise<All>;

const owner = { provider: "", subject: "42" };
const entry = { cache: "c", name: "n", tags: ["t"] };

const rows: readonly [
  name: string,
  prepare: (stores: All) => unknown,
  cut: (stores: All) => unknown,
  check: (stores: All) => Promise<void>,
][] = [
  ["an added passkey", () => {}, addPasskey, async ({ passkeys }) => {
    assertEquals((await passkeys.list("42")).map(({ id }) => id), ["k"]);
    assertEquals((await passkeys.find("k"))?.subject, "42");
    assert(await passkeys.remove("42", "k"));
  }],
  ["a removed passkey", addPasskey, removePasskey, async (stores) => {
    assertEquals(await stores.passkeys.list("42"), []);
    assertEquals(await stores.passkeys.find("k"), undefined);
    assertEquals(await addPasskey(stores), "added");
    assertEquals((await stores.passkeys.find("k"))?.subject, "42");
  }],
  ["a removed passkey that another subject adds", addPasskey, removePasskey, async (stores) => {
    assertEquals(await addPasskey(stores, "7"), "added");
    assertEquals((await stores.passkeys.find("k"))?.subject, "7");
    assertEquals(await addPasskey(stores), "exists");
  }],
  ["a created session", () => {}, createSession, async ({ sessions }) => {
    assertEquals((await sessions.read("s"))?.id, "s");
    assertEquals((await sessions.list(owner)).map(({ id }) => id), ["s"]);
  }],
  ["a deleted session", createSession, ({ sessions }) => sessions.delete("s"), noSession],
  ["all sessions", createSession, ({ sessions }) => sessions.deleteBySubject(owner), noSession],
  ["a cache's delete", writeEntry, ({ cache }) => cache.delete("c", ["m", "n"]), noEntry],
  ["a cache's invalidate", writeEntry, ({ cache }) => cache.invalidate("c", ["u", "t"]), noEntry],
  ["a cache's clear", writeEntry, ({ cache }) => cache.clear("c"), noEntry],
];

function addPasskey({ passkeys }: All, subject = "42"): unknown {
  return passkeys.add(passkey("k", { subject, userHandle: subject }), { max: 3 });
}

function removePasskey({ passkeys }: All): unknown {
  return passkeys.remove("42", "k");
}

function createSession({ sessions }: All): unknown {
  return sessions.create(newSession("s", { sid: "x" }));
}

async function noSession({ sessions }: All): Promise<void> {
  assertEquals(await sessions.read("s"), undefined);
  assertEquals(await sessions.list(owner), []);
}

async function writeEntry({ cache }: All): Promise<void> {
  const { version } = await cache.read(entry) as { readonly version: unknown };
  await cache.write(entry, { value: 1, ttlMs: 60_000, version });
  assertEquals((await cache.read(entry)).kind, "hit");
}

async function noEntry({ cache }: All): Promise<void> {
  assertEquals((await cache.read(entry)).kind, "miss");
}

/**
 * Interrupts every operation before and after each of its steps, repeats it and checks the result.
 */
export function testCuts(
  name: string,
  open: OpenCut,
  options: Partial<Deno.TestDefinition> = {},
): void {
  for (const [what, prepare, cut, check] of rows) {
    Deno.test({
      ...options,
      name: `${name}: the next call repairs ${what} after an interruption`,
      fn: async () => {
        let isCut = true;
        for (let at = 1; isCut; at++) {
          for (const isDone of [false, true]) {
            let left = Infinity;
            isCut = false;
            const stores = await open(async (run) => {
              const isNow = --left === 0;
              isCut ||= isNow;
              if (isNow && !isDone) throw new Error("lost");
              const result = await run();
              if (isNow) throw new Error("lost");
              return result;
            });
            await prepare(stores);
            left = at;
            await Promise.resolve().then(() => cut(stores)).catch(() => {});
            left = Infinity;
            await cut(stores);
            await check(stores);
          }
        }
      },
    });
  }
}
