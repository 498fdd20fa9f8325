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
    if (target === undefined) continue;
    const problem = problemOf(app.routes, target);
    if (problem === undefined) continue;
    const { method, pattern } = target;
    app.log.error(
      `Cannot call ${method} "${pattern}" by the tool "${tool.name}": ${problem.what}`,
      {
        fix: problem.fix,
      },
    );
  }
}

function problemOf(
  routes: readonly Route[],
  { method, pattern }: ToolTarget,
): { readonly what: string; readonly fix: string } | undefined {
  const sent = segmentsOf(pattern);
  const found = routes.filter((route) => canLead(sent, segmentsOf(route.pattern)));
  if (found.length === 0) {
    return { what: "the application has no such route", fix: "correct the pattern of the tool" };
  }
  const takers = found.filter((route) => takes(route, method));
  if (takers.length === 0) {
    return { what: `the route has no ${method}`, fix: "correct the method of the tool" };
  }
  const isRead = method === "GET" || method === "HEAD";
  // `canLead` errs on the side of a route, so one handler without the check is enough.
  if (isRead || !takers.every(isForm)) return undefined;
  return {
    what: "it handles a form and refuses requests without a CSRF token",
    fix: "choose a route of the kind api: `export const Kind = KindAPI;`",
  };
}

function takes({ methods = {}, page }: Route, method: string): boolean {
  if (Object.hasOwn(methods, method)) return true;
  const isRead = method === "GET" || method === "HEAD";
  return isRead && (page !== undefined || Object.hasOwn(methods, "GET"));
}

function isForm({ page, kind, csrf }: Route): boolean {
  return csrf !== false && (page !== undefined || kind === "page");
}

function segmentsOf(pattern: string): readonly string[] {
  return pattern.split("/").slice(1);
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
