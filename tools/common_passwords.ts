/**
 * Writes the fingerprints of the 3,000 most used passwords of twelve characters and more, from a list with
 * the most used one first: `deno run -A tools/common_passwords.ts <list>`.
 *
 * @module
 */
import { passwordFingerprint } from "../auth/common_passwords.ts";

const [list = ""] = Deno.args;
const passwords = (await Deno.readTextFile(list)).split("\n").map((line) => line.trim())
  .filter(({ length }) => length >= 12).slice(0, 3_000)
  .map((each) => passwordFingerprint(each.normalize("NFKC").toLowerCase()));
const sorted = [...new Set(passwords)].sort((one, other) => one - other);
const text = sorted.map((each, at) => each - (sorted[at - 1] ?? 0))
  .map((distance) => distance.toString(36).padStart(3, "0")).join("");
const path = "auth/common_passwords.json";
const data = { ...JSON.parse(await Deno.readTextFile(path)), mostUsed: text };
await Deno.writeTextFile(path, `${JSON.stringify(data, null, 2)}\n`);
