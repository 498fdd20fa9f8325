/**
 * Sets the roles of an account, named by address or id, or removes them if none is given:
 * `deno run --allow-env=FW_DB --allow-read=data --allow-write=data
 * scripts/set_role.ts ada@example.org admin`
 */
import { openSqlite } from "@fw/fw/sqlite";
import { AccountStore } from "../lib/accounts.ts";
import { migrations } from "../migrations/mod.ts";

const [who = "", ...roles] = Deno.args;
const role = roles.join(" ");
const db = await openSqlite(Deno.env.get("FW_DB") ?? "data/app.sqlite", { migrations });
const isFound = await new AccountStore(db).setRole(who, role);
await db.close();
console.log(
  isFound ? `${who}: ${role || "no role"}` : `No single account matches "${who}": use an id.`,
);
if (!isFound) Deno.exit(1);
