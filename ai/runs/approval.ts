import type { AnyTool, Offer } from "../agent.ts";
import type { ToolCall } from "../message.ts";
import type { Decision } from "./types.ts";
import { parseCallArguments, toolErrorText } from "./tool_calls.ts";

export function rejectionText({ reason }: Decision): string {
  const why = reason === undefined || reason === "" ? "." : `: ${reason}`;
  return toolErrorText(`The user rejected this call${why}`);
}

export async function splitByApproval(
  calls: readonly ToolCall[],
  { offer: { byName }, context }: { readonly offer: Offer; readonly context: unknown },
): Promise<{ readonly free: ToolCall[]; readonly guarded: ToolCall[] }> {
  const free: ToolCall[] = [];
  const guarded: ToolCall[] = [];
  for (const call of calls) {
    const { value, isJson } = parseCallArguments(call);
    // A call that cannot run has nothing to approve: the model is told what is wrong.
    const mustWait = isJson && await needsApproval(byName.get(call.name), { args: value, context });
    (mustWait ? guarded : free).push(call);
  }
  return { free, guarded };
}

/** Returns whether a person must approve a call of a tool with these arguments. */
export async function needsApproval(
  tool: AnyTool | undefined,
  { args, context }: { readonly args: unknown; readonly context?: unknown },
): Promise<boolean> {
  const { needsApproval: rule = false } = tool ?? {};
  if (typeof rule === "boolean") return rule;
  try {
    return await rule(args, context);
  } catch {
    // A rule that fails has not said that the call is harmless.
    return true;
  }
}
