import { notFound } from "../base/errors/errors.ts";
import { localPath, sliceQuery } from "../base/url/path.ts";
import { appendCors } from "../request/default_headers.ts";
import type { Exchange } from "../request/exchange.ts";
import type { RequestMetrics } from "../serve/request_metrics.ts";
import type { StaticFile } from "../serve/static/file.ts";
import type { StaticFiles } from "../serve/static/files.ts";
import { lacksSlash } from "../serve/static/tree.ts";
import type { Outcome } from "./outcome.ts";

/** Serves the file at the path if there is one; leaves other paths to the routes. */
export type FileStep = (
  c: Exchange,
  otherwise: () => Response | Promise<Response>,
) => Response | Promise<Response>;

export function createFileStep(
  files: StaticFiles,
  { fail, finish, meter }: Pick<Outcome, "fail" | "finish"> & {
    readonly meter: RequestMetrics | undefined;
  },
): FileStep {
  const failed = (c: Exchange, error: unknown): Response | Promise<Response> =>
    // A file that was removed after the start is no failure of the server.
    fail(c, error instanceof Deno.errors.NotFound ? notFound() : error);
  const done = (c: Exchange, response: Response): Response => {
    // Its other headers a file has; the CORS policy depends on the request.
    const cors = c.cors?.(c.headers.get("origin"));
    if (cors !== undefined) appendCors(response.headers, cors);
    meter?.end(c, response.status);
    return response;
  };
  const send = (c: Exchange, file: StaticFile): Response | Promise<Response> => {
    // Whatever route the path would match as well, it has led to a file.
    c.location = { path: filePath(c), route: undefined, captures: undefined };
    try {
      if (lacksSlash(file, c.path)) return redirectToFolder(c, finish);
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

/** Returns the path by which files are found: a language in front of it is a folder like any other. */
export function filePath(c: Exchange): string {
  return c.location?.outer ?? c.path;
}

/** Sends the client to the path with a slash, so that the relative links of an index lead into its folder. */
function redirectToFolder(c: Exchange, finish: Outcome["finish"]): Response | Promise<Response> {
  const { path, url, pathEnd } = c.target;
  return finish(c, c.redirect(`${localPath(path)}/${sliceQuery(url, pathEnd)}`, 301));
}
