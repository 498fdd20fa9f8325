/** Requests that show no page neither start a sign-in nor use one up. */
import { assertEquals } from "@std/assert";
import { type TestClient, withHeader } from "../../../runtime/testing/mod.ts";
import { pathOf, signInApp, startAt, subjectOf } from "./support.ts";

type Ask = (client: TestClient, path: string) => Promise<number>;

const ahead = (name: string, value: string): Ask => async (client, path) =>
  (await client.get(path, withHeader(name, value), withHeader("accept", "text/html"))
    // The kit's script would show a page; anything else makes the browser ask again.
    .wantHeader("content-type", "text/plain; charset=utf-8")).status;

const asks: readonly (readonly [name: string, ask: Ask, start: number, callback: number])[] = [
  ["a HEAD", async (client, path) => (await client.request("HEAD", path)).status, 302, 204],
  ["a prefetch", ahead("sec-purpose", "prefetch"), 425, 425],
  ["a prerendering", ahead("sec-purpose", "prefetch;prerender"), 425, 425],
  ["an anonymous prefetch", ahead("sec-purpose", "prefetch;anonymous-client-ip"), 425, 425],
  ["a prefetch of the kit", ahead("purpose", "prefetch"), 425, 425],
  ["a prefetch of an old browser", ahead("x-moz", "prefetch"), 425, 425],
  ["a preview", ahead("x-purpose", "preview"), 425, 425],
];

for (const [name, ask, start, callback] of asks) {
  Deno.test(`${name} neither starts a sign-in nor uses one up`, async () => {
    const { client, provider, reasons } = signInApp();
    const location = await startAt(client);
    for (let count = 0; count < 6; count++) assertEquals(await ask(client, "/login"), start);
    const target = pathOf(provider.authorize(location, { sub: "42" }));
    assertEquals(await ask(client, target), callback);
    await client.get(target).wantStatus(303);
    assertEquals([await subjectOf(client), reasons], ["42", []]);
  });
}
