import type { Application } from "../mod.ts";
import { askStore, type SessionStore } from "../runtime/addon.ts";
import { PerApplication } from "./per_application.ts";
import type { SessionOptions } from "./session_options.ts";

/** The stores of the applications that share one sign-in; of sessions in cookies there are none. */
export class SessionStores {
  readonly #stores: PerApplication<SessionStore> | undefined;

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

  /** Checks that there is a store. @throws {TypeError} without a store. */
  need(act: string): void {
    if (this.#stores === undefined) throw storeMissing(act);
  }

  /** Returns the store of an application. @throws {TypeError} without a store. */
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
    create: (session) => askStore("session", () => store.create(session)),
    read: (id) => askStore("session", () => store.read(id)),
    touch: (id, at) => askStore("session", () => store.touch(id, at)),
    replaceData: (id, change) => askStore("session", () => store.replaceData(id, change)),
    delete: (id) => askStore("session", () => store.delete(id)),
    list: (owner) => askStore("session", () => store.list(owner)),
    deleteBySubject: (owner, options) =>
      askStore("session", () => store.deleteBySubject(owner, options)),
    deleteBySid: (provider, sid) => askStore("session", () => store.deleteBySid(provider, sid)),
  };
}
