import {
  controlsOf,
  type FilledValues,
  formEntriesOf,
  type FormEntry,
  formOf,
  isDisabled,
  isSubmitButton,
} from "./form_entries.ts";
import type { TestElement } from "./html_tree.ts";
import type { TestOption } from "./options.ts";

/** Returns the request by which a browser without scripts sends a form. */
export function submissionOf(
  root: TestElement,
  pageUrl: string,
  { selector, values }: { readonly selector: string; readonly values: FilledValues },
): Omit<NextRequest, "options"> {
  const fault = (reason: string): TypeError =>
    new TypeError(`Cannot send "${selector}": ${reason}.`);
  const found = root.query(selector);
  if (found === undefined) throw fault("the page has no such element");
  const isForm = found.name === "form";
  // The default button is the one that the return key activates.
  const button = isForm ? controlsOf(found).find(isSubmitButton) : found;
  const form = isForm ? found : isSubmitButton(found) ? formOf(found) : undefined;
  if (form === undefined) throw fault("it is neither a form nor the submit button of one");
  if (button !== undefined && isDisabled(button)) throw fault("its button is disabled");
  const entries = formEntriesOf(form, values, button);
  const setting = (name: string): string | undefined =>
    button?.attribute(`form${name}`) ?? form.attribute(name);
  const method = (setting("method") ?? "get").toLowerCase();
  if (method === "dialog") throw fault("its method is dialog, which sends nothing");
  const base = root.query("base[href]")?.attribute("href") ?? "";
  const url = new URL(setting("action")?.trim() || pageUrl, new URL(base, pageUrl));
  if (url.origin !== new URL(pageUrl).origin) {
    throw fault(`it leads to ${url.origin}, which is not the application under test`);
  }
  url.hash = "";
  if (method !== "post") {
    url.search = String(parametersOf(entries));
    return { method: "GET", url: url.href };
  }
  return { method: "POST", url: url.href, body: bodyOf(entries, setting("enctype")) };
}

function parametersOf(entries: readonly FormEntry[]): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of entries) {
    parameters.append(name, value instanceof File ? value.name : value ?? "");
  }
  return parameters;
}

function bodyOf(entries: readonly FormEntry[], enctype = ""): URLSearchParams | FormData {
  if (!/^multipart\/form-data$/i.test(enctype)) return parametersOf(entries);
  const form = new FormData();
  for (const [name, value] of entries) {
    // Without a chosen file, browsers send one without name and content.
    form.append(name, value ?? new File([], "", { type: "application/octet-stream" }));
  }
  return form;
}

/** The request that follows a response: a form of its page, or a redirect. */
export interface NextRequest {
  /** `GET`, `POST` or, after a 307 or 308, the previous method. */
  readonly method: string;
  readonly url: string;
  /** The body, unless the previous one is sent again. */
  readonly body?: BodyInit | undefined;
  /** Whether the previous headers and body are sent again. @default false */
  readonly isSame?: boolean;
  readonly options: readonly TestOption[];
}

export const maxRedirects = 20;

/** Returns the request that a browser sends after a redirect within the site. */
export function redirectedRequest(
  location: string,
  status: number,
  { url: from, method, target }: Readonly<Record<"url" | "method" | "target", string>>,
): Omit<NextRequest, "options"> {
  const url = new URL(location, from);
  if (url.origin !== new URL(from).origin) {
    throw new TypeError(
      `Cannot follow the redirect of ${target} to "${location}": it leads out of the application; check it with wantRedirect.`,
    );
  }
  url.hash = "";
  const isSame = status === 307 || status === 308;
  const isRead = method === "GET" || method === "HEAD";
  return { method: isSame || isRead ? method : "GET", url: url.href, isSame };
}
