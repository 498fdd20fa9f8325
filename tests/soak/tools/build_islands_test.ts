import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { checkAssets } from "../../../cli/build/assets.ts";
import { messagesIn } from "../../../cli/messages/catalog.ts";
import { createProject } from "../../../cli/project/project.ts";
import { testBundles as test } from "../../cli/islands/project.ts";
import { deno, type Files, inProject, listTree, runCli, showPlace } from "../../cli/support.ts";

const checkout = fromFileUrl(new URL("../../..", import.meta.url)).replace(/\/$/, "");

/** A project that is type-checked against this checkout. */
const typed: Files = {
  "deno.json": JSON.stringify({
    imports: { "@fw/fw": "jsr:@fw/fw@^0.1" },
    links: [checkout],
    compilerOptions: { strict: true, exactOptionalPropertyTypes: true },
  }),
  "islands/counter.ts": `/// <reference lib="dom" />
import type { Island } from "@fw/fw";
const mount: Island<{ readonly start: number; readonly step?: number }> = (el, { start }) => {
  el.querySelector("button")?.addEventListener("click", () => el.textContent = String(start));
};
export default mount;
`,
  "islands/plain.ts": "export default async function mount(): Promise<void> {}\n",
};

const calls: [call: string, isRight: boolean][] = [
  ['c.island("/islands/counter.js", { start: 1 })', true],
  ['c.island("/islands/counter.js", { start: 1, step: 2 }, "1", whenVisible())', true],
  ['c.island("/islands/counter.js", { start: "1" })', false],
  ['c.island("/islands/counter.js", {})', false],
  ['c.island("/islands/counter.js", { start: 1, stop: 2 })', false],
  ['c.island("/islands/plain.js", { any: 1 })', true],
  ['c.island("/js/own.js", { any: 1 })', true],
  ["c.island(String(1), { any: 1 })", true],
  ['c.island("/js/own.js", 1)', false],
  ['c.island("/js/own.js")', false],
];

/** Calls of an island to the browser's `ui` and its event, and whether they are valid. */
const browserLines: [line: string, isRight: boolean][] = [
  ['ui.swap("list", "<ul id=list></ul>");', true],
  ['const isThere: Promise<boolean> = ui.swap("list", "<ul id=list></ul>", 200);', true],
  ["ui.hydrate(el);", true],
  ["ui.hydrate(document);", true],
  ['ui.toast("success", "Saved", 0);', true],
  ["globalThis.ui.hydrate(el);", true],
  ['addEventListener("fw:swap", ({ detail }) => void detail.status.toFixed());', true],
  ['window.addEventListener("fw:swap", ({ detail }) => detail.target.focus());', true],
  ['document.addEventListener("fw:swap", (event) => event.detail.target.focus());', true],
  ['el.addEventListener("fw:swap", ({ detail }) => ui.hydrate(detail.target));', true],
  ["const told = (event: SwapEvent): number => event.detail.status;", true],
  ['ui.swap("list");', false],
  ['ui.toast("wrong", "Saved");', false],
  ['ui.hydrate("list");', false],
  ["ui.field();", false],
  ['el.addEventListener("fw:swap", ({ detail }) => detail.none);', false],
];

test(
  "the compiler checks the props of islands with a source, the kit's script and fw:swap",
  {
    ...typed,
    "app/page.ts": `import { type Ctx, type Node, whenVisible } from "@fw/fw";
export function Page(c: Ctx): Node {
  void whenVisible;
${calls.map(([call]) => `  void (${call});\n`).join("")}
  return c.island("/islands/plain.js", {});
}
`,
    "islands/list.ts": `/// <reference lib="dom" />
import type { Island } from "@fw/fw";
import type { SwapEvent } from "@fw/fw/ui";
const mount: Island = (el) => {
${browserLines.map(([line]) => `  { ${line} }\n`).join("")}};
export default mount;
`,
  },
  async (root) => {
    assertEquals((await runCli(["gen"], { cwd: root })).code, 0);
    // Deno caches results by the first module, so the second check uses those of the first. The
    // library is not the first, because the browser's declarations would invalidate the cache of
    // other applications.
    for (const paths of [["."], ["app/page.ts", "fw_gen.ts"]]) {
      const { output } = await deno(["check", ...paths], root);
      const wrongIn = (file: string): number[] => {
        const lines = [...output.matchAll(/at (\S+?):(\d+):\d+$/gm)];
        const own = lines.flatMap(([, url = "", line]) => url.endsWith(file) ? [Number(line)] : []);
        return [...new Set(own)].sort((a, b) => a - b);
      };
      assertEquals(
        wrongIn("/app/page.ts").map((line) => calls[line - 4]?.[0]),
        calls.filter(([, isRight]) => !isRight).map(([call]) => call),
        output,
      );
      assertEquals(
        wrongIn("/islands/list.ts").map((line) => browserLines[line - 5]?.[0]),
        browserLines.filter(([, isRight]) => !isRight).map(([line]) => line),
        output,
      );
    }
  },
  { name: "islands_types" },
);

/** Calls of `c.island`, and the output of `build` and `check`. */
const checked: readonly { readonly call: string; readonly says?: string }[] = [
  { call: 'c.island("/islands/made.js", {})' },
  { call: "c.island(`/js/own.js`, {})" },
  { call: "c.island(name, {})" },
  { call: 'other.island("/nothing.js", {})' },
  { call: 'c.island("/islands/mode.js", {})', says: 'Did you mean "/islands/made.js"?' },
  { call: 'c.island("/islands/made.ts", {})', says: 'Did you mean "/islands/made.js"?' },
  { call: 'c.island("/islands/source.js", {})', says: "create its source in islands/ and run" },
  { call: 'c.island("/js", {})', says: "public/ has no module /js for this island" },
  { call: 'c.island("islands/made.js", {})', says: 'Did you mean "/islands/made.js"?' },
  { call: 'c.island("https://a.example/x.js", {})', says: "public/ has no module https:" },
];

const checkedFiles: Files = {
  "app/page.ts": `import type { Ctx } from "@fw/fw";
import { other } from "../lib/other.ts";
export function Page(c: Ctx, name: string) {
  return [
${checked.map(({ call }) => `    ${call},\n`).join("")}  ];
}
`,
  "views/deep.ts":
    'import type { Ctx } from "@fw/fw";\nexport const view = (c: Ctx) => c.island("/gone.js", {});\n',
  "tests/page_test.ts": 'export const x = (c: Ctx) => c.island("/in-a-test.js", {});\n',
  "islands/source.ts": "export default function mount(): void {}\n",
  "public/islands/made.js": "var e=()=>{};export{e as default};",
  "public/js/own.js": "export default function () {}\n",
};

Deno.test("build and check find islands whose module is missing", () =>
  inProject(checkedFiles, async (root) => {
    for (const language of ["en", "pt"] as const) {
      const project = createProject(root, { messages: messagesIn(language) });
      const problems = await checkAssets(project, await project.settings());
      assertEquals(
        problems.map(showPlace),
        [
          ...checked.flatMap(({ says }, index) =>
            says === undefined ? [] : [`app/page.ts:${index + 5}:7 E_NO_ISLAND`]
          ),
          "views/deep.ts:2:35 E_NO_ISLAND",
        ],
      );
      if (language === "pt") continue;
      const texts = problems.map(({ message, fix }) => `${message}\n${fix}`);
      for (
        const [index, { says = "" }] of checked.filter(({ says }) => says !== undefined).entries()
      ) {
        assertStringIncludes(texts[index] ?? "", says);
      }
    }
  }));

Deno.test("check accepts islands if other folders are served", async () => {
  const setup = `import type { Config } from "@fw/fw";
export function Config(config: Config): void { config.public = "static"; }
export function Setup(): void {}
`;
  await inProject({ ...checkedFiles, "app/setup.ts": setup }, async (root) => {
    const project = createProject(root);
    assertEquals(await checkAssets(project, await project.settings()), []);
  });
});

test("build bundles the islands first and refuses a reference to a missing one", {
  ...typed,
  "app/page.ts": `import type { Ctx, Node } from "@fw/fw";
export function Page(c: Ctx): Node {
  return c.island("/islands/countre.js", { start: 1 });
}
`,
}, async (root) => {
  await runCli(["gen"], { cwd: root });
  await Deno.remove(join(root, "public"), { recursive: true });
  const { code, stdout, stderr } = await runCli(["build"], { cwd: root });
  assertEquals(code, 1, stdout);
  assertStringIncludes(stdout, "Wrote public/islands/counter.js.");
  assertMatch(
    stderr,
    /^app\/page\.ts:3:12 E_NO_ISLAND: .*\n {4}Fix: Did you mean "\/islands\/counter\.js"/,
  );
});

test("export bundles the islands first", {
  ...typed,
  "app/page.ts": `import type { Ctx, Node } from "@fw/fw";
export function Page(c: Ctx): Node {
  return c.island("/islands/counter.js", { start: 1 });
}
`,
}, async (root) => {
  await runCli(["gen"], { cwd: root });
  await Deno.remove(join(root, "public"), { recursive: true });
  const { code, stderr } = await runCli(["export"], { cwd: root });
  assertEquals(code, 0, stderr);
  assertEquals(await listTree(root, "dist/site/islands"), [
    "dist/site/islands/counter.js",
    "dist/site/islands/plain.js",
  ]);
});
