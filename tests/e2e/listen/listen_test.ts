import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { startServer } from "./process.ts";
import { until } from "../../until.ts";

async function textOf(response: Promise<Response>): Promise<string> {
  return await (await response).text();
}

async function isClosed(url: string): Promise<boolean> {
  try {
    const { hostname, port } = new URL(url);
    (await Deno.connect({ hostname, port: Number(port) })).close();
    return false;
  } catch (error) {
    return error instanceof Deno.errors.ConnectionRefused;
  }
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`${signal}: accepts no more, finishes requests in flight, runs Shutdown and exits with 0`, async () => {
    await using server = startServer();
    const url = await server.url();
    const slow = textOf(fetch(`${url}slow/400`));
    await server.saw("slow began");
    server.kill(signal);
    await until(() => isClosed(url));
    assertEquals(await slow, "finished");
    assertEquals((await server.ended()).code, 0);
    const output = server.output();
    assertEquals(output.match(/Shutdown ran/g)?.length, 1);
    assertStringIncludes(output, "listenAndServe came back");
    assert(/"msg":"listening","url":"[^"]+","addr":"[^"]+:\d+"/.test(output), output);
    assert(!output.includes("cut off"), output);
    assertStringIncludes(output, `"msg":"shutting down","signal":"${signal}"`);
    assert(/"msg":"shut down","duration_ms":[\d.]+/.test(output), output);
    assert(output.indexOf("shutting down") < output.indexOf("Shutdown ran"), output);
    assert(output.indexOf("Shutdown ran") < output.indexOf("shut down"), output);
  });

  Deno.test(`${signal} without requests in flight ends at once, despite keep-alive connections`, async () => {
    await using server = startServer();
    const url = await server.url();
    assertEquals(await textOf(fetch(`${url}slow/0`)), "finished");
    server.kill(signal);
    assertEquals((await server.ended()).code, 0);
    assert(!/cut off|still open/.test(server.output()), server.output());
  });
}

Deno.test("a stuck handler is cut off after shutdownMs with a warning, and Shutdown runs", async () => {
  await using server = startServer(["300"]);
  const url = await server.url();
  const stuck = fetch(`${url}stuck`).then(() => "answered", () => "cut");
  await server.saw("stuck began");
  const startMs = performance.now();
  server.kill("SIGTERM");
  assertEquals((await server.ended()).code, 0);
  const tookMs = performance.now() - startMs;
  assert(tookMs >= 290, `${tookMs}`);
  assertEquals(await stuck, "cut");
  assertStringIncludes(
    server.output(),
    '"msg":"requests were cut off at shutdown","waited_ms":300',
  );
  assertStringIncludes(server.output(), "Shutdown ran");
});

Deno.test("at the deadline c.signal aborts, and handlers may still respond", async () => {
  await using server = startServer(["200"]);
  const url = await server.url();
  const heedful = textOf(fetch(`${url}heedful`));
  await server.saw("heedful began");
  server.kill("SIGTERM");
  assertEquals(await heedful, "cut");
  assertEquals((await server.ended()).code, 0);
  assertStringIncludes(server.output(), "heedful heard");
});

const seconds = [
  ["SIGINT", "SIGINT", 130],
  ["SIGTERM", "SIGTERM", 143],
  ["SIGTERM", "SIGINT", 130],
] as const;

for (const [signal, second, expected] of seconds) {
  Deno.test(`${signal}, then ${second}: the process ends at once, with ${expected}`, async () => {
    await using server = startServer(["60000"]);
    const url = await server.url();
    const stuck = fetch(`${url}stuck`).then(() => "answered", () => "cut");
    await server.saw("stuck began");
    server.kill(signal);
    await server.saw("shutting down");
    // A terminal sends the signal to a group and its leader, so within a second it arrives twice.
    if (second === signal) await new Promise((resolve) => setTimeout(resolve, 1_100));
    server.kill(second);
    const { code } = await server.ended();
    assertEquals([code, await stuck], [expected, "cut"]);
    assertStringIncludes(server.output(), "a second signal ended the process");
  });
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`${signal}: deno task repeats the signal of its group, which cuts nothing off`, async () => {
    await using server = startServer();
    const url = await server.url();
    const slow = textOf(fetch(`${url}slow/600`));
    await server.saw("slow began");
    server.kill(signal);
    await server.saw("shutting down");
    server.kill(signal);
    assertEquals(await slow, "finished");
    assertEquals((await server.ended()).code, 0);
    assertStringIncludes(server.output(), "Shutdown ran");
  });
}

Deno.test("a failing Shutdown is logged, and the process exits with 1", async () => {
  await using server = startServer(["500", "failing-shutdown"]);
  await server.url();
  server.kill("SIGTERM");
  assertEquals((await server.ended()).code, 1);
  assertStringIncludes(server.output(), '"msg":"shutdown failed"');
  assertStringIncludes(server.output(), "the store is gone");
});

Deno.test("a stuck Shutdown is abandoned after shutdownMs, and the process exits with 1", async () => {
  await using server = startServer(["300", "stuck-shutdown"]);
  await server.url();
  server.kill("SIGTERM");
  assertEquals((await server.ended()).code, 1);
  assertStringIncludes(
    server.output(),
    "Shutdown of app/setup.ts has not ended after 300 ms (config.timeouts.shutdownMs)",
  );
});

Deno.test("SIGTERM in development logs nothing, because it follows each change", async () => {
  await using server = startServer([], { env: { FW_ENV: "dev" } });
  await server.url();
  server.kill("SIGTERM");
  assertEquals((await server.ended()).code, 0);
  assertStringIncludes(server.output(), "Shutdown ran");
  assert(!/shutting down|shut down/.test(server.output()), server.output());
});

Deno.test("listenAndServe: does not warn about the secret of an application that signs nothing", async () => {
  await using server = startServer([], { env: {} });
  await server.url();
  assert(!server.output().includes("FW_SECRET"), server.output());
});

Deno.test("app.shutdown() makes listenAndServe return after Shutdown", async () => {
  await using server = startServer(["500", "self-stop"]);
  assertEquals((await server.ended()).code, 0);
  const output = server.output();
  assert(output.indexOf("Shutdown ran") < output.indexOf("listenAndServe came back"), output);
  assert(output.includes("listenAndServe came back"));
});

for (const kind of ["rejection", "null", "throw"]) {
  Deno.test(`an error after the response is logged and does not end the process: ${kind}`, async () => {
    await using server = startServer();
    const url = await server.url();
    assertEquals(await textOf(fetch(`${url}after/${kind}`)), "answered");
    await server.saw("an error occurred outside of any request");
    assertStringIncludes(server.output(), kind === "null" ? "thrown: null" : `late ${kind}`);
    assertEquals(await textOf(fetch(`${url}slow/0`)), "finished");
    server.kill("SIGTERM");
    assertEquals((await server.ended()).code, 0);
  });
}

Deno.test("a taken port is reported with the fix, and the process exits with 1", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr;
  await using server = startServer([], { env: { ADDR: `127.0.0.1:${port}` } });
  assertEquals((await server.ended()).code, 1);
  assertStringIncludes(
    server.output().replaceAll('\\"', '"'),
    `Cannot listen on "127.0.0.1:${port}": another program uses that port. ` +
      "Stop it, or set PORT or ADDR to a free one.",
  );
});

/** Causes of a failed boot with exit code 1, and the messages. */
const boots: readonly (readonly [
  name: string,
  env: Readonly<Record<string, string>>,
  says: string,
  permissions?: readonly string[],
])[] = [
  [
    "an address that this machine does not have",
    { ADDR: "203.0.113.1:3000" },
    'Cannot listen on "203.0.113.1:3000": this machine has no such address.',
  ],
  [
    "a name that no host has",
    { ADDR: "fw.invalid:3000" },
    'Cannot listen on "fw.invalid:3000": no host has the name "fw.invalid".',
  ],
  [
    "a malformed address",
    { ADDR: "localhost" },
    'Cannot listen on "localhost": write an address such as ":3000"',
  ],
  ...["127.0.0.1", "[::1]"].map((host) =>
    [
      `a missing permission for ${host}`,
      { ADDR: `${host}:0` },
      `Cannot listen on "${host}:0": Deno was not allowed to. ` +
      `Add --allow-net=${host} to the start task in deno.json.`,
      ["--allow-env", "--allow-read"],
    ] as const
  ),
  ...["nonsense", "127.0.0.1:80", "192.0.2.1:80/token", "127.0.0.1:80/to ken"].map((value) =>
    [`FW_DEV_READY ${value}`, { FW_DEV_READY: value }, `Cannot report to "${value}"`] as const
  ),
];

for (const [name, env, says, permissions = ["-A"]] of boots) {
  Deno.test(`boot exits with 1 and names the fix: ${name}`, async () => {
    await using server = startServer([], { env, permissions });
    assertEquals((await server.ended()).code, 1);
    assertStringIncludes(server.output().replaceAll('\\"', '"'), says);
  });
}

/** Reads the child's report as the development server does. */
async function readReport(listener: Deno.Listener): Promise<{
  readonly connection: Deno.Conn;
  readonly line: string;
}> {
  const connection = await listener.accept();
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(256);
  let line = "";
  while (!line.endsWith("\n")) {
    const size = await connection.read(buffer);
    if (size === null) break;
    line += decoder.decode(buffer.subarray(0, size));
  }
  return { connection, line };
}

Deno.test("FW_DEV_READY: the child reports token and port, serves on loopback and ends with the connection", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  await using server = startServer([], {
    env: { FW_DEV_READY: `127.0.0.1:${listener.addr.port}/tok-en_1`, ADDR: "203.0.113.1:80" },
  });
  const { connection, line } = await readReport(listener);
  const [, port] = /^tok-en_1 (\d+)\n$/.exec(line) ?? [];
  assert(port !== undefined, line);
  const url = `http://127.0.0.1:${port}/`;
  const headers = { "fw-dev-peer": "tok-en_1 127.0.0.1 1" };
  assertEquals(await textOf(fetch(`${url}slow/0`, { headers })), "finished");
  assert(!server.output().includes('"listening"'), server.output());
  connection.close();
  assertEquals((await server.ended()).code, 0);
});

Deno.test("FW_DEV_READY: the child accepts requests with its token and uses the peer address they name", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  await using server = startServer([], {
    env: { FW_DEV_READY: `127.0.0.1:${listener.addr.port}/right` },
  });
  const { connection, line } = await readReport(listener);
  using _ = connection;
  const url = `http://127.0.0.1:${line.trim().split(" ")[1]}/panic`;
  const id = `id-${crypto.randomUUID()}`;
  const headers = { "fw-dev-peer": "right 192.0.2.7 1234", "x-request-id": id };
  await textOf(fetch(url, { headers }));
  await server.saw(`"request_id":"${id}","kind":"panic","ip":"192.0.2.7"`);
  for (const header of ["wrong 192.0.2.7 1234", "right", "right ", "", "RIGHT 192.0.2.7 1234"]) {
    const answer = await fetch(url, {
      headers: { "fw-dev-peer": header, "x-request-id": "stranger" },
    });
    const text = await answer.text();
    assertEquals([answer.status, answer.headers.get("cache-control")], [403, "no-store"], header);
    assertStringIncludes(text, "the dev command");
  }
  const bare = await fetch(url);
  await bare.body?.cancel();
  assertEquals(bare.status, 403);
  assert(!server.output().includes("stranger"), server.output());
});
