import { assert, assertEquals } from "@std/assert";
import { join, toFileUrl } from "@std/path";
import type { MiddlewareModule, Route } from "../../runtime/base/types.ts";
import { testRequest, withHeader } from "../../runtime/testing/mod.ts";
import { root } from "../../tools/workspace.ts";
import { parseCodeBlocks } from "../house/documentation.ts";
import { newSite, type Site } from "../runtime/app/support.ts";

const token = "0123456789abcdef0123456789abcdef";

/** Imports the guard as docs/security.md shows it. */
async function importGuard(apiToken: string | undefined): Promise<MiddlewareModule> {
  const guide = await Deno.readTextFile(join(root, "docs/security.md"));
  const block = parseCodeBlocks(guide).find(({ code }) => code.includes("timingSafeEqual"));
  assert(block);
  const entry = toFileUrl(join(root, "mod.ts")).href;
  const file = await Deno.makeTempFile({ prefix: "fw_guard_", suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, block.code.replace('"@fw/fw"', JSON.stringify(entry)));
    if (apiToken !== undefined) Deno.env.set("API_TOKEN", apiToken);
    return await import(toFileUrl(file).href);
  } finally {
    Deno.env.delete("API_TOKEN");
    await Deno.remove(file);
  }
}

function siteOf(guard: MiddlewareModule): Site {
  const route: Route = {
    pattern: "/api/seats",
    kind: "api",
    middleware: [guard],
    methods: { GET: (c) => c.json(200, { seats: 3 }) },
  };
  return newSite([route]);
}

const refused: readonly [name: string, authorization: string | undefined, challenge: string][] = [
  ["no header", undefined, 'Bearer realm="api"'],
  ["another scheme", `Basic ${token}`, 'Bearer realm="api"'],
  ["no token", "Bearer ", 'Bearer realm="api"'],
  ["two tokens", `Bearer ${token} ${token}`, 'Bearer realm="api"'],
  [
    "a wrong token",
    `Bearer ${token.replace("f", "e")}`,
    'Bearer realm="api", error="invalid_token"',
  ],
  [
    "a prefix of the token",
    `Bearer ${token.slice(0, -1)}`,
    'Bearer realm="api", error="invalid_token"',
  ],
  ["more than the token", `Bearer ${token}0`, 'Bearer realm="api", error="invalid_token"'],
];

for (const [name, authorization, challenge] of refused) {
  Deno.test(`the bearer guard of the guide refuses ${name} with a problem`, async () => {
    const site = siteOf(await importGuard(token));
    const headers = authorization === undefined ? [] : [withHeader("authorization", authorization)];
    const { body } = await testRequest(site.app, "GET", "/api/seats", ...headers)
      .wantStatus(401)
      .wantHeader("content-type", "application/problem+json")
      .wantHeader("www-authenticate", challenge);
    assertEquals(JSON.parse(body)["status"], 401);
    assertEquals(site.logged("security").map(({ kind }) => kind), ["auth"]);
  });
}

for (const scheme of ["Bearer", "bearer"]) {
  Deno.test(`the bearer guard of the guide lets the token pass: ${scheme}`, async () => {
    const { app } = siteOf(await importGuard(token));
    await testRequest(app, "GET", "/api/seats", withHeader("authorization", `${scheme} ${token}`))
      .wantStatus(200);
  });
}

Deno.test("the bearer guard of the guide limits the guesses too", async () => {
  const { app } = siteOf(await importGuard(token));
  const statuses: number[] = [];
  for (let call = 0; call < 22; call++) {
    const guess = withHeader("authorization", `Bearer guess-${call}`);
    statuses.push((await testRequest(app, "GET", "/api/seats", guess)).status);
  }
  assertEquals([statuses[0], statuses.at(-1)], [401, 429]);
});

for (const value of [undefined, "", "short"]) {
  Deno.test(`the bearer guard of the guide does not start with the token ${value}`, async () => {
    const error = await importGuard(value).catch((thrown: unknown) => thrown);
    assert(error instanceof Error && error.message.includes("API_TOKEN"), String(error));
  });
}
