/** What other people's tools say of the pages of a generated app, of the demo and of the gallery. */
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { HtmlValidate } from "npm:html-validate@11.18.0";
import vnuJar from "npm:vnu-jar@26.9.27";
import { testUnless } from "../../tools/skip.ts";
import { paths as galleryPaths, withGallery } from "../browser/gallery/site.ts";
import { withSite } from "../browser/events/site.ts";
import { inScratch, runCli } from "../cli/support.ts";
import { startMailService } from "../e2e/mail_service.ts";
import { startApp } from "../e2e/running_app.ts";
import { freePort } from "../free_port.ts";
import { noProgram } from "../npm_program.ts";

const lighthouse = "lighthouse@12.8.2";

const pages = `
  / /products /products?q=nothing+such /products?view=dense /products/new /products/1
  /products/1/edit /products/1/delete /products/import /login /signup /reset /products/mugs
`.trim().split(/\s+/);

/** Serves an application that the command line made, filled with rows, in production. */
async function withGenerated(run: (url: string) => Promise<void>): Promise<void> {
  await inScratch(async (folder) => {
    const runs = [
      ["new", "app", "--kit"],
      ["generate", "auth", "--passwords", "--passkeys"],
      [
        ...["generate", "resource", "products", "name:text,required,max=80"],
        ...["status:enum,required,oneof=draft/active", "price:money=EUR", "released:day"],
        ...["photo:image,optional", "note:long,optional", "--csv", "--seed", "50", "--public"],
      ],
    ];
    const cwd = join(folder, "app");
    for (const [at, args] of runs.entries()) {
      const { code, stderr } = await runCli(args, { cwd: at === 0 ? folder : cwd });
      assertEquals(code, 0, stderr);
    }
    await runProgram(Deno.execPath(), ["run", "-A", "seeds/products.ts"], { cwd });
    const { tasks } = JSON.parse(await Deno.readTextFile(join(cwd, "deno.json")));
    const port = String(freePort());
    const url = `http://localhost:${port}`;
    await using mail = startMailService();
    const env = { ...mail.env, PORT: port, FW_ORIGIN: url, FW_SECRET: "s".repeat(32) };
    await using app = startApp(tasks.start.command, { cwd, env });
    await app.url();
    await run(url);
  });
}

async function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Record<string, string> } = {},
): Promise<string> {
  const { stdout, stderr } = await new Deno.Command(program, { args: [...args], ...options })
    .output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

const isMissing = (program: string): string | undefined => {
  try {
    new Deno.Command(program, { args: ["--version"], stdout: "null", stderr: "null" }).outputSync();
    return undefined;
  } catch {
    return `${program} is not installed`;
  }
};

const sites = [
  ["a generated app", withGenerated, pages],
  ["the demo", withSite, ["/", "/events", "/events?q=zeppelin", "/about", "/nowhere"]],
  ["the gallery", withGallery, galleryPaths],
] as const;

const validator = new HtmlValidate({
  extends: ["html-validate:recommended", "html-validate:a11y"],
  rules: {
    // The framework writes it in small letters.
    "doctype-style": ["error", { style: "lowercase" }],
    // The boxes of rows are one field with several values.
    "form-dup-name": ["error", { shared: ["radio", "checkbox", "submit", "button"] }],
    "no-inline-style": "off",
    // The fields of a struct in a struct have a dot.
    "valid-id": ["error", { relaxed: true }],
    "prefer-native-element": ["error", { exclude: ["region", "radiogroup", "img", "group"] }],
  },
});

for (const [name, serve, paths] of sites) {
  testUnless(isMissing("java"), {
    name: `html-validate and vnu find no fault in ${name}`,
    fn: () =>
      inScratch((folder) =>
        serve(async (url) => {
          const faults: string[] = [];
          for (const [at, path] of paths.entries()) {
            const html = await (await fetch(url + path)).text();
            await Deno.writeTextFile(join(folder, `${at}.html`), html);
            const { results } = await validator.validateString(html);
            for (
              const { ruleId, message, selector } of results.flatMap(({ messages }) => messages)
            ) {
              faults.push(`${path}: ${ruleId}: ${message} (${selector})`);
            }
          }
          const args = ["-jar", String(vnuJar), "--errors-only", "--format", "gnu", folder];
          const said = (await runProgram("java", args)).split("\n");
          // It does not know this property yet.
          faults.push(...said.filter((line) => line !== "" && !/view-transition-name/.test(line)));
          assertEquals(faults, []);
        })
      ),
  });
}

/** The five pages, of which each must reach these scores in one of three tries: a machine may be busy. */
const floors = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 };
const tries = 3;

async function scoresOf(url: string): Promise<Record<string, number>> {
  const out = await Deno.makeTempFile();
  const args = [
    ...["run", "-A", "--no-lock", "--no-config", `npm:${lighthouse}`, url, "--quiet"],
    ...["--chrome-flags=--headless=new --no-sandbox", "--output=json", `--output-path=${out}`],
    `--only-categories=${Object.keys(floors).join()}`,
  ];
  const said = await runProgram(Deno.execPath(), args, { env: { CHROME_PATH: chromium } });
  const text = await Deno.readTextFile(out);
  await Deno.remove(out);
  assert(text !== "", said);
  const categories: Record<string, { score: number }> = JSON.parse(text).categories;
  return Object.fromEntries(
    Object.entries(categories).map(([name, { score }]) => [name, Math.round(score * 100)]),
  );
}

const chromium = ["/usr/bin/chromium", "/usr/bin/google-chrome"]
  .find((path) => isMissing(path) === undefined) ?? "";
const reason = chromium === "" ? "chromium is not installed" : await noProgram(lighthouse);

for (
  const [name, serve, paths] of [
    ["a generated app", withGenerated, ["/", "/products", "/products/new", "/products/1"]],
    ["the demo", withSite, ["/"]],
  ] as const
) {
  testUnless(reason, {
    name: `lighthouse gives ${name} 95 for speed and 100 for the rest`,
    fn: () =>
      serve(async (url) => {
        for (const path of paths) {
          const best: Record<string, number> = {};
          for (let at = 0; at < tries && !isReached(best); at++) {
            for (const [category, score] of Object.entries(await scoresOf(url + path))) {
              best[category] = Math.max(best[category] ?? 0, score);
            }
          }
          assert(isReached(best), `${path}: ${JSON.stringify(best)}`);
        }
      }),
  });
}

function isReached(scores: Readonly<Record<string, number>>): boolean {
  return Object.entries(floors).every(([category, floor]) => (scores[category] ?? 0) >= floor);
}
