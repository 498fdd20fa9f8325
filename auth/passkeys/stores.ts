import { type Application, noteMemoryState } from "../../mod.ts";
import {
  findStores,
  noteStoreState,
  type Passkey,
  type PasskeyStore,
} from "../../runtime/addon.ts";

/**
 * Keeps passkeys in the memory of the process, without a bound: for tests, since users who lose theirs
 * cannot sign in.
 *
 * @returns The store.
 * @example
 * ```ts
 * import { memoryPasskeyStore, passkeys } from "@fw/fw/auth";
 *
 * const keys = passkeys({ rpId: "example.com", store: memoryPasskeyStore() });
 * console.assert(typeof keys.verify === "function");
 * ```
 */
export function memoryPasskeyStore(): PasskeyStore {
  noteMemoryState("passkeys", "leave the store of passkeys() out and provideStores(app, …)");
  return keepInMemory();
}

/** Returns the store of an application: the one provided, else one in memory. */
export function providedPasskeys(): (app: Application) => PasskeyStore {
  noteStoreState("passkeys", "passkeys");
  return (app) => findStores(app).passkeys ?? keepInMemory();
}

function keepInMemory(): PasskeyStore {
  const passkeys = new Map<string, Passkey>();
  const list = (subject: string): readonly Passkey[] =>
    [...passkeys.values()].filter((passkey) => passkey.subject === subject);
  return {
    add: (passkey, { max }) => {
      const refusal = refusalOf(passkey, { max, present: list(passkey.subject) });
      if (passkeys.has(passkey.id)) return "exists";
      if (refusal !== undefined) return refusal;
      passkeys.set(passkey.id, passkey);
      return "added";
    },
    find: (id) => passkeys.get(id),
    list,
    use: (id, use) => {
      const passkey = passkeys.get(id);
      if (passkey === undefined || passkey.challengedAtMs >= use.challengedAtMs) return false;
      passkeys.set(id, { ...passkey, ...use });
      return true;
    },
    remove: (subject, id) => passkeys.get(id)?.subject === subject && passkeys.delete(id),
  };
}

function refusalOf(
  { userHandle }: Passkey,
  { max, present }: { readonly max: number; readonly present: readonly Passkey[] },
): "too-many" | "handle" | undefined {
  if (present.some((other) => other.userHandle !== userHandle)) return "handle";
  return present.length >= max ? "too-many" : undefined;
}
