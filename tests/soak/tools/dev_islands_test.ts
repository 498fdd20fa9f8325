import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { testUnless } from "../../../tools/skip.ts";
import { noBundler } from "../../cli/islands/no_bundler.ts";
import { type DevProject, type Files, shuffled, until, withDev } from "../../cli/dev/project.ts";

const counter = (text: string): string =>
  `import { label } from "../lib/label.ts";
export default (el: { textContent: string }): void => void (el.textContent = label(${
    JSON.stringify(text)
  }));
`;

const files: Files = {
  "app/page.ts": `import type { Ctx, Node } from "@fw/fw";
export function Page(c: Ctx): Node {
  return c.island("/islands/counter.js", {}, "fallback");
}
`,
  "islands/counter.ts": counter("one"),
  "lib/label.ts": "export const label = (text: string): string => `label ${text}`;\n",
};

async function bundle(project: DevProject): Promise<string> {
  const { body } = await project.page("/");
  const [, url] = / data-fw-island="([^"]+)"/.exec(body) ?? [];
  return url === undefined ? body : (await project.get(url)).body;
}

function untilBundle(project: DevProject, text: string): Promise<string> {
  return until(() => bundle(project), (found) => found.includes(text));
}

/** Saves an island, a new one, the page with both, and other files, in random order. */
async function checkBurst(
  project: DevProject,
  { round, size }: { readonly round: number; readonly size: number },
): Promise<void> {
  const text = `round ${round}`;
  const saved: [path: string, text: string][] = [
    ["app/page.ts", (files["app/page.ts"] ?? "").replace("fallback", `page of ${text}`)],
    ["islands/counter.ts", counter(text)],
    ...Array.from(
      { length: size - 2 },
      (_, index): [string, string] =>
        index % 2 === 0
          ? [`islands/other_${index}.ts`, counter(`${text} ${index}`)]
          : [`lib/other_${index}.ts`, `export const x = "${text}";\n`],
    ),
  ];
  project.writeAtOnce(shuffled(saved));
  await project.untilPage("/", `page of ${text}`);
  // The page shows the new text only after the bundles are written.
  assertStringIncludes(await bundle(project), `"${text}"`);
  for (const [path] of saved.slice(2).filter(([path]) => path.startsWith("islands/"))) {
    const { body } = await project.get(`/${path.replace(/ts$/, "js")}`);
    assertStringIncludes(body, `"${text} `);
  }
}

testUnless(noBundler, {
  name: "dev bundles islands at the start and at each save",
  fn: (t) =>
    withDev(files, async (project) => {
      await t.step("the first page has its module with a map", async () => {
        const text = await bundle(project);
        assertStringIncludes(text, '"one"');
        assertStringIncludes(text, "\n//# sourceMappingURL=data:application/json;base64,");
      });
      const pid = await project.childPid();
      await t.step("a saved island is bundled without restarting the application", async () => {
        project.write("islands/counter.ts", counter("two"));
        await untilBundle(project, '"two"');
        assertEquals(await project.childPid(), pid);
        await until(
          () => project.process.written.stdout,
          (text) => text.includes("public/islands/counter.js"),
        );
      });
      await t.step("gen adds a new island to the generated file", async () => {
        project.write("islands/more.ts", counter("more"));
        const generated = join(project.dir, "fw_gen.ts");
        await until(
          () => Deno.readTextFile(generated),
          (text) => text.includes("/islands/more.js"),
        );
        await until(() => project.get("/islands/more.js"), ({ body }) => body.includes('"more"'));
        assertEquals(await project.childPid(), pid);
        project.remove("islands/more.ts");
        await until(() => project.get("/islands/more.js"), ({ status }) => status === 404);
      });
      await t.step("imports of an island are bundled", async () => {
        project.write("lib/label.ts", "export const label = (text: string) => `third ${text}`;\n");
        await untilBundle(project, "third");
      });
      await t.step("an error is a page with its place until it is fixed", async () => {
        project.write("islands/counter.ts", 'import "./gone.ts";\nexport default 1;\n');
        const { status, body } = await project.untilPage("/", "The islands cannot be bundled");
        assertEquals(status, 500);
        assertStringIncludes(body, "islands/counter.ts:1:8");
        assertMatch(body, /E_BUNDLE/);
        project.write("islands/gone.ts", "export default () => {};\n");
        await project.untilPage("/", "data-fw-island=");
        project.remove("islands/gone.ts");
        await project.untilPage("/", "The islands cannot be bundled");
        project.write("islands/counter.ts", counter("four"));
        await untilBundle(project, '"four"');
      });
      await t.step("an island without a default export shows an error page too", async () => {
        project.write("islands/counter.ts", "export const mount = () => {};\n");
        await project.untilPage("/", "E_NO_ISLAND_FUNC");
        project.write("islands/counter.ts", counter("five"));
        await untilBundle(project, '"five"');
      });
      await t.step("a page reports a deleted island", async () => {
        project.remove("islands/counter.ts");
        const { body } = await project.untilPage("/", "Cannot mount the island");
        assertStringIncludes(body, "create it, correct the name");
        project.write("islands/counter.ts", counter("six"));
        await untilBundle(project, '"six"');
      });
      await t.step("an island whose code the application imports restarts it", async () => {
        const before = await project.childPid();
        project.write("app/page.ts", `import "../islands/counter.ts";\n${files["app/page.ts"]}`);
        await until(() => project.childPid(), (now) => now !== before);
        const between = await project.childPid();
        project.write("islands/counter.ts", counter("seven"));
        await until(() => project.childPid(), (now) => now !== between);
        await untilBundle(project, '"seven"');
      });
      await t.step("a burst of saves loses no file", async () => {
        project.write("app/page.ts", files["app/page.ts"] ?? "");
        for (const [round, size] of [2, 20].entries()) {
          await checkBurst(project, { round, size });
        }
      });
      assert(!project.process.written.stderr.includes("defect"), project.process.written.stderr);
    }),
});
