import type { FieldErrors } from "./field_errors.ts";

/** The members of a {@link Problem}; all except the status have a default. */
export interface ProblemInit {
  /** A URI that names the kind of problem. @default "about:blank" */
  readonly type?: string;
  /** A short summary of the kind. @default the status text */
  readonly title?: string;
  /** The HTTP status. */
  readonly status: number;
  /** The description of this occurrence; sent with every status, since the application wrote it. */
  readonly detail?: string;
  /** A URI of this occurrence. @default the request's path */
  readonly instance?: string;
  /** The messages by field, for a 422. */
  readonly fields?: FieldErrors;
  /** Extension members, written beside the others; none can replace a standard member. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Underlying error, for the log alone. */
  readonly cause?: unknown;
}

/**
 * An error written out as a problem document (RFC 9457).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Problem, statusOf } from "@fw/fw";
 *
 * const problem = new Problem({ status: 409, title: "Sold out", extra: { seats: 0 } });
 * assertEquals(statusOf(problem), 409);
 * ```
 */
export class Problem extends Error {
  /** The class name. */
  override readonly name: string = "Problem";
  /** The stable code of the class. */
  readonly code: string = "problem";
  /** A URI that names the kind of problem, if the application set one. */
  readonly type: string | undefined;
  /** The summary, if the application set one. */
  readonly title: string | undefined;
  /** The HTTP status. */
  readonly status: number;
  /** Explanation of this occurrence. */
  readonly detail: string | undefined;
  /** A URI of this occurrence, if the application set one. */
  readonly instance: string | undefined;
  /** The messages by field. */
  readonly fields: FieldErrors | undefined;
  /** Extension members. */
  readonly extra: Readonly<Record<string, unknown>>;

  /**
   * Creates the problem.
   *
   * @param init The members; `status` from 400 to 599.
   * @throws {RangeError} for any other status.
   */
  constructor(init: ProblemInit) {
    super(init.detail ?? init.title ?? `status ${init.status}`, { cause: init.cause });
    if (!Number.isInteger(init.status) || init.status < 400 || init.status > 599) {
      throw new RangeError(
        `Cannot make a problem with the status "${init.status}": use an integer from 400 to 599.`,
      );
    }
    this.type = init.type;
    this.title = init.title;
    this.status = init.status;
    this.detail = init.detail;
    this.instance = init.instance;
    this.fields = init.fields;
    this.extra = init.extra ?? {};
  }
}
