import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { AuthOptions } from "../../../auth/mod.ts";
import { Browser } from "./real_provider.ts";
import { withSite } from "./real_site.ts";
import { makeKey } from "./signer.ts";
import { until } from "../../until.ts";

async function signOut(browser: Browser, origin: string): Promise<string> {
  const token = browser.cookie(origin, "fw_csrf") ?? "";
  const answer = await browser.send(`${origin}/logout`, { _csrf: token });
  await answer.body?.cancel();
  const location = answer.headers.get("location") ?? "";
  return (await browser.visit(location, { login: "" })).url;
}

for (const alg of ["RS256", "ES256"] as const) {
  Deno.test(`oidc-provider with ${alg}: sign-in, rotation, refresh, logout`, async () => {
    const options: AuthOptions = { keepTokens: true, userInfo: true };
    await withSite({ alg, options, accessTokenSeconds: 31 }, async (site) => {
      const { origin, provider, reasons, subject } = site;
      const ada = new Browser();
      const end = await ada.visit(`${origin}/login?next=/%3Fa%3D1`, { login: "ada" });
      assertEquals(end.url, `${origin}/?a=1`);
      assert(end.body.includes("user:ada ada@example.com"), end.body);

      // Rotation during the test: another browser signs in with a token of the new key.
      await provider.rotate();
      const bob = new Browser();
      await bob.visit(`${origin}/login`, { login: "bob" });
      assertEquals([await subject(ada), await subject(bob)], ["ada", "bob"]);

      // Refresh: the access token is valid for 31 seconds, one more than the margin.
      const read = async (): Promise<string> => await (await bob.send(`${origin}/token`)).text();
      const first = await read();
      assert(first.length > 20);
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      // On a busy machine the token of the second may be too old for the third.
      await until(async () => {
        const [second, third] = await Promise.all([read(), read()]);
        assertNotEquals(second, first);
        return third === second;
      }, "one refresh for two requests");

      // Logout here and at the provider: the next sign-in asks for a name again.
      assertEquals(await signOut(bob, origin), `${origin}/`);
      assertEquals(await subject(bob), undefined);
      const again = await bob.visit(`${origin}/login`, { login: "carol" });
      assert(again.body.includes("user:carol"), again.body);
      assertEquals([await subject(ada), reasons], ["ada", []]);
    });
  });
}

Deno.test("oidc-provider: a logout in another application ends the session over the back channel", async () => {
  await withSite({ alg: "ES256" }, async ({ origin, provider, reasons, subject }) => {
    const [ada, bob] = [new Browser(), new Browser()];
    await ada.visit(`${origin}/login`, { login: "ada" });
    await bob.visit(`${origin}/login`, { login: "bob" });
    // Ada signs out at the provider itself, which notifies the application.
    await ada.visit(`${provider.issuer}/session/end`, { login: "" });
    assertEquals([await subject(ada), await subject(bob), reasons], [undefined, "bob", []]);
  });
});

Deno.test("oidc-provider accepts the client by private_key_jwt", async () => {
  const key = await makeKey("ES256", { kid: "client-key" });
  const options: AuthOptions = { clientAuth: { privateKey: key.pair.privateKey, keyId: key.kid } };
  const client = {
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [key.jwk] },
    token_endpoint_auth_signing_alg: "ES256",
  };
  await withSite({ alg: "ES256", options, client }, async ({ origin, subject }) => {
    const ada = new Browser();
    const end = await ada.visit(`${origin}/login`, { login: "ada" });
    assertEquals([await subject(ada), end.url], ["ada", `${origin}/`]);
  });
});
