import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { searchDocs, sectionsOf } from "../../../cli/describe/docs/search.ts";
import { apiReference, guides } from "../../../docs/mod.ts";
import { root } from "../../../tools/workspace.ts";
import { runCli } from "../support.ts";

const sections = sectionsOf(guides, apiReference);

Deno.test("docs: every guide is published and listed in llms.txt", async () => {
  const files = (await Array.fromAsync(Deno.readDir(join(root, "docs")))).map(({ name }) => name)
    .filter((name) => name.endsWith(".md")).sort();
  assertEquals(guides.map(({ name }) => `${name}.md`), files);
  const llms = await Deno.readTextFile(join(root, "llms.txt"));
  for (const { name, title } of guides) assertStringIncludes(llms, `[${title}](docs/${name}.md)`);
});

/** Typical questions, and the place expected among the first three results. */
const questions: readonly (readonly [words: string, place: string])[] = [
  ["upload limit", "docs/uploads.md"],
  ["how do I sign in with passkeys", "docs/passkeys.md"],
  ["rate limit", "docs/security.md#rate-limits"],
  ["testApp", "api/current.txt @fw/fw/testing testApp"],
  ["ui.time", "api/current.txt @fw/fw/ui time"],
  ["bindJson", "docs/forms.md#reading-a-body"],
  ["systemd", "docs/deploy.md#systemd"],
  ["policy.txt", "docs/agents.md#the-policy"],
  ["typed client", "docs/api_client.md#a-typed-client-for-another-project"],
  ["404 page", "docs/routing.md#the-404-page"],
  ["page not found", "docs/routing.md#the-404-page"],
];

for (const [words, place] of questions) {
  Deno.test(`docs ${words}: finds ${place}`, () => {
    const found = searchDocs(sections, words, { max: 3 }).map((each) => each.place);
    assert(found.includes(place), found.join("\n"));
  });
}

/** Tasks in the words of a newcomer, by the guides of which one must come first. */
const tasks: Readonly<Record<string, string>> = {
  ai: "openai, chatbot",
  "api|api_client": "json api, openapi client, api key",
  "auth|sessions|security": "log in, add login, session, protect a page, jwt",
  caching: "cache a page",
  database: "postgres, migrations, csv import, transaction, delete a row",
  deploy: "docker, nginx, deploy docker",
  "fragments|streams": "live updates, pagination, sort a table, websocket, sse, infinite scroll",
  jobs: "background job, cron",
  languages: "translate, multiple languages, time zone",
  mail: "send an email",
  observability: "logging, metrics, health check",
  openid_connect: "google login, github login",
  serving: "static files",
  ui: "dark mode, change color, toast, tailwind",
};

for (const [guides, questions] of Object.entries(tasks)) {
  Deno.test(`docs: ${guides} is first for ${questions}`, () => {
    for (const words of questions.split(", ")) {
      const [first] = searchDocs(sections, words, { max: 1 });
      assertMatch(first?.place ?? "", new RegExp(`^docs/(?:${guides})\\.md`), words);
    }
  });
}

for (const words of ["background job", "queue", "cron", "nightly", "schedule", "digest"]) {
  Deno.test(`docs ${words}: finds the guides of jobs and mail`, () => {
    const found = searchDocs(sections, words).map(({ place }) => place.split("#", 1)[0]);
    assert(found.includes("docs/jobs.md") && found.includes("docs/mail.md"), found.join("\n"));
  });
}

Deno.test("searchDocs: matches word stems, ignores headings in code blocks, and finds nothing for nothing", () => {
  const text = "# A\n\nfirst\n\n## Caching `x`\n\n```sh\n# not a heading\n```\nIt caches pages.\n";
  const parts = sectionsOf([{ name: "a", text }], "@fw/fw class Cache\n@fw/fw Cache.do(): void\n");
  assertEquals(parts.map(({ title, place }) => [title, place]), [
    ["A", "docs/a.md"],
    ["A › Caching x", "docs/a.md#caching-x"],
    ["Cache (@fw/fw)", "api/current.txt @fw/fw Cache"],
  ]);
  assertEquals(searchDocs(parts, "cached")[0]?.place, "docs/a.md#caching-x");
  assertEquals(searchDocs(parts, "Cache")[0]?.title, "Cache (@fw/fw)");
  for (const query of ["", "   ", "zzzz", "(.*", "__proto__", "constructor"]) {
    assertEquals(searchDocs(parts, query), []);
  }
});

Deno.test("docs prints title, place and excerpt, and exits with 1 without a result", async () => {
  const cwd = "/";
  const text = await runCli(["docs", "rate", "limits"], { cwd });
  assertEquals(text.code, 0);
  assertStringIncludes(text.stdout, "Security › Rate limits\ndocs/security.md#rate-limits\n    ");
  const nothing = await runCli(["docs", "qqqqq"], { cwd, env: { FW_LANG: "pt" } });
  assertEquals([nothing.code, nothing.stdout], [1, ""]);
  assertStringIncludes(nothing.stderr, "Nada foi encontrado");
  assertEquals((await runCli(["docs"], { cwd })).code, 2);
});
