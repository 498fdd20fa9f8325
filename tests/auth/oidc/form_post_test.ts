/** Providers that send their response by a form, such as Apple (OAuth 2.0 Form Post Response Mode). */
import { assertEquals } from "@std/assert";
import { newTestClient, withBody, withHeader } from "../../../runtime/testing/mod.ts";
import { pathOf, signInApp, startAt, subjectOf } from "./support.ts";

const urlencoded = "application/x-www-form-urlencoded";

const forms:
  readonly (readonly [name: string, change: (form: URLSearchParams) => void, to: number])[] = [
    ["completes the sign-in", () => {}, 303],
    ["with a repeated state is refused", (form) => form.append("state", "x"), 400],
    ["without a code is refused", (form) => form.delete("code"), 400],
    ["with an error is refused", (form) => form.set("error", "access_denied"), 403],
    [
      "with further fields completes the sign-in",
      (form) => form.set("user", '{"name":"Ada"}'),
      303,
    ],
  ];

for (const [name, change, to] of forms) {
  Deno.test(`a response by form ${name}, without a cookie in the cross-site post`, async () => {
    const { app, client, provider } = signInApp({
      authorizationParameters: { response_mode: "form_post" },
    });
    const location = await startAt(client);
    assertEquals(new URL(location).searchParams.get("response_mode"), "form_post");
    const { search, pathname } = new URL(provider.authorize(location, { sub: "42" }));
    const form = new URLSearchParams(search);
    change(form);
    const crossSite = withHeader("sec-fetch-site", "cross-site");
    const posted = await newTestClient(app)
      .request("POST", pathname, crossSite, withBody(urlencoded, `${form}`));
    assertEquals([posted.status, posted.headers.getSetCookie()], [303, []]);
    assertEquals((await client.get(pathOf(`http://a${posted.header("location")}`))).status, to);
    assertEquals(await subjectOf(client), to === 303 ? "42" : undefined);
  });
}

Deno.test("a response by form is refused if it is too long for a redirect", async () => {
  const { client } = signInApp({ authorizationParameters: { response_mode: "form_post" } });
  await client.request("POST", "/auth/callback", withBody(urlencoded, `code=${"x".repeat(9_000)}`))
    .wantStatus(400);
});
