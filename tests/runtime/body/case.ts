import type { Ctx, Settings } from "../../../mod.ts";
import { App, Off } from "../../../mod.ts";

export interface Case {
  readonly body: BodyInit | null;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The method. @default "POST" */
  readonly method?: string;
  /** The path with its query. @default "/" */
  readonly path?: string;
  readonly settings?: Settings;
}

/** Runs a function in the handler of one request, and returns or throws what the function does. */
export async function inHandler<T>(given: Case, run: (c: Ctx) => T | Promise<T>): Promise<T> {
  const app = new App({ logRequest: Off, ...given.settings });
  let result: Promise<T> | undefined;
  const handler = async (c: Ctx): Promise<Response> => {
    result = Promise.resolve(run(c));
    await result.catch(() => {});
    return c.noContent();
  };
  app.route({ pattern: "/", methods: { GET: handler, POST: handler, PUT: handler } });
  const { body, type, headers, method = "POST", path = "/" } = given;
  const request = new Request(`http://localhost${path}`, {
    method,
    body,
    headers: { ...headers, ...(type === undefined ? {} : { "content-type": type }) },
  });
  const response = await app.fetch(request);
  if (result === undefined) throw new Error(`the handler did not run: ${response.status}`);
  return await result;
}
