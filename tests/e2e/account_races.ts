/** Races of the generated account store, in a generated application on either engine. */
import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { deno } from "../cli/support.ts";

const races = `import { scryptSync } from "node:crypto";
import { type Ctx, text as textField } from "@fw/fw";
import { AccountStore } from "./lib/accounts.ts";
import { connect } from "./lib/database.ts";

const db = await connect(Deno.env.get("FW_DB"));
const store = new AccountStore(db);
const email = "ada@example.org";
const password = "correct horse battery";
const kept = () => db.one(textField())\`select password from users\`;
const change = () => db.run\`update users set password = 'newer', version = version + 1\`;
const keep = (hash: string) => db.run\`update users set password = \${hash}\`;
const link = await store.links.add("Ada@Example.org") ?? "";
const account = await store.setPassword(link, password);
const again = [store.setPassword(link, password), store.setPassword(link, password)];

const late = store.verify(email, password);
await change();
const results: Record<string, unknown> = { late: await late ?? "refused" };
results["again"] = (await Promise.all(again)).map((each) => each ?? "refused");

const salt = new Uint8Array(16);
const old = scryptSync(password, salt, 32, { N: 2 ** 14, r: 8, p: 1 });
const text = (bytes: Uint8Array) => bytes.toBase64({ alphabet: "base64url", omitPadding: true });
const oldHash = "$scrypt$ln=14,r=8,p=1$" + text(salt) + "$" + text(old);
await keep(oldHash);
const rehashing = store.verify(email, password);
await change();
results["rehashing"] = await rehashing ?? "refused";
results["kept"] = await kept();

await keep(oldHash);
results["rehashed"] = (await store.verify(email, password))?.email;
results["cost"] = (await kept()).split("$")[2];

const earlier = await store.verify(email, password);
results["role"] = [await store.setRole(email, "admin"), (await store.find(account?.id ?? ""))?.roles];
results["earlier"] = earlier && await store.isCurrent(earlier);
results["nobody"] = await store.setRole("bob@example.org", "admin");
// Concurrently: none of them counts the links that others have not yet added.
const links = await Promise.all(Array.from({ length: 5 }, () => store.links.add(email)));
results["links"] = links.filter((each) => each !== undefined).length;
// Links of many addresses do not block each other.
const many = Array.from({ length: 400 }, (_, at) => store.links.add(\`\${at}@example.org\`));
const sent = (await Promise.allSettled(many)).filter((each) => each.status === "fulfilled");
results["many"] = sent.length;

// Behind a flood with one link, a user from another network gets one of the next turns.
const mine = await store.links.add("bob@example.org") ?? "";
const theirs = await store.links.add("eve@example.org") ?? "";
let before = 0;
const turn = (clientIp: string) => ({ c: { clientIp } as Ctx });
const flood = Array.from(
  { length: 24 },
  () => store.setPassword(theirs, password, turn("198.51.100.1")).then(() => before++),
);
// Start only after the flood is queued.
await flood[0];
before = 0;
results["owner"] = (await store.setPassword(mine, password, turn("203.0.113.7")))?.email;
results["isBefore"] = before < 12;
await Promise.all(flood);
await db.close();
console.log(JSON.stringify(results));
`;

/** Runs the races in an application, with the database that `FW_DB` names. */
export async function checkAccountRaces(cwd: string, db: string): Promise<void> {
  await Deno.writeTextFile(join(cwd, "races.ts"), races);
  const { code, output } = await deno(["run", "-A", "--no-check", "races.ts"], cwd, { FW_DB: db });
  await Deno.remove(join(cwd, "races.ts"));
  assertEquals(code, 0, output);
  // On a slow machine, slow statements are logged too.
  const line = output.split("\n").find((each) => each.startsWith('{"late"')) ?? "{}";
  assertEquals(JSON.parse(line), {
    late: "refused",
    again: ["refused", "refused"],
    rehashing: "refused",
    kept: "newer",
    rehashed: "ada@example.org",
    cost: "ln=15,r=8,p=3",
    role: [true, ["admin"]],
    earlier: false,
    nobody: false,
    links: 3,
    many: 400,
    owner: "bob@example.org",
    isBefore: true,
  });
}
