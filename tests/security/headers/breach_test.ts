/** What the length of a compressed page tells about the CSRF token in it (BREACH). */
import { App, csrfInput, type Ctx, Off } from "../../../mod.ts";
import { assert } from "@std/assert";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import * as h from "../../../html/mod.ts";
import { randomToken } from "../../../runtime/addon.ts";

/** How many guesses are sent: half of them are right, the others are tokens of nobody. */
const guesses = 10_000;

/** Which difference of the mean lengths, in bytes, tells a right guess from a wrong one. */
const telling = 0.5;
const chunkSize = 1_024;
const brotli = { chunkSize, params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const codings = {
  br: (text) => brotliCompressSync(text, brotli).length,
  gzip: (text) => gzipSync(text, { chunkSize, level: 6 }).length,
} as const satisfies Readonly<Record<string, (text: string) => number>>;

type Coding = keyof typeof codings;

/** A page that repeats text of the request beside a token, masked or as it is in the cookie. */
function searchApp(): App {
  const app = new App({ logRequest: Off });
  const bare = (c: Ctx): Node => h.input(h.name("_csrf"), h.value(c.cookie("fw_csrf") ?? ""));
  type Node = ReturnType<typeof h.input>;
  for (const [pattern, input] of [["/masked", csrfInput], ["/bare", bare]] as const) {
    app.route({
      pattern,
      page: (c) => h.main(h.p(`No results for ${c.query("q")}.`), h.form(input(c))),
    });
  }
  return app;
}

/** By how many bytes pages with a right guess are shorter than pages with a wrong one, on average. */
type Savings = Readonly<Record<Coding, number>>;

async function measureSavings(path: string, measured: readonly Coding[]): Promise<Savings> {
  const app = searchApp();
  const bodyFor = async (token: string, guess: string): Promise<string> => {
    const url = `http://localhost${path}?q=${encodeURIComponent(`name="_csrf" value="${guess}`)}`;
    const headers = { cookie: `fw_csrf=${token}` };
    const response = await app.fetch(new Request(url, { headers }));
    // The rest of a page is the same for both, and only its nonce differs.
    const [rest] = /<main>.*/s.exec(await response.text()) ?? [];
    assert(rest !== undefined, `${response.status} ${url}`);
    return rest;
  };
  const totals = { br: 0, gzip: 0 };
  for (let pair = 0; pair < guesses / 2; pair++) {
    const token = randomToken();
    // Attackers lengthen a guess character by character.
    const chars = pair % 43 + 1;
    const right = await bodyFor(token, token.slice(0, chars));
    const wrong = await bodyFor(token, randomToken().slice(0, chars));
    for (const coding of measured) {
      totals[coding] += codings[coding](wrong) - codings[coding](right);
    }
  }
  return { br: totals.br / (guesses / 2), gzip: totals.gzip / (guesses / 2) };
}

let masked: Promise<Savings> | undefined;

for (const coding of ["br", "gzip"] as const) {
  Deno.test(`breach: of ${guesses} guesses at a token no length tells the right ones, ${coding}`, async () => {
    const { [coding]: saving } = await (masked ??= measureSavings("/masked", ["br", "gzip"]));
    assert(Math.abs(saving) < telling, `a right guess saves ${saving} bytes`);
  });
}

Deno.test("breach: the same guesses find a token without a mask", async () => {
  const { gzip: saving } = await measureSavings("/bare", ["gzip"]);
  assert(saving > 10 * telling, `a right guess saves ${saving} bytes`);
});
