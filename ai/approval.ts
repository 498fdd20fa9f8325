import type { Offer } from "./agent.ts";
import type { ToolCall } from "./message.ts";
import type { Decision } from "./run_types.ts";
import { errorText, parseArguments } from "./tool_calls.ts";

/** What the model is told of a call that a person rejected. */
export function rejectionText({ reason }: Decision): string {
  const why = reason === undefined || reason === "" ? "." : `: ${reason}`;
  return errorText(`The user rejected this call${why}`);
}

/** Tells the calls that may run from those that a person must approve first. */
export async function splitByApproval(
  calls: readonly ToolCall[],
  { byName }: Offer,
): Promise<{ readonly free: ToolCall[]; readonly guarded: ToolCall[] }> {
  const free: ToolCall[] = [];
  const guarded: ToolCall[] = [];
  for (const call of calls) {
    const isGuarded = await needsApproval(call, byName.get(call.name)?.needsApproval ?? false);
    (isGuarded ? guarded : free).push(call);
  }
  return { free, guarded };
}

async function needsApproval(
  call: ToolCall,
  rule: boolean | ((args: unknown) => boolean | Promise<boolean>),
): Promise<boolean> {
  const { value, isJson } = parseArguments(call);
  // A call that cannot run has nothing to approve: the model is told what is wrong.
  if (!isJson) return false;
  if (typeof rule === "boolean") return rule;
  try {
    return await rule(value);
  } catch {
    // A rule that fails has not said that the call is harmless.
    return true;
  }
}
