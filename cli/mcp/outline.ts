import { App } from "@fw/fw";
import { cutText } from "@fw/fw/addon";
import { type TestElement, testRequest } from "@fw/fw/testing";

const maxLines = 400;
const maxNameChars = 120;

/** Returns a line for each element with a role; `(no name)` marks a missing accessible name. */
export async function outlineOf(html: string): Promise<string> {
  const app = new App({ logRequest: () => false, env: "dev" });
  const headers = { "content-type": "text/html; charset=utf-8" };
  app.route({ pattern: "/", methods: { GET: () => new Response(html, { headers }) } });
  const response = await testRequest(app, "GET", "/");
  const body = response.query("body");
  if (body === undefined) return "";
  const names = { labels: labelsOf(response.queryAll("label")), byId: byId(body) };
  const lines = [`document ${quoted(response.query("title")?.text ?? "")}`];
  const walk = (element: TestElement, depth: number): void => {
    for (const child of element.children) {
      if (typeof child === "string" || isHidden(child)) continue;
      const line = lineOf(child, names);
      if (line !== undefined) lines.push("  ".repeat(Math.min(depth, 20)) + line);
      if (line === undefined || !isWhole(child)) {
        walk(child, line === undefined ? depth : depth + 1);
      }
    }
  };
  walk(body, 1);
  const left = lines.length - maxLines;
  if (left > 0) lines.splice(maxLines, left, `… ${left} more`);
  return lines.join("\n");
}

interface Names {
  readonly labels: ReadonlyMap<string, string>;
  readonly byId: ReadonlyMap<string, TestElement>;
}

function isHidden(element: TestElement): boolean {
  return element.attribute("hidden") !== undefined ||
    element.attribute("aria-hidden") === "true" ||
    /^(?:script|style|template|noscript|head)$/.test(element.name);
}

function isWhole({ name }: TestElement): boolean {
  return /^(?:a|button|option|summary)$/.test(name);
}

const roles: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "a": "link",
    "article": "article",
    "aside": "complementary",
    "button input:button input:image input:reset input:submit summary": "button",
    "caption": "caption",
    "details fieldset": "group",
    "dialog": "dialog",
    "figure": "figure",
    "footer": "contentinfo",
    "form": "form",
    "header": "banner",
    "img": "img",
    "input:checkbox": "checkbox",
    "input:file": "file input",
    "input:number": "spinbutton",
    "input:radio": "radio",
    "input:range": "slider",
    "input:search": "searchbox",
    "legend": "legend",
    "li": "listitem",
    "main": "main",
    "nav": "navigation",
    "ol ul": "list",
    "option": "option",
    "p": "paragraph",
    "select": "combobox",
    "table": "table",
    "td": "cell",
    "textarea": "textbox",
    "th": "columnheader",
    "tr": "row",
  }).flatMap(([names, role]) => names.split(" ").map((name) => [name, role] as const)),
);

const named =
  /^(?:link|button|img|form control|textbox|combobox|checkbox|radio|searchbox|spinbutton|slider|file input|dialog)$/;

function lineOf(element: TestElement, names: Names): string | undefined {
  const role = roleOf(element);
  if (role === undefined) return undefined;
  const name = accessibleName(element, role, names);
  const shown = name !== "" ? [quoted(name)] : named.test(role) ? ["(no name)"] : [];
  return [role, ...shown, ...statesOf(element)].join(" ");
}

function roleOf(element: TestElement): string | undefined {
  const { name } = element;
  const [given = ""] = attributeOf(element, "role").split(/\s+/);
  if (given === "presentation" || given === "none") return undefined;
  if (given !== "") return given.slice(0, 40);
  // An empty `alt` marks the image as decorative.
  if (name === "img" && element.attribute("alt") === "") return undefined;
  if (/^h[1-6]$/.test(name)) return `heading ${name[1]}`;
  if (name === "a" && element.attribute("href") === undefined) return undefined;
  if (name === "section") {
    const isNamed = attributeOf(element, "aria-label") || attributeOf(element, "aria-labelledby");
    return isNamed ? "region" : undefined;
  }
  if (name !== "input") return roles.get(name);
  const type = attributeOf(element, "type").toLowerCase();
  return type === "hidden" ? undefined : roles.get(`input:${type}`) ?? "textbox";
}

function attributeOf(element: TestElement, name: string): string {
  return element.attribute(name)?.trim() ?? "";
}

/** Computes a simplified accessible name (Accessible Name and Description Computation 1.2). */
function accessibleName(element: TestElement, role: string, { labels, byId }: Names): string {
  const read = (name: string): string => attributeOf(element, name);
  const texts = read("aria-labelledby").split(/\s+/).flatMap((id) => byId.get(id)?.text || []);
  const own = texts.join(" ") || read("aria-label");
  if (own !== "") return own;
  const { name } = element;
  if (name === "img") return read("alt");
  if (/^(?:input|select|textarea)$/.test(name)) {
    if (role === "button") return read("value") || read("alt") || "Submit";
    return labels.get(read("id")) ?? wrappingLabel(element) ??
      (read("title") || read("placeholder"));
  }
  // Controls in the content have their own line.
  if (isWhole(element) || /^(?:h[1-6]|p|legend|caption|th|td)$/.test(name)) {
    return element.text || (element.query("img")?.attribute("alt") ?? "") || read("title");
  }
  const title = name === "fieldset" ? "legend" : name === "table" ? "caption" : undefined;
  return title === undefined ? "" : element.query(title)?.text ?? "";
}

function labelsOf(elements: readonly TestElement[]): Map<string, string> {
  return new Map(elements.flatMap((label) => {
    const id = label.attribute("for");
    return id === undefined ? [] : [[id, textWithoutControls(label)] as const];
  }));
}

function byId(body: TestElement): Map<string, TestElement> {
  const named = [...body.descendants()].filter((element) => attributeOf(element, "id") !== "");
  return new Map(named.reverse().map((element) => [attributeOf(element, "id"), element]));
}

function wrappingLabel(element: TestElement): string | undefined {
  for (let at = element.parent; at !== undefined; at = at.parent) {
    if (at.name === "label") return textWithoutControls(at);
  }
  return undefined;
}

function textWithoutControls(label: TestElement): string {
  const text = (element: TestElement): string =>
    element.children.map((child) => {
      if (typeof child === "string") return child;
      return /^(?:select|textarea|script|style|template)$/.test(child.name) ? "" : text(child);
    }).join("");
  return text(label).replaceAll(/\s+/g, " ").trim();
}

const flags = ["required", "disabled", "checked", "selected", "open", "readonly"];
const states = ["invalid", "expanded", "current", "live"];

function statesOf(element: TestElement): string[] {
  const { name } = element;
  const href = element.attribute("href");
  const method = attributeOf(element, "method").toUpperCase() || "GET";
  return [
    ...name === "a" && href !== undefined ? [`→ ${href.slice(0, 200)}`] : [],
    ...name === "form" ? [`${method} → ${element.attribute("action") ?? "this page"}`] : [],
    ...flags.filter((flag) => element.attribute(flag) !== undefined),
    ...states.flatMap((state) => {
      const value = element.attribute(`aria-${state}`);
      return value === undefined ? [] : `${state}=${value.slice(0, 20)}`;
    }),
  ];
}

function quoted(text: string): string {
  return JSON.stringify(cutText(text, maxNameChars));
}
