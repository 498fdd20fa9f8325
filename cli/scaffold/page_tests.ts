import { dirname } from "@std/path";
import { type Operation, type Operations, reachOperations } from "../facts/operations.ts";
import { protectionOf } from "../facts/protection.ts";
import type { Reach, ReachedCall } from "../facts/reach.ts";
import { exitCodes, type Io } from "../io.ts";
import type { Project } from "../project/project.ts";
import type { Route } from "../project/routes/table.ts";
import { engineNames, readEngine } from "./database/engine.ts";
import { openEdits } from "./edits.ts";
import { type Item, renderSample } from "./sample.ts";
import { sampleUrl, type UrlPath } from "./url_path.ts";

export async function writeTest(
  { segments, pattern }: UrlPath,
  { project, io, route, sample }: {
    readonly project: Project;
    readonly io: Io;
    readonly route: Route;
    /** A body that the schema accepts, if it is known. */
    readonly sample?: Readonly<Record<string, string>>;
  },
): Promise<number> {
  const { messages } = project;
  const file = `${dirname(route.file.path)}/${route.file.base}_test.ts`;
  // Handlers generated here accept every parameter; others may look it up.
  const looksUp = sample === undefined && segments.some((segment) => segment.kind !== "literal");
  const url = sampleUrl(segments);
  const operations = await reachOperations(project);
  const own = operations.list.filter((each) => each.route.pattern === pattern);
  const guards = [
    ...new Set(own.flatMap((operation) => protectionOf(operation, operations).guards)),
  ];
  const edits = await openEdits(project);
  const hasAccounts = await edits.read(accountFile) !== undefined;
  const role = neededRoles(guards);
  edits.put(renderSample("kit/app/api/items/slug_/route_test.ts", file, {
    names: {
      ...engineNames(await readEngine(project.root)),
      [url]: url,
      "/api/items/example": url,
      "../../../../lib/account_testing.ts": edits.style(accountFile, file),
      '"editor"': JSON.stringify(role),
      ...route.file.base === "page" ? {} : { withForm: "withJson" },
      "{guards}": guards.join(", "),
    },
    parts: {
      account: guards.length > 0 && hasAccounts,
      guard: guards.length > 0 && !hasAccounts,
      role: role !== "",
      lookup: looksUp,
    },
    lists: {
      // A case for each method and each action.
      case: {
        models: ["withForm", "wantStatus"],
        items: own.flatMap((operation) => caseItems(operation, { operations, url, sample })),
      },
    },
  }));
  await edits.write(io);
  const hint = looksUp ? `${messages.generateTestSample(url)}\n` : "";
  io.stdout(`${hint}${messages.generateTestHint(file)}\n`);
  return exitCodes.ok;
}

const accountFile = "lib/account_testing.ts";

/** Returns the first literal role of each guard; the developer fills in any other role. */
function neededRoles(guards: readonly string[]): string {
  return guards.flatMap((guard) =>
    guard === "requireAdmin" ? "admin" : /^requireRole\(([^,)…]+)/.exec(guard)?.[1] ?? []
  ).join(" ");
}

/** Reports whether the schema of a call has a required field, or is in another package. */
function refusesEmpty({ file, node }: ReachedCall, reach: Reach): boolean {
  const [schema] = node.arguments;
  const name = schema?.getText() ?? "";
  const found = reach.local(file, name);
  if (found === undefined) return /^\w+$|\brequired\b/.test(name);
  return reach.from(found).declarations.some((each) => /\brequired\b/.test(each.node.getText()));
}

function caseItems(
  { method, action, handler, route: { file, pattern } }: Operation,
  { operations: { reach }, url, sample }: {
    readonly operations: Operations;
    readonly url: string;
    readonly sample: Readonly<Record<string, string>> | undefined;
  },
): readonly Item[] {
  const isPage = file.base === "page";
  const calls = handler === undefined ? [] : reach.contentOf(handler).calls;
  const binds = calls.filter(({ node }) =>
    /^c(?:tx|ontext)?\.(?:bind|tryBind|bindJson)$/.test(node.expression.getText())
  );
  const isRefused = binds.some((call) => refusesEmpty(call, reach));
  const body = binds.length === 0 ? undefined : sample ?? {};
  const cases = [
    ...isRefused ? [{ status: 422, body: {} }] : [],
    ...isRefused && sample === undefined ? [] : [{ status: statusOf(method, isPage), body }],
  ];
  const query = action === undefined ? "" : `?/${action}`;
  return cases.map(({ status, body }): Item => {
    const name = status === 422 ? "refuses an empty body" : `answers ${status}`;
    const title = JSON.stringify(`${method} ${pattern}${query} ${name}`);
    return {
      models: [body === undefined ? "wantStatus" : "withForm"],
      replace: () => [
        ['"GET /api/items/{slug} answers 200"', title],
        ['"POST /api/items/{slug} refuses an empty form"', title],
        ['"/api/items/example"', JSON.stringify(url + query)],
        ["GET", method],
        ["POST", method],
        ["200", String(status)],
        ["422", String(status)],
        ["({})", `(${JSON.stringify(body)})`],
      ],
    };
  });
}

function statusOf(method: string, isPage: boolean): number {
  if (method === "GET") return 200;
  if (isPage) return 303;
  return method === "POST" ? 201 : method === "DELETE" || method === "OPTIONS" ? 204 : 200;
}
