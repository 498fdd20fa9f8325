import type { App } from "../app/app.ts";
import { formAround, isDisabled, isSubmitButton } from "./form_entries.ts";
import { parseHtml, type TestElement } from "./html_tree.ts";
import type { TestResponse } from "./response.ts";

/** Only `fw check` sets it; it reads the folder after the tests. */
const folderVariable = "FW_TEST_PAGES";
const maxPages = 2_000;

export interface RecordedTarget {
  readonly kind: "link" | "form" | "script";
  readonly element: string;
  readonly method: string;
  readonly url?: string;
}

/** The recorded pages of a test file, so that pages that are equal for the check are recorded once. */
const seen = new Set<string>();

/** Records links and forms for `fw check`, if its folder is set and writable. */
export function recordPage(
  app: App,
  method: string,
  { url, status, body }: Pick<TestResponse, "url" | "status" | "body">,
): void {
  // An application built in a test has no source files to report.
  if (!app.routes.some(({ source }) => source !== undefined)) return;
  const folder = recordFolder();
  if (folder === undefined) return;
  const key = `${method} ${url} ${status} ${body.length}`;
  if (seen.has(key) || seen.size >= maxPages) return;
  seen.add(key);
  const record = {
    test: Deno.mainModule,
    method,
    url,
    status,
    base: app.config.basePath,
    routes: app.routes.map(({ pattern, page, methods = {}, actions = {}, source }) => ({
      pattern,
      methods: [...(page === undefined ? [] : ["GET"]), ...Object.keys(methods)],
      actions: Object.keys(actions),
      source,
    })),
    targets: targetsOf(parseHtml(body), url),
  };
  try {
    Deno.writeTextFileSync(`${folder}/${crypto.randomUUID()}.json`, JSON.stringify(record));
  } catch {
    // A failure of the recording must not fail the test.
  }
}

function recordFolder(): string | undefined {
  // A test without the permission must not prompt for it.
  const name = { name: "env", variable: folderVariable } as const;
  if (Deno.permissions.querySync(name).state !== "granted") return undefined;
  return Deno.env.get(folderVariable) || undefined;
}

/** Returns the links and forms of a document, and the elements that only a script can use. */
export function targetsOf(root: TestElement, pageUrl: string): RecordedTarget[] {
  const href = root.query("base[href]")?.attribute("href") ?? "";
  const base = URL.parse(href, pageUrl)?.href ?? pageUrl;
  const found = new Map<string, RecordedTarget>();
  for (const element of root.descendants()) {
    if (isUnseen(element)) continue;
    const target = targetOf(element, base, pageUrl);
    if (target !== undefined) found.set(JSON.stringify(target), target);
  }
  return [...found.values()];
}

function targetOf(element: TestElement, base: string, pageUrl: string): RecordedTarget | undefined {
  const shown = describe(element);
  const script: RecordedTarget = { kind: "script", element: shown, method: "GET" };
  if (element.name === "a" || element.name === "area") {
    const href = element.attribute("href")?.trim() ?? "";
    const isScript = /^javascript:/i.test(href);
    if (isScript || /^#?$/.test(href)) return isScript || isScripted(element) ? script : undefined;
    const url = URL.parse(href, base)?.href;
    // A fragment of the same page.
    const isHere = url?.split("#")[0] === pageUrl.split("#")[0];
    return url === undefined || isHere
      ? undefined
      : { kind: "link", element: shown, method: "GET", url };
  }
  const isButton = isSubmitButton(element) && element.attribute("formaction") !== undefined;
  if (element.name === "form" || isButton) {
    const form = isButton ? formAround(element) : element;
    const method = (element.attribute(isButton ? "formmethod" : "method") ??
      form?.attribute("method") ?? "get").toLowerCase();
    if (method === "dialog" || isDisabled(element)) return undefined;
    const action = element.attribute(isButton ? "formaction" : "action")?.trim() || pageUrl;
    const url = URL.parse(action, base)?.href;
    return {
      kind: "form",
      element: shown,
      method: method === "post" ? "POST" : "GET",
      ...(url === undefined ? {} : { url }),
    };
  }
  const isInForm = formAround(element) !== undefined || element.attribute("form") !== undefined;
  return !isInForm && isScripted(element) ? script : undefined;
}

/** The attributes of the kit and of common libraries that make a script send a request. */
const askingAttributes: readonly string[] =
  "onclick data-ui-swap data-ui-navigate data-ui-upload-to hx-get hx-post hx-put hx-patch hx-delete"
    .split(" ");

function isScripted(element: TestElement): boolean {
  // On a container, such an attribute applies to the links and forms inside.
  const isControl = /^(?:a|area|button)$/.test(element.name) ||
    /^(?:button|link|menuitem)$/.test(element.attribute("role") ?? "");
  if (!isControl) return false;
  return askingAttributes.some((name) => element.attribute(name) !== undefined);
}

/** Reports whether an element is only for scripts: hidden, a template, or in an island. */
function isUnseen(element: TestElement): boolean {
  const isHidden = (each: TestElement): boolean =>
    each.name === "template" || each.attribute("hidden") !== undefined;
  return isHidden(element) || element.ancestors().some(isHidden);
}

const shownAttributes: readonly string[] = ["id", "class", "name", "href", "action", "formaction"];

/** Returns the start tag with its identifying attributes, and a few words of its text. */
function describe(element: TestElement): string {
  const attributes = shownAttributes.flatMap((name) => {
    const value = element.attribute(name);
    return value === undefined ? [] : [` ${name}="${value.slice(0, 80)}"`];
  }).slice(0, 3);
  const text = element.name === "form" ? "" : element.text.slice(0, 40);
  return `<${element.name}${attributes.join("")}>${text}`;
}
