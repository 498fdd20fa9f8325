/** The database and the code of an application of the previous version. */
import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { DatabaseSync } from "node:sqlite";
import { readMigrationStatus, struct, text } from "../../data/mod.ts";
import { newFolder } from "../new_folder.ts";
import { openSqlite } from "../../data/sqlite/mod.ts";

const accounts = `create table users (
  id integer primary key autoincrement,
  email text not null unique collate nocase,
  password text not null
) strict;
`;

/** The table of the previous version, with the digest it wrote. */
const applied = `create table if not exists fw_migrations (
  number integer primary key,
  name text not null unique,
  checksum text not null,
  applied_at integer not null
) strict;
insert into fw_migrations values (1, '0001_create_accounts',
  'c3f67e1f899ce65a8cae8aca0ae71222acca9dc394e5cf75b3200cac7fc2c313', 1761955200000);
insert into users (email, password) values ('Ada@Example.org', 'x');
`;

Deno.test("an application of the previous version keeps its database, migrations and statements", async () => {
  await using folder = await newFolder();
  const path = join(folder.path, "app.sqlite");
  const before = new DatabaseSync(path);
  before.exec(accounts + applied);
  before.close();
  const migrations = [
    { name: "0001_create_accounts", sql: accounts },
    { name: "0002_add_role", sql: "alter table users add column role text not null default '';" },
  ];
  await using db = await openSqlite(path, { migrations });
  const [first, second] = await readMigrationStatus(db, migrations);
  assertEquals([first?.state, first?.appliedAt], ["applied", new Date(1_761_955_200_000)]);
  assertEquals(second?.state, "applied");
  const User = struct({ email: text(), role: text() });
  const found = await db.all(User)`select ${User} from users where email = ${"ada@example.org"}`;
  assertEquals(found, [{ email: "Ada@Example.org", role: "" }]);
  // Generated stores of that version prepared their statements on the connection.
  const row = db.raw.prepare("update users set role = ? where email = ? returning role")
    .get("admin", "ADA@example.org");
  assertEquals(row?.["role"], "admin");
});
