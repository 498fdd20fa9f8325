import { needsApproval } from "../../runs/approval.ts";
import { jsonSchema } from "../../schema/json_schema.ts";
import type { Tool } from "../../tool.ts";
import { cutLine } from "../../json.ts";
import { McpError, rpcCodes } from "../protocol/errors.ts";
import type { CallContext } from "./call_context.ts";
import { type CallOutcome, failedOutcome } from "./offers/tool_result.ts";

export const approvalKey = "fw.approval";

/** The form has no fields: to accept it is the approval ("Response Actions" of "Elicitation"). */
const consent = jsonSchema<unknown>({ type: "object", properties: {} });

/**
 * Asks the person behind the client to approve a call, where the tool wants that.
 *
 * @returns The result of a call that was not approved; `undefined` where the tool may run.
 * @throws {McpError} for a client that cannot ask a person: the call must not run unseen.
 */
export async function refuseUnapproved(
  tool: Tool,
  args: unknown,
  call: CallContext,
): Promise<CallOutcome | undefined> {
  if (!tool.needsApproval || !await needsApproval(tool, { args })) return undefined;
  if (!call.can("elicit")) {
    throw new McpError(
      rpcCodes.missingClientCapability,
      `The tool "${tool.name}" needs the approval of a person, and this client has no forms to ask with`,
      { data: { requiredCapabilities: { elicitation: { form: {} } } } },
    );
  }
  const message = `Allow the tool "${tool.name}" to run with these arguments?\n${shown(args)}`;
  const { action } = await call.elicit({ message, schema: consent, key: approvalKey });
  if (action === "accept") return undefined;
  return failedOutcome(
    action === "decline"
      ? "The user rejected this call."
      : "The user closed the question whether this call may run, so it did not run.",
  );
}

const maxShownChars = 4_000;

const deceptive = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Writes arguments for a person: what cannot be seen is written out, and what is cut off is said. */
function shown(args: unknown): string {
  const text = JSON.stringify(args, null, 2).replaceAll(
    deceptive,
    (char) => char === "\n" ? char : `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );
  const hidden = text.length - maxShownChars;
  return hidden <= 0
    ? text
    : `${cutLine(text, maxShownChars)}\n(${hidden} characters are not shown)`;
}
