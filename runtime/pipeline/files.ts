import { httpError, notFound } from "../base/errors/errors.ts";
import { localPath, sliceQuery } from "../base/url/path.ts";
import { appendCors } from "../request/default_headers.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import { buildRedirect } from "../request/answer.ts";
import type { StaticFile } from "../serve/static/file.ts";
import type { StaticFiles } from "../serve/static/files.ts";
import { lacksSlash } from "../serve/static/tree.ts";
import type { Outcome } from "./outcome.ts";
import type { Runtime } from "./runtime.ts";

type Answered = Response | Promise<Response>;

/** Serves the file at the path if there is one; leaves other paths to the routes. */
export type FileStep = (c: RequestCtx, otherwise: () => Answered) => Answered;

export function createFileStep(
  files: StaticFiles,
  { meter }: Pick<Runtime, "meter">,
  { fail, finish }: Outcome,
): FileStep {
  const failed = (c: RequestCtx, error: unknown): Answered =>
    // A file that was removed after the start is not a failure of the server.
    fail(c, error instanceof Deno.errors.NotFound ? notFound() : error);
  const done = (c: RequestCtx, response: Response): Response => {
    // Its other headers a file has; the CORS policy depends on the request.
    const cors = c.cors?.(c.headers.get("origin"));
    if (cors !== undefined) appendCors(response.headers, cors);
    meter?.end(c, response.status);
    return response;
  };
  const send = (c: RequestCtx, file: StaticFile): Answered => {
    // Whatever route the path would match as well, it has led to a file.
    c.location = { path: filePath(c), route: undefined, captures: undefined };
    try {
      if (lacksSlash(file, c.path)) {
        // So that the relative links of an index lead into its folder.
        const { path, url, pathEnd } = c.target;
        const location = `${localPath(path)}/${sliceQuery(url, pathEnd)}`;
        return finish(c, buildRedirect(c, location, 301));
      }
      const response = files.answer(file, c);
      if (!(response instanceof Promise)) return done(c, response);
      return response.then((value) => done(c, value)).catch((error) => failed(c, error));
    } catch (error) {
      return failed(c, error);
    }
  };
  return (c, otherwise) => {
    try {
      const file = files.find(filePath(c));
      if (file === undefined) return otherwise();
      if (!(file instanceof Promise)) return send(c, file);
      return file.then(
        (found) => found === undefined ? otherwise() : send(c, found),
        (error) => failed(c, error),
      );
    } catch (error) {
      return failed(c, error);
    }
  };
}

/** Creates the response to unmatched requests: 404, or 405 for an unsafe method on a file. */
export function createUnmatched(
  files: StaticFiles | undefined,
  { fail }: Outcome,
): (c: RequestCtx) => Answered {
  const refuse = (c: RequestCtx, file: unknown): Answered => {
    if (file === undefined) return fail(c, notFound());
    return fail(c, httpError(405, "Method Not Allowed", { headers: { allow: "GET, HEAD" } }));
  };
  return (c) => {
    const { method } = c.target;
    if (files === undefined || method === "GET" || method === "HEAD") return fail(c, notFound());
    try {
      const file = files.find(filePath(c));
      if (!(file instanceof Promise)) return refuse(c, file);
      return file.then((found) => refuse(c, found), (error) => fail(c, error));
    } catch (error) {
      return fail(c, error);
    }
  };
}

/** Returns the path by which files are found: a language in front of it is a folder like any other. */
function filePath(c: RequestCtx): string {
  return c.location?.outer ?? c.path;
}
