import { AssertionError } from "@std/assert";
import type { Node } from "../../html/node.ts";
import type { ReadBody } from "./answer_body.ts";
import { isHtml, notHtmlText, showBody, withFrames } from "./failure_text.ts";
import type { FilledValues } from "./form_entries.ts";
import { maxRedirects, type NextRequest, redirectedRequest, submissionOf } from "./next_request.ts";
import { parseHtml, type TestElement } from "./html_tree.ts";
import type { TestOption } from "./options.ts";
import type { ServerEvent as TestEvent } from "../request/sse/parser.ts";

/** A sent request, and a function that sends the next one of its client. */
interface SentRequest {
  /** The method and the path, for messages. */
  readonly target: string;
  readonly method: string;
  readonly url: string;
  readonly node: Node | undefined;
  readonly again: (next: NextRequest) => Promise<TestResponse>;
}

/**
 * A response that was read to its end. Its checks return it for chaining; a failed one throws an
 * `AssertionError` with the target and the body (for a page, its title and `main`).
 */
export class TestResponse {
  /** The HTTP status. */
  readonly status: number;
  /** The headers. */
  readonly headers: Headers;
  /** The body as text. */
  readonly body: string;
  /** The body as bytes. */
  readonly bytes: Uint8Array;
  /** The Server-Sent Events of the body, up to `withMaxEvents`; empty for other bodies. */
  readonly events: readonly TestEvent[];
  /** The node that the page returned; only for `testPage`. */
  readonly node: Node | undefined;
  /** The whole requested URL; after redirects, the last one. */
  readonly url: string;
  readonly #sent: SentRequest;
  #tree: TestElement | undefined;

  /**
   * Created by the helpers.
   *
   * @internal
   */
  constructor(response: Response, { bytes, events }: ReadBody, sent: SentRequest) {
    this.status = response.status;
    this.headers = response.headers;
    this.bytes = bytes;
    this.body = new TextDecoder().decode(bytes);
    this.events = events;
    this.node = sent.node;
    this.url = sent.url;
    this.#sent = sent;
  }

  /** Returns a header's value, or `undefined`. */
  header(name: string): string | undefined {
    return this.headers.get(name) ?? undefined;
  }

  /** Checks the status. */
  wantStatus(status: number): this {
    const location = this.#location();
    const leads = location === undefined ? "" : `, a redirect to ${JSON.stringify(location)}`;
    return this.#check(this.status === status, `want status ${status}, got ${this.status}${leads}`);
  }

  /** Checks that the body contains a string. */
  wantContains(text: string): this {
    return this.#checkBody(this.body.includes(text), `want a body with ${JSON.stringify(text)}`);
  }

  /** Checks that a header has exactly the given value. */
  wantHeader(name: string, value: string): this {
    const got = this.header(name);
    const want = `want the header ${name} ${JSON.stringify(value)}`;
    return this.#check(got === value, `${want}, got ${JSON.stringify(got) ?? "none"}`);
  }

  /** Checks that the body does not contain a string. */
  wantNotContains(text: string): this {
    const isAbsent = !this.body.includes(text);
    return this.#checkBody(isAbsent, `want a body without ${JSON.stringify(text)}`);
  }

  /**
   * Checks that the response is a redirect to a URL, or the `FW-Location` of a fragment: a path with its
   * query, base path included, or a whole URL for another site.
   */
  wantRedirect(to: string): this {
    const location = this.#location();
    const isMet = location !== undefined &&
      URL.parse(location, this.url)?.href === URL.parse(to, this.url)?.href;
    const got = location === undefined ? "no redirect" : JSON.stringify(location);
    return this.#check(isMet, `want a redirect to ${JSON.stringify(to)}, got ${got}`);
  }

  #location(): string | undefined {
    if ([301, 302, 303, 307, 308].includes(this.status)) return this.header("location");
    return this.status === 204 ? this.header("fw-location") : undefined;
  }

  /**
   * Follows the redirects of the response as a browser does, with the cookies so far. Returns a response that
   * is not a redirect unchanged.
   *
   * @throws {TypeError} for a redirect to another site, and after 20 redirects.
   */
  followRedirects(...options: TestOption[]): PendingResponse {
    return pendingResponse(this.#follow(options));
  }

  async #follow(options: readonly TestOption[]): Promise<TestResponse> {
    // deno-lint-ignore no-this-alias -- the loop goes from response to response
    let response: TestResponse = this;
    for (let count = 0;; count++) {
      const location = response.#location();
      if (location === undefined) return response;
      if (count === maxRedirects) {
        throw new TypeError(
          `Cannot follow the redirects of ${this.#sent.target}: there are more than ${maxRedirects}, the last one to "${location}".`,
        );
      }
      const next = redirectedRequest(location, response.status, response.#sent);
      response = await response.#sent.again({ ...next, options });
    }
  }

  /**
   * Returns the first element of the HTML that a CSS selector matches, or `undefined`.
   *
   * @param selector Names, `*`, `#id`, `.class`, attributes (`[a]`, `=`, `^=`, `$=`, `*=`), a blank or `>`
   * between them, `:not()`, and lists.
   * @throws {TypeError} for another selector, and for a body that is not HTML.
   */
  query(selector: string): TestElement | undefined {
    return this.#root().query(selector);
  }

  /** Returns every element that a CSS selector matches, in document order; throws as `query`. */
  queryAll(selector: string): TestElement[] {
    return this.#root().queryAll(selector);
  }

  /**
   * Fills and sends a form of the page as a browser without scripts does: hidden fields, the defaults of the
   * others, files, the name of the button, `formaction`. The CSRF token is the form's own. Rules such as
   * `required` are not checked, so that a test can see the server's response.
   *
   * @param selector A form, sent by its first submit button, or the button that sends it.
   * @param values The fields to fill, by name: `true` ticks a box, a string chooses, a list fills several.
   * @throws {TypeError} for a form, a field or a choice that the page does not have.
   * @example
   * ```ts
   * import { App, csrfInput } from "@fw/fw";
   * import * as h from "@fw/fw/h";
   * import { newTestClient } from "@fw/fw/testing";
   *
   * const app = new App({ env: "dev", logRequest: () => false });
   * app.route({
   *   pattern: "/contact",
   *   page: (c) => h.form(h.method("post"), csrfInput(c), h.input(h.name("email")), h.button("Send")),
   *   methods: { POST: async (c) => c.text(200, `Thank you, ${await c.form("email")}`) },
   * });
   * await newTestClient(app).get("/contact")
   *   .submit("form", { email: "ada@example.org" })
   *   .wantContains("Thank you, ada@example.org");
   * ```
   */
  submit(selector: string, values: FilledValues = {}, ...options: TestOption[]): PendingResponse {
    const root = this.#root();
    try {
      const next = submissionOf(root, this.url, { selector, values });
      return pendingResponse(this.#sent.again({ ...next, options }));
    } catch (error) {
      if (this.status < 400 || !(error instanceof TypeError)) throw error;
      throw new TypeError(
        `${error.message} ${this.#sent.target} was answered with status ${this.status}:\n${this.#show()}`,
      );
    }
  }

  #show(needsHtml = false): string {
    return showBody(this.body, this.header("content-type") ?? "", needsHtml);
  }

  #root(): TestElement {
    const type = this.header("content-type") ?? "";
    if (!isHtml(type)) {
      const state = notHtmlText(type, this.status, this.#location());
      const shown = this.status < 400 ? "" : `\n${this.#show()}`;
      throw new TypeError(
        `Cannot read the answer to ${this.#sent.target} as HTML: ${state}${shown}`,
      );
    }
    return this.#tree ??= parseHtml(this.body);
  }

  /** Checks what a test looks for in the HTML, so that a failure shows it with its tags. */
  #checkBody(isMet: boolean, want: string): this {
    const needsHtml = true;
    return this.#check(isMet, want, needsHtml);
  }

  #check(isMet: boolean, want: string, needsHtml = false): this {
    if (isMet) return this;
    const body = this.#show(needsHtml);
    throw new AssertionError(`${this.#sent.target}: ${want} (status ${this.status})\n${body}`);
  }
}

/**
 * A response that has not arrived yet. Await it for the {@link TestResponse}, or call its checks, `submit`,
 * `followRedirects`, `query` and `queryAll` first: they run when it arrives.
 */
export type PendingResponse =
  & Promise<TestResponse>
  & {
    readonly [
      K in
        | `want${"Status" | "Contains" | "NotContains" | "Header" | "Redirect"}`
        | "followRedirects"
        | "submit"
        | "query"
        | "queryAll"
    ]: (
      ...args: Parameters<TestResponse[K]>
    ) => ReturnType<TestResponse[K]> extends TestResponse | PendingResponse ? PendingResponse
      : Promise<ReturnType<TestResponse[K]>>;
  };

export function pendingResponse(response: Promise<TestResponse>): PendingResponse {
  const names = Object.getOwnPropertyNames(TestResponse.prototype) as (keyof TestResponse)[];
  const methods = names.filter((name) => /^(?:want|follow|submit|query)/.test(name)).map((name) => {
    const call = (...args: never[]): Promise<unknown> => {
      // The check runs in a later turn, so its own stack would not contain the test's line.
      const caller = new Error("the check was called here");
      return pendingResponse(response.then((arrived) => {
        try {
          const method: (...args: never[]) => TestResponse = arrived[name] as never;
          return method.apply(arrived, args);
        } catch (error) {
          if (error instanceof Error) error.stack = withFrames(error, caller);
          throw error;
        }
      }));
    };
    return [name, call] as const;
  });
  return Object.assign(response, Object.fromEntries(methods)) as unknown as PendingResponse;
}
