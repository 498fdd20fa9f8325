import { assert, assertEquals } from "@std/assert";
import { exists } from "@std/fs";
import { join } from "@std/path";
import { runSteps } from "../../../../cli/check/run.ts";
import { steps } from "../../../../cli/check/steps.ts";
import { bundleIslands } from "../../../../cli/islands/bundles.ts";
import { createProject } from "../../../../cli/project/project.ts";
import { page, runCli, showPlace, writeFiles } from "../../support.ts";
import { app, bundleOf, testBundles as test } from "../project.ts";

const options = {
  fix: false,
  isOwn: false,
  signal: new AbortController().signal,
  pages: "",
};

test("check bundles missing islands of a fresh clone before its tests run", {
  "app/page.ts": page,
  "islands/counter.ts": "export default function mount(): void {}\n",
  "deno.json": '{ "exclude": ["fw_gen.ts"], "tasks": { "test": "deno test --allow-read=." } }\n',
  "lib/bundle_test.ts": `Deno.test("the bundle is there", () => {
  Deno.readTextFileSync("public/islands/counter.js");
});
`,
}, async (root) => {
  assertEquals((await runCli(["gen"], { cwd: root })).code, 0);
  await Deno.remove(join(root, "public"), { recursive: true });
  const steps = [];
  for await (const step of runSteps(createProject(root), { ...options, isOwn: true })) {
    steps.push(step);
    if (step.name === "test") break;
  }
  assertEquals(steps.flatMap(({ result }) => result.problems), []);
  assertEquals(steps.at(-1)?.name, "test");
  assertEquals(steps.at(-1)?.result.note, "1 passed | 0 failed");
});

test(
  "check: the step gen keeps bundles of the development server and writes stale ones",
  app,
  async (root) => {
    assertEquals((await runCli(["gen"], { cwd: root })).code, 0);
    await bundleIslands(createProject(root), { form: "development" });
    const before = await bundleOf(root, "alone.js");
    assertEquals((await steps.gen(createProject(root), options)).problems, []);
    assertEquals(await bundleOf(root, "alone.js"), before);
    await writeFiles(root, { "lib/count.ts": "export const count = (): number => 7;\n" });
    assertEquals((await steps.gen(createProject(root), options)).problems, []);
    assertEquals((await runCli(["gen", "--check"], { cwd: root })).code, 0);
  },
);

test("check: the step gen writes bundles that git may track only with --fix", {
  ...app,
  "public/islands/.gitignore": "*.map\n",
}, async (root) => {
  assertEquals((await runCli(["gen"], { cwd: root })).code, 0);
  await Deno.remove(join(root, "public/islands/alone.js"));
  const { problems } = await steps.gen(createProject(root), options);
  assertEquals(problems.map(showPlace), ["islands/alone.tsx:1:1 E_STALE"]);
  assert(!await exists(join(root, "public/islands/alone.js")));
  const fixed = await steps.gen(createProject(root), { ...options, fix: true });
  assertEquals(fixed.problems, []);
  assert(await exists(join(root, "public/islands/alone.js")));
});

test("check: the step gen reports a source that cannot be bundled", {
  ...app,
  "islands/alone.tsx": 'import "./nothing.ts";\nexport default (): void => {};\n',
}, async (root) => {
  await runCli(["gen"], { cwd: root });
  const { problems } = await steps.gen(createProject(root), options);
  assertEquals(problems.map(({ code }) => code), ["E_BUNDLE"]);
});
