import { AssertionError } from "@std/assert";
import type { Node } from "../../html/node.ts";
import { showBody } from "./failure_text.ts";
import type { ServerEvent as TestEvent } from "../request/sse_parse.ts";

/** A response that was read to its end, with checks that print it when they fail. */
export class TestResponse {
  /** The HTTP status. */
  readonly status: number;
  /** The headers. */
  readonly headers: Headers;
  /** The body as text. */
  readonly body: string;
  /** The body as bytes. */
  readonly bytes: Uint8Array;
  /** The Server-Sent Events of the body, up to `withMaxEvents`; none of another body. */
  readonly events: readonly TestEvent[];
  /** What the page returned, where `testPage` asked and the page returned a node. */
  readonly node: Node | undefined;
  readonly #target: string;

  /** Made by the helpers. */
  constructor(
    response: Response,
    read: {
      readonly bytes: Uint8Array;
      readonly events: readonly TestEvent[];
      readonly target: string;
      readonly node?: Node | undefined;
    },
  ) {
    this.status = response.status;
    this.headers = response.headers;
    this.bytes = read.bytes;
    this.body = new TextDecoder().decode(read.bytes);
    this.events = read.events;
    this.node = read.node;
    this.#target = read.target;
  }

  /** A header's value, or `undefined`. */
  header(name: string): string | undefined {
    return this.headers.get(name) ?? undefined;
  }

  /**
   * Checks the status.
   *
   * @returns This response, for chaining.
   * @throws {AssertionError} with the target and the body, of a page its title and the text of `main`.
   */
  wantStatus(status: number): this {
    return this.#check(this.status === status, `want status ${status}, got ${this.status}`);
  }

  /**
   * Checks that the body contains a text.
   *
   * @returns This response, for chaining.
   * @throws {AssertionError} with the target and the body, of a page its title and the HTML of `main`.
   */
  wantContains(text: string): this {
    return this.#check(
      this.body.includes(text),
      `want a body with ${JSON.stringify(text)}`,
      { needsHtml: true },
    );
  }

  /**
   * Checks that a header has exactly a value.
   *
   * @returns This response, for chaining.
   * @throws {AssertionError} with the target and the body, of a page its title and the text of `main`.
   */
  wantHeader(name: string, value: string): this {
    const got = this.header(name);
    const shown = got === undefined ? "none" : JSON.stringify(got);
    return this.#check(
      got === value,
      `want the header ${name} ${JSON.stringify(value)}, got ${shown}`,
    );
  }

  #check(isMet: boolean, want: string, { needsHtml = false } = {}): this {
    if (isMet) return this;
    const shown = showBody(this.body, { type: this.header("content-type") ?? "", needsHtml });
    throw new AssertionError(`${this.#target}: ${want} (status ${this.status})\n${shown}`);
  }
}

/**
 * A pending response. Await it for the {@link TestResponse}, or add checks first: they run when the response
 * arrives.
 */
export class PendingResponse implements Promise<TestResponse> {
  /** What promises call themselves. */
  readonly [Symbol.toStringTag] = "PendingResponse";
  readonly #response: Promise<TestResponse>;

  /** Made by the helpers. */
  constructor(response: Promise<TestResponse>) {
    this.#response = response;
  }

  /** Resolves `await` with the response. */
  then<T = TestResponse, E = never>(
    onFulfilled?: ((response: TestResponse) => T | PromiseLike<T>) | null,
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<T | E> {
    return this.#response.then(onFulfilled, onRejected);
  }

  /** Handles a failure, as a promise does. */
  catch<E = never>(
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<TestResponse | E> {
    return this.#response.catch(onRejected);
  }

  /** Runs after success and failure alike, as a promise does. */
  finally(onFinally?: (() => void) | null): Promise<TestResponse> {
    return this.#response.finally(onFinally);
  }

  /** {@link TestResponse.wantStatus}, once the response arrives. */
  wantStatus(status: number): PendingResponse {
    return this.#after((response) => response.wantStatus(status));
  }

  /** {@link TestResponse.wantContains}, once the response arrives. */
  wantContains(text: string): PendingResponse {
    return this.#after((response) => response.wantContains(text));
  }

  /** {@link TestResponse.wantHeader}, once the response arrives. */
  wantHeader(name: string, value: string): PendingResponse {
    return this.#after((response) => response.wantHeader(name, value));
  }

  #after(check: (response: TestResponse) => TestResponse): PendingResponse {
    // The check runs in a later turn: without this its failure would not name the test's line.
    const caller = new Error("the check was asked for here");
    return new PendingResponse(this.#response.then((response) => {
      try {
        return check(response);
      } catch (error) {
        if (error instanceof AssertionError) error.stack = withFrames(error, caller);
        throw error;
      }
    }));
  }
}

/**
 * The message of one error over the frames of another, the two innermost left out. Of a message of
 * several lines only the first: runners print the message themselves, and then the rest of the stack.
 */
function withFrames(error: Error, caller: Error): string {
  const frames = (caller.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const [firstLine = ""] = error.message.split("\n", 1);
  return [`${error.name}: ${firstLine}`, ...frames.slice(2)].join("\n");
}
