/**
 * The JSON API of a resource: list, create, one row, replace, delete, on the store of its pages.
 *
 * @module
 */
import { canAddByApi, maxSearchChars, type ResourcePlan, searchedFields } from "./plan.ts";

/** Returns the path of the route of the list, or of a row. */
export function apiFile({ names }: ResourcePlan, folder: "" | "id_/" = ""): string {
  return `app/api/${names.url}/${folder}route.ts`;
}

/** Returns the text of the route of the list. */
export function apiListSource(plan: ResourcePlan): string {
  const { names, importOf } = plan;
  const { many, type, aOne, url, table, words: [, several] } = names;
  const hasSearch = searchedFields(plan).length > 0;
  const builders = [
    "type Ctx",
    "int",
    "type JsonResponse",
    "KindAPI",
    "struct",
    ...hasSearch ? ["text"] : [],
    "use",
  ];
  const members = [
    ...hasSearch ? [`q: text("max=${maxSearchChars}")`] : [],
    'page: int("min=1,max=100000").optional()',
  ];
  const canAdd = canAddByApi(plan);
  const stored = [...canAdd ? [`${type}Input`] : [], `type ${type}Row`, many];
  return `import { ${builders.join(", ")} } from "@fw/fw";
import { ${stored.join(", ")} } from "${importOf(`lib/${table}.ts`, apiFile(plan))}";

// Errors are JSON, and a request that another site sends with a cookie cannot write.
export const Kind = KindAPI;

const Query = struct({ ${members.join(", ")} });

/** A page of the ${several}, the newest first. */
export interface ${type}List {
  readonly rows: readonly ${type}Row[];
  /** @type {integer} */
  readonly page: number;
  /**
   * The number of the last page.
   *
   * @type {integer}
   */
  readonly pages: number;
}

/** Lists ${
    hasSearch ? `the ${several} that contain a text` : `the ${several}`
  }, the newest first. */
export async function GET(c: Ctx): Promise<JsonResponse<200, ${type}List>> {
  const { ${hasSearch ? "q, " : ""}page } = await c.bindQuery(Query);
  const at = page ?? 1;
  return c.json(200, { ...use(c, ${many}).list({ ${
    hasSearch ? "search: q, " : ""
  }page: at }), page: at });
}
${
    canAdd
      ? `
/** Adds ${aOne}. */
export async function POST(c: Ctx): Promise<JsonResponse<201, ${type}Row>> {
  const row = use(c, ${many}).add(await c.bindJson(${type}Input));
  c.header("location", c.href("/api/${url}/{id}", { id: row.id }));
  return c.json(201, row);
}
`
      : ""
  }`;
}

/** Returns the text of the route of a row. */
export function apiRowSource(plan: ResourcePlan): string {
  const { names, importOf } = plan;
  const { many, type, aOne, url, table } = names;
  const file = apiFile(plan, "id_/");
  const ctx = `Ctx<"/api/${url}/{id}">`;
  const left = plan.uploads.length === 0 ? "no id" : "neither its id nor its uploads";
  return `import { type Ctx, int, type JsonResponse, use } from "@fw/fw";
import { ${type}Input, type ${type}Row, ${many} } from "${importOf(`lib/${table}.ts`, file)}";

/** Returns ${aOne}. */
export function GET(c: ${ctx}): JsonResponse<200, ${type}Row> {
  return c.json(200, use(c, ${many}).get(c.param("id", int())));
}

/** Replaces the fields of ${aOne}: the body has ${left}. */
export async function PUT(c: ${ctx}): Promise<JsonResponse<200, ${type}Row>> {
  const id = c.param("id", int());
  return c.json(200, use(c, ${many}).change(id, await c.bindJson(${type}Input)));
}

/** Deletes ${aOne}. */
export function DELETE(c: ${ctx}): Response {
  use(c, ${many}).remove(c.param("id", int()));
  return c.noContent();
}
`;
}
