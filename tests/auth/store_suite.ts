/** The suite for every session store: the contract of `SessionStore`. */
import { assert, assertEquals } from "@std/assert";
import type { SessionStore, StoredSession } from "../../auth/mod.ts";

/** A store under test: two handles on the same sessions if replicas can share them. */
export interface SuiteStore {
  readonly store: SessionStore;
  /** Another replica's store for the same sessions, or the same object if they cannot be shared. */
  readonly other: SessionStore;
  close(): void | Promise<void>;
}

export type OpenStore = (now: () => number) => SuiteStore | Promise<SuiteStore>;

export interface SuiteCase {
  readonly name: string;
  run(open: OpenStore): Promise<void>;
}

// Near the real time, because Deno KV expires entries by its own clock.
const start = Date.now();

export function newSession(id: string, changes: Partial<StoredSession> = {}): StoredSession {
  return {
    id,
    provider: "",
    subject: "42",
    roles: [],
    device: "Firefox on Linux",
    issuedAtMs: start,
    usedAtMs: start,
    expiresAtMs: start + 7_200_000,
    endsAtMs: start + 43_200_000,
    ...changes,
  };
}

function suiteCase(
  name: string,
  body: (store: SessionStore, at: { other: SessionStore; clock: { now: number } }) => Promise<void>,
): SuiteCase {
  return {
    name,
    run: async (open) => {
      const clock = { now: start };
      const opened = await open(() => clock.now);
      try {
        await body(opened.store, { other: opened.other, clock });
      } finally {
        await opened.close();
      }
    },
  };
}

const ids = (sessions: readonly StoredSession[]): string[] => sessions.map(({ id }) => id);

export const storeSuite: readonly SuiteCase[] = [
  suiteCase(
    "a session comes back as it was, from another replica too",
    async (store, { other }) => {
      const full = newSession("a", {
        provider: "https://id.example",
        subject: "ünïcode \u{1F600} / ' \"",
        email: "ada@example.org",
        name: "Ada\u2028Lovelace",
        roles: ["admin", "editor"],
        sid: "s1",
        data: "sealed",
      });
      await store.create(full);
      await store.create(newSession("b"));
      assertEquals(await other.read("a"), full);
      assertEquals(await other.read("b"), newSession("b"));
      assertEquals(await store.read("c"), undefined);
    },
  ),
  suiteCase("of sixty at once with one id, one is kept", async (store, { other }) => {
    const kept = await Promise.all(
      Array.from(
        { length: 60 },
        (_, at) => (at % 2 === 0 ? store : other).create(newSession("a", { data: `${at}` })),
      ),
    );
    assertEquals(kept.filter(Boolean).length, 1);
    assertEquals((await other.read("a"))?.data, `${kept.findIndex(Boolean)}`);
    assertEquals(ids(await store.list({ provider: "", subject: "42" })), ["a"]);
  }),

  suiteCase(
    "a list beside a creation hides no session from a later deletion",
    async (store, { other }) => {
      const owner = { provider: "", subject: "42" };
      for (let at = 0; at < 20; at++) {
        const creating = store.create(newSession(`${at}`, { sid: "s1" }));
        await Promise.all([creating, ...Array.from({ length: 5 }, () => other.list(owner))]);
      }
      assertEquals(await other.deleteBySubject(owner), 20);
    },
  ),

  suiteCase("an expired session is absent to every method", async (store, { clock }) => {
    await store.create(newSession("a", { sid: "s1", data: "old" }));
    clock.now = start + 7_200_000;
    assertEquals(await store.read("a"), undefined);
    assert(!(await store.touch("a", { usedAtMs: clock.now, expiresAtMs: clock.now + 1 })));
    assert(!(await store.replaceData("a", { from: "old", to: "new" })));
    assertEquals(await store.list({ provider: "", subject: "42" }), []);
    assertEquals(await store.deleteBySubject({ provider: "", subject: "42" }), 0);
    assertEquals(await store.deleteBySid("", "s1"), 0);
    assert(!(await store.delete("a")));
  }),

  suiteCase("touch moves the deadline and the order of the list", async (store, { clock }) => {
    await store.create(newSession("a"));
    await store.create(newSession("b", { issuedAtMs: start + 1, usedAtMs: start + 1 }));
    assertEquals(ids(await store.list({ provider: "", subject: "42" })), ["b", "a"]);
    clock.now = start + 60_000;
    const at = { usedAtMs: clock.now, expiresAtMs: clock.now + 7_200_000 };
    assert(await store.touch("a", at));
    assertEquals(ids(await store.list({ provider: "", subject: "42" })), ["a", "b"]);
    assertEquals(await store.read("a"), newSession("a", at));
    clock.now = start + 7_200_001;
    assertEquals(await store.read("b"), undefined);
    assertEquals((await store.read("a"))?.id, "a");
  }),

  suiteCase("touch brings back nothing that was deleted", async (store, { other }) => {
    await store.create(newSession("a"));
    assert(await other.delete("a"));
    assert(!(await store.touch("a", { usedAtMs: start, expiresAtMs: start + 9e6 })));
    assertEquals(await store.read("a"), undefined);
    assertEquals(await store.list({ provider: "", subject: "42" }), []);
  }),

  suiteCase("rename brings back nothing that ends meanwhile", async (store, { other }) => {
    if (store.rename === undefined) return;
    const owner = { provider: "", subject: "42" };
    const session = newSession("a", { sid: "s1", data: "sealed" });
    await store.create(session);
    for (const name of ["Ada", "Grace"]) {
      await store.rename(owner, name);
      assertEquals(await other.read("a"), { ...session, name });
    }
    await store.rename(owner, undefined);
    assertEquals(await other.list(owner), [session]);
    for (let reads = 0; reads < 9; reads++) {
      await store.create(newSession(`${reads}`));
      const renaming = store.rename(owner, "Ada");
      for (let at = 0; at < reads; at++) await other.read("a");
      await other.deleteBySubject(owner);
      await renaming;
      assertEquals(await other.list(owner), []);
    }
  }),

  suiteCase("replaceData: only from what the caller has read", async (store, { other }) => {
    await store.create(newSession("a"));
    assert(!(await store.replaceData("a", { from: "x", to: "1" })));
    assert(await store.replaceData("a", { from: undefined, to: "1" }));
    assert(!(await other.replaceData("a", { from: undefined, to: "2" })));
    assert(await other.replaceData("a", { from: "1", to: "2" }));
    assertEquals((await store.read("a"))?.data, "2");
    assert(!(await store.replaceData("b", { from: undefined, to: "1" })));
  }),

  suiteCase("replaceData: of ten at once one wins", async (store, { other }) => {
    await store.create(newSession("a", { data: "0" }));
    const won = await Promise.all(
      Array.from(
        { length: 10 },
        async (_, at) =>
          await (at % 2 === 0 ? store : other).replaceData("a", { from: "0", to: `${at + 1}` }),
      ),
    );
    assertEquals(won.filter((is) => is).length, 1);
    assertEquals((await store.read("a"))?.data, `${won.findIndex((is) => is) + 1}`);
  }),

  suiteCase("a deletion by subject spares other subjects, providers and one id", async (store) => {
    await store.create(newSession("a"));
    await store.create(newSession("b"));
    await store.create(newSession("c", { provider: "https://id.example" }));
    await store.create(newSession("d", { subject: "421" }));
    assertEquals(await store.deleteBySubject({ provider: "", subject: "42" }, { except: "b" }), 1);
    assertEquals(await store.read("a"), undefined);
    for (const id of ["b", "c", "d"]) assertEquals((await store.read(id))?.id, id);
    assertEquals(await store.deleteBySubject({ provider: "", subject: "42" }), 1);
    assertEquals(await store.deleteBySubject({ provider: "", subject: "42" }), 0);
  }),

  suiteCase("a deletion by sid counts for its provider alone", async (store) => {
    await store.create(newSession("a", { provider: "p", sid: "1" }));
    await store.create(newSession("b", { provider: "p", sid: "1", subject: "43" }));
    await store.create(newSession("c", { provider: "q", sid: "1" }));
    await store.create(newSession("d", { provider: "p", sid: "2" }));
    await store.create(newSession("e", { provider: "p" }));
    assertEquals(await store.deleteBySid("p", "1"), 2);
    assertEquals(await store.read("a"), undefined);
    for (const id of ["c", "d", "e"]) assertEquals((await store.read(id))?.id, id);
    assertEquals(ids(await store.list({ provider: "p", subject: "43" })), []);
  }),

  suiteCase("of ten deletions at once one has found it", async (store, { other }) => {
    await store.create(newSession("a"));
    const found = await Promise.all(
      Array.from({ length: 10 }, async (_, at) => await (at % 2 ? store : other).delete("a")),
    );
    assertEquals(found.filter((is) => is).length, 1);
  }),

  suiteCase("names that try to be another's", async (store) => {
    const hostile = [
      "",
      "'; drop table fw_sessions; --",
      "%",
      "a\0b",
      "__proto__",
      "42/1",
      '","42',
    ];
    for (const [at, subject] of hostile.entries()) {
      await store.create(newSession(`h${at}`, { provider: "p", subject, sid: subject }));
    }
    for (const [at, subject] of hostile.entries()) {
      assertEquals(ids(await store.list({ provider: "p", subject })), [`h${at}`]);
      assertEquals(await store.deleteBySid("p", subject), 1);
      assertEquals(await store.read(`h${at}`), undefined);
    }
  }),

  suiteCase("ten thousand sessions: none lost, none doubled", async (store, { other }) => {
    const total = 10_000;
    const batch = 500;
    for (let from = 0; from < total; from += batch) {
      await Promise.all(
        Array.from({ length: batch }, (_, at) => from + at).map(async (at) =>
          await store.create(newSession(`id-${at}`, { subject: String(at % 100) }))
        ),
      );
    }
    const seen = new Set<string>();
    for (let subject = 0; subject < 100; subject++) {
      const found = await other.list({ provider: "", subject: String(subject) });
      assertEquals(found.length, total / 100);
      for (const { id } of found) seen.add(id);
    }
    assertEquals(seen.size, total);
    assertEquals((await other.read("id-9999"))?.subject, "99");
    assertEquals(await other.deleteBySubject({ provider: "", subject: "7" }), total / 100);
    assertEquals(await store.read("id-7"), undefined);
    assert(await store.read("id-8") !== undefined);
  }),
];
