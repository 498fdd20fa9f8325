/** The uploads of a table store, on every engine. */
import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { createHash } from "node:crypto";
import {
  ConstraintError,
  type Db,
  type Infer,
  int,
  list,
  name,
  pictureTypes,
  type RowFile,
  type RowFiles,
  rowTag,
  sql,
  struct,
  tableFiles,
  TableStore,
  text,
} from "../../data/mod.ts";
import { HttpError } from "../../mod.ts";

const files = tableFiles({
  frontCover: { accept: pictureTypes, maxSizeBytes: 1_024 },
  scan: { optional: true },
});
const fields = { title: text("required") };
const AlbumInput = struct(fields);
const Album = struct({ id: int(), ...fields, ...files.fields });
type Album = Infer<typeof Album>;
const options = { table: "albums", rows: Album, input: AlbumInput };

type Case = readonly [name: string, run: (db: Db) => Promise<void>];

async function createAlbums(db: Db): Promise<void> {
  const isSqlite = db.engine === "sqlite";
  const key = isSqlite
    ? sql`integer primary key`
    : sql`bigint generated always as identity primary key`;
  const [moment, bytes, json] = isSqlite
    ? [sql`integer`, sql`blob`, sql`text`]
    : [sql`timestamptz`, sql`bytea`, sql`jsonb`];
  for (const table of ["albums_bytes", "albums_changes", "albums"]) {
    await db.run`drop table if exists ${name(table)}`;
  }
  await db.run`create table albums (id ${key}, title text not null unique,
    front_cover_name text, front_cover_type text, front_cover_hash text,
    scan_name text, scan_type text, scan_hash text, deleted_at ${moment})`;
  await db
    .run`create table albums_bytes (id bigint not null references albums (id) on delete cascade,
    field text not null, bytes ${bytes} not null, primary key (id, field))`;
  await db
    .run`create table albums_changes (id ${key}, row_id bigint not null, at ${moment} not null,
    "by" text, act text not null, fields ${json} not null)`;
}

function upload(content: string, name: string = `${content}.png`): RowFile {
  return { name, mime: "image/png", bytes: () => Promise.resolve(encode(content)) };
}

function encode(content: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(content);
}

/** An upload whose temporary file is gone. */
const lost: RowFile = { ...upload("lost"), bytes: () => Promise.reject(new Error("lost")) };

async function read(
  store: TableStore<Album, { title: string }, object>,
  id: number,
): Promise<string> {
  const { bytes } = await store.getFile(id, "frontCover");
  return new TextDecoder().decode(await bytes());
}

async function stored(db: Db): Promise<readonly unknown[]> {
  return [
    await db.all(Album)`select ${Album} from albums order by id`,
    await db.all(text())`select field from albums_bytes order by id, field`,
    await db.one(int())`select count(*) from albums_changes`,
  ];
}

const refused: readonly (readonly [name: string, files: RowFiles<Album>, title?: string])[] = [
  ["a file that is missing on disk", { scan: lost }],
  ["a file that is lost after another was written", { frontCover: upload("b"), scan: lost }],
  ["a row that breaks a constraint", { frontCover: upload("b") }, "taken"],
  ["a name that no database stores", { frontCover: upload("b", "a\0.png") }],
  ["an unknown field", { scan: undefined, ...{ [`x"; drop table albums; --`]: upload("b") } }],
  ["the name of a member of every object", { scan: undefined, ...{ toString: upload("b") } }],
];

export const uploads: readonly Case[] = [
  ...refused.flatMap(([name, given, title = "new"]) =>
    [false, true].map((isAudited): Case => [
      `TableStore: ${name} leaves no part of a row and its uploads${isAudited ? ", audited" : ""}`,
      async (db) => {
        await createAlbums(db);
        const store = new TableStore(db, { ...options, isAudited });
        await store.add({ title: "taken" });
        const { id } = await store.add({ title: "old" }, { frontCover: upload("a") });
        const before = await stored(db);
        await assertRejects(() => store.add({ title }, given));
        await assertRejects(() => store.change(id, { title }, given));
        assertEquals(await stored(db), before);
        assertEquals(await read(store, id), "a");
      },
    ])
  ),
  ["TableStore: uploads are rolled back with the transaction around them", async (db) => {
    await createAlbums(db);
    const store = new TableStore(db, options);
    const { id } = await store.add({ title: "old" }, { frontCover: upload("a") });
    const before = await stored(db);
    const work = async (): Promise<void> => {
      await store.add({ title: "new" }, { frontCover: upload("b"), scan: upload("c") });
      await store.change(id, { title: "changed" }, { frontCover: upload("d") });
      throw new Error("stop");
    };
    await assertRejects(() => db.tx(work), Error, "stop");
    await assertRejects(() => store.locked(id, work), Error, "stop");
    assertEquals(await stored(db), before);
    assertEquals(await read(store, id), "a");
  }],
  ["TableStore: a new upload replaces the old one, and a missing one stays", async (db) => {
    await createAlbums(db);
    const store = new TableStore(db, options);
    const both = { frontCover: upload("a"), scan: upload("s") };
    const first = await store.add({ title: "x" }, both);
    assertEquals(first.frontCoverName, "a.png");
    assertEquals(first.frontCoverHash, createHash("sha256").update("a").digest("base64url"));
    const same = await store.change(first.id, { title: "x" }, { scan: undefined });
    assertEquals(rowTag(same), rowTag(first));
    const next = await store.change(first.id, { title: "x" }, { frontCover: upload("b") });
    // So a form that shows the old one is late.
    assertNotEquals(rowTag(next), rowTag(first));
    assertEquals([await read(store, first.id), next.scanHash], ["b", first.scanHash]);
    assertEquals(await db.one(int())`select count(*) from albums_bytes`, 2);
    // A stored upload can be stored with another row.
    const copy = await store.add({ title: "y" }, {
      frontCover: await store.getFile(1, "frontCover"),
    });
    assertEquals([await read(store, copy.id), copy.frontCoverHash], ["b", next.frontCoverHash]);
  }],
  ["TableStore: the bytes of uploads go with their row, or when it is purged", async (db) => {
    await createAlbums(db);
    const bytesCount = (): Promise<number> => db.one(int())`select count(*) from albums_bytes`;
    const plain = new TableStore(db, options);
    const { id } = await plain.add({ title: "x" }, { frontCover: upload("a"), scan: upload("b") });
    await plain.remove(id);
    assertEquals(await bytesCount(), 0);
    const store = new TableStore(db, { ...options, isAudited: true });
    const kept = await store.add({ title: "y" }, { frontCover: upload("a") });
    await store.remove(kept.id);
    assertEquals(await read(store, kept.id), "a");
    await assertRejects(
      () => store.change(kept.id, { title: "z" }, { frontCover: upload("b") }),
      HttpError,
    );
    await store.restoreAll([kept.id]);
    assertEquals(await read(store, kept.id), "a");
    await store.remove(kept.id);
    await store.purgeAll([kept.id]);
    assertEquals(await bytesCount(), 0);
  }],
  ["TableStore: of two uploads at once one wins, with its bytes", async (db) => {
    await createAlbums(db);
    const store = new TableStore(db, options);
    const { id } = await store.add({ title: "x" });
    const change = (title: string): Promise<Album> =>
      store.change(id, { title }, { frontCover: upload(title), scan: upload(title) });
    await Promise.all(["b", "c", "d", "e"].map(change));
    const row = await store.get(id);
    assertEquals([row.frontCoverName, await read(store, id)], [`${row.title}.png`, row.title]);
    assertEquals(row.frontCoverHash, row.scanHash);
    const twice = ["f", "f"].map((title) => store.add({ title }, { scan: upload(title) }));
    const results = await Promise.allSettled(twice);
    const failed = results.flatMap((each) => each.status === "rejected" ? each.reason : []);
    assertEquals(failed.map((error) => error instanceof ConstraintError), [true]);
    assertEquals(await db.one(int())`select count(*) from albums_bytes`, 3);
  }],
  ["TableStore.getFile: a row, an upload or bytes that are missing are a 404", async (db) => {
    await createAlbums(db);
    const store = new TableStore(db, options);
    const { id } = await store.add({ title: "x" }, { frontCover: upload("a") });
    const hostile: readonly string[] = ["scan", "toString", "__proto__", "id", "", `x" or 1=1 --`];
    for (const field of hostile) {
      await assertRejects(() => store.getFile(id, field as "scan"), HttpError, "", field);
    }
    await assertRejects(() => store.getFile(id + 1, "frontCover"), HttpError);
    const found = await store.getFile(id, "frontCover");
    await db.run`delete from albums_bytes where id = ${id}`;
    await assertRejects(() => found.bytes(), HttpError);
  }],
  ["TableStore: hostile names of uploads are stored as they are", async (db) => {
    await createAlbums(db);
    const store = new TableStore(db, options);
    const names = [`"; drop table albums; --`, "../../etc/passwd", "<script>", "🦊.png", "a'b.png"];
    for (const name of names) {
      const { id } = await store.add({ title: name }, { frontCover: upload("a", name) });
      assertEquals((await store.getFile(id, "frontCover")).name, name);
    }
  }],
  ["TableStore.choices: child rows have the references of their list", async (db) => {
    await db.run`drop table if exists shelves`;
    await db.run`create table shelves (id bigint primary key, name text)`;
    await db.run`insert into shelves values (1, 'Low'), (2, 'High')`;
    const lines = list(struct({ id: int(), shelfId: int() }));
    const references = { shelfId: { table: "shelves", label: "name" } };
    const store = new TableStore(db, {
      table: "albums",
      rows: struct({ id: int(), lines }),
      input: struct({ lines }),
      lists: { lines: { table: "lines", parent: "albumId", references } },
    });
    const both = [{ value: 2, label: "High" }, { value: 1, label: "Low" }];
    assertEquals(await store.choices("lines.shelfId", { asked: [1] }), both);
    assertEquals(await store.choices("lines.shelfId", { asked: "hi" }), both.slice(0, 1));
    for (
      const name of ["shelfId", "lines", "lines.", "lines.id", "lines.toString", "__proto__.a"]
    ) {
      await assertRejects(() => store.choices(name), HttpError, "", name);
    }
  }],
  ["tableFiles: an upload that a new row needs may be missing in a change", () => {
    const cover = { accept: pictureTypes, maxSizeBytes: 1_024 };
    assertEquals(files.added, { frontCover: cover, scan: { optional: true } });
    assertEquals(files.changed, {
      frontCover: { ...cover, optional: true },
      scan: { optional: true },
    });
    return Promise.resolve();
  }],
];
