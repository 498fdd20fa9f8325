import { assertEquals } from "@std/assert";
import type { Ctx } from "../../../mod.ts";
import { newSite } from "../app/support.ts";

const accept = "application/json";

const rows: [string, current: string | undefined, ifMatch: string | undefined, number][] = [
  ["no header", "v1", undefined, 200],
  ["the current version", "v1", '"v1"', 200],
  ["the current version as a whole tag", '"v1"', '"v1"', 200],
  ["the current version in a list", "v1", '"v0" , "v1"', 200],
  ["another version", "v2", '"v1"', 412],
  ["a prefix of the current version", "v12", '"v1"', 412],
  ["the current version with a suffix", "v1", '"v1;x"', 412],
  ["the current version without quotes", "v1", "v1", 412],
  ["an empty header", "v1", "", 412],
  ["any version", "v1", " * ", 200],
  ["any version, for a weak tag", 'W/"v1"', "*", 200],
  ["any version, without a tag", undefined, "*", 412],
  ["any version, for an empty tag", "", "*", 412],
  ["a version, without a tag", undefined, '"v1"', 412],
  ["the current version, weakened by compression", "v1", 'W/"v1"', 200],
  ["another version, weakened by compression", "v2", 'W/"v1"', 412],
  ["a weak tag for a weak version", 'W/"v1"', 'W/"v1"', 412],
  ["a strong tag for a weak version", 'W/"v1"', '"v1"', 412],
];

for (const [name, current, ifMatch, status] of rows) {
  Deno.test(`c.ifMatch: ${name}`, async () => {
    const PUT = (c: Ctx): Response | undefined => {
      c.ifMatch(current);
      return c.text(200, "");
    };
    const { app } = newSite([{ pattern: "/", methods: { PUT } }]);
    const headers = { accept, ...(ifMatch === undefined ? {} : { "if-match": ifMatch }) };
    const response = await app.fetch(new Request("http://localhost/", { method: "PUT", headers }));
    const body = await response.text();
    assertEquals(response.status, status);
    if (status === 412) assertEquals(JSON.parse(body).code, "precondition_failed");
  });
}

Deno.test("c.ifMatch: accepts the tag that c.etag bound to a cookie", async () => {
  const GET = (c: Ctx): Response | undefined => {
    c.cookie("user");
    return c.etag("v1") ? undefined : c.text(200, "");
  };
  const PUT = (c: Ctx): Response | undefined => {
    c.cookie("user");
    c.ifMatch("v1");
    return c.text(200, "");
  };
  const { app } = newSite([{ pattern: "/", methods: { GET, PUT } }]);
  const send = async (method: string, user: string, tag?: string): Promise<Response> => {
    const headers = { cookie: `user=${user}`, ...(tag === undefined ? {} : { "if-match": tag }) };
    return await app.fetch(new Request("http://localhost/", { method, headers }));
  };
  const tag = (await send("GET", "ada")).headers.get("etag") ?? "";
  assertEquals((await send("PUT", "ada", tag)).status, 200);
  assertEquals((await send("PUT", "bob", tag)).status, 412);
});

Deno.test("c.ifMatch: accepts the tag that c.etag sent in any language", async () => {
  const GET = (c: Ctx): Response | undefined => c.etag("v1") ? undefined : c.text(200, "");
  const PUT = (c: Ctx): Response => {
    c.ifMatch("v1");
    return c.text(200, "");
  };
  const { app } = newSite([{ pattern: "/", methods: { GET, PUT } }], {
    config: { languages: ["en", "pt-pt"] },
  });
  const send = async (method: string, headers: HeadersInit): Promise<Response> => {
    return await app.fetch(new Request("http://localhost/", { method, headers }));
  };
  const tag = (await send("GET", { "accept-language": "pt" })).headers.get("etag") ?? "";
  for (const language of ["pt", "en"]) {
    const { status } = await send("PUT", { "accept-language": language, "if-match": tag });
    assertEquals(status, 200, language);
  }
  for (const other of ['"v2"', '"v2;pt-PT"', '"v1;fr"']) {
    assertEquals((await send("PUT", { "if-match": other })).status, 412, other);
  }
});
