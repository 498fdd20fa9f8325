/** The official conformance suite, which holds our server and our client to what a revision requires. */
import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { testUnless } from "../../../../tools/skip.ts";
import { noProgram } from "../../../npm_program.ts";
import { isThorough } from "../../../thorough.ts";

const suite = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const files = new URL("../servers/", import.meta.url);
const deno = [
  "run",
  "-A",
  "-q",
  "--no-check",
  `--lock=${fromFileUrl(new URL("../../../deno.lock", import.meta.url))}`,
];

async function startServer(): Promise<AsyncDisposable & { readonly url: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...deno, fromFileUrl(new URL("conformance.ts", files)), "0"],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await reader.read();
  return {
    url: value.trim(),
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await child.status;
      await reader.cancel();
    },
  };
}

/** Runs what a revision requires; returns the scenarios that count and fail, and how many checks passed. */
async function runSuite(
  leg: "server" | "client",
  revision: string,
  args: readonly string[],
): Promise<{ readonly failed: string[]; readonly passed: number }> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--no-lock", "--no-config", `npm:${suite}`],
      ...[leg, "--requirements", revision, ...args],
    ],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  // The optional extensions stand once more at the end, which says that they do not count.
  const optional = new Set(
    [...text.matchAll(/^ +[✓✗] (\S+) \(extension\)/gm)].map(([, name]) => name),
  );
  const results = [...text.matchAll(/^([✓✗]) ([^\s:]+): .*$/gm)]
    .filter(([, , name]) => !optional.has(name));
  return {
    failed: results.filter(([, mark]) => mark === "✗").map(([line]) => line),
    passed: results.filter(([, mark]) => mark === "✓").length,
  };
}

const reason = await noProgram(suite);
const client = `deno ${deno.join(" ")} ${fromFileUrl(new URL("conformance_client.ts", files))}`;

/** Each run tries the newest revision at the server; the client is started once a scenario, which is dear. */
const rows = [
  { leg: "server", revision: "2026-07-28", scenarios: 40 },
  { leg: "server", revision: "2025-11-25", scenarios: 33 },
  { leg: "client", revision: "2025-11-25", scenarios: 19 },
  { leg: "client", revision: "2026-07-28", scenarios: 33 },
] as const;

for (const { leg, revision, scenarios } of isThorough ? rows : rows.slice(0, 1)) {
  testUnless(reason, {
    name: `the ${leg} passes the conformance suite of ${revision}`,
    fn: async () => {
      await using server = leg === "server" ? await startServer() : undefined;
      const args = server === undefined ? ["--command", client] : ["--url", server.url];
      assertEquals(await runSuite(leg, revision, args), { failed: [], passed: scenarios });
    },
  });
}
