import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { scryptSync } from "node:crypto";
import { hashPassword, isCommonPassword, needsRehash, verifyPassword } from "../../auth/mod.ts";
import { inTurn } from "../../auth/turns.ts";
import { lowerPasswordCost } from "../../auth/testing.ts";
import { type Ctx, HttpError } from "../../mod.ts";
import { cpuMs } from "../cpu_time.ts";

Deno.test("hashPassword: uses a fresh salt", async () => {
  using _cost = lowerPasswordCost();
  assertNotEquals(await hashPassword("secret"), await hashPassword("secret"));
});

Deno.test("verifyPassword: accepts a standard scrypt hash", async () => {
  const salt = new Uint8Array(16).fill(7);
  const derived = scryptSync("pass", salt, 32, { N: 2 ** 10, r: 8, p: 1 });
  const text = (bytes: Uint8Array): string =>
    bytes.toBase64({ alphabet: "base64url", omitPadding: true });
  const kept = `$scrypt$ln=10,r=8,p=1$${text(salt)}$${text(derived)}`;
  assert(await verifyPassword("pass", kept));
  assert(needsRehash(kept));
});

Deno.test("lowerPasswordCost: hashes stay cheap until the last scope is disposed, then have the full cost", async () => {
  const [one, other] = [lowerPasswordCost(), lowerPasswordCost()];
  one[Symbol.dispose]();
  one[Symbol.dispose]();
  const kept = await hashPassword("secret");
  assertMatch(kept, /^\$scrypt\$ln=1,r=1,p=1\$/);
  assert(!needsRehash(kept));
  assert(await verifyPassword("secret", kept));
  assert(!(await verifyPassword("Secret", kept)));
  assert(!(await verifyPassword("secret", undefined)));
  other[Symbol.dispose]();
  assert(needsRehash(kept));
  assert(await verifyPassword("secret", kept));
  const full = await hashPassword("secret");
  assertMatch(full, /^\$scrypt\$ln=15,r=8,p=3\$[\w-]{22}\$[\w-]{43}$/);
  assert(!needsRehash(full));
  assert(await verifyPassword("secret", full));
});

Deno.test("verifyPassword: accepts a password in any Unicode normalization form", async () => {
  using _cost = lowerPasswordCost();
  const kept = await hashPassword("caf\u00e9 \ufb01ve");
  assert(await verifyPassword("cafe\u0301 five", kept));
});

/** The hash of the longest password, at the reduced cost of tests. */
const cheap = await hashCheaply("x".repeat(1_024));
/** A hash of the full cost that matches no password. */
const good = cheap.replace("ln=1,r=1,p=1", "ln=15,r=8,p=3");
assertNotEquals(good, cheap);

async function hashCheaply(password: string): Promise<string> {
  using _cost = lowerPasswordCost();
  return await hashPassword(password);
}

const strange: readonly (readonly [name: string, password: string, kept: string | undefined])[] = [
  ["no account", "secret", undefined],
  ["no account and no password", "", undefined],
  ["an empty hash", "secret", ""],
  ["an empty password", "", cheap],
  ["a password that is too long", "x".repeat(1_025), cheap],
  ["a password of a megabyte", "x".repeat(1_000_000), cheap],
  ["half a surrogate pair", "\ud800", cheap],
  ["the hash itself", cheap, cheap],
  ["another kind of hash", "secret", "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA"],
  ["a cost of 0", "secret", good.replace("ln=15", "ln=0")],
  ["a cost that takes all memory", "secret", good.replace("ln=15", "ln=63")],
  ["a cost that takes forever", "secret", good.replace("p=3", "p=99")],
  ["a negative cost", "secret", good.replace("r=8", "r=-8")],
  ["a short salt", "secret", good.replace(/\$[\w-]{22}\$/, "$YQ$")],
  ["a short hash", "secret", good.slice(0, -1)],
  ["trailing characters", "secret", `${good}\n`],
  ["padding", "secret", `${good}=`],
];

for (const [name, password, kept] of strange) {
  Deno.test(`verifyPassword: ${name} is false`, async () => {
    using _cost = lowerPasswordCost();
    assert(!(await verifyPassword(password, kept)));
  });
}

for (const kept of ["", "plain", good.replace("p=3", "p=1"), good.replace("ln=15", "ln=14")]) {
  Deno.test(`needsRehash: ${kept.slice(0, 30)}`, () => assert(needsRehash(kept)));
}

for (const password of ["", "x".repeat(1_025)]) {
  Deno.test(`hashPassword refuses ${password.length} characters`, async () => {
    await assertRejects(() => hashPassword(password), RangeError, "Cannot hash a password of");
  });
}

Deno.test("verifyPassword: limits the queue and drops the entries that waited longest", async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 150 }, () => verifyPassword("guess", cheap)),
  );
  const refused = results.flatMap(({ status }, at) => status === "rejected" ? [at] : []);
  // Three run, 128 wait; the others displaced those that waited longest.
  assertEquals(refused, Array.from({ length: 150 - 3 - 128 }, (_, at) => at + 3));
  const first = results[3];
  assert(first?.status === "rejected" && first.reason instanceof HttpError);
  assertEquals([first.reason.status, first.reason.code], [503, "password_check_busy"]);
  assertEquals(first.reason.headers, { "retry-after": "2" });
  // The places are free again.
  assert(!(await verifyPassword("guess", cheap)));
});

const turns: readonly (readonly [
  what: string,
  flood: (at: number) => string,
  other: string,
  first: number,
  isReserved?: boolean,
])[] = [
  ["another network", (at) => `198.51.100.${at % 15}`, "203.0.113.7", 1],
  ["another IPv6 network", (at) => `2001:db8:1:${at}::1`, "2001:db8:2::1", 1],
  ["another client of the same network", () => "198.51.100.1", "198.51.100.2", 1],
  ["a sixteenth network", (at) => `198.51.${at % 15}.1`, "203.0.113.7", 1],
  ["a browser known to the account, or setting a password,", () => "::1", "::1", 0, true],
];

for (const [what, flood, other, first, isReserved = false] of turns) {
  Deno.test(`passwords: behind a flood, ${what} gets one of the next turns`, async () => {
    const started: string[] = [];
    const held = Promise.withResolvers<void>();
    const run = (ip: string, { isReserved }: { readonly isReserved: boolean }): Promise<void> =>
      inTurn({ c: { clientIp: ip } as Ctx, isReserved }, () => {
        started.push(ip);
        return held.promise;
      });
    const isGuess = { isReserved: 1 < 0 };
    const guesses = Array.from({ length: 180 }, (_, at) => run(flood(at), isGuess));
    const answers = Promise.allSettled(guesses);
    const owner = run(other, { isReserved });
    held.resolve();
    await owner;
    const refused = (await answers).filter(({ status }) => status === "rejected");
    // Three were running and the rest waited; the owner's place cost the flood one more.
    assertEquals(refused.length, 180 - 3 - 128 + (isReserved ? 0 : 1));
    const before = started.slice(3).indexOf(other);
    assert(before >= 0 && before <= first, `${before} guesses came first`);
  });
}

Deno.test("passwords: a flood does not displace other clients of its network", async () => {
  const held = Promise.withResolvers<void>();
  const run = (clientIp: string): Promise<void> =>
    inTurn({ c: { clientIp } as Ctx, isReserved: 1 < 0 }, () => held.promise);
  const flood = (length: number): Promise<unknown> =>
    Promise.allSettled(Array.from({ length }, () => run("198.51.100.1")));
  const before = flood(3);
  const other = run("198.51.100.2");
  const behind = flood(180);
  held.resolve();
  await Promise.all([other, before, behind]);
});

Deno.test("verifyPassword: takes as long without an account as for a wrong password", async () => {
  const timeOf = async (hash: string | undefined): Promise<number> => {
    const start = performance.now();
    await verifyPassword("wrong", hash);
    return performance.now() - start;
  };
  const times = { there: [] as number[], absent: [] as number[] };
  const least = (list: readonly number[]): number => Math.min(...list);
  // An early return would be a hundred times faster in every round.
  const isAlike = (): boolean => least(times.absent) > least(times.there) / 3;
  for (let round = 0; round === 0 || (round < 15 && !isAlike()); round++) {
    times.there.push(await timeOf(good));
    times.absent.push(await timeOf(undefined));
  }
  assert(isAlike(), JSON.stringify(times));
});

const words = ["ada.lovelace@example.org", "Club of Lisboa"];
const guesses: readonly (readonly [name: string, isCommon: boolean, ...passwords: string[]])[] = [
  ["the most used", true, "unbelievable", "Unbelievable!", "ghbdtnrfrltkf", "qazwsxedcrfv"],
  ["words with digits and symbols", true, "Password1234!", "P@$$w0rd2026", "iloveyouforever"],
  [
    "sequences and repetitions",
    true,
    "qwerty123456",
    "poiuytrewq987",
    "a".repeat(200),
    "abab".repeat(4),
  ],
  [
    "words of the account",
    true,
    "lovelace@1815",
    "Ada_Lovelace2036",
    "lisboalisboa7",
    "Ada.Lovelace@example.org1",
  ],
  ["nothing", true, ""],
  ["phrases", false, "correct horse battery", "monkey dragon shadow superman", "olá, velho mundo"],
  ["random ones", false, "tr0ub4dor&3xyz", "9f8a7b6c5d4e", "Zk7%wq!pL2vb"],
  ["a short word of the account", false, "club of two, ada & me"],
  ["other letters", false, "кириллица и пароль"],
];

for (const [name, isCommon, ...passwords] of guesses) {
  Deno.test(`isCommonPassword ${isCommon ? "refuses" : "accepts"} ${name}`, () => {
    assertEquals(passwords.filter((each) => isCommonPassword(each, { words }) !== isCommon), []);
  });
}

Deno.test("isCommonPassword: a long password costs little", () => {
  const startMs = cpuMs();
  for (const text of ["xk", "1", "qwerty"]) isCommonPassword(text.repeat(100_000), { words });
  // In its compatible form, each character becomes 18.
  isCommonPassword("\ufdfa".repeat(1_024), { words: ["x".repeat(200)] });
  assert(cpuMs() - startMs < 3_000);
});
