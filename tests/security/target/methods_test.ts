import { HttpError } from "../../../mod.ts";
import { assertEquals } from "@std/assert";
import { defaultConfig } from "../../../runtime/base/config/config.ts";
import { RequestBody } from "../../../runtime/body/body.ts";
import { guardRequest } from "../../../runtime/body/guarded_request.ts";
import { requestText, sendRaw, serve } from "../raw_client.ts";
import { scanTemplate } from "../../../html/template_scan.ts";
import { testHostile } from "../hostile.ts";
import { serveLocal } from "../../serve_local.ts";

Deno.test("an unknown method gets 405, or 404 without a route", async () => {
  // Logging the request creates `c.request`, which is impossible for such a method.
  await using server = await serve([{ pattern: "/x", methods: { GET: () => new Response("x") } }], {
    logRequest: (c) => c.request.headers.has("x"),
  });
  const chunked = { "Transfer-Encoding": "chunked" };
  for (const method of ["TRACE", "track", "connect", "get", "Head", "X"]) {
    for (const [path, status] of [["/x", 405], ["/none", 404], ["/api/none", 404]] as const) {
      const text = requestText(`${method} ${path}`, chunked, "3\r\nabc\r\n0\r\n\r\n");
      assertEquals((await sendRaw(server, text)).status, status, `${method} ${path}`);
    }
  }
});

Deno.test("guardRequest: methods that cannot be copied obey the body limit", async () => {
  const { bodyLimits: limits } = defaultConfig();
  const settings = { readMs: 1_000, limits, spoolDir: undefined, explains: false, keptBytes: 0 };
  const signal = new AbortController().signal;
  await using server = serveLocal((request) => {
    const guarded = guardRequest(
      new RequestBody(request, { ...settings, maxBytes: 4 }),
      () => signal,
    );
    return guarded.text().then(
      (text) => new Response(text),
      (error) => new Response(error instanceof HttpError ? error.code : String(error)),
    );
  });
  const chunked = { "Transfer-Encoding": "chunked" };
  for (const method of ["TRACE", "track", "get"]) {
    for (
      const [body, want] of [
        ["3\r\nabc\r\n0\r\n\r\n", "abc"],
        ["5\r\nabcde\r\n0\r\n\r\n", "body_too_large"],
      ] as const
    ) {
      const answer = await sendRaw(server.addr, requestText(`${method} /`, chunked, body));
      assertEquals(answer.body, want, `${method}: ${answer.text}`);
    }
  }
});

/**
 * Texts that a browser reads as a colon, or drops from a scheme, after a hole that contains
 * `javascript`.
 */
const ends: readonly string[] = [
  "&#58;alert(1)",
  "&#58alert(1)",
  "&#058;alert(1)",
  `&#${"0".repeat(40)}58;alert(1)`,
  ..."&#x3a;alert(1) &#X3A;alert(1) &#x0003Aalert(1) &colon;alert(1) &Tab;:alert(1)".split(" "),
  ..."&NewLine;:alert(1) &#9;:alert(1) &#10;&#13;:alert(1)".split(" "),
  "\t&#58;alert(1)",
  "script&#58;alert(1)",
  "scr\nipt&colon;alert(1)",
  "&#115;cript:alert(1)",
];

testHostile(
  "a template's URL",
  ends.map((end) => [JSON.stringify(end), "refused", () => {
    try {
      scanTemplate(['<a href="', `${end}">x</a>`]);
      return "taken";
    } catch (error) {
      return error instanceof TypeError ? "refused" : String(error);
    }
  }]),
);
