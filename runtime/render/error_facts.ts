import { STATUS_TEXT } from "@std/http/status";
import { FieldErrors } from "../base/errors/field_errors.ts";
import { codeOf, HttpError, statusOf } from "../base/errors/errors.ts";
import { partOf, showThrown } from "../base/diagnose/error_text.ts";
import { Problem } from "../base/errors/problem.ts";
import type { Env } from "../base/env.ts";

export interface ErrorFacts {
  readonly status: number;
  readonly title: string;
  /** Explanation of this occurrence, if the client may see it. */
  readonly detail: string | undefined;
  /** The stable name for programs: the error's own, else that of its status. */
  readonly code: string;
  readonly fields: FieldErrors | undefined;
}

/**
 * Returns what a client may see of an error: messages of the application's own 4xx errors always, those of a
 * 5xx only in development, a `Problem` as the application wrote it.
 */
export function describeError(error: unknown, env: Env): ErrorFacts {
  const status = statusOf(error);
  const title = STATUS_TEXT[status] ?? `Error ${status}`;
  if (error instanceof Problem) {
    const { detail, fields } = error;
    return { status, title: error.title ?? title, detail, fields, code: codeOf(status) };
  }
  if (error instanceof FieldErrors) {
    return { status, title, detail: undefined, code: error.code, fields: error };
  }
  const isOpen = env === "dev" || (error instanceof HttpError && status < 500);
  const message = error instanceof HttpError
    ? error.message
    : error instanceof Error
    ? partOf(error, "message") ?? ""
    : `a handler threw ${showThrown(error)}`;
  return {
    status,
    title,
    // "Not Found" under the title "Not Found" adds nothing.
    detail: isOpen && message !== title && message !== "" ? message : undefined,
    code: error instanceof HttpError ? error.code : codeOf(status),
    fields: undefined,
  };
}

/** The members of a problem document that no extension may replace. */
const standardMembers = new Set([
  "type",
  "title",
  "status",
  "detail",
  "instance",
  "code",
  "fields",
  "request_id",
]);

/** The members of a problem document that come from the request and the settings. */
export interface ProblemContext {
  /** The environment: development or production. */
  readonly env: Env;
  /** The request's path, the default `instance`. */
  readonly path: string;
  readonly requestId: string;
  /** The application's `type` by status. */
  readonly problemType: ((status: number) => string | undefined) | undefined;
  /** The error and its causes with their calls, for the 5xx of development. */
  readonly stack: () => readonly string[];
}

/** Writes the problem document (RFC 9457) of an error. */
export function problemDocument(error: unknown, context: ProblemContext): Record<string, unknown> {
  const facts = describeError(error, context.env);
  const problem = error instanceof Problem ? error : undefined;
  const document: Record<string, unknown> = Object.create(null);
  document["type"] = problem?.type ?? context.problemType?.(facts.status) ?? "about:blank";
  document["title"] = facts.title;
  document["status"] = facts.status;
  if (facts.detail !== undefined) document["detail"] = facts.detail;
  document["instance"] = problem?.instance ?? context.path;
  document["code"] = facts.code;
  if (facts.fields !== undefined) document["fields"] = facts.fields;
  document["request_id"] = context.requestId;
  // A `Problem` is written as the application wrote it.
  if (context.env === "dev" && facts.status >= 500 && problem === undefined) {
    document["stack"] = context.stack();
  }
  for (const [name, value] of Object.entries(problem?.extra ?? {})) {
    if (!standardMembers.has(name)) document[name] = value;
  }
  return document;
}
