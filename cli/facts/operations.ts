import { isWriteMethod } from "../project/routes/convention_file.ts";
import type { Project } from "../project/project.ts";
import type { Route } from "../project/routes/table.ts";
import { AuthNames } from "./auth_names.ts";
import { Guards } from "./guards.ts";
import type { Declaration } from "./names.ts";
import { Reach } from "./reach.ts";

export interface Operation {
  readonly route: Route;
  readonly method: string;
  readonly action: string | undefined;
  readonly isWrite: boolean;
  readonly handler: Declaration | undefined;
  /** The middleware that runs for the method, outermost first. */
  readonly middleware: readonly Declaration[];
}

export interface Operations {
  readonly reach: Reach;
  readonly names: AuthNames;
  readonly guards: Guards;
  /** In the order of the routes, then of `Allow`, then of the actions. */
  readonly list: readonly Operation[];
}

export async function reachOperations(project: Project): Promise<Operations> {
  const { routes } = await project.routes();
  const sources = await project.sources();
  const { imports } = await project.manifest();
  const reach = new Reach(sources, imports);
  const names = new AuthNames(reach);
  return {
    reach,
    names,
    guards: new Guards(reach, names),
    list: routes.flatMap((route) => operationsOf(route, reach)),
  };
}

function operationsOf(route: Route, reach: Reach): Operation[] {
  const { file, methods } = route;
  const operation = (
    method: string,
    { handler, action }: Pick<Operation, "handler" | "action">,
  ): Operation => ({
    route,
    method,
    action,
    isWrite: isWriteMethod(method),
    handler,
    middleware: middlewareOf(route, { method, reach }),
  });
  const actions = reach.find(file.path, "Actions");
  return methods.flatMap((method) => {
    const exported = file.base === "page" && method === "GET" ? "Page" : method;
    const own = file.names.has(exported)
      ? [operation(method, { handler: reach.find(file.path, exported), action: undefined })]
      : [];
    if (method !== "POST") return own;
    const named = file.actions.map((action) => {
      const handler = actions === undefined ? undefined : reach.member(actions, action);
      return operation(method, { handler, action });
    });
    return [...own, ...named];
  });
}

function middlewareOf(
  { middleware }: Route,
  { method, reach }: { readonly method: string; readonly reach: Reach },
): Declaration[] {
  return middleware.flatMap(({ path, names }) =>
    ["Middleware", `Middleware${method}`].flatMap((name) => {
      if (!names.has(name)) return [];
      return reach.find(path, name) ?? [];
    })
  );
}
