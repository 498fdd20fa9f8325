import { assertEquals } from "@std/assert";
import { changeTasks, type TaskNeeds } from "../../../cli/scaffold/tasks.ts";

const accounts: TaskNeeds = { engine: "sqlite", hasProvider: false };
const provider: TaskNeeds = { hasProvider: true };
const both: TaskNeeds = { engine: "sqlite", hasProvider: true };

const start = "deno run --allow-read=public --allow-write=.fw/spool fw_gen.ts";
const startWithData = "deno run --allow-read=public,data --allow-write=.fw/spool,data fw_gen.ts";

const rows: readonly (readonly [
  name: string,
  needs: TaskNeeds,
  tasks: Readonly<Record<string, string>>,
  want: Readonly<Record<string, string>>,
  left?: readonly string[],
])[] = [
  [
    "both tasks",
    accounts,
    { start, test: "deno test -A" },
    { start: startWithData, test: "FW_DB=:memory: deno test -A" },
  ],
  [
    "the jobs in a separate process",
    { engine: "postgres", hasProvider: false },
    {
      start: "deno run --allow-env=FW_* fw_gen.ts",
      work: "deno run --allow-env=FW_*,PORT work.ts",
    },
    {
      start: "deno run --allow-env=FW_*,PG* fw_gen.ts",
      work: "deno run --allow-env=FW_*,PORT,PG* work.ts",
    },
  ],
  [
    "jobs in pg-boss, which reads the host name",
    { engine: "postgres", hasProvider: false, hasWork: true },
    { start: "deno run --allow-env=FW_* fw_gen.ts", work: "deno run -A work.ts" },
    {
      start: "deno run --allow-sys=hostname,systemMemoryInfo --allow-env=FW_*,PG* fw_gen.ts",
      work: "deno run -A work.ts",
    },
  ],
  ["a provider", provider, { start, test: "deno test" }, { start, test: "FW_ENV=dev deno test" }],
  [
    "existing flags in another spelling",
    both,
    {
      start: "deno run --allow-read=./data/,public --allow-write fw_gen.ts",
      test: "FW_ENV=dev FW_DB=a.sqlite deno test",
    },
    {
      start: "deno run --allow-read=./data/,public --allow-write fw_gen.ts",
      test: "FW_ENV=dev FW_DB=a.sqlite deno test",
    },
  ],
  ["all of them", accounts, { start: "deno run -A fw_gen.ts" }, { start: "deno run -A fw_gen.ts" }],
  [
    "flags that cannot be extended, and a custom test task",
    accounts,
    { start: "deno run -R=public fw_gen.ts", test: "make test" },
    { start: "deno run -R=public fw_gen.ts", test: "make test" },
    ["start", "test"],
  ],
  ["no tasks", accounts, {}, {}],
  ["two of one command", accounts, { start, again: start }, { start, again: start }, ["start"]],
];

for (const [name, needs, tasks, want, left = []] of rows) {
  Deno.test(`changeTasks: ${name}`, () => {
    const textOf = (all: Readonly<Record<string, string>>): string =>
      `// A comment stays.\n${JSON.stringify({ tasks: all }, null, 2)}\n`;
    const changed = changeTasks(textOf(tasks), { tasks }, needs);
    assertEquals(changed, { text: textOf(want), left });
  });
}
