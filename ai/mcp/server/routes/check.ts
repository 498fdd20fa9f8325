import type { Application, Route } from "../../../../mod.ts";
import type { Tool } from "../../../tool.ts";

export interface ToolTarget {
  readonly method: string;
  readonly pattern: string;
}

const targets: WeakMap<Tool, ToolTarget> = new WeakMap();

export function setTarget(tool: Tool, target: ToolTarget): void {
  targets.set(tool, target);
}

type Tools = ReadonlyMap<string, { readonly tool: Tool }>;

const checked: WeakMap<Application, WeakSet<Tools>> = new WeakMap();

/**
 * Reports the tools whose route an application does not have, or whose form handler refuses every call, once.
 * Tools are made before the application is, so the first request is when both are known.
 */
export function reportRoutes(app: Application, tools: Tools): void {
  const known = checked.get(app) ?? new WeakSet();
  if (known.has(tools)) return;
  checked.set(app, known.add(tools));
  for (const { tool } of tools.values()) {
    const target = targets.get(tool);
    const problem = target && findProblem(app.routes, target);
    if (problem === undefined) continue;
    const call = `${target?.method} "${target?.pattern}"`;
    const [what, fix] = problem;
    app.log.error(`Cannot call ${call} by the tool "${tool.name}": ${what}`, { fix });
  }
}

function findProblem(
  routes: readonly Route[],
  { method, pattern }: ToolTarget,
): readonly [what: string, fix: string] | undefined {
  const sent = pattern.split("/");
  const found = routes.filter((route) => canLead(sent, route.pattern.split("/")));
  if (found.length === 0) {
    return ["the application has no such route", "correct the pattern of the tool"];
  }
  const isRead = method === "GET" || method === "HEAD";
  const takers = found.filter(({ methods = {}, page }) =>
    Object.hasOwn(methods, method) ||
    (isRead && (page !== undefined || Object.hasOwn(methods, "GET")))
  );
  if (takers.length === 0) {
    return [`the route has no ${method}`, "correct the method of the tool"];
  }
  // `canLead` errs on the side of a route, so one handler without the check is enough.
  const isForm = takers.every(({ page, kind, csrf }) =>
    csrf !== false && (page !== undefined || kind === "page")
  );
  if (isRead || !isForm) return undefined;
  return [
    "it handles a form and refuses requests without a CSRF token",
    "choose a route of the kind api: `export const Kind = KindAPI;`",
  ];
}

/** Reports whether some arguments make a path of the pattern that a route may match. */
function canLead(sent: readonly string[], route: readonly string[]): boolean {
  for (let at = 0; at < Math.max(sent.length, route.length); at++) {
    const [left, right] = [sent[at], route[at]];
    // What takes the rest takes all that follows.
    if (left?.endsWith("...}") || right?.endsWith("...}")) return true;
    if (left === undefined || right === undefined) return false;
    if (left !== right && !left.includes("{") && !right.includes("{")) return false;
  }
  return true;
}
