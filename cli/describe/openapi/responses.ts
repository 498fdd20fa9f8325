import { STATUS_TEXT } from "@std/http/status";
import type ts from "npm:typescript@6.0.3";
import { mediaTypes, type ResponseHeader, type ResponseObject, type Schema } from "./document.ts";
import type { Effect } from "../../facts/effects.ts";

export interface ResponsesOptions {
  readonly effects: readonly Effect[];
  readonly outer: readonly Effect[];
  readonly isPage: boolean;
  /** The method only reads: a guard sends a browser that writes with 303. */
  readonly isRead: boolean;
  readonly checksCsrf: boolean;
  readonly hasBody: boolean;
  readonly hasParams: boolean;
  readonly isLimited: boolean;
  readonly describe: (
    type: ts.Type,
    at: { readonly node: ts.Node; readonly label: string },
  ) => Schema;
  readonly problem: Schema;
  readonly reportStatus: (node: ts.Node) => void;
}

interface Draft {
  readonly messages: Set<string>;
  readonly headers: Map<string, ResponseHeader>;
  readonly content: Map<string, { readonly schemas: Schema[]; events?: Record<string, Schema> }>;
}

const text: Schema = { type: "string" };
const seconds: ResponseHeader = {
  description: "The seconds to wait before the next request.",
  schema: { type: "integer", minimum: 0 },
};

/** The responses of an operation by status; `default` is added later. */
export class ResponseSet {
  readonly #options: ResponsesOptions;
  readonly #drafts = new Map<number, Draft>();

  constructor(options: ResponsesOptions) {
    this.#options = options;
  }

  build(): Record<string, ResponseObject> {
    const { effects, outer, checksCsrf, hasBody, hasParams, isLimited } = this.#options;
    this.#addSuccesses(effects);
    this.#addSuccesses(outer.filter(({ kind }) => kind !== "empty" && kind !== "status"));
    for (const effect of [...outer, ...effects]) this.#addFailures(effect);
    if (checksCsrf) this.#addError(403, "The CSRF token is missing or wrong.");
    if (hasBody) this.#addError(413, "The body is larger than the limit.");
    if (hasParams) this.#addError(400, "The path is malformed.");
    if (isLimited) this.#addLimit();
    this.#addHeaders(effects);
    const drafts = [...this.#drafts].sort(([a], [b]) => a - b);
    return Object.fromEntries(drafts.map(([status, draft]) => [status, toResponse(status, draft)]));
  }

  #draft(status: number): Draft {
    const known = this.#drafts.get(status);
    if (known !== undefined) return known;
    const draft: Draft = { messages: new Set(), headers: new Map(), content: new Map() };
    this.#drafts.set(status, draft);
    return draft;
  }

  #addBody(status: number, media: string, schema: Schema): void {
    const { content } = this.#draft(status);
    const known = content.get(media);
    if (known === undefined) content.set(media, { schemas: [schema] });
    else if (!known.schemas.some((each) => same(each, schema))) known.schemas.push(schema);
  }

  #addSuccesses(effects: readonly Effect[]): void {
    const declared = new Set(
      effects.flatMap((each) => each.kind === "json" && each.isDeclared ? each.statuses ?? [] : []),
    );
    const ownType =
      effects.flatMap((each) =>
        each.kind === "header" && each.name === "content-type" ? each.value ?? [] : []
      )[0];
    const statuses = effects.flatMap((each) => each.kind === "status" ? each.statuses : []);
    const isConditional = effects.some(({ kind }) => kind === "conditional");
    for (const effect of effects) {
      switch (effect.kind) {
        case "json":
          this.#addJson(effect, { declared, ownType });
          break;
        case "body": {
          const media = essence(effect.media ?? ownType ?? mediaTypes.any);
          if (effect.statuses === undefined) this.#options.reportStatus(effect.node);
          for (const status of effect.statuses ?? []) {
            const at = media === mediaTypes.html && statuses.length > 0 ? statuses : [status];
            const own = media === mediaTypes.text ? essence(ownType ?? media) : media;
            for (const each of at) this.#addBody(each, own, contentSchema(own));
          }
          break;
        }
        case "empty":
          // `if (c.etag(tag)) return;` sends the staged 304.
          if (effect.status === 204 && statuses.length > 0) statuses.forEach((s) => this.#draft(s));
          else if (effect.status !== 204 || !isConditional) this.#draft(effect.status);
          break;
        case "stream":
          this.#addStream(effect);
          break;
        case "conditional":
          this.#draft(304);
          break;
        case "upgrade":
          this.#draft(101);
          this.#addError(426, "The request is not a WebSocket upgrade.");
          break;
        case "redirect":
          for (const status of effect.statuses) {
            this.#draft(status).headers.set("Location", {
              description: "Where the client goes next.",
              schema: { type: "string", format: "uri-reference" },
            });
          }
      }
    }
  }

  #addJson(
    effect: Effect & { readonly kind: "json" },
    { declared, ownType }: {
      readonly declared: ReadonlySet<number>;
      readonly ownType: string | undefined;
    },
  ): void {
    const { statuses, type, node, isDeclared } = effect;
    if (statuses === undefined) {
      // The declared type of a helper that passes a status on is not a response of its own.
      if (!isDeclared && declared.size === 0) this.#options.reportStatus(node);
      return;
    }
    const wanted = statuses.filter((status) => isDeclared || !declared.has(status));
    if (wanted.length === 0) return;
    const label = wanted.join(", ");
    const schema = this.#options.describe(type, { node, label });
    const media = ownType !== undefined && /json/.test(ownType)
      ? essence(ownType)
      : mediaTypes.json;
    for (const status of wanted) this.#addBody(status, media, schema);
  }

  #addStream({ events, node }: Effect & { readonly kind: "stream" }): void {
    const schemas = [...events].flatMap(([name, type]) =>
      type === undefined
        ? []
        : [[name, this.#options.describe(type, { node, label: `"${name}"` })] as const]
    );
    const draft = this.#draft(200);
    draft.content.set(mediaTypes.events, {
      schemas: [text],
      ...(schemas.length === 0 ? {} : { events: Object.fromEntries(schemas) }),
    });
  }

  #addFailures(effect: Effect): void {
    switch (effect.kind) {
      case "error":
        for (const status of effect.statuses) this.#addError(status, effect.message);
        for (const status of effect.statuses) {
          if (effect.challenge !== undefined) this.#addChallenge(status);
        }
        return;
      case "guard":
        this.#addError(401, "The request is not signed in.");
        this.#addChallenge(401);
        if (effect.hasRole) this.#addError(403, "The user lacks the role.");
        if (this.#options.isPage) {
          this.#draft(this.#options.isRead ? 302 : 303).headers.set("Location", {
            description: "The sign-in page, for a browser.",
            schema: { type: "string", format: "uri-reference" },
          });
        }
        return;
      case "limit":
        return this.#addLimit();
      case "bind":
        return this.#addInputErrors(effect);
      case "field":
      case "file":
        this.#addError(400, "The form is malformed.");
        this.#addError(415, "The body has a type that is not read here.");
        if (effect.kind === "file") this.#addError(422, "A field was not accepted.");
        return;
      case "param":
        if (effect.schema !== undefined) this.#addError(404, undefined);
    }
  }

  #addInputErrors({ from, isTried }: Effect & { readonly kind: "bind" }): void {
    if (from === "query") {
      this.#addError(400, "The query was not accepted.");
      return;
    }
    this.#addError(400, "The body is malformed.");
    this.#addError(415, "The body has a type that is not read here.");
    if (!isTried) this.#addError(422, "A field was not accepted.");
  }

  #addLimit(): void {
    this.#addError(429, "The client sends too many requests.");
    this.#draft(429).headers.set("Retry-After", seconds);
  }

  #addChallenge(status: number): void {
    this.#draft(status).headers.set("WWW-Authenticate", { schema: text });
  }

  #addError(status: number, message: string | undefined): void {
    const { isPage, problem } = this.#options;
    if (message !== undefined) this.#draft(status).messages.add(sentence(message));
    if (isPage) this.#addBody(status, mediaTypes.html, text);
    else this.#addBody(status, mediaTypes.problem, problem);
  }

  /** Headers that the handler sets belong to its own responses, not to errors. */
  #addHeaders(effects: readonly Effect[]): void {
    const names = effects.flatMap((each) => each.kind === "header" ? each.name : [])
      .filter((name) => !unlistedHeaders.has(name));
    for (const [status, { headers }] of this.#drafts) {
      if (status < 200 || status >= 300) continue;
      for (const name of names) headers.set(headerName(name), { schema: text });
    }
  }
}

/** Headers that OpenAPI ignores, or that say nothing about the result. */
const unlistedHeaders: ReadonlySet<string> = new Set([
  "accept",
  "authorization",
  "cache-control",
  "content-security-policy",
  "content-type",
  "server-timing",
  "x-content-type-options",
  "x-robots-tag",
]);

function headerName(name: string): string {
  return name.split("-").map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("-");
}

function toResponse(status: number, { messages, headers, content }: Draft): ResponseObject {
  const title = STATUS_TEXT[status] ?? `Status ${status}`;
  const media = [...content].map(([type, { schemas, events }]) =>
    [type, {
      schema: schemas.length === 1 ? schemas[0] ?? {} : { anyOf: schemas },
      ...(events === undefined ? {} : { "x-events": events }),
    }] as const
  );
  return {
    description: messages.size === 0 ? title : `${title}: ${[...messages].join(" ")}`,
    ...(headers.size === 0 ? {} : { headers: Object.fromEntries([...headers].sort()) }),
    ...(media.length === 0 ? {} : { content: Object.fromEntries(media) }),
  };
}

function sentence(message: string): string {
  const trimmed = message.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

function same(a: Schema, b: Schema): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function essence(media: string): string {
  return media.split(";")[0]?.trim().toLowerCase() ?? media;
}

export function contentSchema(media: string): Schema {
  const isText = /^text\/|[+/](?:xml|json|yaml)$|javascript/.test(media);
  return isText ? text : { type: "string", format: "binary" };
}
