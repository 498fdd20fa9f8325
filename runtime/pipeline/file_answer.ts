import { notFound } from "../base/errors.ts";
import type { RequestContext } from "../request/context.ts";
import { appendCors } from "../request/default_headers.ts";
import type { StaticFiles } from "../serve/static/files.ts";
import type { Compiled } from "./compiled.ts";
import { fail } from "./outcome.ts";

/** Answers with the file at the path, where there is one, and leaves the rest to the routes. */
export function answerFile(
  compiled: Compiled,
  { c, files, otherwise }: {
    readonly c: RequestContext;
    readonly files: StaticFiles;
    readonly otherwise: () => Response | Promise<Response>;
  },
): Response | Promise<Response> {
  const failed = (error: unknown): Response | Promise<Response> =>
    // A file that was removed after the start is no failure of the server.
    fail(compiled, { c, error: error instanceof Deno.errors.NotFound ? notFound() : error });
  const done = (response: Response): Response => {
    dressFile(c, response);
    compiled.meter?.end(c, response.status);
    return response;
  };
  try {
    const file = files.find(c.path);
    if (file === undefined) return otherwise();
    if (!(file instanceof Promise)) {
      const response = files.answer(file, c);
      return response instanceof Promise ? response.then(done).catch(failed) : done(response);
    }
    return file.then(
      async (found) => {
        try {
          if (found !== undefined) return done(await files.answer(found, c));
        } catch (error) {
          return failed(error);
        }
        return otherwise();
      },
      failed,
    );
  } catch (error) {
    return failed(error);
  }
}

/** Puts on a file what depends on the request; its other headers it has. */
function dressFile(c: RequestContext, response: Response): void {
  const cors = c.cors?.(c.headers.get("origin"));
  if (cors !== undefined) appendCors(response.headers, cors);
}
