/**
 * The same small pages for fw, Turbo and htmx, each written as its documentation recommends.
 *
 * @module
 */
import { App, createLogger, type Ctx, type Result } from "../../mod.ts";
import * as h from "../../html/mod.ts";
import * as ui from "../../ui/mod.ts";
import download from "npm:htmx.org@4.0.1/dist/ext/hx-download.min.js" with { type: "text" };
import head from "npm:htmx.org@4.0.1/dist/ext/hx-head.min.js" with { type: "text" };
import cache from "npm:htmx.org@4.0.1/dist/ext/hx-history-cache.min.js" with { type: "text" };
import htmx from "npm:htmx.org@4.0.1/dist/htmx.min.js" with { type: "text" };
import turbo from "npm:@hotwired/turbo@8.0.23/dist/turbo.es2017-esm.js" with { type: "text" };

/** The compared libraries. */
export const kits = ["fw", "turbo", "htmx"] as const;
/** A compared library. */
export type Kit = typeof kits[number];

/** The scripts of the other libraries. */
export const scripts: Readonly<Record<string, string>> = {
  "turbo.js": turbo,
  "htmx.js": [htmx, head, cache, download].join("\n"),
};

const heads: Readonly<Record<Kit, (c: Ctx) => string>> = {
  fw: (c) => h.render(ui.head(c)),
  turbo: () =>
    '<script type="module" src="/lib/turbo.js"></script>' +
    '<meta name="turbo-refresh-method" content="morph">' +
    '<meta name="turbo-refresh-scroll" content="preserve">',
  htmx: () => '<script defer src="/lib/htmx.js"></script>',
};

const bodies: Readonly<Record<Kit, string>> = {
  fw: 'class="ui-body" data-ui-navigate="main"',
  turbo: "",
  htmx: 'hx-boost:inherited="true"',
};

/** Writes a region that links and forms replace. */
function region(kit: Kit, id: string, content: string): string {
  const tag = kit === "turbo" ? "turbo-frame" : "div";
  return `<${tag} id="${id}">${content}</${tag}>`;
}

/** The attributes of a link that loads a page's region and adds a history entry. */
const link: Readonly<Record<Kit, (id: string, url: string) => string>> = {
  fw: (id, url) => `href="${url}" data-ui-swap="${id}"`,
  turbo: (id, url) => `href="${url}" data-turbo-frame="${id}" data-turbo-action="advance"`,
  htmx: (id, url) =>
    `href="${url}" hx-get="${url}" hx-target="#${id}" hx-select="#${id}" hx-swap="outerMorph" ` +
    'hx-push-url="true" hx-sync="#main:replace"',
};

/** The attributes of a form whose response replaces a region. */
const form: Readonly<Record<Kit, (id: string, url: string) => string>> = {
  fw: (id, url) => `method="post" action="${url}" data-ui-swap="${id}"`,
  turbo: (id, url) => `method="post" action="${url}" data-turbo-frame="${id}"`,
  htmx: (id, url) =>
    `method="post" action="${url}" hx-post="${url}" hx-target="#${id}" hx-select="#${id}" ` +
    'hx-swap="outerMorph" hx-disable="find button"',
};

/** The attributes of a form without a target. */
const plain: Readonly<Record<Kit, string>> = {
  fw: "",
  turbo: "",
  htmx: 'hx-swap="outerMorph show:none"',
};

/** The server's state while a row runs. */
export interface State {
  /** The requests, such as `POST /save`. */
  readonly asked: string[];
  /** The delay of each page by name, in milliseconds. */
  readonly waits: Map<string, number>;
  count: number;
  rows: number[];
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The content of `main`, by the name of the page. */
const mains: Readonly<Record<string, (kit: Kit, c: Ctx, state: State) => string>> = {
  a: (kit) => {
    const url = (path: string): string => `/${kit}/${path}`;
    return `<h1>A</h1>${region(kit, "list", "<p>A rows</p>")}` +
      `<a id="slow" ${link[kit]("list", url("slow"))}>slow</a>` +
      `<a id="quick" ${link[kit]("list", url("quick"))}>quick</a>` +
      `<form ${
        form[kit]("list", url("fail"))
      }><input name="text"><button id="fail">x</button></form>`;
  },
  b: (kit) => `<h1>B</h1>${region(kit, "list", "<p>B rows</p>")}`,
  slow: (kit) => `<h1>S</h1>${region(kit, "list", "<p>slow rows</p>")}`,
  quick: (kit) => `<h1>Q</h1>${region(kit, "list", "<p>quick rows</p>")}`,
  page: (kit, c) => {
    const at = c.query("p") ?? "1";
    const links = `<a id="next" ${link[kit]("list", `/${kit}/page?p=2`)}>2</a>`;
    return `<h1>P</h1>${region(kit, "list", `<p id="at">${at}</p>${links}`)}` +
      '<a id="hash" href="#place">place</a><p id="place">place</p>';
  },
  rows: (kit, _c, state) => {
    const rows = state.rows.map((row) =>
      `<li id="row-${row}"><form ${form[kit]("list", `/${kit}/rows`)}>` +
      `<input type="hidden" name="row" value="${row}"><button>Delete ${row}</button></form></li>`
    );
    return `<h1>R</h1>${region(kit, "list", `<ul>${rows.join("")}</ul>`)}`;
  },
  two: (kit, _c, { count }) =>
    `<h1>T</h1><b id="count">${count}</b><table><tbody>` +
    `<tr id="row-1"><td>1</td></tr><tr id="row-2"><td>${count}</td></tr></tbody></table>` +
    `<form ${form[kit]("count", `/${kit}/two`)}><button id="send">Send</button></form>`,
  state: (kit, _c, { count }) =>
    `<h1>S</h1>${
      region(
        kit,
        "list",
        `<p id="n">${count}</p><input id="text"><input id="tick" type="checkbox">` +
          `<details id="more"><summary>more</summary>more</details>` +
          `<dialog id="box"><a id="inside" ${
            link[kit]("list", `/${kit}/state?b`)
          }>again</a></dialog>` +
          `<a id="again" ${link[kit]("list", `/${kit}/state?a`)}>again</a>`,
      )
    }`,
  save: (kit, _c, { count }) =>
    `<h1>F</h1>${region(kit, "list", `<p id="n">${count}</p>`)}` +
    `<form ${form[kit]("list", `/${kit}/save`)}><button id="send">Send</button></form>`,
  dialog: (kit, c, { count }) =>
    `<h1>D</h1><button id="open" commandfor="box" command="show-modal">open</button>` +
    `<dialog id="box">${
      region(
        kit,
        "list",
        `<p id="said">${c.method === "POST" && count === 0 ? "wrong" : count}</p>` +
          `<form ${form[kit]("list", `/${kit}/dialog`)}><input name="text">` +
          `<button id="send">Send</button></form>`,
      )
    }</dialog>`,
  file: (kit) =>
    `<h1>F</h1>${region(kit, "list", "<p>kept</p>")}` +
    `<form ${form[kit]("list", `/${kit}/file`)}><button id="send">Send</button></form>`,
  plain: (kit, _c, { count }) =>
    `<h1>P</h1><p id="n">${count}</p><p class="tall"></p>` +
    `<form method="post" action="/${kit}/plain" ${
      plain[kit]
    }><button id="send">Send</button></form>` +
    '<p class="tall"></p>',
};

/** Writes a page; page B differs in all its head and body content. */
function document(
  c: Ctx,
  { kit, name, main }: { readonly kit: Kit; readonly name: string; readonly main: string },
): string {
  const isB = name === "b";
  const nav = ["a", "b"].map((each) => `<a id="to-${each}" href="/${kit}/${each}">${each}</a>`);
  return `<!doctype html><html lang="en"${
    isB ? ' data-page="b"' : ""
  }><head><meta charset="utf-8">` +
    `<title>${name}</title>${heads[kit](c)}${isB ? '<link rel="canonical" href="/b">' : ""}` +
    '<link rel="stylesheet" href="/lib/page.css"></head>' +
    `<body ${bodies[kit]}${isB ? ' data-look="b"' : ""}><header><nav>${
      nav.join(" ")
    }</nav></header>` +
    `<main id="main">${main}</main></body></html>`;
}

/** The handlers of the pages' forms. */
const posts: Readonly<
  Record<string, (kit: Kit, c: Ctx, state: State) => Result | Promise<Result>>
> = {
  rows: async (kit, c, state) => {
    const row = Number((await c.formData()).get("row"));
    state.rows = state.rows.filter((each) => each !== row);
    return seeOther(kit, c, "rows", state);
  },
  two: (kit, c, state) => {
    const count = ++state.count;
    const [b, tr] = [`<b id="count">${count}</b>`, `<tr id="row-2"><td>${count}</td></tr>`];
    if (kit === "fw") return c.renderAll(200, h.raw(b), h.raw(tr));
    if (kit === "htmx") {
      const part = (id: string, html: string): string =>
        `<hx-partial hx-target="#${id}" hx-swap="outerHTML">${html}</hx-partial>`;
      return c.html(200, h.raw(part("count", b) + part("row-2", tr)));
    }
    const part = (id: string, html: string): string =>
      `<turbo-stream action="replace" target="${id}"><template>${html}</template></turbo-stream>`;
    return new Response(part("count", b) + part("row-2", tr), {
      headers: { "content-type": "text/vnd.turbo-stream.html" },
    });
  },
  save: async (kit, c, state) => {
    await wait(400);
    state.count++;
    return seeOther(kit, c, "save", state);
  },
  dialog: async (kit, c, state) => {
    const isRight = (await c.formData()).get("text") !== "";
    if (isRight) state.count++;
    const main = mains["dialog"]?.(kit, c, state) ?? "";
    const html = document(c, { kit, name: "dialog", main });
    return isRight ? seeOther(kit, c, "dialog", state) : c.html(422, h.raw(html));
  },
  file: () =>
    new Response("a,b\n", {
      headers: {
        "content-type": "text/csv",
        "content-disposition": 'attachment; filename="list.csv"',
      },
    }),
  plain: (_kit, c, state) => {
    state.count++;
    return c.redirect("plain");
  },
  fail: (_kit, c) =>
    c.html(500, h.raw("<!doctype html><title>500</title><h1>It failed</h1><p>Number 7</p>")),
};

/** Returns the response to a form in a region: a redirect for Turbo, the page for fw and htmx. */
function seeOther(kit: Kit, c: Ctx, name: string, state: State): Response {
  if (kit === "turbo") return c.redirect(name);
  const main = mains[name]?.(kit, c, state) ?? "";
  return c.html(200, h.raw(document(c, { kit, name, main })));
}

/** Creates the application with the pages of all three. */
export function newPages(): { readonly app: App; readonly state: State } {
  const state: State = { asked: [], waits: new Map(), count: 0, rows: [1, 2, 3] };
  const app = new App({
    logger: createLogger({ write: () => {} }),
    secret: "k".repeat(32),
    public: new URL("../../ui/files/", import.meta.url),
  });
  app.route({
    pattern: "/lib/{name}",
    methods: {
      GET: (c) => {
        const name = c.param("name");
        if (name === "page.css") {
          return c.respond(
            new Response(".tall { height: 1500px }", { headers: { "content-type": "text/css" } }),
          );
        }
        const text = scripts[name];
        return text === undefined
          ? c.noContent()
          : new Response(text, { headers: { "content-type": "text/javascript" } });
      },
    },
  });
  app.route({ pattern: "/favicon.ico", methods: { GET: (c) => c.noContent() } });
  for (const kit of kits) {
    app.route({
      pattern: `/${kit}/{name}`,
      methods: {
        GET: async (c) => {
          const name = c.param("name");
          state.asked.push(`GET /${name}`);
          await wait(state.waits.get(name) ?? 0);
          const main = mains[name];
          if (main === undefined) return c.noContent();
          return c.html(200, h.raw(document(c, { kit, name, main: main(kit, c, state) })));
        },
        POST: async (c) => {
          const name = c.param("name");
          state.asked.push(`POST /${name}`);
          await wait(state.waits.get(name) ?? 0);
          return await posts[name]?.(kit, c, state) ?? c.noContent();
        },
      },
    });
  }
  return { app, state };
}
