import { basename } from "@std/path";
import { Compiler } from "../../facts/compiler.ts";
import { type ApiHandler, findHandlers } from "../../facts/handlers.ts";
import { SchemaValues } from "../../facts/schema_values.ts";
import {
  compareText,
  errorAt,
  hasErrors,
  type Problem,
  sortProblems,
  startOfFile,
} from "../../problem.ts";
import type { Project } from "../../project/project.ts";
import type { Route } from "../../project/routes/table.ts";
import { isSetTrue, knownTexts } from "../../project/settings/settings.ts";
import type { ApiContext } from "./context.ts";
import {
  type ApiDescription,
  type ApiDocument,
  documentInfo,
  mediaTypes,
  type PathItem,
  problemSchema,
  type Schema,
} from "./document.ts";
import { describeOperation } from "./operation.ts";
import { Components, freeName } from "./schemas/components.ts";
import { createInputSchemas } from "./schemas/input_schemas.ts";
import { createResponseRules } from "./schemas/property_rules.ts";
import { createTypeNames } from "./schemas/type_names.ts";
import { createTypeSchemas } from "./schemas/type_schema.ts";

export type { ApiDescription } from "./document.ts";

/** Describes the API of a project without running `Config` or `Setup`: the document, or the errors. */
export async function describeApi(project: Project): Promise<ApiDescription> {
  const { routes, problems } = await project.routes();
  if (hasErrors(problems)) return { document: undefined, problems };
  const types = await project.types();
  if (types === undefined) {
    const text = project.messages.openapi.imports();
    const problem = errorAt({ file: "deno.json" }, "E_OPENAPI_SCHEMA", text);
    return { document: undefined, problems: [problem] };
  }
  const sources = await project.sources();
  const compiler = new Compiler(types);
  const all = {
    compiler,
    routes: routes.filter(({ file }) => file.base === "route"),
    files: sources.list(),
  };
  return await describeRoutes(project, all).catch((error) => findTooDeep(project, all, error));
}

/** Finds the routes whose code is nested too deeply for the recursive compiler. */
async function findTooDeep(
  project: Project,
  all: Described,
  error: unknown,
): Promise<ApiDescription> {
  if (!(error instanceof RangeError)) throw error;
  const problems: Problem[] = [];
  for (const route of all.routes) {
    await describeRoutes(project, { ...all, routes: [route] }).catch((again) => {
      if (!(again instanceof RangeError)) throw again;
      const text = project.messages.openapi.tooDeep();
      problems.push(errorAt({ file: route.file.path }, "E_OPENAPI_SCHEMA", text));
    });
  }
  if (problems.length === 0) throw error;
  return { document: undefined, problems: sortProblems(problems) };
}

interface Described {
  readonly compiler: Compiler;
  readonly routes: readonly Route[];
  readonly files: readonly string[];
}

async function describeRoutes(
  project: Project,
  { compiler, routes, files }: Described,
): Promise<ApiDescription> {
  const handlers = findHandlers(compiler, routes).filter(({ comment }) =>
    !comment.directives.some(({ name }) => name === "omit")
  );
  const settings = await project.settings();
  const values = new SchemaValues(compiler);
  const nameOf = createTypeNames(compiler, files);
  const describe = () => {
    const components = new Components();
    const withRules = createResponseRules(compiler, values);
    const describeType = createTypeSchemas({ compiler, components, nameOf, withRules });
    const found: Problem[] = [];
    const report: ApiContext["report"] = (code, place, text, severity = "error") =>
      void found.push({ ...errorAt(place, code, text), severity });
    const texts = project.messages.openapi;
    const problem = () => components.refer("Problem", "Problem", () => problemSchema);
    const api: ApiContext = {
      compiler,
      describeType,
      inputs: createInputSchemas({
        components,
        values,
        // No report here: a warning already says that a schema of unknown type accepts anything.
        describeType: ({ type }) => describeType(type, () => {}),
      }),
      security: new Map<string, Schema>(),
      texts,
      report,
      errorsOf: createErrorBodies({ compiler, describeType, texts, report }, problem),
      isCsrfForApi: settings.possible("csrfForApi").some(isSetTrue),
      isLimited: settings.possible("rateLimit").some((value) =>
        value.kind === "unknown" || (value.kind === "known" && value.value !== undefined)
      ),
    };
    return { ...api, components, found, paths: describePaths(handlers, api) };
  };
  // The first pass only collects the schemas to load; the second one uses their values.
  describe();
  await values.load(project.root);
  const { components, found, inputs, paths, report, security, texts } = describe();
  for (const { name, place, message } of inputs.unread.values()) {
    report("E_OPENAPI_SCHEMA", place, texts.unread(name, place.file, message), "warning");
  }
  const problems = sortProblems(found);
  if (hasErrors(problems)) return { document: undefined, problems };
  return { document: await documentOf(project, { paths, components, security }), problems };
}

type ErrorBodies = ApiContext["errorsOf"];

function createErrorBodies(
  { compiler, describeType, texts, report }: Pick<
    ApiContext,
    "compiler" | "describeType" | "texts" | "report"
  >,
  problem: () => Schema,
): ErrorBodies {
  const own = new Map<string, ReturnType<ErrorBodies>>();
  return ({ kind, problems }) => {
    if (kind === "page") return { media: mediaTypes.html, schema: { type: "string" } };
    const file = problems.at(-1)?.file.path;
    const symbol = file && compiler.exported(compiler.program.getSourceFile(file), "Problems");
    const [signature] = symbol ? compiler.checker.getTypeOfSymbol(symbol).getCallSignatures() : [];
    if (file === undefined || signature === undefined) {
      return { media: mediaTypes.problem, schema: problem() };
    }
    return own.getOrInsertComputed(file, () => ({
      media: mediaTypes.json,
      schema: describeType(signature.getReturnType(), ({ path, type }) => {
        const text = texts.undeclared("Problems", file, type, "default", path);
        report("E_OPENAPI_TYPE", { file, ...startOfFile }, text);
      }),
    }));
  };
}

type Paths = Record<string, PathItem>;

function describePaths(handlers: readonly ApiHandler[], api: ApiContext): Paths {
  const ids = new Set<string>();
  const paths: Paths = {};
  for (const handler of handlers) {
    // `/files/{path...}` is `/files/{path}`.
    const item = paths[handler.route.pattern.replace(/\.\.\.\}/g, "}")] ??= {};
    const operation = describeOperation(handler, api, (wanted) => freeName(wanted, ids));
    ids.add(operation.operationId);
    item[handler.method.toLowerCase()] = operation;
  }
  return paths;
}

async function documentOf(
  project: Project,
  { paths, components, security }: {
    readonly paths: Paths;
    readonly components: Components;
    readonly security: ReadonlyMap<string, Schema>;
  },
): Promise<ApiDocument> {
  const [basePath = ""] = knownTexts(await project.settings(), "basePath");
  const tags = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).flatMap((each) => each.tags)),
  );
  return {
    openapi: "3.1.0",
    ...documentInfo(await project.manifest(), { title: basename(project.root), basePath }),
    security: [],
    tags: [...tags].sort(compareText).map((name) => ({ name })),
    paths,
    components: {
      // A schema that is used only for a query is not a component.
      schemas: components.usedBy(paths),
      ...(security.size === 0 ? {} : { securitySchemes: Object.fromEntries([...security].sort()) }),
    },
  };
}
