import { STATUS_TEXT } from "@std/http/status";
import type ts from "npm:typescript@6.0.3";
import type { Effect } from "../../facts/effects.ts";
import type { ApiHandler } from "../../facts/handlers.ts";
import { isWriteMethod } from "../../project/routes/convention_file.ts";
import { nodePlace } from "../../project/sources/syntax.ts";
import { sentence } from "../markdown.ts";
import type { ApiContext } from "./context.ts";
import { mediaTypes, type ResponseHeader, type ResponseObject, type Schema } from "./document.ts";

interface Draft {
  readonly messages: Set<string>;
  readonly headers: Map<string, ResponseHeader>;
  readonly content: Map<string, Schema[]>;
}

const text: Schema = { type: "string" };
const seconds: ResponseHeader = {
  description: "The seconds to wait before the next request.",
  schema: { type: "integer", minimum: 0 },
};

const inputErrors = {
  query: [[400, "The query was not accepted."]],
  body: [[400, "The body is malformed."], [415, "The body has a type that is not read here."]],
  form: [[400, "The form is malformed."], [415, "The body has a type that is not read here."]],
} as const;
const fieldRefused = "A field was not accepted.";

/** Returns the responses of an operation by status; `default` is added later. */
export function describeResponses(
  handler: ApiHandler,
  api: ApiContext,
  checksCsrf: boolean,
): Record<string, ResponseObject> {
  const { effects, outer, method, route } = handler;
  const label = `${method} ${route.pattern}`;
  const { path: file } = route.file;
  const drafts = new Map<number, Draft>();
  addSuccesses(effects);
  addSuccesses(outer.filter(({ kind }) => kind !== "empty" && kind !== "status"));
  for (const effect of [...outer, ...effects]) addFailures(effect);
  if (checksCsrf) addError(403, "The CSRF token is missing or wrong.");
  if (isWriteMethod(method) && method !== "DELETE") {
    addError(413, "The body is larger than the limit.");
  }
  if (route.params.length > 0) addError(400, "The path is malformed.");
  if (api.isLimited) addFailures({ kind: "limit" });
  // Headers that the handler sets belong to its own responses, not to errors.
  const names = effects.flatMap((each) => each.kind === "header" ? each.name : [])
    .filter((name) => !unlistedHeaders.has(name));
  return Object.fromEntries(
    [...drafts].sort(([a], [b]) => a - b).map(([status, each]) => {
      for (const name of status >= 200 && status < 300 ? names : []) {
        each.headers.set(name.replaceAll(/(?:^|-)./g, (start) => start.toUpperCase()), {
          schema: text,
        });
      }
      return [status, toResponse(status, each)];
    }),
  );

  function draft(status: number): Draft {
    return drafts.getOrInsertComputed(
      status,
      () => ({ messages: new Set(), headers: new Map(), content: new Map() }),
    );
  }

  function addBody(status: number, media: string, schema: Schema): void {
    const schemas = draft(status).content.getOrInsertComputed(media, () => []);
    const written = JSON.stringify(schema);
    if (!schemas.some((each) => JSON.stringify(each) === written)) schemas.push(schema);
  }

  function addLocation(status: number, description: string): void {
    const schema = { type: "string", format: "uri-reference" };
    draft(status).headers.set("Location", { description, schema });
  }

  function describe(type: ts.Type, node: ts.Node, statuses: string): Schema {
    const { describeType, report, texts } = api;
    return describeType(type, ({ path, type: written }) => {
      const problem = texts.undeclared(label, file, written, statuses, path);
      report("E_OPENAPI_TYPE", nodePlace(node), problem);
    });
  }

  function reportStatus(node: ts.Node): void {
    api.report("E_OPENAPI_STATUS", nodePlace(node), api.texts.status(label, file));
  }

  function addSuccesses(effects: readonly Effect[]): void {
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
          addJson(effect, { declared, ownType });
          break;
        case "body": {
          const media = essence(effect.media ?? ownType ?? mediaTypes.any);
          if (effect.statuses === undefined) reportStatus(effect.node);
          for (const status of effect.statuses ?? []) {
            const at = media === mediaTypes.html && statuses.length > 0 ? statuses : [status];
            const own = media === mediaTypes.text ? essence(ownType ?? media) : media;
            for (const each of at) addBody(each, own, contentSchema(own));
          }
          break;
        }
        case "empty":
          // `if (c.etag(tag)) return;` sends the staged 304.
          if (effect.status === 204 && statuses.length > 0) statuses.forEach((s) => draft(s));
          else if (effect.status !== 204 || !isConditional) draft(effect.status);
          break;
        case "stream":
          addBody(200, mediaTypes.events, text);
          break;
        case "conditional":
          // A write only announces its tag.
          if (!isWriteMethod(method)) draft(304);
          break;
        case "upgrade":
          draft(101);
          addError(426, "The request is not a WebSocket upgrade.");
          break;
        case "redirect":
          for (const each of effect.statuses) {
            addLocation(each, "Where the client goes next.");
          }
      }
    }
  }

  function addJson(
    { statuses, type, node, isDeclared }: Effect & { readonly kind: "json" },
    { declared, ownType }: {
      readonly declared: ReadonlySet<number>;
      readonly ownType: string | undefined;
    },
  ): void {
    if (statuses === undefined) {
      // The declared type of a helper that forwards a status is not a separate response.
      if (!isDeclared && declared.size === 0) reportStatus(node);
      return;
    }
    const wanted = statuses.filter((status) => isDeclared || !declared.has(status));
    if (wanted.length === 0) return;
    const schema = describe(type, node, wanted.join(", "));
    const media = ownType !== undefined && /json/.test(ownType)
      ? essence(ownType)
      : mediaTypes.json;
    for (const status of wanted) addBody(status, media, schema);
  }

  function addFailures(effect: Effect): void {
    switch (effect.kind) {
      case "error":
        for (const status of effect.statuses) {
          addError(status, effect.message);
          if (effect.challenge !== undefined) addChallenge(status);
        }
        return;
      case "guard":
        addError(401, "The request is not signed in.");
        addChallenge(401);
        if (effect.hasRole) addError(403, "The user lacks the role.");
        if (route.kind !== "page") return;
        // Guards redirect a browser's write request with 303.
        return addLocation(
          isWriteMethod(method) ? 303 : 302,
          "The sign-in page, for a browser.",
        );
      case "token":
        addError(401, "The request has no valid token.");
        addChallenge(401);
        if (!effect.hasScope) return;
        addError(403, "The token lacks a scope.");
        return addChallenge(403);
      case "limit":
        addError(429, "The client sends too many requests.");
        return void draft(429).headers.set("Retry-After", seconds);
      case "bind": {
        const errors = inputErrors[effect.from === "query" ? "query" : "body"];
        for (const [status, message] of errors) addError(status, message);
        if (effect.from !== "query" && !effect.isTried) addError(422, fieldRefused);
        return;
      }
      case "field":
      case "file":
        for (const [status, message] of inputErrors.form) addError(status, message);
        if (effect.kind === "file") addError(422, fieldRefused);
        return;
      case "param":
        if (effect.schema !== undefined) addError(404, undefined);
    }
  }

  function addChallenge(status: number): void {
    draft(status).headers.set("WWW-Authenticate", { schema: text });
  }

  function addError(status: number, message: string | undefined): void {
    if (message !== undefined) draft(status).messages.add(sentence(message));
    const { media, schema } = api.errorsOf(route);
    addBody(status, media, schema);
  }
}

/** Headers that OpenAPI ignores, or that do not describe the result. */
const unlistedHeaders: ReadonlySet<string> = new Set(
  ("accept authorization cache-control content-security-policy content-type server-timing " +
    "x-content-type-options x-robots-tag").split(" "),
);

function toResponse(status: number, { messages, headers, content }: Draft): ResponseObject {
  const title = STATUS_TEXT[status] ?? `Status ${status}`;
  const media = [...content].map(([type, schemas]) =>
    [type, { schema: schemas.length === 1 ? schemas[0] ?? {} : { anyOf: schemas } }] as const
  );
  return {
    description: messages.size === 0 ? title : `${title}: ${[...messages].join(" ")}`,
    ...(headers.size === 0 ? {} : { headers: Object.fromEntries([...headers].sort()) }),
    ...(media.length === 0 ? {} : { content: Object.fromEntries(media) }),
  };
}

function essence(media: string): string {
  return media.split(";")[0]?.trim().toLowerCase() ?? media;
}

export function contentSchema(media: string): Schema {
  const isText = /^text\/|[+/](?:xml|json|yaml)$|javascript/.test(media);
  return isText ? text : { type: "string", format: "binary" };
}
