/**
 * The sources that `fw generate` writes; `deno fmt` formats them.
 *
 * @module
 */
import { type Segment, titleOf, typeNameOf, type UrlPath } from "./url_path.ts";

export interface SourceOptions {
  /** The methods in the order of `Allow`; a page's `GET` is its `Page`. */
  readonly methods: readonly string[];
  /** Whether handlers read bodies with a schema. */
  readonly bind: boolean;
}

/** Returns the text of a `route.ts`. */
export function routeSource(path: UrlPath, options: SourceOptions): string {
  const { methods, bind } = options;
  const hasSchema = bind && methods.some(takesBody);
  const input = typeNameOf(path.segments);
  const imports = hasSchema ? "type Ctx, struct, text" : "type Ctx";
  return [
    `import { ${imports} } from "@fw/fw";`,
    // The type of the API can only name a schema that is exported.
    ...hasSchema
      ? [schemaSource(input, "What a body must hold.").replace("\nconst ", "\nexport const ")]
      : [],
    ...methods.map((method) =>
      routeHandler(path, { method, input: hasSchema ? input : undefined })
    ),
  ].join("\n\n") + "\n";
}

function routeHandler(
  path: UrlPath,
  options: { readonly method: string; readonly input: string | undefined },
): string {
  const { method, input } = options;
  const doc = docOf(method, path);
  const fields = path.segments.flatMap((segment) =>
    segment.kind === "literal" ? [] : [`${segment.name}: c.param("${segment.name}")`]
  );
  if (method === "DELETE" || method === "OPTIONS") {
    return `${doc}\nexport function ${method}(c: ${
      ctxOf(path)
    }): Response {\n  return c.noContent();\n}`;
  }
  const status = method === "POST" ? 201 : 200;
  if (input !== undefined && takesBody(method)) {
    const value = fields.length === 0 ? "input" : `{ ${[...fields, "...input"].join(", ")} }`;
    return `${doc}
export async function ${method}(c: ${ctxOf(path)}): Promise<Response> {
  const input = await c.bind(${input});
  return c.json(${status}, ${value});
}`;
  }
  const value = fields.length === 0 ? "{ ok: true }" : `{ ${fields.join(", ")} }`;
  return `${doc}
export function ${method}(c: ${ctxOf(path)}): Response {
  return c.json(${status}, ${value});
}`;
}

export interface PageOptions extends SourceOptions {
  /** Whether to write JSX. */
  readonly tsx: boolean;
  /** Whether to use the component kit. @default false */
  readonly kit?: boolean;
}

/** Returns the text of a page without a form. */
export function pageSource(path: UrlPath, options: PageOptions): string {
  const { methods, bind, tsx, kit = false } = options;
  const posts = methods.filter((method) => method !== "GET");
  const hasSchema = bind && posts.some(takesBody);
  const input = typeNameOf(path.segments);
  const names = ["type Ctx", "type Node", ...hasSchema ? ["struct", "text"] : []];
  return [
    kit
      ? kitImports(names, { tsx, usesHtml: paramsOf(path.segments).length > 0 })
      : importLines(names, tsx),
    ...hasSchema ? [schemaSource(input, "What a submission must hold.")] : [],
    `${docOf("GET", path)}
export function Page(c: ${ctxOf(path)}): Node {
  c.title = ${titleText(path)};
  return ${
      kit ? pageOfKit(path.segments, tsx) : tsx ? pageJsx(path.segments) : pageCalls(path.segments)
    };
}`,
    ...posts.map((method) => pageHandler(path, { method, input: hasSchema ? input : undefined })),
  ].join("\n\n") + "\n";
}

/** The text of a `page.ts` that shows a template beside it. */
export function templatePageSource(path: UrlPath): string {
  const params = paramsOf(path.segments).map((name) => `, ${name}: c.param("${name}")`).join("");
  return `import type { Ctx, Node } from "@fw/fw";
import { must, node } from "@fw/fw/tmpl";
import viewText from "./view.gohtml" with { type: "text" };

const views = must({ "view.gohtml": viewText });

${docOf("GET", path)}
export function Page(c: ${ctxOf(path)}): Node {
  c.title = ${titleText(path)};
  return node(views, "view.gohtml", { title: c.title${params} }, { nonce: c.nonce });
}
`;
}

/** The text of that template. */
export function templateSource(path: UrlPath, { kit }: { readonly kit: boolean }): string {
  const lines = paramsOf(path.segments).map((name) => `  <p>${name}: {{.${name}}}</p>\n`);
  const open = kit ? "<section>" : '<section class="hero">';
  return `${open}\n  <h1>{{.title}}</h1>\n${lines.join("")}</section>\n`;
}

function pageCalls(segments: readonly Segment[]): string {
  const lines = paramsOf(segments).map((name) => `, h.p("${name}: ", c.param("${name}"))`);
  return `h.section(h.class("hero"), h.h1(c.title)${lines.join("")})`;
}

function pageJsx(segments: readonly Segment[]): string {
  const lines = paramsOf(segments).map((name) => `<p>${name}: {c.param("${name}")}</p>\n`);
  return `(\n<section class="hero">\n<h1>{c.title}</h1>\n${lines.join("")}</section>\n)`;
}

/** A page of the kit: its head, and a line for each parameter. */
function pageOfKit(segments: readonly Segment[], isJsx: boolean): string {
  const head = "ui.pageHeader(c.title)";
  const params = paramsOf(segments);
  if (params.length === 0) return head;
  if (!isJsx) {
    const lines = params.map((name) => `, h.p("${name}: ", c.param("${name}"))`);
    return `h.fragment(${head}${lines.join("")})`;
  }
  const lines = params.map((name) => `<p>${name}: {c.param("${name}")}</p>\n`);
  return `(\n<>\n{${head}}\n${lines.join("")}</>\n)`;
}

function kitImports(
  names: readonly string[],
  { tsx, usesHtml }: { readonly tsx: boolean; readonly usesHtml: boolean },
): string {
  return `${importLines(names, tsx || !usesHtml)}\nimport * as ui from "@fw/fw/ui";`;
}

function pageHandler(
  path: UrlPath,
  options: { readonly method: string; readonly input: string | undefined },
): string {
  const { method, input } = options;
  const doc = docOf(method, path);
  const home = `c.redirect(${hrefCall(path)})`;
  if (input === undefined || !takesBody(method)) {
    return `${doc}\nexport function ${method}(c: ${ctxOf(path)}): Response {\n  return ${home};\n}`;
  }
  return `${doc}
export async function ${method}(c: ${ctxOf(path)}): Promise<Response> {
  const input = await c.bind(${input});
  c.log.info("received", { fields: Object.keys(input) });
  return ${home};
}`;
}

/** Returns the text of a page with a form: the schema, the form, and the form with its messages. */
export function formSource(
  path: UrlPath,
  options: Pick<PageOptions, "tsx" | "kit">,
): string {
  const { tsx, kit = false } = options;
  if (kit) return kitFormSource(path, tsx);
  const input = typeNameOf(path.segments);
  const names = ["csrfInput", "type Ctx", "FieldErrors", "type Node", "struct", "text"];
  return [
    importLines(names, tsx),
    schemaSource(input, "What the form takes.", ['email: text("required,email"),']),
    `/** What was typed, and what is wrong with it. */
interface Typed {
  readonly errors: FieldErrors;
  text(field: string): string;
}`,
    `${docOf("GET", path)}
export function Page(c: ${ctxOf(path)}): Node {
  return view(c, { errors: new FieldErrors(), text: () => "" });
}`,
    `${docOf("POST", path)}
export async function POST(c: ${ctxOf(path)}): Promise<Node | Response> {
  const input = await c.tryBind(${input});
  if (!input.ok) {
    c.status(422);
    return view(c, input);
  }
  c.log.info("received", { fields: Object.keys(input.value) });
  return c.redirect(${hrefCall(path, "{ query: { sent: 1 } }")});
}`,
    tsx ? formJsx(path) : formCalls(path),
  ].join("\n\n") + "\n";
}

/** The form of a schema, which the kit renders. */
function kitFormSource(path: UrlPath, isJsx: boolean): string {
  const input = typeNameOf(path.segments);
  const ctx = ctxOf(path);
  const names = ["type Ctx", "type Node", "struct", "text"];
  return [
    kitImports(names, { tsx: isJsx, usesHtml: true }),
    schemaSource(input, "What the form takes.", ['email: text("required,email"),']),
    `${docOf("GET", path)}
export function Page(c: ${ctx}): Node {
  return view(c, ui.form(c, ${input}, { submit: "Send" }));
}`,
    `${docOf("POST", path)}
export async function POST(c: ${ctx}): Promise<Node | Response> {
  const input = await c.tryBind(${input});
  if (!input.ok) {
    c.status(422);
    return view(c, ui.form(c, ${input}, { values: input, submit: "Send" }));
  }
  c.log.info("received", { fields: Object.keys(input.value) });
  c.flash("success", "Thank you, it has arrived.");
  return c.redirect(${hrefCall(path)});
}`,
    `function view(c: ${ctx}, form: Node): Node {
  c.title = ${titleText(path)};
  return ${
      isJsx
        ? "(\n<>\n{ui.pageHeader(c.title)}\n{form}\n</>\n)"
        : "h.fragment(ui.pageHeader(c.title), form)"
    };
}`,
  ].join("\n\n") + "\n";
}

function formCalls(path: UrlPath): string {
  return `function view(c: ${ctxOf(path)}, typed: Typed): Node {
  c.title = ${titleText(path)};
  return h.section(
    h.class("hero"),
    h.h1(c.title),
    c.query("sent") === "1" && h.p(h.class("badge"), "Thank you, it has arrived."),
    h.form(
      h.method("post"),
      csrfInput(c),
      field(typed, { name: "name", label: "Name", type: "text" }),
      field(typed, { name: "email", label: "Email", type: "email" }),
      h.button(h.type("submit"), "Send"),
    ),
  );
}

${fieldHead}
  return h.label(
    options.label,
    h.input(
      h.name(options.name),
      h.type(options.type),
      h.value(typed.text(options.name)),
      message !== undefined && h.aria("invalid", "true"),
    ),
    message !== undefined && h.span(h.class("message"), message),
  );
}`;
}

function formJsx(path: UrlPath): string {
  return `function view(c: ${ctxOf(path)}, typed: Typed): Node {
  c.title = ${titleText(path)};
  return (
    <section class="hero">
      <h1>{c.title}</h1>
      {c.query("sent") === "1" && <p class="badge">Thank you, it has arrived.</p>}
      <form method="post">
        {csrfInput(c)}
        {field(typed, { name: "name", label: "Name", type: "text" })}
        {field(typed, { name: "email", label: "Email", type: "email" })}
        <button type="submit">Send</button>
      </form>
    </section>
  );
}

${fieldHead}
  return (
    <label>
      {options.label}
      <input
        name={options.name}
        type={options.type}
        value={typed.text(options.name)}
        aria-invalid={message === undefined ? undefined : "true"}
      />
      {message !== undefined && <span class="message">{message}</span>}
    </label>
  );
}`;
}

const fieldHead = `interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly type: "text" | "email";
}

function field(typed: Typed, options: FieldOptions): Node {
  const message = typed.errors.get(options.name);`;

function importLines(names: readonly string[], isJsx: boolean): string {
  const first = `import { ${names.join(", ")} } from "@fw/fw";`;
  return isJsx ? first : `${first}\nimport * as h from "@fw/fw/h";`;
}

function schemaSource(name: string, doc: string, more: readonly string[] = []): string {
  const fields = ['name: text("required,max=80"),', ...more].join("\n  ");
  return `/** ${doc} */\nconst ${name} = struct({\n  ${fields}\n});`;
}

/** Returns the type of the context; that of the route where it has parameters. */
function ctxOf(path: UrlPath): string {
  return paramsOf(path.segments).length === 0 ? "Ctx" : `Ctx<${JSON.stringify(path.pattern)}>`;
}

/** Returns a doc comment that a pattern cannot end. */
function docOf(method: string, path: UrlPath): string {
  return `/** ${method} ${path.pattern.replaceAll("*/", "*\\/")} */`;
}

/** Returns the call that makes the path's own URL, with the options as they are written. */
function hrefCall(path: UrlPath, options?: string): string {
  const params = paramsOf(path.segments).map((name) => `${name}: c.param("${name}")`);
  const args = [JSON.stringify(path.pattern)];
  if (params.length > 0) args.push(`{ ${params.join(", ")} }`);
  else if (options !== undefined) args.push("{}");
  if (options !== undefined) args.push(options);
  return `c.href(${args.join(", ")})`;
}

function paramsOf(segments: readonly Segment[]): string[] {
  return segments.flatMap((segment) => segment.kind === "literal" ? [] : [segment.name]);
}

function titleText(path: UrlPath): string {
  return JSON.stringify(titleOf(path.segments));
}

function takesBody(method: string): boolean {
  return method === "POST" || method === "PUT" || method === "PATCH";
}
