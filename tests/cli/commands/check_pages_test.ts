import { assertEquals, assertStringIncludes } from "@std/assert";
import { toFileUrl } from "@std/path";
import { checkPages } from "../../../cli/check/pages.ts";
import { createProject } from "../../../cli/project/project.ts";
import { type Files, inProject, page } from "../support.ts";

interface Target {
  readonly kind: "link" | "form" | "script";
  readonly method: string;
  readonly path?: string;
}

const prefixed = 'config.languages = ["en", "pt-PT"];\n  config.languagePrefix = true;';
const computed = "config.languages = tags();\n  config.languagePrefix = true;";
const link = (path: string): Target => ({ kind: "link", method: "GET", path });
const form = (path: string): Target => ({ kind: "form", method: "POST", path });

/** A link or form of a page, the expected problem, and the settings. */
const rows: readonly (readonly [target: Target, fix: string | undefined, config?: string])[] = [
  [link("/events"), undefined],
  [link("/events/7?x=1#top"), undefined],
  [link("/style.css"), undefined],
  [link("/_fw/health/live"), undefined],
  [
    link("/evnts"),
    "Correct the link, or write the page: `deno task generate page /evnts`. " +
    "<a> on GET / (received by app/page_test.ts): /evnts leads to no route and no file; the nearest route is /events",
  ],
  [link("/nowhere/at/all"), "Correct the link, or write the page"],
  [form("/events"), "Export POST from app/events/page.ts, or send the form elsewhere."],
  [form("/evnts"), "Correct the link"],
  [form("/events/7?/borrow"), undefined],
  [form("/events/7?/borow"), 'Replace "borow" with "borrow", or'],
  [{ kind: "script", method: "GET" }, "Make it a link with an href"],
  [link("/en/events"), "Correct the link", 'config.languages = ["en"];'],
  [link("/pt-pt/events/7"), undefined, prefixed],
  [link("/en"), undefined, prefixed],
  [link("/fr/events"), "Correct the link", prefixed],
  [link("/en/nowhere"), "Correct the link", prefixed],
  [link("/fr-CA/events"), undefined, computed],
  [link("/francais/events"), "Correct the link", computed],
];

const routes = [
  { pattern: "/", methods: ["GET"], actions: [], source: "app/page.ts" },
  { pattern: "/events", methods: ["GET"], actions: [], source: "app/events/page.ts" },
  {
    pattern: "/events/{id}",
    methods: ["GET"],
    actions: ["borrow"],
    source: "app/events/id_/page.ts",
  },
];

async function problemsOf(
  target: Target,
  options: { readonly config?: string | undefined; readonly source?: string },
): Promise<readonly string[]> {
  const { config = "", source = "app/page.ts" } = options;
  const files: Files = {
    "app/page.ts": page,
    "public/style.css": "",
    "app/setup.ts": `export function Config(config: Settings): void {\n  ${config}\n}\n`,
  };
  let found: readonly string[] = [];
  await inProject(files, async (root) => {
    const { path, ...rest } = target;
    const record = {
      test: toFileUrl(`${root}/app/page_test.ts`).href,
      method: "GET",
      url: "http://localhost/",
      status: 200,
      base: "",
      routes: routes.with(0, { pattern: "/", methods: ["GET"], actions: [], source }),
      targets: [{
        ...rest,
        element: "<a>",
        ...path === undefined ? {} : { url: `http://localhost${path}` },
      }],
    };
    await Deno.mkdir(`${root}/pages`);
    // Tests are code of the project: other files are passed over.
    const others = [null, {}, [], { ...record, url: "x" }, { ...record, test: "https://x/" }];
    for (const [at, written] of [record, ...others, { ...record, routes: [null] }].entries()) {
      await Deno.writeTextFile(`${root}/pages/${at}.json`, JSON.stringify(written));
    }
    const { problems } = await checkPages(createProject(root), `${root}/pages`);
    found = problems.map(({ code, place, message, fix }) =>
      `${code} ${place?.file}:${place?.line} ${fix} ${message}`
    );
  });
  return found;
}

for (const [target, fix, config] of rows) {
  const name = `${target.kind} ${target.method} ${target.path} ${config ?? ""}`;
  Deno.test(`checkPages: ${name}`, async () => {
    const [problem, ...more] = await problemsOf(target, { config });
    assertEquals(more, []);
    if (fix === undefined) assertEquals(problem, undefined);
    else assertStringIncludes(problem ?? "", `E_NO_SCRIPT app/page.ts:1 ${fix}`);
  });
}

const gone = [["that was deleted meanwhile", "app/gone/page.ts"], ["a folder", "app"]] as const;
for (const [name, source] of gone) {
  Deno.test(`checkPages: reports a page in a file ${name}`, async () => {
    const [problem] = await problemsOf(form("/events"), { source });
    assertStringIncludes(problem ?? "", `E_NO_SCRIPT ${source}:1 `);
  });
}
