/** Actions as closures: a pipeline, then the functions that make its value safe. */

import { escapeAttribute, escapeHtml } from "../escape/html.ts";
import { escapeLink } from "../escape/url.ts";
import { escaperFunctions, type Plan } from "../escape/escapers.ts";
import { compileOperand, compilePipe, type Get, type Scope, type Write } from "./evaluate.ts";
import { joined } from "./functions.ts";
import type { PipeNode } from "../parse/nodes.ts";

/** The one function that does what a plan's functions do one after the other, for the usual plans. */
const wholePlans: Readonly<Record<string, (value: unknown) => string>> = {
  html: escapeHtml,
  attribute: escapeAttribute,
  "urlFilter urlNormalize attribute": escapeLink,
};

/** Returns the closure of an action, with short ways for what most actions are. */
export function escapedWrite(plan: Plan, pipe: PipeNode, scope: Scope): Write {
  const whole = wholePlans[plan.steps.join(" ")];
  if (whole !== undefined && !plan.joinsArguments) {
    const [only, ...more] = pipe.commands[0]?.args ?? [];
    const isAlone = pipe.commands.length === 1 && more.length === 0;
    if (isAlone && only?.kind === "dot") return (dot) => whole(dot);
    // Both nil and null are written as nothing: which of them it is makes no difference.
    const read = isAlone && only?.kind === "field"
      ? compileOperand(only, scope)
      : compilePipe(pipe, scope);
    return (dot, frame) => whole(read(dot, frame));
  }
  const steps = plan.steps.map((name): (value: unknown) => unknown => escaperFunctions[name]);
  const get = plan.joinsArguments
    ? joinedArguments(pipe, scope)
    : compilePipe(pipe, scope, plan.commands);
  return (dot, frame) => {
    let value = get(dot, frame);
    for (const step of steps) value = step(value);
    return value as string;
  };
}

/** `{{html .a .b}}`: the arguments are joined, and what escapes them comes behind. */
function joinedArguments(pipe: PipeNode, scope: Scope): Get {
  const args = (pipe.commands[0]?.args ?? []).slice(1).map((arg) => compileOperand(arg, scope));
  return (dot, frame) => joined(args.map((get) => get(dot, frame)));
}
