/** The kinds of sessions used by the suites. */
import { memorySessionStore, type SessionStore } from "../../auth/mod.ts";
import { kvStores } from "../../data/kv/mod.ts";
import { MemoryKv } from "../data/kv/memory_kv.ts";
import { type SignInApp, signInApp, type SignInOptions } from "./support.ts";

/** Opens a store with the test's clock; `undefined` for sessions in cookies. */
export type OpenKind = (now: () => number) => SessionStore | undefined;

export const kinds: readonly (readonly [name: string, open: OpenKind])[] = [
  ["stateless", () => undefined],
  ["memory", (now) => memorySessionStore({ now })],
  ["kv", (now) => kvStores(new MemoryKv(), { now }).sessions],
];

export function appWith(open: OpenKind, options: SignInOptions = {}): SignInApp {
  const clock = { now: Date.now() };
  const store = open(() => clock.now);
  const given = store === undefined ? {} : { store };
  const made = signInApp({ ...options, ...given, now: () => clock.now });
  return { ...made, clock };
}
