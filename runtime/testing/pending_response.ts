import type { FilledValues } from "./form_entries.ts";
import type { TestElement } from "./html_tree.ts";
import type { TestOption } from "./options.ts";
import type { TestResponse } from "./response.ts";

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
    return new PendingResponse(this.#after((response) => response.wantStatus(status)));
  }

  /** {@link TestResponse.wantContains}, once the response arrives. */
  wantContains(text: string): PendingResponse {
    return new PendingResponse(this.#after((response) => response.wantContains(text)));
  }

  /** {@link TestResponse.wantHeader}, once the response arrives. */
  wantHeader(name: string, value: string): PendingResponse {
    return new PendingResponse(this.#after((response) => response.wantHeader(name, value)));
  }

  /** {@link TestResponse.wantNotContains}, once the response arrives. */
  wantNotContains(text: string): PendingResponse {
    return new PendingResponse(this.#after((response) => response.wantNotContains(text)));
  }

  /** {@link TestResponse.wantRedirect}, once the response arrives. */
  wantRedirect(to: string): PendingResponse {
    return new PendingResponse(this.#after((response) => response.wantRedirect(to)));
  }

  /** {@link TestResponse.followRedirects}, once the response arrives. */
  followRedirects(...options: TestOption[]): PendingResponse {
    return new PendingResponse(this.#response.then((each) => each.followRedirects(...options)));
  }

  /** {@link TestResponse.query}, once the response arrives. */
  query(selector: string): Promise<TestElement | undefined> {
    return this.#after((response) => response.query(selector));
  }

  /** {@link TestResponse.queryAll}, once the response arrives. */
  queryAll(selector: string): Promise<TestElement[]> {
    return this.#after((response) => response.queryAll(selector));
  }

  /** {@link TestResponse.submit}, once the response arrives. */
  submit(selector: string, values: FilledValues = {}, ...options: TestOption[]): PendingResponse {
    return new PendingResponse(
      this.#after((each) => each.submit(selector, values, ...options)),
    );
  }

  #after<T>(check: (response: TestResponse) => T | PromiseLike<T>): Promise<T> {
    // The check runs in a later turn: without this its failure would not name the test's line.
    const caller = new Error("the check was asked for here");
    return this.#response.then((response) => {
      try {
        return check(response);
      } catch (error) {
        if (error instanceof Error) error.stack = withFrames(error, caller);
        throw error;
      }
    });
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
