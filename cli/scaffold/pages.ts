import { wordedLanguages } from "./languages.ts";
import { type Item, type List, type NewFile, type Rendering, renderSample } from "./sample.ts";
import type { TestSignIn } from "./test_sign_in.ts";
import type { Route } from "../project/routes/table.ts";
import { parseUrlPath, sampleUrl, titleOf, typeNameOf, type UrlPath } from "./url_path.ts";

export interface PageOptions {
  readonly subject: "page" | "route";
  /** The methods in the order of `Allow`; a page's `GET` is its `Page`. */
  readonly methods: readonly string[];
  readonly bind: boolean;
  readonly form: boolean;
  readonly tsx: boolean;
  readonly tmpl: boolean;
  readonly kit: boolean;
  readonly languages: readonly string[];
}

/** Returns the file of the handlers, then the template that it shows. */
export function pageFiles(path: UrlPath, options: PageOptions): readonly [NewFile, ...NewFile[]] {
  const { subject, form, tsx, tmpl, kit } = options;
  const end = tsx ? "tsx" : "ts";
  const name = `${subject}.${end}`;
  const render = (sample: string, file: string): NewFile =>
    renderSample(sample, `${path.folder}/${file}`, renderingOf(path, { ...options, sample }));
  if (subject === "route") return [render("kit/app/api/items/slug_/route.ts", name)];
  if (tmpl) {
    const folder = "plain/app/terms/slug_";
    const view = render(`${folder}/view.gohtml`, "view.gohtml");
    const text = kit ? view.text.replace(' class="hero"', "") : view.text;
    return [render(`${folder}/page.ts`, name), { ...view, text }];
  }
  const url = form ? (tsx ? "orders" : "contact") : tsx ? "guides" : "about";
  return [render(`${kit ? "kit" : "plain"}/app/${url}/slug_/page.${end}`, name)];
}

function renderingOf(
  path: UrlPath,
  { sample, subject, methods, bind, languages }:
    & Pick<PageOptions, "subject" | "methods" | "bind" | "languages">
    & { readonly sample: string },
): Rendering {
  const params = path.segments.flatMap((segment) =>
    segment.kind === "literal" ? [] : [segment.name]
  );
  const handlers = methods.filter((method) => subject === "route" || method !== "GET");
  return {
    names: namesOf(sample, path),
    parts: new Set([
      ...params.length > 0 ? ["param"] : [],
      ...bind && handlers.some(takesBody) ? ["schema"] : [],
    ]),
    lists: {
      param: listOf("slug", params),
      handler: {
        models: ["GET", "DELETE", "POST"],
        items: handlers.map((method) => handlerItem(method, { subject, bind })),
      },
    },
    languages: wordedLanguages(languages),
  };
}

function namesOf(sample: string, path: UrlPath): Readonly<Record<string, string>> {
  const folder = sample.replace(/^\w+\/app/, "").replace(/\/[^/]*$/, "");
  const { pattern, segments } = parseUrlPath(folder.replaceAll(/(\w+)_(?=\/|$)/g, "{$1}"));
  const hasParams = path.segments.some(({ kind }) => kind !== "literal");
  return {
    [`Ctx<"${pattern}">`]: hasParams ? `Ctx<${JSON.stringify(path.pattern)}>` : "Ctx",
    [pattern]: path.pattern,
    // A pattern never ends the comment that it stands in.
    [`${pattern} */`]: `${path.pattern.replaceAll("*/", "*\\/")} */`,
    [sampleUrl(segments)]: sampleUrl(path.segments),
    [JSON.stringify(titleOf(segments))]: JSON.stringify(titleOf(path.segments)),
    [typeNameOf(segments)]: typeNameOf(path.segments),
  };
}

function listOf(model: string, names: readonly string[]): List {
  return {
    models: [model],
    items: names.map((name) => ({ models: [model], replace: () => [[model, name]] })),
  };
}

function handlerItem(
  method: string,
  { subject, bind }: Pick<PageOptions, "subject" | "bind">,
): Item {
  const isEmpty = method === "DELETE" || method === "OPTIONS";
  const model = bind && takesBody(method)
    ? "POST"
    : subject === "page" || isEmpty
    ? "DELETE"
    : "GET";
  const status = method === "POST" ? "201" : "200";
  return {
    models: [model],
    replace: () => [[model, method], ["200", status], ["201", status]],
  };
}

function takesBody(method: string): boolean {
  return method === "POST" || method === "PUT" || method === "PATCH";
}

export interface TestOptions {
  readonly route: Pick<Route, "methods" | "file">;
  /** The text of the route's file: a handler with a schema refuses an empty body. */
  readonly text: string;
  /** A body that the schema accepts, if it is known. */
  readonly sample?: Readonly<Record<string, string>>;
  /** The handler may look its parameters up and accept only some. */
  readonly looksUp: boolean;
  /** The way of the test past the guards of the route. */
  readonly signIn: TestSignIn;
}

/** Returns the test of a page or a route, with a case for each method and each action. */
export function testFile(file: string, path: UrlPath, options: TestOptions): NewFile {
  const { route, looksUp, signIn: { account, guards } } = options;
  const sample = "kit/app/api/items/slug_/route_test.ts";
  const isPage = route.file.base === "page";
  const module = account?.module ?? "";
  const role = account?.role === undefined ? "" : `, { role: ${JSON.stringify(account.role)} }`;
  return renderSample(sample, file, {
    names: {
      [sampleUrl(path.segments)]: sampleUrl(path.segments),
      "/api/items/example": sampleUrl(path.segments),
      "../../../../lib/account_testing.ts": module,
      ', { role: "editor" }': role,
      "{guards}": guards.join(", "),
    },
    parts: new Set([
      ...account === undefined ? [] : ["account"],
      ...account === undefined && guards.length > 0 ? ["guard"] : [],
      ...looksUp ? ["lookup"] : [],
    ]),
    lists: {
      case: {
        models: ["withForm", "withJson", "wantStatus"],
        items: casesOf(options).map((each) => caseItem(path, { ...each, isPage })),
      },
    },
  });
}

interface Case {
  readonly method: string;
  /** The action of a page, which the query names. */
  readonly action?: string;
  readonly status: number;
  readonly body: Readonly<Record<string, string>> | undefined;
}

function casesOf({ route, text, sample }: TestOptions): readonly Case[] {
  const isPage = route.file.base === "page";
  const { actions, names } = route.file;
  // Without a `POST` of its own, a page answers those of its actions alone.
  const hasActionsAlone = isPage && actions.length > 0 && !names.has("POST");
  const ofMethods = route.methods
    .filter((method) => !(hasActionsAlone && method === "POST"))
    .flatMap((method): Case[] => {
      const status = statusOf(method, isPage);
      if (!bindsIn(text, method)) return [{ method, status, body: undefined }];
      const refused = { method, status: 422, body: {} };
      return sample === undefined ? [refused] : [refused, { method, status, body: sample }];
    });
  if (!hasActionsAlone) return ofMethods;
  return [
    ...ofMethods,
    ...actions.map((action): Case => {
      const hasSchema = /\bc\.(bind|tryBind)\(/.test(actionText(text, { action, actions }));
      const [status, body] = hasSchema ? [422, {}] : [303, undefined];
      return { method: "POST", action, status, body };
    }),
  ];
}

function caseItem(
  path: UrlPath,
  { method, action, status, body, isPage }: Case & { readonly isPage: boolean },
): Item {
  const query = action === undefined ? "" : `?/${action}`;
  const name = status === 422 ? "refuses an empty body" : `answers ${status}`;
  const title = `${method} ${path.pattern}${query} ${name}`;
  const model = body === undefined ? "wantStatus" : isPage ? "withForm" : "withJson";
  return {
    models: [model],
    replace: () => [
      ['"GET /api/items/{slug} answers 200"', JSON.stringify(title)],
      ['"POST /api/items/{slug} refuses an empty form"', JSON.stringify(title)],
      ['"POST /api/items/{slug} refuses empty JSON"', JSON.stringify(title)],
      ['"/api/items/example"', JSON.stringify(sampleUrl(path.segments) + query)],
      ["GET", method],
      ["POST", method],
      ["200", String(status)],
      ["422", String(status)],
      ["({})", `(${JSON.stringify(body)})`],
    ],
  };
}

function statusOf(method: string, isPage: boolean): number {
  if (method === "GET") return 200;
  if (isPage) return 303;
  return method === "POST" ? 201 : method === "DELETE" || method === "OPTIONS" ? 204 : 200;
}

function bindsIn(text: string, method: string): boolean {
  const start = text.search(new RegExp(`export (async )?(function|const) ${method}\\b`));
  if (start === -1) return false;
  const end = text.indexOf("\nexport ", start);
  return /\bc\.(bind|tryBind|bindJson)\(/.test(text.slice(start, end === -1 ? undefined : end));
}

function actionText(
  text: string,
  { action, actions }: { readonly action: string; readonly actions: readonly string[] },
): string {
  const start = text.search(/export const Actions\b/);
  if (start === -1) return "";
  const source = text.slice(start);
  const placeOf = (name: string): number =>
    source.search(new RegExp(`^\\s+(?:async\\s+)?["']?${name}["']?\\s*[(:,]`, "m"));
  const at = placeOf(action);
  if (at === -1) return "";
  const ends = actions.map(placeOf).filter((place) => place > at);
  return source.slice(at, Math.min(source.length, ...ends));
}
