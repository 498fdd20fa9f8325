/** What the length of a compressed page tells about the CSRF token in it (BREACH). */
import { App, csrfInput, type Ctx, Off } from "../../../mod.ts";
import { assert } from "@std/assert";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import * as h from "../../../html/mod.ts";
import { randomToken } from "../../../runtime/addon.ts";
import { testRequest, withCookie, withoutCsrf } from "../../../runtime/testing/mod.ts";

/** How many guesses are sent: half of them are right, the others are tokens of nobody. */
const guesses = 10_000;

/** Which difference of the mean lengths, in bytes, tells a right guess from a wrong one. */
const telling = 0.5;

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const codings: Readonly<Record<string, (text: string) => number>> = {
  br: (text) => brotliCompressSync(text, brotli).length,
  gzip: (text) => gzipSync(text, { level: 6 }).length,
};

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

/** Returns by how many bytes pages with a right guess are shorter than pages with a wrong one, on average. */
async function measureSaving(
  path: string,
  lengthOf: (text: string) => number,
): Promise<number> {
  const app = searchApp();
  let total = 0;
  const lengthFor = async (token: string, guess: string): Promise<number> => {
    const url = `${path}?q=${encodeURIComponent(`name="_csrf" value="${guess}`)}`;
    const { body } = await testRequest(
      app,
      "GET",
      url,
      withoutCsrf(),
      withCookie("fw_csrf", token),
    );
    // The rest of a page is the same for both, and only its nonce differs.
    return lengthOf(/<main>.*/s.exec(body)?.[0] ?? "");
  };
  for (let pair = 0; pair < guesses / 2; pair++) {
    const token = randomToken();
    // Attackers lengthen a guess character by character.
    const chars = pair % 43 + 1;
    const right = await lengthFor(token, token.slice(0, chars));
    total += await lengthFor(token, randomToken().slice(0, chars)) - right;
  }
  return total / (guesses / 2);
}

for (const [coding, lengthOf] of Object.entries(codings)) {
  Deno.test(`breach: of ${guesses} guesses at a token no length tells the right ones, ${coding}`, async () => {
    const saving = await measureSaving("/masked", lengthOf);
    assert(Math.abs(saving) < telling, `a right guess saves ${saving} bytes`);
  });
}

Deno.test("breach: the same guesses find a token without a mask", async () => {
  const saving = await measureSaving("/bare", codings["gzip"] ?? (() => 0));
  assert(saving > 10 * telling, `a right guess saves ${saving} bytes`);
});
