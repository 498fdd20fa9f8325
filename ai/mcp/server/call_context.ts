import type { AnySchema, JsonSchema } from "../../../mod.ts";
import { type Awaitable, isThenable } from "../../../runtime/addon.ts";
import { isJsonObject } from "../../json.ts";
import { describeObject, validate } from "../../schema/schema.ts";
import { invalidParams } from "../protocol/errors.ts";
import { type RpcParams, wireNotification } from "../protocol/messages.ts";
import {
  type Elicited,
  type ElicitForm,
  type ElicitUrl,
  type Feature,
  lackingCapability,
  logLevels,
  type McpCall,
  type McpLogLevel,
  type McpRoot,
  type RequestMeta,
  type Sampled,
  type SampleRequest,
} from "./call.ts";
import type { Incoming } from "./incoming.ts";

export type AskClient = (
  method: string,
  question: { readonly key: string; readonly params: RpcParams },
) => Promise<RpcParams>;

export class CallContext implements McpCall {
  readonly incoming: Incoming;
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly c: McpCall["c"];
  readonly caller: McpCall["caller"];
  readonly client: McpCall["client"];
  readonly revision: string;
  readonly #meta: RequestMeta;
  readonly #ask: AskClient;
  #questions = 0;
  #lastProgress = -Infinity;
  #level: Awaitable<McpLogLevel | undefined> = undefined;
  /** Resolves when the log messages so far have been sent. */
  logged: Promise<void> | undefined = undefined;

  constructor(incoming: Incoming, meta: RequestMeta, ask: AskClient) {
    this.incoming = incoming;
    this.#meta = meta;
    this.#ask = ask;
    this.callId = String(incoming.request.id);
    this.signal = incoming.controller.signal;
    ({ c: this.c, caller: this.caller } = incoming);
    ({ client: this.client, revision: this.revision } = meta);
  }

  can(feature: Feature): boolean {
    const { elicitation, sampling, roots } = this.#meta.capabilities;
    if (feature === "sample") return isJsonObject(sampling);
    if (feature === "roots") return isJsonObject(roots);
    if (!isJsonObject(elicitation)) return false;
    if (feature === "elicitUrl") return isJsonObject(elicitation.url);
    // An empty object means forms, because older revisions had no pages.
    return isJsonObject(elicitation.form) || elicitation.url === undefined;
  }

  progress(
    progress: number,
    { total, message }: { readonly total?: number; readonly message?: string } = {},
  ): void {
    const { progressToken } = this.#meta;
    // The specification requires every value to be greater than the previous one.
    if (progressToken === undefined || !(progress > this.#lastProgress)) return;
    this.#lastProgress = progress;
    this.#notify("notifications/progress", { progressToken, progress, total, message });
  }

  log(level: McpLogLevel, data: unknown, { logger }: { readonly logger?: string } = {}): void {
    const send = (least: McpLogLevel | undefined): void => {
      if (least === undefined || logLevels.indexOf(level) < logLevels.indexOf(least)) return;
      this.#notify("notifications/message", { level, logger, data: data ?? null });
    };
    const least = this.#level ??= this.#meta.logLevel();
    if (isThenable(least)) this.logged = least.then(send);
    else send(least);
  }

  async elicit<T>(form: ElicitForm<T>): Promise<Elicited<T>> {
    const key = this.#need("elicit", form.key);
    const { message } = form;
    const params = { message, requestedSchema: describeForm(form.schema) };
    const answer = await this.#ask("elicitation/create", { key, params });
    const action = readAction(answer);
    if (action !== "accept") return { action };
    const checked = await validate(form.schema, answer.content ?? {});
    if (checked.kind === "valid") return { action, value: checked.value };
    throw invalidParams(`The answer to the form is invalid: ${checked.message}`);
  }

  async elicitUrl(page: ElicitUrl): Promise<"accept" | "decline" | "cancel"> {
    const key = this.#need("elicitUrl", page.key);
    const { message, url } = page;
    const params = { mode: "url", message, url };
    return readAction(await this.#ask("elicitation/create", { key, params }));
  }

  async sample(request: SampleRequest): Promise<Sampled> {
    const key = this.#need("sample", request.key);
    const { key: _, ...params } = request;
    const answer = await this.#ask("sampling/createMessage", { key, params });
    const { role, content, model, stopReason } = answer;
    const hasContent = isJsonObject(content) || Array.isArray(content);
    if ((role !== "user" && role !== "assistant") || !hasContent || typeof model !== "string") {
      throw invalidParams("The answer of the client's model is malformed");
    }
    return {
      role,
      content: content as unknown as Sampled["content"],
      model,
      ...(typeof stopReason === "string" ? { stopReason } : {}),
    };
  }

  async roots(): Promise<readonly McpRoot[]> {
    const key = this.#need("roots", "roots");
    const { roots } = await this.#ask("roots/list", { key, params: {} });
    if (!Array.isArray(roots)) throw invalidParams("The list of roots is malformed");
    return roots.filter((root): root is McpRoot =>
      isJsonObject(root) && typeof root.uri === "string"
    );
  }

  #notify(method: string, params: RpcParams): void {
    this.incoming.send(wireNotification(method, params));
  }

  /** Returns the key of a question, refusing one that the client cannot answer. */
  #need(feature: Feature, key: string | undefined): string {
    const name = key ?? `question-${++this.#questions}`;
    if (this.can(feature)) return name;
    throw lackingCapability(feature);
  }
}

function readAction({ action }: RpcParams): "accept" | "decline" | "cancel" {
  if (action === "accept" || action === "decline" || action === "cancel") return action;
  throw invalidParams("The answer to the question is malformed");
}

const fieldTypes: ReadonlySet<string> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "array",
]);

const keywords = [
  ...["title", "description", "default", "enum", "enumNames", "oneOf", "minLength", "maxLength"],
  ...["format", "minimum", "maximum", "minItems", "maxItems", "items"],
];

const formats: ReadonlySet<unknown> = new Set(["email", "uri", "date", "date-time"]);

/** Describes a form in the JSON Schema that clients render. @throws {TypeError} for an unsupported field. */
function describeForm(schema: AnySchema): JsonSchema {
  const { properties = {}, required = [] } = describeObject(schema, "the form of elicit");
  const fields = Object.entries(properties).map(([name, field]) => [name, describe(name, field)]);
  return {
    type: "object",
    // Not an object literal: a field may be named "__proto__".
    properties: Object.fromEntries(fields),
    ...(required.length === 0 ? {} : { required: [...required] }),
  };
}

function describe(name: string, field: JsonSchema): JsonSchema {
  const types = Array.isArray(field.type) ? field.type : [field.type];
  const type = types.find((each) => each !== "null") ?? "";
  if (!fieldTypes.has(type)) refuse(name, "it is not a string, number, boolean or choice");
  if (type === "array" && (field.items?.enum ?? field.items?.anyOf) === undefined) {
    refuse(name, "a list must name its choices");
  }
  const described: JsonSchema = { type };
  for (const keyword of keywords) {
    const value = keyword === "format" ? readFormat(field) : field[keyword];
    if (value !== undefined) described[keyword] = value;
  }
  if (described.enum !== undefined) {
    const isKept = described.enum.map((value) => value !== null);
    described.enum = described.enum.filter((_, at) => isKept[at]);
    // The labels in older revisions, one per value.
    if (Array.isArray(described.enumNames)) {
      described.enumNames = described.enumNames.filter((_, at) => isKept[at]);
    }
    // A choice needs no length limits.
    delete described.minLength;
    delete described.maxLength;
  }
  return described;
}

function readFormat(field: JsonSchema): unknown {
  const found = field.format ?? field.anyOf?.find(({ format }) => formats.has(format))?.format;
  return formats.has(found) ? found : undefined;
}

function refuse(name: string, reason: string): never {
  throw new TypeError(
    `Cannot ask for the field "${name}": ${reason}; clients render flat forms only.`,
  );
}
