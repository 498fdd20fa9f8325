import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { testUnless } from "../../../tools/skip.ts";
import { type RunningApp, startApp } from "../running_app.ts";

const folder = fromFileUrl(new URL(".", import.meta.url));

function start(mode = ""): RunningApp {
  return startApp(`deno run -A --no-check observed_server.ts ${mode}`, {
    cwd: folder,
    env: { FW_METRICS: "", FW_OBS_TOKEN: "", FW_OBS_TRUSTED: "", FW_SECRET: "" },
  });
}

/** Returns the numbers of the last log lines; each line must be complete. */
function numbersOf(output: string): number[] {
  const lines = output.split("\n").filter((line) => line.startsWith('{"time"'));
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "line")
    .map(({ index }) => index);
}

const all = Array.from({ length: 1_000 }, (_, index) => index);

const ends: readonly [title: string, mode: string, path: string | undefined, code: number][] = [
  ["Deno.exit in a handler", "", "end/exit", 3],
  ["SIGTERM in a handler", "", "end/sigterm", 0],
  ["an uncaught error", "crash", undefined, 1],
  ["the end of the program", "end", undefined, 0],
];

for (const [title, mode, path, code] of ends) {
  Deno.test(`no line is lost: ${title}`, async () => {
    await using app = start(mode);
    if (path !== undefined) {
      await (await app.get(path).catch(() => undefined))?.body?.cancel();
    }
    assertEquals((await app.ended()).code, code);
    assertEquals(numbersOf(app.output()), all);
  });
}

Deno.test("no line is lost: an unhandled rejection, which does not end the process", async () => {
  await using app = start("reject");
  await app.saw("nobody awaits this");
  assertEquals(numbersOf(app.output()), all);
  app.kill("SIGTERM");
  assertEquals((await app.ended()).code, 0);
});

const hasPerl = await new Deno.Command("perl", { args: ["-e", "1"] }).output()
  .then(({ success }) => success, () => false);

testUnless(hasPerl ? undefined : "perl is not installed", {
  name: "no line is lost: an output that another process made non-blocking, and a slow reader",
  fn: async () => {
    // Perl changes the flags of the pipe and then executes the program.
    const flags = "use Fcntl; fcntl(STDOUT, F_SETFL, O_WRONLY | O_NONBLOCK) or die; exec @ARGV;";
    const child = new Deno.Command("perl", {
      args: ["-e", flags, Deno.execPath(), "run", "-A", "--no-check", "observed_server.ts", "end"],
      cwd: folder,
      env: { NO_COLOR: "1" },
      stdout: "piped",
    }).spawn();
    await new Promise((resolve) => setTimeout(resolve, 600));
    const { code, stdout } = await child.output();
    assertEquals(code, 0);
    assertEquals(numbersOf(new TextDecoder().decode(stdout)), all);
  },
});

Deno.test("a closed output is reported once and does not end the process", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "observed_server.ts", "end"],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await child.stdout.cancel();
  const [{ code }, told] = await Promise.all([child.status, new Response(child.stderr).text()]);
  assertEquals(code, 0, told);
  assertMatch(told, /^Cannot write the log to standard output: .+; its lines are lost\.\n$/);
});

Deno.test("SIGKILL loses only lines logged in the turn it ended", async () => {
  await using app = start();
  await (await app.get("events/1")).body?.cancel();
  await app.saw('"msg":"request"');
  await app.get("end/sigkill").catch(() => undefined);
  await app.ended();
  assertStringIncludes(app.output(), '"msg":"looked up"');
  // A full buffer is written immediately, so some of the thousand lines may be there, in order.
  const numbers = numbersOf(app.output());
  assertEquals(numbers, all.slice(0, numbers.length));
  assert(numbers.length < 1_000);
});
