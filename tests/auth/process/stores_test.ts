import { assert, assertEquals, assertThrows } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { memorySessionStore, sqliteSessionStore, type StoredSession } from "../../../auth/mod.ts";
import { kvSessionStore } from "../../../data/kv/mod.ts";
import { MemoryKv } from "../../data/kv/memory_kv.ts";
import { newSession, type OpenStore, storeSuite } from "../store_suite.ts";
import { signedIn, signInApp } from "../support.ts";

const stores: readonly (readonly [name: string, open: OpenStore])[] = [
  ["memory", (now) => {
    const store = memorySessionStore({ now });
    return { store, other: store, close: () => {} };
  }],
  ["sqlite, two connections to one file", async (now) => {
    const folder = await Deno.makeTempDir();
    const open = (): DatabaseSync => {
      const db = new DatabaseSync(`${folder}/sessions.sqlite`);
      db.exec("pragma journal_mode = wal; pragma synchronous = off; pragma busy_timeout = 2000");
      return db;
    };
    const [one, two] = [open(), open()];
    return {
      store: sqliteSessionStore(one, { now }),
      other: sqliteSessionStore(two, { now }),
      close: async () => {
        one.close();
        two.close();
        await Deno.remove(folder, { recursive: true });
      },
    };
  }],
  ["Deno KV, imitated", (now) => {
    const kv = new MemoryKv();
    return {
      store: kvSessionStore(kv, { now }),
      other: kvSessionStore(kv, { now }),
      close: () => {},
    };
  }],
];

for (const [name, open] of stores) {
  for (const { name: what, run } of storeSuite) {
    // The imitation looks through all its entries for each list.
    if (name.includes("imitated") && what.startsWith("ten thousand")) continue;
    Deno.test(`session store (${name}): ${what}`, () => run(open));
  }
}

Deno.test("session store (Deno KV): the shared suite, in a process with the real one", async () => {
  const program = new URL("../kv_store_process.ts", import.meta.url);
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--unstable-kv", program.href],
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assertEquals({ success, passed: text.match(/^ok /gm)?.length }, {
    success: true,
    passed: storeSuite.length,
  }, text);
});

Deno.test("memorySessionStore: the session used longest ago goes where there are too many", () => {
  const now = Date.now();
  const store = memorySessionStore({ maxSessions: 3, now: () => now });
  for (const id of ["a", "b", "c"]) void store.create(newSession(id, { subject: id }));
  void store.touch("a", { usedAtMs: now, expiresAtMs: now + 1_000 });
  void store.create(newSession("d", { subject: "d" }));
  assertEquals(["a", "b", "c", "d"].filter((id) => store.read(id) !== undefined), ["a", "c", "d"]);
  assertEquals(store.list({ provider: "", subject: "b" }), []);
});

Deno.test("memorySessionStore: a sign-in after a night pays for a few expired sessions alone", () => {
  const clock = { now: Date.now() };
  const store = memorySessionStore({ now: () => clock.now });
  const add = (id: number): void =>
    void store.create(newSession(`${id}`, { subject: "a", expiresAtMs: clock.now + 1_000 }));
  for (let id = 0; id < 1_000; id++) add(id);
  clock.now += 5_000;
  add(1_000);
  // With the clock back the list counts what the store still holds.
  clock.now -= 5_000;
  assertEquals(Array.from(store.list({ provider: "", subject: "a" }) as []).length, 997);
});

Deno.test("memorySessionStore: expired sessions go, however busy the others are", () => {
  const clock = { now: Date.now() };
  const store = memorySessionStore({ maxSessions: 100_000, now: () => clock.now });
  const deadlines = (): Pick<StoredSession, "usedAtMs" | "expiresAtMs" | "endsAtMs"> => ({
    usedAtMs: clock.now,
    expiresAtMs: clock.now + 7_200_000,
    endsAtMs: clock.now + 9e9,
  });
  const busy = Array.from({ length: 50 }, (_, at) => `busy-${at}`);
  for (const id of busy) void store.create(newSession(id, { subject: id, ...deadlines() }));
  for (let minute = 0; minute < 4_320; minute++) {
    clock.now += 60_000;
    for (const id of busy) void store.touch(id, deadlines());
    void store.create(newSession(`idle-${minute}`, { subject: "idle", ...deadlines() }));
  }
  // One a minute for two hours: 120 live. What is read is deleted where it has expired, so the list of
  // a clock that is set back counts what the store still holds.
  clock.now -= 3_600_000 * 24 * 3;
  const kept = store.list({ provider: "", subject: "idle" });
  assert(Array.isArray(kept) && kept.length < 500, String((kept as readonly unknown[]).length));
});

Deno.test("sqliteSessionStore: a guarded request runs one statement and writes nothing", async () => {
  using db = new DatabaseSync(":memory:");
  const runs: string[] = [];
  const prepare = db.prepare.bind(db);
  let prepared = 0;
  db.prepare = (sql) => {
    prepared++;
    return new Proxy(prepare(sql), {
      get: (statement, name) => {
        const member: unknown = Reflect.get(statement, name);
        if (typeof member !== "function") return member;
        return (...values: unknown[]) => {
          if (name !== "setReturnArrays") runs.push(`${String(name)} ${sql.split(" ")[0]}`);
          return member.apply(statement, values);
        };
      },
    });
  };
  const made = signInApp({ store: sqliteSessionStore(db) });
  const client = await signedIn(made);
  await client.get("/api/me").wantStatus(200);
  runs.length = 0;
  const before = prepared;
  for (let times = 0; times < 3; times++) await client.get("/api/me").wantStatus(200);
  assertEquals([runs, prepared - before], [Array(3).fill("get select"), 0]);
});

Deno.test("sqliteSessionStore: a session too many pushes out one reading, not all", () => {
  using db = new DatabaseSync(":memory:");
  let whole = 0;
  const prepare = db.prepare.bind(db);
  db.prepare = (sql) => {
    const statement = prepare(sql);
    const get = statement.get.bind(statement);
    if (/^select \* .* where id = \?$/.test(sql)) {
      statement.get = (id: unknown) => (whole++, get(id as string));
    }
    return statement;
  };
  const store = sqliteSessionStore(db);
  db.exec("begin");
  for (let at = 0; at < 4_097; at++) void store.create(newSession(`a${at}`, { subject: `${at}` }));
  for (let at = 0; at < 4_097; at++) void store.read(`a${at}`);
  assertEquals(whole, 4_097);
  for (let at = 4_096; at > 0; at--) {
    assertEquals((store.read(`a${at}`) as StoredSession | undefined)?.subject, `${at}`);
  }
  assertEquals(whole, 4_097);
});

Deno.test("sqliteSessionStore: expired rows are deleted by and by", () => {
  const clock = { now: Date.now() };
  using db = new DatabaseSync(":memory:");
  const store = sqliteSessionStore(db, { now: () => clock.now });
  for (let at = 0; at < 100; at++) void store.create(newSession(`a${at}`));
  clock.now += 7_200_001;
  for (let at = 0; at < 2; at++) {
    void store.create(newSession(`b${at}`, { expiresAtMs: clock.now + 1_000 }));
  }
  assertEquals(db.prepare("select count(*) as n from fw_sessions").get()?.["n"], 2);
});

const badOptions: readonly (readonly [name: string, make: () => unknown])[] = [
  ["memory: no room", () => memorySessionStore({ maxSessions: 0 })],
  ["memory: half a session", () => memorySessionStore({ maxSessions: 1.5 })],
  [
    "sqlite: a table that is SQL",
    () => sqliteSessionStore(new DatabaseSync(":memory:"), { table: "a; drop table b" }),
  ],
  [
    "sqlite: an empty table name",
    () => sqliteSessionStore(new DatabaseSync(":memory:"), { table: "" }),
  ],
  ["kv: an empty prefix", () => kvSessionStore(new MemoryKv(), { prefix: "" })],
];

for (const [name, make] of badOptions) {
  Deno.test(`session stores refuse bad options (${name})`, () => {
    assertThrows(make, Error, "Cannot keep");
  });
}

Deno.test("sqliteSessionStore: what another process changes counts at the next read", async () => {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/sessions.sqlite`;
  using db = new DatabaseSync(file);
  db.exec("pragma journal_mode = wal; pragma busy_timeout = 2000");
  const now = Date.now();
  const store = sqliteSessionStore(db, { now: () => now });
  const rows:
    readonly (readonly [sql: string, want: (found: StoredSession | undefined) => unknown])[] = [
      ["delete from fw_sessions", (found) => found],
      [`update fw_sessions set expires_at = ${now}`, (found) => found],
      [
        `update fw_sessions set ends_at = ${now}`,
        (found) => found?.endsAtMs === now ? undefined : "old",
      ],
      [
        "update fw_sessions set roles = '[]'",
        (found) => found?.roles.length === 0 ? undefined : "old",
      ],
      ["update fw_sessions set data = 'new'", (found) => found?.data === "new" ? undefined : "old"],
      [
        "update fw_sessions set used_at = used_at + 1",
        (found) => found?.usedAtMs === now + 1 ? undefined : "old",
      ],
    ];
  try {
    for (const [sql, want] of rows) {
      await store.create(
        newSession("a", {
          usedAtMs: now,
          expiresAtMs: now + 9_000,
          endsAtMs: now + 9_000,
          roles: ["admin"],
          data: "old",
        }),
      );
      for (let times = 0; times < 3; times++) assert(await store.read("a") !== undefined);
      await runSql(file, sql);
      assertEquals(want(await store.read("a")), undefined, sql);
      await store.delete("a");
      db.exec("delete from fw_sessions");
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Runs a statement in a process of its own. */
async function runSql(file: string, sql: string): Promise<void> {
  const program = `import { DatabaseSync } from "node:sqlite";
    const db = new DatabaseSync(Deno.args[0]);
    db.exec("pragma busy_timeout = 2000; " + Deno.args[1]);
    db.close();`;
  const url = `data:text/typescript,${encodeURIComponent(program)}`;
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", url, file, sql],
    env: { NO_COLOR: "1" },
  }).output();
  assert(success, new TextDecoder().decode(stderr));
}
