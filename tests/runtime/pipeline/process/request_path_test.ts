import { assert, assertEquals } from "@std/assert";
import { countPath, measureRequestPaths } from "../../../../tools/request_path.ts";

/** The most files and functions of the framework that a request may pass. */
const budgets: Readonly<Record<string, { readonly files: number; readonly functions: number }>> = {
  "JSON": { files: 11, functions: 40 },
  "page": { files: 33, functions: 114 },
  "page with a form": { files: 53, functions: 226 },
  "form post": { files: 38, functions: 176 },
  "404": { files: 29, functions: 119 },
};

const paths = await measureRequestPaths();

Deno.test("request path: every kind of request has a budget", () => {
  assertEquals(paths.map(({ title }) => title).sort(), Object.keys(budgets).sort());
});

for (const path of paths) {
  Deno.test(`request path: ${path.title} passes few files and functions`, () => {
    const { files, functions } = countPath(path);
    const budget = budgets[path.title] ?? { files: 0, functions: 0 };
    // A count of nothing would mean that nothing was measured.
    assert(files > 5 && functions > 20, `measured ${files} files, ${functions} functions`);
    assert(files <= budget.files, `${files} files: ${Object.keys(path.files).join(", ")}`);
    assert(functions <= budget.functions, `${functions} functions: ${JSON.stringify(path.files)}`);
  });
}
