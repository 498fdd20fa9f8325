// deno-lint-ignore-file no-import-prefix -- benches pin their peers
/** The template engines, each with the pages of `bench/html`. A peer that cannot be loaded is skipped. */

import ejs from "npm:ejs@7.0.2";
import { Eta } from "npm:eta@4.6.0";
import Handlebars from "npm:handlebars@4.7.10";
import { Liquid } from "npm:liquidjs@10.30.1";
import * as h from "../../html/mod.ts";
import { must, node } from "../../tmpl/mod.ts";
import type { Contender, PageName } from "../html/contender.ts";
import { account, catalogue } from "../html/data.ts";
import * as dsl from "../html/pages_dsl.ts";
import * as tag from "../html/pages_tag.ts";

function readPage(engine: string, page: PageName): Promise<string> {
  return Deno.readTextFile(new URL(`./pages/${page}.${engine}.tmpl`, import.meta.url));
}

/** Compiles a template to a function that renders it. */
type Compile = (template: string, page: PageName) => (data: unknown) => string;

async function engine(name: string, file: string, compile: Compile): Promise<Contender> {
  const large = compile(await readPage(file, "large"), "large");
  const small = compile(await readPage(file, "small"), "small");
  return {
    name,
    kind: name.startsWith("fw") ? "own" : "template",
    large: () => large(catalogue),
    small: () => small(account),
  };
}

const own: Compile = (template, page) => {
  const views = must({ [`${page}.html`]: template });
  return (data) => h.render(node(views, `${page}.html`, data));
};

const eta = new Eta();
const liquid = new Liquid({ outputEscape: "escape" });

/** The loaded engines. */
export interface LoadedEngines {
  /** The engines that can be measured. */
  readonly contenders: readonly Contender[];
  /** The reasons for skipped engines. */
  readonly skipped: readonly string[];
}

/** Returns the package's own engines, which every process measures. */
async function ownEngines(): Promise<Contender[]> {
  return [
    {
      name: "fw functions",
      kind: "own",
      large: () => h.render(dsl.large(catalogue)),
      small: () => h.render(dsl.small(account)),
    },
    {
      name: "fw h.html",
      kind: "own",
      large: () => h.render(tag.large(catalogue)),
      small: () => h.render(tag.small(account)),
    },
    await engine("fw templates", "gohtml", own),
  ];
}

/** Loads the contenders except nunjucks. */
export async function loadEngines(): Promise<LoadedEngines> {
  const contenders: Contender[] = [
    ...await ownEngines(),
    await engine("eta", "ejs", (template) => {
      const compiled = eta.compile(template);
      return (data) => eta.render(compiled, data as object);
    }),
    await engine("EJS", "ejs", (template) => {
      const compiled = ejs.compile(template, { _with: false, localsName: "it" });
      return (data) => compiled(data as object);
    }),
    await engine("handlebars", "handlebars", (template) => Handlebars.compile(template)),
    await engine("liquidjs", "liquid", (template) => {
      const compiled = liquid.parse(template);
      return (data) => liquid.renderSync(compiled, data as object);
    }),
  ];
  return { contenders, skipped: [] };
}

/**
 * Loads nunjucks and the package's own engines. Its `SafeString` inherits from `String.prototype`,
 * after which V8 inlines no string methods in the whole process (`charCodeAt` takes five times as
 * long), so it is measured in a separate process.
 */
export async function loadNunjucks(): Promise<LoadedEngines> {
  const { default: nunjucks } = await import("npm:nunjucks@3.2.4");
  const environment = new nunjucks.Environment(null, { autoescape: true });
  const contender = await engine("nunjucks", "nunjucks", (template) => {
    const compiled = nunjucks.compile(template, environment);
    return (data) => compiled.render(data as object);
  });
  return { contenders: [...await ownEngines(), contender], skipped: [] };
}
