import { EventEmitter } from "node:events";
import { assertThrows } from "@std/assert";
import type { PgPool } from "../../data/postgres/driver.ts";
import { pgDriver } from "../../data/postgres/pg_driver.ts";

function openAt(connectionString: string): void {
  const pool = Object.assign(new EventEmitter(), { options: { connectionString } });
  pgDriver(pool as unknown as PgPool);
}

const valid = [
  "postgres://user:password@127.0.0.1:5432/shop",
  "postgresql://user:p%40s%2Fs%23@db.example/shop?sslmode=require",
  "postgres://user:p@ss word@db.example/shop",
  "postgres://user@/shop?host=/run/postgresql",
  "postgres:///shop",
  "postgres://%2Frun%2Fpostgresql/shop",
  "socket:/run/postgresql?db=shop",
  "/run/postgresql shop",
  "",
];
for (const address of valid) {
  Deno.test(`openPostgres takes the address "${address}"`, () => openAt(address));
}

const invalid = [
  "shop",
  "data/app.sqlite",
  "db.example:5432/shop",
  "mysql://root@127.0.0.1/shop",
  "postgres://user:p/ss@127.0.0.1/shop",
  "postgres://user:p@s/s@127.0.0.1/shop",
  "postgres://user:p@s#s@127.0.0.1/shop",
  "postgres://user:p#ss@127.0.0.1/shop",
  "postgres://user:p?ss@127.0.0.1/shop",
];
for (const address of invalid) {
  Deno.test(`openPostgres refuses the address "${address}"`, () => {
    assertThrows(() => openAt(address), TypeError, "its address is not valid");
  });
}
