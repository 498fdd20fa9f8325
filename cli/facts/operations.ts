import type { Project } from "../project/project.ts";
import { isWriteMethod } from "../project/routes/convention_file.ts";
import type { Route } from "../project/routes/table.ts";
import { AuthNames } from "./auth_names.ts";
import { Guards } from "./guards.ts";
import type { Declaration } from "../project/sources/names.ts";
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
  const { imports } = await project.manifest();
  const reach = new Reach(await project.sources(), imports);
  const names = new AuthNames(reach);
  const guards = new Guards(reach, names);
  return { reach, names, guards, list: routes.flatMap((route) => operationsOf(route, reach)) };
}

function operationsOf(route: Route, reach: Reach): Operation[] {
  const { file, methods } = route;
  const actions = reach.find(file.path, "Actions");
  return methods.flatMap((method) => {
    const operation = (handler: Declaration | undefined, action?: string): Operation => ({
      route,
      method,
      action,
      isWrite: isWriteMethod(method),
      handler,
      middleware: route.middleware.flatMap(({ path, names }) =>
        ["Middleware", `Middleware${method}`].flatMap((name) =>
          names.has(name) ? reach.find(path, name) ?? [] : []
        )
      ),
    });
    const exported = file.base === "page" && method === "GET" ? "Page" : method;
    return [
      ...(file.names.has(exported) ? [operation(reach.find(file.path, exported))] : []),
      ...(method === "POST" ? file.actions : []).map((action) =>
        operation(actions && reach.member(actions, action), action)
      ),
    ];
  });
}
