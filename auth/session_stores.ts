import { type Application, httpError } from "../mod.ts";
import { type Awaitable, isThenable, type SessionStore } from "../runtime/addon.ts";
import { PerApplication } from "./per_application.ts";
import type { SessionOptions } from "./session_options.ts";

/** The stores of the applications that share one sign-in; of sessions in cookies there are none. */
export class SessionStores {
  readonly #stores: PerApplication<SessionStore> | undefined;

  /** @param given A store, or a function that opens that of an application. */
  constructor(given: SessionOptions["store"]) {
    this.#stores = given &&
      new PerApplication((app) => refuseFaults(typeof given === "function" ? given(app) : given));
  }

  /**
   * Returns the store of an application, whose calls fail with 503 `session_store_failed`: a fault neither
   * signs users in nor out.
   */
  find(app: Application): SessionStore | undefined {
    return this.#stores?.of(app);
  }

  /** Whether sessions are in a store: their cookies hold only an identifier. */
  get areKept(): boolean {
    return this.#stores !== undefined;
  }

  /**
   * Checks that there is a store.
   *
   * @throws {TypeError} without a store.
   */
  need(act: string): void {
    if (this.#stores === undefined) throw storeMissing(act);
  }

  /**
   * Returns the store of an application.
   *
   * @throws {TypeError} without a store.
   */
  require(app: Application, act: string): SessionStore {
    const store = this.find(app);
    if (store === undefined) throw storeMissing(act);
    return store;
  }
}

function storeMissing(act: string): TypeError {
  return new TypeError(
    `Cannot ${act}: the sessions are in cookies alone; give them a store: ` +
      "createSessions({ stored: true }), and provideStores(app, …) in Setup.",
  );
}

function refuseFaults(store: SessionStore): SessionStore {
  return {
    create: (session) => ask(() => store.create(session)),
    read: (id) => ask(() => store.read(id)),
    touch: (id, at) => ask(() => store.touch(id, at)),
    replaceData: (id, change) => ask(() => store.replaceData(id, change)),
    delete: (id) => ask(() => store.delete(id)),
    list: (owner) => ask(() => store.list(owner)),
    deleteBySubject: (owner, options) => ask(() => store.deleteBySubject(owner, options)),
    deleteBySid: (provider, sid) => ask(() => store.deleteBySid(provider, sid)),
  };
}

/** Asks a store, whose errors become 503. It stays synchronous where the store is. */
export function ask<T>(
  act: () => Awaitable<T>,
  kind: "session" | "passkey" | "ticket" = "session",
): Awaitable<T> {
  const refuse = (cause: unknown): never => {
    const code = `${kind}_store_failed`;
    const headers = { "retry-after": "2" };
    throw httpError(503, `The ${kind} store failed.`, { code, cause, headers });
  };
  try {
    const asked = act();
    // A store of others may return a promise of its own kind.
    return isThenable(asked) ? Promise.resolve(asked).catch(refuse) : asked;
  } catch (error) {
    return refuse(error);
  }
}
