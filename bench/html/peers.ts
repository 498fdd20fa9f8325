// deno-lint-ignore-file no-import-prefix -- benches pin their peers
/** The contenders. A peer that cannot be loaded is skipped with the reason. */

import * as h from "@fw/fw/h";
import { importCode, jsxPages, solidPages } from "./compile.ts";
import { type Contender, contender, type PageName, type Pages } from "./contender.ts";
import { account, catalogue } from "./data.ts";
import * as dsl from "./pages_dsl.ts";
import * as precompiled from "./pages_jsx.tsx";
import * as tag from "./pages_tag.ts";

/** The exact versions. The specifiers below repeat them, because they must be literals. */
export const versions: Readonly<Record<string, string>> = {
  "preact": "11.2.0",
  "preact-render-to-string": "6.8.2",
  "hono": "4.13.19",
  "@kitajs/html": "4.2.13",
  "react-dom": "19.3.1",
  "vue": "3.5.45",
  "svelte": "5.57.3",
  "ghtml": "4.0.2",
  "eta": "4.6.0",
  "solid-js": "1.9.19",
};

const renderOwn = (page: unknown): string => h.render(page as h.Child);

const loaders: Readonly<Record<string, () => Promise<Contender>>> = {
  "fw h.html": () =>
    Promise.resolve(
      contender({ name: "fw h.html", kind: "own" }, { pages: tag, render: renderOwn }),
    ),
  "fw JSX precompiled": () =>
    Promise.resolve(
      contender({ name: "fw JSX precompiled", kind: "own" }, {
        pages: precompiled,
        render: renderOwn,
      }),
    ),
  "fw functions": () =>
    Promise.resolve(
      contender({ name: "fw functions", kind: "own" }, { pages: dsl, render: renderOwn }),
    ),
  "fw JSX automatic": async () => {
    const runtime = new URL("../../html/jsx_runtime.ts", import.meta.url).href;
    const pages = await jsxPages("own", { runtime });
    return contender({ name: "fw JSX automatic", kind: "own" }, { pages, render: renderOwn });
  },
  "ghtml": async () => {
    const pages = await import("./pages_ghtml.ts");
    return contender({ name: "ghtml", kind: "template" }, { pages, render: String });
  },
  "eta": eta,
  "hono/html": async () => {
    const pages = await import("./pages_hono_html.ts");
    return contender({ name: "hono/html", kind: "template" }, { pages, render: honoString });
  },
  "solid-js SSR": async () => {
    const web = "npm:solid-js@1.9.19/web";
    const { renderToString } = await import(web);
    const pages = await solidPages(web);
    return contender({ name: "solid-js SSR", kind: "jsx" }, {
      pages: deferred(pages),
      render: (page) => renderToString(page),
    });
  },
  "@kitajs/html": async () => {
    const pages = await jsxPages("kita", {
      runtime: "npm:@kitajs/html@4.2.13/jsx-runtime",
      edit: (source) =>
        'import { escapeHtml } from "npm:@kitajs/html@4.2.13";\n' +
        source.replace(/(?<!=)\{((?:data|link|product)\.\w+|event)\}/g, "{escapeHtml($1)}"),
    });
    return contender({ name: "@kitajs/html", kind: "jsx" }, { pages, render: String });
  },
  "preact-render-to-string": async () => {
    const { renderToString } = await import("npm:preact-render-to-string@6.8.2");
    const pages = await jsxPages("preact", { runtime: "npm:preact@11.2.0/jsx-runtime" });
    const render = renderToString as (page: unknown) => string;
    return contender({ name: "preact-render-to-string", kind: "jsx" }, { pages, render });
  },
  "hono/jsx": async () => {
    const pages = await jsxPages("hono", { runtime: "npm:hono@4.13.19/jsx/jsx-runtime" });
    return contender({ name: "hono/jsx", kind: "jsx" }, { pages, render: honoString });
  },
  "react-dom/server": async () => {
    const server = await import("npm:react-dom@19.3.1/server");
    const pages = await jsxPages("react", {
      runtime: "npm:react@19.3.1/jsx-runtime",
      edit: (source) =>
        source.replaceAll(" class=", " className=").replaceAll(" for=", " htmlFor=")
          .replaceAll(" charset=", " charSet="),
    });
    const render = server.default.renderToStaticMarkup as (page: unknown) => string;
    return contender({ name: "react-dom/server", kind: "jsx" }, { pages, render });
  },
  "vue": async () => {
    const { createSSRApp } = await import("npm:vue@3.5.45");
    const { renderToString } = await import("npm:@vue/server-renderer@3.5.45");
    const pages = await jsxPages("vue", { runtime: "npm:vue@3.5.45/jsx-runtime" });
    return contender({ name: "vue", kind: "jsx" }, {
      pages: deferred(pages),
      render: (page) => renderToString(createSSRApp({ render: page as () => never })),
    });
  },
  "vue, compiled templates": vue,
  "svelte": svelte,
};

// Solid and Vue must create nodes inside their renderers.
function deferred(pages: Pages): Pages {
  return { large: (data) => () => pages.large(data), small: (data) => () => pages.small(data) };
}

function honoString(page: unknown): string | Promise<string> {
  return page instanceof Promise ? page.then(String) : String(page);
}

function template(name: string, page: PageName): Promise<string> {
  return Deno.readTextFile(new URL(`./pages/${page}.${name}.tmpl`, import.meta.url));
}

async function eta(): Promise<Contender> {
  const { Eta } = await import("npm:eta@4.6.0");
  const engine = new Eta();
  const large = engine.compile(await template("eta", "large"));
  const small = engine.compile(await template("eta", "small"));
  return {
    name: "eta",
    kind: "template",
    large: () => engine.render(large, catalogue),
    small: () => engine.render(small, account),
  };
}

async function vue(): Promise<Contender> {
  const { createSSRApp } = await import("npm:vue@3.5.45");
  const { renderToString } = await import("npm:@vue/server-renderer@3.5.45");
  const { compile } = await import("npm:@vue/compiler-ssr@3.5.45");
  const component = async (page: PageName): Promise<Record<string, unknown>> => {
    const { code } = compile(await template("vue", page), { mode: "module" });
    const linked = code.replace(/"vue"/g, '"npm:vue@3.5.45"')
      .replace(/"vue\/server-renderer"/g, '"npm:@vue/server-renderer@3.5.45"');
    const { ssrRender } = await importCode(`vue_${page}`, linked);
    return { props: ["data"], ssrRender };
  };
  const large = await component("large");
  const small = await component("small");
  return {
    name: "vue, compiled templates",
    kind: "other",
    large: () => renderToString(createSSRApp(large, { data: catalogue })),
    small: () => renderToString(createSSRApp(small, { data: account })),
  };
}

async function svelte(): Promise<Contender> {
  const { compile } = await import("npm:svelte@5.57.3/compiler");
  const { render } = await import("npm:svelte@5.57.3/server");
  const component = async (page: PageName): Promise<unknown> => {
    const { js } = compile(await template("svelte", page), { generate: "server", dev: false });
    const linked = js.code.replace(/(["'])svelte\//g, "$1npm:svelte@5.57.3/");
    return (await importCode(`svelte_${page}`, linked)).default;
  };
  const large = await component("large");
  const small = await component("small");
  const body = (made: unknown, data: unknown): string =>
    render(made as Parameters<typeof render>[0], { props: { data } as never }).body;
  return {
    name: "svelte",
    kind: "other",
    large: () => body(large, catalogue),
    small: () => body(small, account),
  };
}

/** Loads the contenders, and returns the reasons for the skipped ones. */
export async function loadContenders(): Promise<
  { readonly contenders: readonly Contender[]; readonly skipped: readonly string[] }
> {
  const contenders: Contender[] = [];
  const skipped: string[] = [];
  for (const [name, load] of Object.entries(loaders)) {
    try {
      contenders.push(await load());
    } catch (error) {
      const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
      skipped.push(`${name}: skipped: ${reason}`);
    }
  }
  return { contenders, skipped };
}
