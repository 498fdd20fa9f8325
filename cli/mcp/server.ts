import { version } from "@fw/fw/conventions";
import { dirname, isAbsolute, join, relative } from "@std/path";
import {
  type McpServer,
  mcpServer,
  type McpTool,
  mcpTool,
  type ToolAnnotations,
  toolResult,
} from "@fw/fw/mcp";
import { type Project, readOwnRun } from "../project/project.ts";
import { type Infer, int, struct, text } from "@fw/fw";
import { runSteps } from "../check/run.ts";
import { stepNames } from "../check/steps.ts";
import { parseFailures } from "../check/tests.ts";
import { readMap } from "../describe/ctx/map.ts";
import { formatMap } from "../describe/ctx/markdown.ts";
import { readDocumentation } from "../describe/docs/read.ts";
import { searchDocs, sectionsOf } from "../describe/docs/search.ts";
import { checkPolicy, formatPolicy, readPolicy } from "../describe/policy/policy.ts";
import { readDevState } from "../dev/state.ts";
import { publicProblem } from "../printer.ts";
import type { Problem } from "../problem.ts";
import { describeRoute } from "../project/routes/routes.ts";
import { bounded, devText, failureText, indentedJson, renderedText, renderPath } from "./render.ts";
import { generateFiles, generateInput } from "./generate.ts";
import { createQueue, runBounded } from "./run.ts";
import { isInside, isThere } from "../project/files/write_inside.ts";

const instructions =
  "This project uses fw, a convention-routed web framework for Deno. Read `project` first. After each change " +
  "call `check`, and `render` the pages that changed; look at `policy` when guards or limits change, and at " +
  "`log` when the development server fails.";

export function createDevServer(project: Project): McpServer {
  const open = (): Project => {
    project.refresh();
    return project;
  };
  return mcpServer({
    name: "fw",
    version,
    title: "fw development server",
    instructions,
    tools: [...lookingTools(open), ...runningTools(open)],
  });
}

const renderTimeoutMs = 30_000;
const runTimeoutMs = 240_000;

/** The tool only reads: clients may run it without asking the user. */
const reads: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
/** The tool runs the project's code, as its tests do. */
const runs: ToolAnnotations = { destructiveHint: false, openWorldHint: false };

function lookingTools(open: () => Project): McpTool[] {
  return [
    mcpTool({
      name: "project",
      description:
        "The map of the project: routes with files, guards and tests, what operations read and answer " +
        "with their types, settings, variables, islands. Read it first.",
      annotations: reads,
    }, async () => {
      const project = open();
      const map = await readMap(project);
      return bounded(formatMap(map, project.messages.describe.ctx));
    }),
    mcpTool({
      name: "routes",
      description:
        "The routes with their methods, kind, parameters, layouts and middleware as JSON.",
      annotations: reads,
    }, async () => {
      const { routes, problems } = await open().routes();
      return indentedJson({
        routes: routes.map(describeRoute),
        problems: problems.map(publicProblem),
      });
    }),
    mcpTool({
      name: "policy",
      description:
        "Who may call what: a line for each route and method, and how the code differs from the " +
        "committed policy.txt. Look at it after each change of guards, CSRF, CORS or limits.",
      annotations: reads,
    }, () => comparePolicy(open())),
    mcpTool({
      name: "docs",
      description:
        "Searches the guides and the API reference of the version of fw that the project uses.",
      input: struct({ words: text("required,max=200") }),
      annotations: reads,
    }, ({ words }) => findDocs(open(), words)),
    mcpTool({
      name: "log",
      description:
        "The development server that runs for this project (`deno task dev`): where it listens, why it " +
        "fails with file, line and fix, and the end of its log.",
      input: struct({ lines: int("min=1,max=1000").optional() }),
      annotations: reads,
    }, async ({ lines }) => devText(await readDevState(open().root), { lines: lines ?? 100 })),
  ];
}

async function comparePolicy(project: Project): Promise<string> {
  const { changes, lines = await readPolicy(project) } = await checkPolicy(project);
  const diff = changes.map(({ text }) => text).join("\n") || "none";
  const policy = formatPolicy(lines);
  return bounded(`## Differences from policy.txt\n${diff}\n\n## Policy\n${policy}`);
}

async function findDocs({ root }: Project, words: string): Promise<unknown> {
  const { guides, apiReference } = await readDocumentation(root);
  const found = searchDocs(sectionsOf(guides, apiReference), words);
  if (found.length === 0) return refused("Nothing was found. Use fewer or other words.");
  const sections = found.map(({ title, place, excerpt }) => `## ${title}\n${place}\n\n${excerpt}`);
  return bounded(sections.join("\n\n"));
}

function runningTools(open: () => Project): McpTool[] {
  const alone = createQueue();
  return [
    mcpTool({
      name: "check",
      description:
        "Everything that must hold before a commit: generated file, format, lint, types, tests, policy, " +
        "audit, up to the first step that fails. Each problem has a file, a line and a fix. Writes " +
        "nothing but the bundles of islands.",
      annotations: runs,
      timeoutMs: runTimeoutMs + 10_000,
    }, (_, { signal }) => alone(() => check(open(), signal), signal)),
    mcpTool({
      name: "render",
      description:
        "Requests a path of the application in a process of its own, with the permissions of the test " +
        "task, and returns status, headers, body and the accessibility outline. " +
        `timeoutMs is ${renderTimeoutMs} by default and at most.`,
      input: renderInput,
      annotations: runs,
    }, (asked, { signal }) => alone(() => render(open(), { ...asked, signal }), signal)),
    mcpTool({
      name: "test",
      description:
        "Runs the tests with the permissions of the test task: all, or one file. Returns each failure " +
        "with file and line, and the end of the output.",
      input: struct({ file: text("max=500").optional() }),
      annotations: runs,
      timeoutMs: runTimeoutMs + 10_000,
    }, ({ file }, { signal }) => alone(() => runTests(open(), file, signal), signal)),
    mcpTool({
      name: "generate",
      description:
        "Writes files, such as those of a page, a resource or a sign-in (auth), by the project's task " +
        "generate, with the arguments of `fw generate <what>`, which --help lists. " +
        "Returns the files that it wrote, or would write with --dry-run. No file is replaced.",
      input: generateInput,
      annotations: runs,
    }, (asked, { signal }) =>
      alone(async () => {
        const { text, isOk } = await generateFiles(open().root, { ...asked, signal });
        return isOk ? bounded(text) : refused(text);
      }, signal)),
  ];
}

function refused(content: string): ReturnType<typeof toolResult> {
  return toolResult({ content: bounded(content), isError: true });
}

async function check(project: Project, signal: AbortSignal): Promise<string> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(runTimeoutMs)]);
  const steps: { readonly name: string; readonly ok: boolean }[] = [];
  const problems: Problem[] = [];
  const options = { fix: false, isOwn: false, signal: limit };
  for await (const { name, ok, result } of runSteps(project, options)) {
    steps.push({ name, ok });
    problems.push(...result.problems.filter(({ severity }) => severity !== "info"));
  }
  const skipped = stepNames.slice(steps.length);
  const isOk = skipped.length === 0 && !limit.aborted && steps.every(({ ok }) => ok);
  return indentedJson({ ok: isOk, steps, skipped, problems: problems.map(publicProblem) });
}

const renderInput = struct({
  path: text("required"),
  timeoutMs: int(`min=1,max=${renderTimeoutMs}`).optional(),
});

async function render(
  project: Project,
  { path, timeoutMs, signal }: Infer<typeof renderInput> & { readonly signal: AbortSignal },
): Promise<unknown> {
  // One line of visible ASCII that starts with one slash.
  if (path.length > maxPathChars || !/^\/(?!\/)[\x21-\x7e]*$/.test(path)) {
    return refused(`Cannot request "${path.slice(0, 200)}": write a path such as /events?page=2.`);
  }
  const options = { path, timeoutMs: timeoutMs ?? renderTimeoutMs, signal };
  const rendered = await renderPath(project, options);
  return "kind" in rendered ? refused(failureText(rendered)) : bounded(renderedText(rendered));
}

async function runTests(
  project: Project,
  file: string | null,
  signal: AbortSignal,
): Promise<unknown> {
  const { root } = project;
  const target = file === null ? undefined : await testFileIn(root, file);
  if (file !== null && target === undefined) {
    const shown = file.slice(0, 200);
    return refused(
      `Cannot test "${shown}": name a test file of the project, such as app/page_test.ts.`,
    );
  }
  const run = await readOwnRun(project);
  if (run === undefined) return refused(failureText({ kind: "no-task", output: "" }));
  const files = target === undefined ? [] : [target];
  const flags = new Set(["--no-prompt", "--no-check", "--permit-no-files", ...run.flags]);
  const { code, stdout, stderr, stopped } = await runBounded(["test", ...flags, ...files], {
    cwd: root,
    env: run.env,
    timeoutMs: runTimeoutMs,
    signal,
  });
  const failed = parseFailures(stdout);
  const isOk = code === 0 && stopped === undefined;
  return bounded([
    isOk ? "passed" : `failed${stopped === undefined ? "" : ` (stopped: ${stopped})`}`,
    ...failed.map(({ name, file, line, column, reason }) =>
      `${file}:${line}:${column} ${name}${reason === undefined ? "" : `: ${reason}`}`
    ),
    "",
    "## Output",
    `${stdout}${stderr}`.trim().slice(-20_000),
  ].join("\n"));
}

const maxPathChars = 4_096;

/** Returns a test file as a path in the project; `undefined` for other files and links. */
async function testFileIn(root: string, file: string): Promise<string | undefined> {
  if (isAbsolute(file) || !/^[\w.][\w./@+-]*[._]test\.tsx?$/.test(file)) return undefined;
  const path = join(root, file);
  const inside = relative(root, path).replaceAll("\\", "/");
  if (inside.startsWith("..") || !await isThere(path)) return undefined;
  return await isInside(root, dirname(path)) && await isInside(root, path) ? inside : undefined;
}
