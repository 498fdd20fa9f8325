import type { AnySchema } from "../../../mod.ts";
import { thrownMessage } from "../../../runtime/addon.ts";
import { publicToolMessage } from "../../errors.ts";
import { jsonSchema, validate } from "../../schema/schema.ts";
import { InputRequired, invalidParams, McpError, rpcCodes } from "../protocol/errors.ts";
import type { ResourceContents } from "../protocol/content.ts";
import { cutLine, isJsonObject } from "../../json.ts";
import { isStateless, type RpcParams, type RpcRequest } from "../protocol/messages.ts";
import { lackingCapability } from "./call.ts";
import type { CallContext } from "./call_context.ts";
import { maxWatched } from "./changes.ts";
import { listen, listening } from "./listen.ts";
import type { Completer, PromptValue } from "./offers/prompts.ts";
import type { Catalog, CatalogList, Core } from "./core.ts";
import type { ResourceValue } from "./offers/resources.ts";
import {
  type CallOutcome,
  type CompiledTool,
  failedOutcome,
  isMcpTool,
  toOutcome,
} from "./offers/tools.ts";
import { needsApproval } from "../../runs/approval.ts";

type Method = (call: CallContext) => RpcParams | Promise<RpcParams>;

export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["tools/call", callTool],
  ["tools/list", (call) => list(call, isStateless(call.revision) ? "tools" : "sessionTools")],
  ["resources/list", (call) => list(call, "resources")],
  ["resources/templates/list", (call) => list(call, "resourceTemplates")],
  ["resources/read", readResource],
  ["prompts/list", (call) => list(call, "prompts")],
  ["prompts/get", getPrompt],
  ["completion/complete", complete],
  [listening, listen],
]);

/** Returns a complete list, because this server does not paginate. */
function list({ incoming: { core, request } }: CallContext, name: CatalogList): RpcParams {
  // Some clients write the absent cursor of the first page.
  if ((request.params.cursor ?? "") !== "") throw invalidParams("The cursor is invalid");
  return { [name === "sessionTools" ? "tools" : name]: core.catalog.lists[name] };
}

function resourceScopes({ resources, templates }: Catalog, uri: string): readonly string[] {
  const entry = resources.get(uri) ??
    templates.find(({ template }) => template.match(uri) !== undefined);
  return entry?.scopes ?? [];
}

export async function dispatch(call: CallContext): Promise<RpcParams> {
  const { method } = call.incoming.request;
  const run = methods.get(method);
  if (run === undefined || (run === listen && !isStateless(call.revision))) {
    throw new McpError(rpcCodes.methodNotFound, `Method not found: ${cutLine(method)}`);
  }
  try {
    return await run(call);
  } finally {
    if (call.logged !== undefined) await call.logged;
  }
}

export function toolOf(
  core: Core,
  { method, params: { name } }: RpcRequest,
): CompiledTool | undefined {
  return method === "tools/call" && typeof name === "string"
    ? core.catalog.tools.get(name)
    : undefined;
}

export function scopesOf(core: Core, request: RpcRequest): readonly string[] {
  const { catalog } = core;
  const { method, params } = request;
  const { uri, ref, notifications } = params;
  switch (method) {
    case "tools/call":
      return toolOf(core, request)?.scopes ?? [];
    case "resources/read":
    case "resources/subscribe":
      return typeof uri === "string" ? resourceScopes(catalog, uri) : [];
    case "completion/complete": {
      // The suggested values reveal which resources exist, so require the template's scopes.
      const source = isJsonObject(ref) ? ref.uri : undefined;
      return catalog.templates.find(({ template }) => template.source === source)?.scopes ?? [];
    }
    case listening: {
      const watched = isJsonObject(notifications) ? notifications.resourceSubscriptions : undefined;
      if (!Array.isArray(watched)) return [];
      const uris = watched.slice(0, maxWatched);
      return [...new Set(uris.flatMap((each) => resourceScopes(catalog, String(each))))];
    }
    default:
      return [];
  }
}

/** Returns the tool of a call. @throws {McpError} for a call of an unknown tool. */
export function findTool(core: Core, request: RpcRequest): CompiledTool {
  const found = toolOf(core, request);
  if (found !== undefined) return found;
  throw invalidParams(`Unknown tool: ${cutLine(String(request.params.name))}`);
}

async function callTool(call: CallContext): Promise<RpcParams> {
  const { core, request } = call.incoming;
  const { params } = request;
  const compiled = findTool(core, request);
  const { tool } = compiled;
  const args = params.arguments ?? {};
  if (!isJsonObject(args)) throw invalidParams("The arguments must be an object");
  let outcome: CallOutcome | undefined;
  try {
    const context = isMcpTool(tool) ? undefined : await core.context?.(call);
    outcome = await refuseUnapproved(tool, { args, context }, call);
    if (outcome === undefined) {
      const { signal, callId } = call;
      const value = await (isMcpTool(tool)
        ? tool.invoke(args, call)
        : tool.call(args, { signal, callId, context }));
      outcome = toOutcome(value, compiled.output !== undefined);
      if (compiled.output !== undefined) {
        await checkOutput(compiled.output, outcome);
      }
    }
  } catch (error) {
    // Return the error to the model, which can correct the call.
    outcome = failedOutcome(errorMessage(error, call, `tool ${tool.name}`));
  }
  // Older clients accept only objects.
  return isStateless(call.revision) || isJsonObject(outcome.structuredContent)
    ? outcome
    : { ...outcome, structuredContent: undefined };
}

async function checkOutput(
  output: AnySchema,
  { structuredContent, isError }: CallOutcome,
): Promise<void> {
  if (isError) return;
  const checked = await validate(output, structuredContent ?? null);
  if (checked.kind === "valid") return;
  throw new TypeError(
    `Cannot send a result that the tool's output does not allow: ${checked.message}.`,
  );
}

/** Returns the public message of an error, which is logged in full. Rethrows protocol errors. */
function errorMessage(error: unknown, call: CallContext, subject: string): string {
  if (error instanceof McpError || error instanceof InputRequired || call.signal.aborted) {
    throw error;
  }
  const meant = publicToolMessage(error);
  if (meant !== undefined) return meant;
  const { c, log = c?.log } = call.incoming;
  log?.error("mcp call failed", { subject, error });
  if (c === undefined || c.env === "dev") return thrownMessage(error);
  return `The ${subject} failed; the request id is ${c.requestId}`;
}

/** Runs the function of a resource or prompt and turns its errors into protocol errors. */
async function guarded<T>(
  call: CallContext,
  subject: string,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new McpError(rpcCodes.internalError, errorMessage(error, call, subject), {
      cause: error,
    });
  }
}

async function readResource(call: CallContext): Promise<RpcParams> {
  const { core, request: { params } } = call.incoming;
  const { uri } = params;
  if (typeof uri !== "string") throw invalidParams("The parameter uri must be a string");
  const plain = core.catalog.resources.get(uri);
  if (plain !== undefined) {
    const value = await guarded(call, "resource", () => plain.read(call));
    return { contents: toContents(value, { uri, mimeType: plain.mimeType }) };
  }
  for (const template of core.catalog.templates) {
    const values = template.template.match(uri);
    if (values === undefined) continue;
    const read = () => template.read(Object.fromEntries(values), call);
    const value = await guarded(call, "resource", read);
    if (value === undefined) break;
    return { contents: toContents(value, { uri, mimeType: template.mimeType }) };
  }
  const code = isStateless(call.revision) ? rpcCodes.invalidParams : rpcCodes.resourceNotFound;
  throw new McpError(code, "Resource not found", { data: { uri: cutLine(uri, 2_000) } });
}

function toContents(
  value: ResourceValue,
  { uri, mimeType }: { readonly uri: string; readonly mimeType: string | undefined },
): readonly ResourceContents[] {
  if (typeof value === "string") return [{ uri, mimeType: mimeType ?? "text/plain", text: value }];
  if (value instanceof Uint8Array) {
    return [{ uri, mimeType: mimeType ?? "application/octet-stream", blob: value.toBase64() }];
  }
  return "uri" in value ? [value] : value;
}

async function getPrompt(call: CallContext): Promise<RpcParams> {
  const { core, request: { params } } = call.incoming;
  const { name } = params;
  const found = typeof name === "string" ? core.catalog.prompts.get(name) : undefined;
  if (found === undefined) throw invalidParams(`Unknown prompt: ${cutLine(String(name))}`);
  const args = textsOf(params.arguments ?? {});
  const missing = found.arguments?.find((each) => each.required && args[each.name] === undefined);
  if (missing !== undefined) {
    throw invalidParams(`The prompt needs the argument "${missing.name}"`);
  }
  const value = await guarded(call, `prompt ${found.name}`, () => found.get(args, call));
  const { description } = found;
  return { description, messages: toMessages(value) };
}

function toMessages(value: PromptValue): readonly RpcParams[] {
  const messages = typeof value === "string" ? [{ role: "user", content: value }] : value;
  return messages.map(({ role, content }) => ({
    role,
    content: typeof content === "string" ? { type: "text", text: content } : content,
  }));
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  if (!isJsonObject(value)) throw invalidParams("The arguments must be an object");
  const entries = Object.entries(value).map(([name, text]): [string, string] => {
    if (typeof text === "string") return [name, text];
    throw invalidParams(`The argument "${cutLine(name)}" must be a string`);
  });
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}

async function complete(call: CallContext): Promise<RpcParams> {
  const { core, request: { params } } = call.incoming;
  const { ref, argument, context } = params;
  if (!isJsonObject(ref) || !isJsonObject(argument)) {
    throw invalidParams("ref and argument are required");
  }
  const { name, value } = argument;
  if (typeof name !== "string" || typeof value !== "string") {
    throw invalidParams("The argument needs a name and a value");
  }
  const completer = findCompleter(core.catalog, ref, name);
  if (completer === undefined) return completionResult([]);
  const known = isJsonObject(context) ? textsOf(context.arguments ?? {}) : {};
  const about = { arguments: known, signal: call.signal };
  return completionResult(await guarded(call, "completion", () => completer(value, about)));
}

const maxValues = 100;

function completionResult(values: readonly string[]): RpcParams {
  const shown = values.slice(0, maxValues);
  const hasMore = shown.length < values.length;
  return { completion: { values: shown, total: values.length, hasMore } };
}

function findCompleter(
  { prompts, resources, templates }: Catalog,
  { type, name: prompt, uri }: RpcParams,
  name: string,
): Completer | undefined {
  if (type === "ref/prompt" && typeof prompt === "string") {
    const found = prompts.get(prompt);
    if (found === undefined) throw invalidParams(`Unknown prompt: ${cutLine(prompt)}`);
    return found.arguments?.find((each) => each.name === name)?.complete;
  }
  if (type === "ref/resource" && typeof uri === "string") {
    const found = templates.find(({ template }) => template.source === uri);
    if (found === undefined && !resources.has(uri)) {
      throw invalidParams(`Unknown resource template: ${cutLine(uri)}`);
    }
    return found !== undefined && Object.hasOwn(found.complete, name)
      ? found.complete[name]
      : undefined;
  }
  throw invalidParams("ref must name a prompt or a resource template");
}

/** The capabilities of a server; its lists may be empty. */
export function serverCapabilities({ catalog }: Core): RpcParams {
  return {
    logging: {},
    ...(catalog.hasCompletions ? { completions: {} } : {}),
    prompts: {},
    resources: { subscribe: true },
    tools: {},
  };
}

export const approvalKey = "fw.approval";

/** A form without fields: accepting it is the approval ("Response Actions" of "Elicitation"). */
const consent = jsonSchema<unknown>({ type: "object", properties: {} });

/**
 * Asks a person to approve a call, if the tool requires it; returns the result for an unapproved call.
 * @throws {McpError} for a client that cannot ask a person, so that the call does not run unseen.
 */
async function refuseUnapproved(
  tool: CompiledTool["tool"],
  given: { readonly args: unknown; readonly context: unknown },
  call: CallContext,
): Promise<CallOutcome | undefined> {
  if (!tool.needsApproval || !await needsApproval(tool, given)) return undefined;
  if (!call.can("elicit")) throw lackingCapability("elicit", `the approval of "${tool.name}"`);
  const question = `Allow the tool "${tool.name}" to run with these arguments?`;
  const message = `${question}\n${shown(given.args)}`;
  const { action } = await call.elicit({ message, schema: consent, key: approvalKey });
  if (action === "accept") return undefined;
  return failedOutcome(
    action === "decline"
      ? "The user rejected this call."
      : "The user closed the approval request, so this call did not run.",
  );
}

const maxShownChars = 4_000;

const deceptive = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Formats arguments for a person: escapes invisible characters and reports how much was cut off. */
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
