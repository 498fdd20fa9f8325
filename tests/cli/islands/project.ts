/** Projects with islands. */
import { join } from "@std/path";
import { testUnless } from "../../../tools/skip.ts";
import { type Files, inProject, page, type ScratchOptions } from "../support.ts";
import { noBundler } from "./no_bundler.ts";

/** Two islands that share a module, and an indirectly imported helper of one of them. */
export const app: Files = {
  "app/page.ts": page,
  "islands/counter.ts": `import { count } from "../lib/barrel.ts";
import type { Unused } from "../lib/types.ts";
export default function mount(el: { textContent: string }, _props: Unused): void {
  el.textContent = String(count());
}
`,
  "islands/total.ts": `import { count } from "../lib/barrel.ts";
export default (el: { textContent: string }): void => void (el.textContent = "total " + count());
`,
  "islands/alone.tsx": `export default (el: { textContent: string }): void => {
  const { label } = { label: "alone" };
  el.textContent = label;
};
`,
  "lib/barrel.ts": 'export * from "./count.ts";\n',
  "lib/count.ts": "let at = 0;\nexport const count = (): number => ++at;\n",
  "lib/types.ts": "export interface Unused { readonly a: 1 }\n",
};

export function testBundles(
  name: string,
  files: Files,
  run: (root: string) => Promise<void>,
  options: ScratchOptions = {},
): void {
  testUnless(noBundler, { name, fn: () => inProject(files, run, options) });
}

export function bundleOf(root: string, name: string): Promise<string> {
  return Deno.readTextFile(join(root, "public/islands", name));
}

export async function mount(root: string, name: string): Promise<string> {
  const url = new URL(`file://${root}/public/islands/${name}`);
  const el = { textContent: "" };
  (await import(`${url}?${crypto.randomUUID()}`)).default(el, {});
  return el.textContent;
}
