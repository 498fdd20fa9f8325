import type { TestOption } from "./options.ts";

/** The request that follows a response: a form of its page, or a redirect. */
export interface NextRequest {
  /** `GET`, `POST` or, after a 307 or 308, the method of before. */
  readonly method: string;
  /** The whole URL. */
  readonly url: string;
  /** The body, unless it is that of before. */
  readonly body?: BodyInit | undefined;
  /** Whether headers and body are those of before. @default false */
  readonly isSame?: boolean;
  /** The options of the call. */
  readonly options: readonly TestOption[];
}

export const maxRedirects = 20;

export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

export interface Redirected {
  readonly url: string;
  readonly status: number;
  readonly method: string;
  /** The request as messages name it. */
  readonly target: string;
}

/**
 * Returns the request that a browser sends after a redirect.
 *
 * @throws {TypeError} for a redirect to another site.
 */
export function redirectedRequest(
  location: string,
  { url: from, status, method, target }: Redirected,
): Omit<NextRequest, "options"> {
  const url = new URL(location, from);
  if (url.origin !== new URL(from).origin) {
    throw new TypeError(
      `Cannot follow the redirect of ${target} to "${location}": it leads out of the application; check it by wantRedirect.`,
    );
  }
  url.hash = "";
  const isSame = status === 307 || status === 308;
  const isRead = method === "GET" || method === "HEAD";
  return { method: isSame || isRead ? method : "GET", url: url.href, isSame };
}
