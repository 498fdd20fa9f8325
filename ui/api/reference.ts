/** A page about an API, from its OpenAPI document. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { apiEntries, apiList, apiMember, apiText, follow, listOperations } from "./document.ts";
import { maxTextChars, paragraphs, showContents, showHeaders } from "./content.ts";
import { showParameters, showSecurity } from "./demands.ts";
import { operationList, type ShownOperation } from "./operation_list.ts";
import { isOwn, operationForm } from "./form.ts";
import { type SchemaView, showSchema } from "./schema.ts";
import { findSharedParts, type SharedPart } from "./shared_parts.ts";
import { badge } from "../display.ts";
import { word } from "../labels.ts";
import { destructive, info, outline, secondary, small, success, warning } from "../variants.ts";

/** How {@linkcode apiReference} shows a document. */
export interface ApiReferenceOptions {
  /** The id of the whole, which the ids of its parts start with. @default "api" */
  readonly id?: string;
  /** The level of the heading of a group, from 2 to 4. @default 2 */
  readonly headingLevel?: 2 | 3 | 4;
  /**
   * The URL before the paths, for the forms: a path of the site such as its base path, or an origin that
   * the page's policy allows. @default the first server of the document that is a path, else ""
   */
  readonly baseUrl?: string;
  /** What the forms that write carry: `csrfInput(c)`. Never sent to another site. @default nothing */
  readonly csrf?: Child;
  /** Whether operations have a form. @default true */
  readonly forms?: boolean;
}

/** The most schemas that a page shows; what comes later has its type alone. */
const maxSchemas = 20_000;

/** The most fields of the forms of a page. */
const maxFormFields = 20_000;

/**
 * Renders the reference of an API: its operations by tag, with parameters, bodies, responses,
 * examples and security, and its schemas. An operation that a form can send has one, which works
 * without a script: a `GET` by its query, a `POST` that takes urlencoded or multipart fields. The
 * kit's script fills values into a path, so those forms and the filter of the operations are shown
 * only where scripts run. Nothing of the document runs or is markup: every text in it is escaped,
 * and links lead inside the page.
 *
 * @param document An OpenAPI 3.1 document as a value. What it gets wrong is left out.
 * @param options Ids, headings, and what the forms need.
 * @param attributes More attributes.
 * @returns A `div`.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const document = {
 *   openapi: "3.1.0",
 *   info: { title: "Events", version: "1.0.0" },
 *   paths: { "/api/events": { get: { summary: "Lists events", responses: {} } } },
 * };
 * const html = h.render(ui.apiReference(document));
 * assertStringIncludes(html, "<code>/api/events</code>");
 * ```
 */
export function apiReference(
  document: unknown,
  options: ApiReferenceOptions = {},
  ...attributes: Child[]
): Node {
  const page = new ReferencePage(document, options);
  return h.div(h.class("ui-api"), h.id(options.id ?? "api"), ...attributes, ...page.parts());
}

const methodTones: ReadonlyMap<string, Node> = new Map([
  ["GET", info],
  ["POST", success],
  ["PUT", warning],
  ["PATCH", warning],
  ["DELETE", destructive],
]);

class ReferencePage {
  readonly #document: unknown;
  readonly #id: string;
  readonly #options: ApiReferenceOptions;
  readonly #level: number;
  readonly #schemaIds: ReadonlyMap<string, string>;
  readonly #view: SchemaView;
  readonly #parts: { readonly document: unknown; readonly view: SchemaView };
  readonly #fields = { left: maxFormFields };
  readonly #operations: readonly ShownOperation[];
  readonly #shared: ReadonlyMap<unknown, SharedPart>;
  readonly #baseUrl: string;

  constructor(document: unknown, options: ApiReferenceOptions) {
    this.#document = document;
    this.#options = options;
    this.#id = options.id ?? "api";
    this.#level = options.headingLevel ?? 2;
    const names = apiEntries(apiMember(apiMember(document, "components"), "schemas")).map((
      [name],
    ) => name);
    // Numbers, since a name may have characters that no id should.
    this.#schemaIds = new Map(names.map((name, at) => [name, `${this.#id}-schema-${at + 1}`]));
    this.#view = {
      hrefOf: (name) => {
        const id = this.#schemaIds.get(name);
        return id === undefined ? undefined : `#${id}`;
      },
      budget: { left: maxSchemas },
    };
    this.#parts = { document, view: this.#view };
    this.#baseUrl = options.baseUrl ?? serverPath(document);
    this.#operations = listOperations(document).map((operation, at) => ({
      ...operation,
      id: `${this.#id}-${at + 1}`,
    }));
    this.#shared = findSharedParts(document, { operations: this.#operations, id: this.#id });
  }

  parts(): Node[] {
    const groups = new Map<string, ShownOperation[]>();
    for (const operation of this.#operations) {
      const group = groups.get(operation.tag) ?? [];
      group.push(operation);
      groups.set(operation.tag, group);
    }
    return [
      operationList(groups),
      h.div(
        h.class("ui-api-body"),
        h.mapIndex([...groups], ([tag, group], at) => this.#group(tag, { operations: group, at })),
        this.#sharedParts(),
        this.#schemas(),
      ),
    ];
  }

  #heading(depth: number, ...children: Child[]): Node {
    const level = Math.min(6, this.#level + depth);
    return h.el(`h${level}`, ...children);
  }

  #group(
    tag: string,
    { operations, at }: { readonly operations: readonly ShownOperation[]; readonly at: number },
  ): Node {
    const id = `${this.#id}-group-${at + 1}`;
    const described = apiList(apiMember(this.#document, "tags")).find((each) =>
      apiMember(each, "name") === tag
    );
    return h.section(
      h.aria("labelledby", id),
      this.#heading(0, h.id(id), tag === "" ? word("operations") : tag),
      paragraphs(apiText(described, "description")),
      h.map(operations, (operation) => this.#operation(operation)),
    );
  }

  #operation(operation: ShownOperation): Node {
    const { id, method, path, source, parameters } = operation;
    const title = `${id}-title`;
    return h.article(
      h.class("ui-api-operation"),
      h.id(id),
      h.aria("labelledby", title),
      this.#heading(
        1,
        h.id(title),
        badge(methodTones.get(method) ?? secondary, method),
        " ",
        h.code(path),
        apiMember(source, "deprecated") === true && badge(small, destructive, word("deprecated")),
      ),
      paragraphs(apiText(source, "summary"), apiText(source, "description")),
      showSecurity(source, this.#document),
      parameters.length > 0 && this.#heading(2, word("parameters")),
      parameters.length > 0 && showParameters(parameters, this.#view),
      this.#body(operation),
      this.#responses(operation),
      this.#form(operation),
    );
  }

  #body({ source }: ShownOperation): Node {
    const body = follow(this.#document, apiMember(source, "requestBody"));
    if (body === undefined) return h.fragment();
    const shared = this.#shared.get(body);
    return h.fragment(
      this.#heading(
        2,
        word("requestBody"),
        apiMember(body, "required") === true && badge(small, secondary, word("required")),
      ),
      shared === undefined ? this.#content(body) : h.p(linkTo(shared)),
    );
  }

  /** What a response or a body holds. */
  #content(value: unknown): Node {
    return h.fragment(
      paragraphs(apiText(value, "description")),
      showHeaders(apiEntries(apiMember(value, "headers")), this.#parts),
      showContents(apiMember(value, "content"), this.#parts),
    );
  }

  #responses({ source }: ShownOperation): Node {
    const responses = apiEntries(apiMember(source, "responses"));
    if (responses.length === 0) return h.fragment();
    return h.fragment(
      this.#heading(2, word("responses")),
      h.map(responses, ([status, value]) => {
        const response = follow(this.#document, value);
        const content = apiMember(response, "content");
        const headers = apiEntries(apiMember(response, "headers"));
        const shared = this.#shared.get(response);
        const title = h.fragment(
          badge(small, status.startsWith("2") ? success : outline, status),
          " ",
          shared === undefined
            ? apiText(response, "description")?.slice(0, maxTextChars) ?? ""
            : linkTo(shared),
        );
        if (shared !== undefined) return h.p(h.class("ui-api-response"), title);
        if (content === undefined && headers.length === 0) {
          return h.p(h.class("ui-api-response"), title);
        }
        return h.details(
          h.class("ui-api-response"),
          h.summary(title),
          showHeaders(headers, this.#parts),
          showContents(content, this.#parts),
        );
      }),
    );
  }

  #form(operation: ShownOperation): Node {
    if (this.#options.forms === false) return h.fragment();
    const form = operationForm(operation, {
      document: this.#document,
      id: `${operation.id}-field`,
      baseUrl: this.#baseUrl,
      hidden: this.#options.csrf,
      budget: this.#fields,
    });
    if (form === undefined) return h.fragment();
    const isFilled = operation.path.includes("{");
    return h.details(
      h.class(isFilled ? "ui-api-form ui-api-scripted" : "ui-api-form"),
      h.summary(word("tryIt")),
      form,
    );
  }

  #sharedParts(): Node {
    const parts = new Set(this.#shared.values());
    if (parts.size === 0) return h.fragment();
    const id = `${this.#id}-shared`;
    return h.section(
      h.aria("labelledby", id),
      this.#heading(0, h.id(id), word("sharedParts")),
      h.map([...parts], (part) =>
        h.details(
          h.class("ui-api-response"),
          h.summary(part.title === "" ? part.id : part.title),
          h.div(h.id(part.id), this.#content(part.value)),
        )),
    );
  }

  #schemas(): Node {
    const schemas = apiEntries(apiMember(apiMember(this.#document, "components"), "schemas"));
    if (schemas.length === 0) return h.fragment();
    const id = `${this.#id}-schemas`;
    return h.section(
      h.aria("labelledby", id),
      this.#heading(0, h.id(id), word("schemas")),
      h.map(schemas, ([name, schema]) =>
        h.details(
          h.class("ui-api-schema"),
          h.summary(h.code(name)),
          // The id stands inside: a browser opens what holds the target of a link.
          h.div(
            h.id(this.#schemaIds.get(name) ?? ""),
            paragraphs(apiText(schema, "description")),
            showSchema(schema, this.#view),
          ),
        )),
    );
  }
}

function linkTo({ id, title }: SharedPart): Node {
  return h.a(h.href(`#${id}`), title === "" ? id : title);
}

/** Returns the path of the first server that is one; other sites are no default for a form. */
function serverPath(document: unknown): string {
  const url = apiText(apiList(apiMember(document, "servers"))[0], "url") ?? "";
  return isOwn(url) && !/[{}]/.test(url) ? url.replace(/(?<!\/)\/+$/, "") : "";
}
