/** Our client against child processes that break the rules. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { dial, McpClientError, McpError, stdio } from "../../../../ai/mcp/mod.ts";
import type { DialOptions, McpTransport, StdioOptions } from "../../../../ai/mcp/mod.ts";
import { codeOf, program } from "../support.ts";
import { patienceMs, until, withMoreTime } from "../../../until.ts";

function hostile(args: string | string[], options: StdioOptions = {}): McpTransport {
  const limits = { probeMs: patienceMs, shutdownMs: 300, maxMessageBytes: 1_000_000 };
  const run = program("hostile.ts", ...[args].flat());
  return stdio(Deno.execPath(), run, { ...limits, ...options });
}

Deno.test("stdio: skips lines that are not messages", async () => {
  await using client = await dial(hostile("garbage"));
  assertEquals(client.revision, "2026-07-28");
  assert(!(await client.callTool("any")).isError);
});

for (const mode of ["texts", "nulls", "batch", "bom", "prefix"]) {
  Deno.test(`stdio: reads messages however the child splits them: ${mode}`, async () => {
    await using client = await dial(hostile(mode), { revisions: "stateless" });
    assert(!(await client.callTool("any")).isError);
  });
}

Deno.test("stdio: a timeout error quotes the child's output", () =>
  withMoreTime(async (factor) => {
    const transport = hostile("broken", { probeMs: 1_000 * factor });
    const run = () => dial(transport, { revisions: "stateless" });
    const error = await assertRejects(run, McpClientError);
    assertEquals(error.code, "mcp_timeout");
    assertMatch(error.message, /Traceback: \{"jsonrpc": oops/);
  }));

const failures: [name: string, transport: McpTransport, code: string, options?: DialOptions][] = [
  ["a child that writes only noise", hostile("noise"), "mcp_bad_message"],
  ["a line without an end", hostile("endless"), "mcp_too_large"],
  ["a command that does not exist", stdio("fw-no-such-command"), "mcp_unreachable"],
  ["a silent child", hostile("silent", { probeMs: 300 }), "mcp_timeout", { timeoutMs: 300 }],
];
for (const [name, transport, code, options] of failures) {
  Deno.test(`stdio: gives up on ${name}`, async () => {
    assertEquals(await codeOf(dial(transport, options ?? { revisions: "stateless" })), code);
  });
}

const faults: [name: string, onStderr: StdioOptions["onStderr"]][] = [
  ["is absent", undefined],
  ["throws", () => {
    throw new Error("no disk");
  }],
  ["rejects", () => Promise.reject(new Error("no disk"))],
];
for (const [name, onStderr] of faults) {
  Deno.test(`stdio: reads messages of a child that floods standard error, if onStderr ${name}`, async () => {
    await using client = await dial(hostile("flood", onStderr && { onStderr }));
    assertEquals((await client.tools()).length, 1);
  });
}

Deno.test("stdio: cuts a line of standard error that does not end", async () => {
  const lines: number[] = [];
  const client = await dial(hostile("flood", { onStderr: (line) => lines.push(line.length) }));
  await client.close();
  assertEquals(lines, [65_536]);
});

Deno.test("stdio: reports the exit code of a child that ends at once", async () => {
  const run = () => dial(hostile("exits"), { revisions: "stateless" });
  const error = await assertRejects(run, McpClientError);
  assertMatch(error.message, /ended with code 3/);
});

Deno.test("stdio: fails the calls of a crashed child and restarts it for the next call", async () => {
  await using client = await dial(hostile("crash"));
  for (let round = 0; round < 2; round++) {
    const error = await assertRejects(() => client.callTool("any"), McpClientError);
    assertEquals(error.code, "mcp_closed");
    assertMatch(error.message, /code 9: x{1900,2000}\npanic: out of milk$/);
    assertEquals((await client.tools()).length, 1);
  }
});

Deno.test("stdio: tells the child that a call is cancelled", async () => {
  await using client = await dial(hostile("waits"), { timeoutMs: patienceMs });
  const controller = new AbortController();
  const options = { signal: controller.signal, onProgress: () => controller.abort() };
  await assertRejects(() => client.callTool("tool 0", {}, options), DOMException);
  // The child responds after it learns of the cancellation.
  await client.callTool("tool 0");
});

Deno.test("stdio: a child without a time limit ends on its own", async () => {
  const file = await Deno.makeTempFile();
  const script = `await Deno.stdin.readable.cancel();
    setTimeout(() => Deno.writeTextFileSync(${JSON.stringify(file)}, "ended"), 200)`;
  const options = { shutdownMs: Infinity, probeMs: 50 };
  const client = dial(stdio(Deno.execPath(), ["eval", script], options), { timeoutMs: 50 });
  await assertRejects(() => client, McpClientError);
  assertEquals(await Deno.readTextFile(file), "ended");
  await Deno.remove(file);
});

Deno.test("stdio: sends no cancellation of the handshake, which the protocol forbids", async () => {
  const file = await Deno.makeTempFile();
  const script = `for await (const chunk of Deno.stdin.readable) {
    Deno.writeFileSync(${JSON.stringify(file)}, chunk, { append: true });
  }`;
  const dialing = dial(stdio(Deno.execPath(), ["eval", script], { shutdownMs: Infinity }), {
    revisions: "session",
    timeoutMs: 1_000,
  });
  assertEquals(await codeOf(dialing), "mcp_timeout");
  const lines = (await Deno.readTextFile(file)).trim().split("\n");
  assertEquals(lines.map((line) => JSON.parse(line).method), ["initialize"]);
  await Deno.remove(file);
});

Deno.test("stdio: kills a child that ignores every signal", async () => {
  const file = await Deno.makeTempFile();
  const client = await dial(hostile(["deaf", file]));
  const pid = Number(await Deno.readTextFile(file));
  assert(isAlive(pid));
  await client.close();
  assert(!isAlive(pid));
  await Deno.remove(file);
});

Deno.test("stdio: the child ends if the client's process exits without closing it", async () => {
  const file = await Deno.makeTempFile();
  const code = `
    import { dial, stdio } from ${JSON.stringify(import.meta.resolve("../../../../ai/mcp/mod.ts"))};
    const args = ${JSON.stringify(program("hostile.ts", "deaf", file))};
    await dial(stdio(Deno.execPath(), args, { probeMs: ${patienceMs} }));
    Deno.exit(0);
  `;
  const dir = new URL(".", import.meta.url).pathname;
  const script = await Deno.makeTempFile({ dir, suffix: ".ts" });
  await Deno.writeTextFile(script, code);
  const parent = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", script],
  }).output();
  await Deno.remove(script);
  assertEquals(parent.code, 0, new TextDecoder().decode(parent.stderr));
  const pid = Number(await Deno.readTextFile(file));
  await until(() => !isAlive(pid), "the child to end");
  await Deno.remove(file);
});

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}

Deno.test("stdio: passes only harmless environment variables to the child", async () => {
  const harmless = /^(?:HOME|LANG|LC_ALL|LOGNAME|PATH|SHELL|TERM|TMPDIR|TZ|USER)$/;
  const own = Object.keys(Deno.env.toObject()).filter((name) => !harmless.test(name));
  assert(own.length > 0, "this process has variables that a child must not see");
  const lines: string[] = [];
  const script = "console.error(JSON.stringify(Deno.env.toObject()))";
  const transport = stdio(Deno.execPath(), ["eval", script], {
    env: { GIVEN: "yes" },
    probeMs: patienceMs,
    onStderr: (line) => lines.push(line),
  });
  await codeOf(dial(transport, { revisions: "stateless" }));
  const seen = JSON.parse(lines[0] ?? "{}");
  assertEquals([seen.GIVEN, typeof seen.PATH], ["yes", "string"]);
  assertEquals(own.filter((name) => name in seen), []);
});

for (const [mode, code] of [["many", "mcp_too_large"], ["circle", "mcp_bad_message"]] as const) {
  Deno.test(`dial: refuses a list that is ${mode}`, async () => {
    await using client = await dial(hostile(mode));
    assertEquals(await codeOf(client.tools()), code);
  });
}

Deno.test("dial: disconnects from a server that asks endlessly or for undeclared capabilities", async () => {
  await using patient = await dial(hostile("asks"), {
    onElicit: () => ({ action: "accept", content: {} }),
  });
  assertEquals(await codeOf(patient.callTool("any")), "mcp_bad_message");
  await using plain = await dial(hostile("asks"));
  const error = await assertRejects(() => plain.callTool("any"), McpError);
  assertEquals(error.code, -32602);
  await using surprised = await dial(hostile("type"));
  assertEquals(await codeOf(surprised.callTool("any")), "mcp_bad_message");
});

Deno.test("dial: an abort ends the attempt and the child", async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error("no time")), 100);
  await assertRejects(() => dial(hostile("silent"), { signal: stop.signal }), Error, "no time");
});
