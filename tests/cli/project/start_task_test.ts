import { assert, assertEquals } from "@std/assert";
import { cpuMs } from "../../cpu_time.ts";
import {
  commandOf,
  executableFlags,
  isAllowAll,
  leastFlags,
  listenHostOf,
  parseStartTask,
  shellWords,
} from "../../../cli/project/start_task.ts";

const words: readonly [command: string, words: readonly (readonly string[])[]][] = [
  ["deno run a.ts", [["deno", "run", "a.ts"]]],
  ["  a   b  ", [["a", "b"]]],
  ["a && b; c | d || e & f", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]],
  [`"a b" 'c d' e\\ f`, [["a b", "c d", "e f"]]],
  [`--x="a,b"c 'it''s'`, [["--x=a,bc", "its"]]],
  [`"a \\" b" '\\'`, [['a " b', "\\"]]],
  [`"open`, [["open"]]],
  ["", []],
];
for (const [command, want] of words) {
  Deno.test(`shellWords: ${command}`, () => {
    assertEquals(shellWords(command).map((each) => each.map(({ text }) => text)), want);
  });
}

const expanded: readonly [word: string, isExpanded: boolean][] = [
  ["$HOME", true],
  ['"$HOME/x"', true],
  ["'$HOME'", false],
  ["\\$HOME", false],
  ['"\\$HOME"', false],
  ["`pwd`", true],
  ["a$b", true],
  ["plain", false],
];
for (const [word, want] of expanded) {
  Deno.test(`shellWords: isExpanded marks only words that the shell expands: ${word}`, () => {
    assertEquals(shellWords(word)[0]?.[0]?.isExpanded, want);
  });
}

Deno.test("parseStartTask: reads variables, flags, file and arguments", () => {
  const task = parseStartTask(
    `mkdir -p data && FW_ENV=prod A="b c" deno run -N --allow-env=FW_* "--allow-read=a b" ./fw_gen.ts --x y.ts`,
  );
  assertEquals(task, {
    file: "./fw_gen.ts",
    env: { FW_ENV: "prod", A: "b c" },
    flags: ["-N", "--allow-env=FW_*", "--allow-read=a b"],
    args: ["--x", "y.ts"],
    unread: [],
    detached: [],
  });
});

const separated: readonly [command: string, file: string, flags: string][] = [
  ["--preload x.ts fw_gen.ts y.ts", "fw_gen.ts", "--preload=x.ts"],
  ["--import x.ts fw_gen.ts", "fw_gen.ts", "--import=x.ts"],
  ["--require ./x.cjs fw_gen.ts", "fw_gen.ts", "--require=./x.cjs"],
  [
    "-A --location http://a.example/b.ts --seed 1 fw_gen.ts",
    "fw_gen.ts",
    "-A --location=http://a.example/b.ts --seed=1",
  ],
  ["-c prod.json main.ts", "main.ts", "-c=prod.json"],
  ["-L debug main.ts", "main.ts", "-L=debug"],
  ["--ext ts main.ts", "main.ts", "--ext=ts"],
  ["--preload=x.ts --lock a main.ts", "main.ts", "--preload=x.ts --lock=a"],
  ["-A --watch main.ts x.ts", "main.ts", "-A --watch"],
  ["--lock=a --allow-read main.ts", "main.ts", "--lock=a --allow-read"],
];
for (const [command, file, flags] of separated) {
  Deno.test(`parseStartTask: reads values separate from their flags: ${command}`, () => {
    const task = parseStartTask(`deno run ${command}`);
    assertEquals([task?.file, task?.flags.join(" ")], [file, flags]);
  });
}

Deno.test("parseStartTask: finds a file of the project, and none that the shell expands", () => {
  const task = parseStartTask("deno run --allow-read=$HOME/data main.ts");
  assertEquals([task?.file, task?.unread], ["main.ts", ["--allow-read=$HOME/data"]]);
});

const detached: readonly [command: string, flags: string, detached: string][] = [
  ["--allow-read data main.ts", "--allow-read=data", "--allow-read data"],
  ["--deny-net a:1 -E A main.ts", "--deny-net=a:1 -E=A", "--deny-net a:1, -E A"],
  ["-A --allow-read=data -R main.ts", "-A --allow-read=data -R", ""],
];
for (const [command, flags, want] of detached) {
  Deno.test(`parseStartTask: reads permission lists separate from their flags: ${command}`, () => {
    const task = parseStartTask(`deno run ${command}`);
    assertEquals([task?.flags.join(" "), task?.detached.join(", ")], [flags, want]);
  });
}

for (
  const command of [
    "",
    "node server.js",
    "deno task serve",
    "deno serve fw_gen.ts",
    "deno run",
    "deno run --preload x.ts",
    "deno run -A npm:serve x.ts",
    "deno run -R npm:serve x.ts",
  ]
) {
  Deno.test(`parseStartTask: finds no file in ${command}`, () => {
    assertEquals(parseStartTask(command), undefined);
  });
}

const tasks: [name: string, manifest: Record<string, unknown>, want: string | undefined][] = [
  ["a text", { tasks: { start: "a" } }, "a"],
  ["an object", { tasks: { start: { command: "a", description: "b" } } }, "a"],
  ["without a command", { tasks: { start: { dependencies: ["x"] } } }, undefined],
  ["another task", { tasks: { dev: "a" } }, undefined],
  ["no tasks", {}, undefined],
  ["invalid tasks", { tasks: [1] }, undefined],
];
for (const [name, manifest, want] of tasks) {
  Deno.test(`commandOf: ${name}`, () => assertEquals(commandOf(manifest, "start"), want));
}

const executables: readonly [name: string, flags: readonly string[], want: readonly string[]][] = [
  ["the least", leastFlags, leastFlags.slice(1)],
  ["everything", ["-A"], ["-A"]],
  ["denials", ["--deny-net=a", "--ignore-env=B"], ["--deny-net=a", "--ignore-env=B"]],
  ["the language", ["--unstable-kv", "--v8-flags=--x"], ["--unstable-kv", "--v8-flags=--x"]],
  ["flags for running only", ["--no-check", "-q", "--cached-only", "--frozen"], []],
];
for (const [name, flags, want] of executables) {
  Deno.test(`executableFlags: ${name}`, () => {
    assertEquals(executableFlags(flags), { flags: ["--no-prompt", ...want], dropped: [] });
  });
}

Deno.test("executableFlags: returns flags without meaning in an executable as dropped", () => {
  const { dropped } = executableFlags(["--env-file=.env", "--watch", "--allow-net"]);
  assertEquals(dropped, ["--env-file=.env", "--watch"]);
});

const hosts: readonly [flags: readonly string[], want: { hostname: string; port?: number }][] = [
  [leastFlags, { hostname: "127.0.0.1" }],
  [["-A"], { hostname: "127.0.0.1" }],
  [["--allow-net"], { hostname: "127.0.0.1" }],
  [["--allow-net=db.example:5432,0.0.0.0"], { hostname: "0.0.0.0" }],
  [["--allow-net=0.0.0.0:8000"], { hostname: "0.0.0.0", port: 8000 }],
  [["--allow-net=a", "-N=localhost"], { hostname: "localhost" }],
];
for (const [flags, want] of hosts) {
  Deno.test(`listenHostOf: ${flags.join(" ").slice(0, 60)}`, () => {
    assertEquals(listenHostOf(flags), want);
  });
}

for (const [flag, want] of [["-A", true], ["--allow-all", true], ["-RA", true], ["-R", false]]) {
  Deno.test(`isAllowAll: ${flag}`, () => assertEquals(isAllowAll(String(flag)), want));
}

Deno.test("a start task of long flags is read without a long search", () => {
  const startMs = cpuMs();
  const long = [`-${"A".repeat(300_000)}!`, `--allow-read=${"/".repeat(300_000)}a`];
  const task = parseStartTask(`deno run ${long.join(" ")} fw_gen.ts`);
  assertEquals(task?.flags, long);
  assertEquals(executableFlags(long).dropped, long.slice(0, 1));
  assert(cpuMs() - startMs < 3_000);
});
