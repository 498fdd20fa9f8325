import type { Application, Env, MiddlewareModule, Route } from "../../../mod.ts";
import { assert, assertEquals } from "@std/assert";
import { dirname, join, toFileUrl } from "@std/path";
import { testRequest, withHeader } from "../../../runtime/testing/mod.ts";
import { root } from "../../../tools/workspace.ts";
import { parseCodeBlocks } from "../../../tools/code_blocks.ts";
import { newSite, type Site } from "../../runtime/app/support.ts";

const token = "0123456789abcdef0123456789abcdef";

interface GuideModules {
  readonly setup: { Setup(app: Application): void };
  readonly guard: MiddlewareModule;
}

async function importGuide(): Promise<GuideModules> {
  const guide = await Deno.readTextFile(join(root, "docs/security.md"));
  const blocks = parseCodeBlocks(guide).filter(({ code }) => code.includes("ApiToken"));
  const entry = toFileUrl(join(root, "mod.ts")).href;
  const folder = await Deno.makeTempDir({ prefix: "fw_guard_" });
  try {
    for (const { name, code } of blocks) {
      assert(name);
      await Deno.mkdir(dirname(join(folder, name)), { recursive: true });
      await Deno.writeTextFile(join(folder, name), code.replace('"@fw/fw"', JSON.stringify(entry)));
    }
    const url = (name: string): string => toFileUrl(join(folder, name)).href;
    const setup: GuideModules["setup"] = await import(url("app/setup.ts"));
    const guard: MiddlewareModule = await import(url("app/api/middleware.ts"));
    return { setup, guard };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function makeSite(apiToken: string | undefined, env: Env = "prod"): Promise<Site> {
  const { setup, guard } = await importGuide();
  const route: Route = {
    pattern: "/api/seats",
    kind: "api",
    middleware: [guard],
    methods: { GET: (c) => c.json(200, { seats: 3 }) },
  };
  const variables = apiToken === undefined ? {} : { FW_API_TOKEN: apiToken };
  const site = newSite([route], { config: { env, variables } });
  setup.Setup(site.app);
  return site;
}

const refused: readonly [name: string, authorization: string | undefined, challenge: string][] = [
  ["no header", undefined, 'Bearer realm="api"'],
  ["another scheme", `Basic ${token}`, 'Bearer realm="api"'],
  ["no token", "Bearer ", 'Bearer realm="api"'],
  ["two tokens", `Bearer ${token} ${token}`, 'Bearer realm="api"'],
  ["wrong token", `Bearer ${token.replace("f", "e")}`, 'Bearer realm="api", error="invalid_token"'],
  ["a token's prefix", `Bearer ${token.slice(0, -1)}`, 'Bearer realm="api", error="invalid_token"'],
  ["more than the token", `Bearer ${token}0`, 'Bearer realm="api", error="invalid_token"'],
];

Deno.test("the bearer guard of the guide refuses with a problem, and lets the token pass", async () => {
  for (const [name, authorization, challenge] of refused) {
    const site = await makeSite(token);
    const headers = authorization === undefined ? [] : [withHeader("authorization", authorization)];
    const { body } = await testRequest(site.app, "GET", "/api/seats", ...headers).wantStatus(401)
      .wantHeader("content-type", "application/problem+json")
      .wantHeader("www-authenticate", challenge);
    assertEquals(JSON.parse(body)["status"], 401, name);
    assertEquals(site.logged("security").map(({ kind }) => kind), ["auth"], name);
  }
  const { app } = await makeSite(token);
  for (const scheme of ["Bearer", "bearer"]) {
    await testRequest(app, "GET", "/api/seats", withHeader("authorization", `${scheme} ${token}`))
      .wantStatus(200);
  }
});

Deno.test("the bearer guard of the guide limits the guesses too", async () => {
  const { app } = await makeSite(token);
  const statuses: number[] = [];
  for (let call = 0; call < 22; call++) {
    const guess = withHeader("authorization", `Bearer guess-${call}`);
    statuses.push((await testRequest(app, "GET", "/api/seats", guess)).status);
  }
  assertEquals([statuses[0], statuses.at(-1)], [401, 429]);
});

Deno.test("the bearer guard of the guide refuses everything in development without a token", async () => {
  const { app } = await makeSite(undefined, "dev");
  for (const value of ["Bearer x", "Bearer undefined", "Bearer "]) {
    await testRequest(app, "GET", "/api/seats", withHeader("authorization", value)).wantStatus(401);
  }
});

for (const value of [undefined, "", "short"]) {
  Deno.test(`the bearer guard of the guide does not start with the token ${value}`, async () => {
    const error = await makeSite(value).catch((thrown: unknown) => thrown);
    assert(error instanceof Error && error.message.includes("API_TOKEN"), String(error));
  });
}
