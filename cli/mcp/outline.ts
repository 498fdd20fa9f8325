import { App } from "@fw/fw";
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

/** Reports whether an element is named by its content; controls in it have their own line. */
function isNamedByContent(element: TestElement): boolean {
  return isWhole(element) || /^(?:h[1-6]|p|legend|caption|th|td)$/.test(element.name);
}

/** The roles of elements and `input` types. */
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
  const given = element.attribute("role")?.trim().split(/\s+/)[0];
  if (given === "presentation" || given === "none") return undefined;
  if (given !== undefined && given !== "") return given.slice(0, 40);
  // An empty `alt` marks the image as decorative.
  if (name === "img" && element.attribute("alt") === "") return undefined;
  if (/^h[1-6]$/.test(name)) return `heading ${name[1]}`;
  if (name === "a" && element.attribute("href") === undefined) return undefined;
  if (name === "section") {
    return element.attribute("aria-label") ?? element.attribute("aria-labelledby")
      ? "region"
      : undefined;
  }
  if (name !== "input") return roles.get(name);
  const type = element.attribute("type")?.toLowerCase() ?? "text";
  if (type === "hidden") return undefined;
  return roles.get(`input:${type}`) ?? "textbox";
}

/** Computes a simplified accessible name (Accessible Name and Description Computation 1.2). */
function accessibleName(element: TestElement, role: string, { labels, byId }: Names): string {
  const ids = element.attribute("aria-labelledby")?.split(/\s+/) ?? [];
  const texts = ids.flatMap((id) => byId.get(id)?.text || []);
  if (texts.length > 0) return texts.join(" ");
  const label = element.attribute("aria-label");
  if (label !== undefined && label.trim() !== "") return label.trim();
  const { name } = element;
  if (name === "img") return element.attribute("alt") ?? "";
  const isField = /^(?:input|select|textarea)$/.test(name);
  if (isField && role === "button") {
    return element.attribute("value") ?? element.attribute("alt") ?? "Submit";
  }
  if (isField) {
    return labels.get(element.attribute("id") ?? "") ?? wrappingLabel(element) ??
      element.attribute("title") ?? element.attribute("placeholder") ?? "";
  }
  if (isNamedByContent(element)) {
    const image = element.query("img")?.attribute("alt") ?? "";
    return element.text || image || (element.attribute("title") ?? "");
  }
  if (name === "fieldset") return element.query("legend")?.text ?? "";
  if (name === "table") return element.query("caption")?.text ?? "";
  return "";
}

function labelsOf(elements: readonly TestElement[]): Map<string, string> {
  return new Map(elements.flatMap((label) => {
    const id = label.attribute("for");
    return id === undefined ? [] : [[id, textWithoutControls(label)] as const];
  }));
}

/** Returns the elements by id; the first element with an id wins. */
function byId(body: TestElement): Map<string, TestElement> {
  return new Map(
    [...body.descendants()].reverse().flatMap((element) => {
      const id = element.attribute("id");
      return id === undefined ? [] : [[id, element] as const];
    }),
  );
}

function wrappingLabel(element: TestElement): string | undefined {
  for (let at = element.parent; at !== undefined; at = at.parent) {
    if (at.name === "label") return textWithoutControls(at);
  }
  return undefined;
}

/** Returns the text of a label, without the value of its control. */
function textWithoutControls(label: TestElement): string {
  const text = (element: TestElement): string =>
    element.children.map((child) => {
      if (typeof child === "string") return child;
      return /^(?:select|textarea|script|style|template)$/.test(child.name) ? "" : text(child);
    }).join("");
  return text(label).replaceAll(/\s+/g, " ").trim();
}

function statesOf(element: TestElement): string[] {
  const flags = ["required", "disabled", "checked", "selected", "open", "readonly"]
    .filter((name) => element.attribute(name) !== undefined);
  const href = element.attribute("href");
  const action = element.attribute("action");
  const states = ["invalid", "expanded", "current", "live"].flatMap((name) => {
    const value = element.attribute(`aria-${name}`);
    return value === undefined ? [] : [`${name}=${value.slice(0, 20)}`];
  });
  return [
    ...(element.name === "a" && href !== undefined ? [`→ ${href.slice(0, 200)}`] : []),
    ...(element.name === "form"
      ? [`${(element.attribute("method") ?? "get").toUpperCase()} → ${action ?? "this page"}`]
      : []),
    ...flags,
    ...states,
  ];
}

function quoted(text: string): string {
  const short = text.length > maxNameChars ? `${text.slice(0, maxNameChars)}…` : text;
  return JSON.stringify(short);
}
