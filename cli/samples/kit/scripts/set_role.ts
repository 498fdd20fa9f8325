/**
 * Sets the roles of an account, named by address or id, or removes them if none is given:
 * `deno run --allow-env=FW_DB --allow-read=data --allow-write=data
 * scripts/set_role.ts ada@example.org admin`
 */
import { AccountStore } from "../lib/accounts.ts";
import { connect } from "../lib/database.ts";
import { roles } from "../lib/users.ts";

const [who = "", ...given] = Deno.args;
// if users
const unknown = given.filter((role) => !roles.includes(role));
if (unknown.length > 0) {
  console.error(
    `Unknown roles: ${unknown.join(", ")}. Those of lib/users.ts are ${roles.join(", ")}.`,
  );
  Deno.exit(1);
}
// end
const role = given.join(" ");
const db = await connect(Deno.env.get("FW_DB"));
const isFound = await new AccountStore(db).setRole(who, role);
await db.close();
if (!isFound) {
  console.error(`No single account matches "${who}": sign up first, or use the id of one.`);
  Deno.exit(1);
}
console.log(`${who}: ${role || "no role"}`);
