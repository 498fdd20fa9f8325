import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { createProject } from "../../../cli/project/project.ts";
import { openEdits } from "../../../cli/scaffold/edits.ts";
import { Stop } from "../../../cli/stop.ts";
import { type Files, inProject, listTree } from "../support.ts";
import { labelOf, portugueseLabel } from "../../../cli/scaffold/languages.ts";
import { changeTasks, type TaskNeeds } from "../../../cli/scaffold/tasks.ts";

const files: Files = { "deno.json": "{}", "a.txt": "a", "b.txt": "b" };

/** Changes to the files between planning and writing, and the files afterwards. */
const rows: Readonly<Record<string, readonly [texts: Files, after: Files]>> = {
  "writes every change": [{}, { ...files, "a.txt": "aa", "b.txt": "bb", "new/c.txt": "c" }],
  "writes nothing if a file was changed meanwhile": [{ "b.txt": "mine" }, {
    ...files,
    "b.txt": "mine",
  }],
  "writes nothing if a file was added meanwhile": [{ "d.txt": "mine" }, {
    ...files,
    "d.txt": "mine",
  }],
};

Deno.test("Edits.restyle: pages import each other relatively, and the rest by the alias", () =>
  inProject({ "deno.json": '{ "imports": { "@/": "./" } }' }, async (root) => {
    const edits = await openEdits(createProject(root));
    const text = 'export { Middleware } from "../../new/middleware.ts";\n' +
      'import { Books } from "../../../../lib/books.ts";\n';
    const restyled = edits.restyle({ file: "app/books/id_/edit/middleware.ts", text });
    assertEquals(restyled.text, text.replace("../../../../", "@/"));
  }));

Deno.test("Edits.change leaves a file to which a link leads out of the project", () =>
  inProject({ "a/deno.json": "{}", "b.txt": "b" }, async (folder) => {
    const root = join(folder, "a");
    await Deno.symlink(join(folder, "b.txt"), join(root, "b.txt"));
    const edits = await openEdits(createProject(root));
    const isChanged = await edits.change("b.txt", (text) => text + text);
    assertEquals([isChanged, edits.has("b.txt")], [false, false]);
  }));

Deno.test("Edits.write reports a full disk and leaves no partial files", () =>
  inProject(files, async (root) => {
    const edits = await openEdits(createProject(root));
    await edits.change("a.txt", (text) => text + text);
    edits.put({ file: "new/c.txt", text: "c" });
    const { writeTextFile } = Deno;
    try {
      Deno.writeTextFile = async (path, data, options) => {
        await writeTextFile(path, data === "c" ? "" : data, options);
        if (data === "c") throw new Error("No space left on device");
      };
      await assertRejects(() => edits.write(), Error, "No space left");
    } finally {
      Deno.writeTextFile = writeTextFile;
    }
    assertEquals(await listTree(root), Object.keys(files).sort());
    assertEquals(await Deno.readTextFile(join(root, "a.txt")), "a");
  }));

for (const [name, [texts, after]] of Object.entries(rows)) {
  Deno.test(`Edits.write ${name}`, () =>
    inProject(files, async (root) => {
      const edits = await openEdits(createProject(root));
      await edits.change("a.txt", (text) => text + text);
      edits.put({ file: "new/c.txt", text: "c" });
      await edits.change("b.txt", (text) => text + text);
      if ("d.txt" in texts) edits.put({ file: "d.txt", text: "d" });
      for (const [file, text] of Object.entries(texts)) {
        await Deno.writeTextFile(join(root, file), text);
      }
      if (Object.keys(texts).length === 0) await edits.write();
      else await assertRejects(() => edits.write(), Stop);
      const found = (await listTree(root)).filter((path) => !path.endsWith("/"));
      const read = found.map(async (path) => [path, await Deno.readTextFile(join(root, path))]);
      assertEquals(Object.fromEntries(await Promise.all(read)), after);
    }));
}

const labels: readonly (readonly [name: string, label: string])[] = [
  ["title", "Title"],
  ["firstName", "First name"],
  ["first_name", "First name"],
  ["isbn", "ISBN"],
  ["isbn13", "ISBN13"],
  ["homeUrl", "Home URL"],
  ["vat_number", "VAT number"],
  ["idea", "Idea"],
  ["ship", "Ship"],
];

for (const [name, label] of labels) {
  Deno.test(`labelOf: ${name} is ${label}`, () => assertEquals(labelOf(name), label));
}

for (
  const [label, portuguese] of [
    ["Title", "Título"],
    ["ISBN", "ISBN"],
    ["VAT", "IVA"],
    ["Shelf", undefined],
    ["", undefined],
  ] as const
) {
  Deno.test(`portugueseLabel: ${JSON.stringify(label)} is ${portuguese}`, () => {
    assertEquals(portugueseLabel(label), portuguese);
  });
}

const accounts: TaskNeeds = { engine: "sqlite", hasProvider: false };
const provider: TaskNeeds = { hasProvider: true };
const both: TaskNeeds = { engine: "sqlite", hasProvider: true };

const start = "deno run --allow-read=public --allow-write=.fw/spool fw_gen.ts";
const startWithData = "deno run --allow-read=public,data --allow-write=.fw/spool,data fw_gen.ts";

const taskRows: readonly (readonly [
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

for (const [name, needs, tasks, want, left = []] of taskRows) {
  Deno.test(`changeTasks: ${name}`, () => {
    const textOf = (all: Readonly<Record<string, string>>): string =>
      `// A comment stays.\n${JSON.stringify({ tasks: all }, null, 2)}\n`;
    const changed = changeTasks(textOf(tasks), { tasks }, needs);
    assertEquals(changed, { text: textOf(want), left });
  });
}
