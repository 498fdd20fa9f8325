import { assert, assertEquals } from "@std/assert";
import { countPath, measureRequestPaths } from "../../../../tools/request_path.ts";

/** The maximum numbers of the framework's files and functions on the path of a request. */
const budgets: Readonly<Record<string, { readonly files: number; readonly functions: number }>> = {
  "JSON": { files: 10, functions: 36 },
  "page": { files: 23, functions: 72 },
  "page with a form": { files: 42, functions: 167 },
  "form post": { files: 32, functions: 120 },
  "404": { files: 16, functions: 66 },
};

const paths = await measureRequestPaths();

Deno.test("request path: every kind of request has a budget", () => {
  assertEquals(paths.map(({ title }) => title).sort(), Object.keys(budgets).sort());
});

for (const path of paths) {
  Deno.test(`request path: ${path.title} stays within its budget of files and functions`, () => {
    const { files, functions } = countPath(path);
    const budget = budgets[path.title] ?? { files: 0, functions: 0 };
    // A count of zero would mean that nothing was measured.
    assert(files > 5 && functions > 20, `measured ${files} files, ${functions} functions`);
    assert(files <= budget.files, `${files} files: ${Object.keys(path.files).join(", ")}`);
    assert(functions <= budget.functions, `${functions} functions: ${JSON.stringify(path.files)}`);
  });
}
