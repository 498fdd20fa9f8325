import { assertEquals } from "@std/assert";
import { toFileUrl } from "@std/path";
import { checkPages } from "../../../cli/check/pages.ts";
import { createProject } from "../../../cli/project/project.ts";
import { inProject, page, writeFiles } from "../support.ts";

/** A page that a test received, with a form that leads nowhere. */
const record = (root: string, source: string): string =>
  JSON.stringify({
    test: toFileUrl(`${root}/app/page_test.ts`).href,
    method: "GET",
    url: "http://localhost/",
    status: 200,
    base: "",
    routes: [{ pattern: "/", methods: ["GET"], actions: [], source }],
    targets: [{
      kind: "form",
      element: '<form action="/evnts">',
      method: "POST",
      url: "http://localhost/evnts",
    }],
  });

const sources: readonly (readonly [name: string, source: string])[] = [
  ["that has gone since", "app/gone/page.ts"],
  ["that is a folder", "app"],
];
for (const [name, source] of sources) {
  Deno.test(`checkPages: a page of a file ${name} still has its problem`, async () => {
    await inProject({ "app/page.ts": page }, async (root) => {
      await writeFiles(root, { "pages/one.json": record(root, source) });
      const { problems } = await checkPages(createProject(root), `${root}/pages`);
      const found = problems.map(({ code, place }) => ({ code, place }));
      assertEquals(found, [{ code: "E_NO_SCRIPT", place: { file: source, line: 1 } }]);
    });
  });
}
