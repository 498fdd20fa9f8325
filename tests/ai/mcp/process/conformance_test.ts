/** The official conformance suite, which checks our server and our client against a revision. */
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

/**
 * Runs the requirements of a revision; returns the failed scenarios that count and the number of
 * passed checks.
 */
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
  // The summary repeats the optional extensions and says that they do not count.
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

/**
 * Tests the newest revision with the server only: the client starts anew for each scenario, which
 * is slow.
 */
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
