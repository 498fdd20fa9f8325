import { needsApproval } from "../../approval.ts";
import { jsonSchema } from "../../json_schema.ts";
import type { Tool } from "../../tool.ts";
import { McpError, rpcCodes, shorten } from "../protocol/errors.ts";
import type { CallContext } from "./call_context.ts";
import { stateTtlMs } from "./request_state.ts";
import { type CallOutcome, failedOutcome } from "./tool_result.ts";

/** The key of the question for an approval. */
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
  { args, call }: { readonly args: unknown; readonly call: CallContext },
): Promise<CallOutcome | undefined> {
  if (!tool.needsApproval || !await needsApproval(tool, args)) return undefined;
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

/** How much of the arguments a person is shown. */
const maxShownChars = 4_000;

/** Characters that make a text look different from what it holds. */
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
    : `${shorten(text, maxShownChars)}\n(${hidden} characters are not shown)`;
}

/** How many used approvals are remembered. */
const maxUsed = 10_000;

/**
 * The approvals of revision 2026-07-28 that have been used, in the memory of this process: the client holds
 * an approval between its tries, and could send it twice.
 */
export class UsedApprovals {
  readonly #expiresMs: Map<string, number> = new Map();
  readonly #now: () => number;

  /** @param now The time in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Uses the approval of a call.
   *
   * @returns `false` where it has been used.
   */
  take(id: string): boolean {
    const nowMs = this.#now();
    for (const [old, expiresMs] of this.#expiresMs) {
      if (expiresMs > nowMs) break;
      this.#expiresMs.delete(old);
    }
    if (this.#expiresMs.has(id)) return false;
    // Forgetting the oldest early is better than refusing everybody's approvals after a flood.
    const [oldest] = this.#expiresMs.size < maxUsed ? [] : this.#expiresMs.keys();
    if (oldest !== undefined) this.#expiresMs.delete(oldest);
    this.#expiresMs.set(id, nowMs + stateTtlMs);
    return true;
  }

  /** Gives back the approval of a call that did not run to its end, since it asks another question. */
  release(id: string): void {
    this.#expiresMs.delete(id);
  }
}
