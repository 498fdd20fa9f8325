import { generatedFile, version } from "@fw/fw/conventions";
import { fromFileUrl, join } from "@std/path";
import { summarize } from "../help.ts";
import { messagesIn } from "../messages/catalog.ts";
import { commandOf, leastFlags } from "../project/start_task.ts";
import { wordedLanguages } from "./languages.ts";
import { type NewFile, renderSample, sampleText } from "./sample.ts";
import { writeOnce } from "../project/files/owned_file.ts";
import type { Project } from "../project/project.ts";

export interface Origin {
  readonly cli: string;
  readonly library: string;
  /** The checkout that contains the packages, or `undefined` for the registry. */
  readonly checkout: string | undefined;
}

export function findOrigin(url: string = import.meta.url): Origin {
  // Before 1.0 a minor version may break, so the range stays within this one.
  const range = `^${version.split(".").slice(0, 2).join(".")}`;
  const library = `jsr:@fw/fw@${range}`;
  if (!url.startsWith("file:")) {
    return { cli: `jsr:@fw/cli@${range}`, library, checkout: undefined };
  }
  // JSON and tasks accept forward slashes on every system.
  const checkout = fromFileUrl(new URL("../../", url)).replaceAll("\\", "/").replace(/\/$/, "");
  return { cli: `${checkout}/cli/main.ts`, library, checkout };
}

/** Returns the files of a new project, without `fw_gen.ts`. */
export function scaffoldProject(name: string, { origin = findOrigin(), kit = false }: {
  readonly origin?: Origin;
  readonly kit?: boolean;
} = {}): NewFile[] {
  const own = ["app/layout.ts", "app/page.ts", "app/not_found.ts", "app/error.ts"];
  const shared = ["README.md", "app/page_test.ts", "app/api/hello/route.ts"];
  const rendering = { names: { "sample-app": name }, languages: wordedLanguages([]) };
  return [
    { file: ".gitignore", text: sampleText("plain/gitignore") },
    // Git for Windows writes CR LF, which `deno fmt` refuses.
    { file: ".gitattributes", text: "* text=auto eol=lf\n" },
    { file: "deno.json", text: manifestText(name, origin) },
    ...[...own, ...kit ? ["app/nav.ts"] : []]
      .map((file) => renderSample(`${kit ? "kit" : "plain"}/${file}`, file, rendering)),
    ...[...shared, ...kit ? [] : ["public/style.css"]]
      .map((file) => renderSample(`plain/${file}`, file, rendering)),
  ];
}

const taskNames =
  "dev gen generate routes build start export audit migrate jobs ui openapi incident ctx policy docs mcp agents check test"
    .split(" ");

function manifestText(name: string, origin: Origin): string {
  const run = (command: string): string => `deno run -A ${quoted(origin.cli)} ${command}`;
  const env = leastFlags.find((flag) => flag.startsWith("--allow-env")) ?? "";
  // testApp() imports the app at run time, and a checkout of the library is read as files.
  const folders = origin.checkout === undefined ? "." : `.,${origin.checkout}`;
  const read = quoted(`--allow-read=${folders}`);
  const own = new Map([
    ["start", ["Serves in production", `deno run ${leastFlags.join(" ")} ${generatedFile}`]],
    ["test", ["Runs the tests", `deno test --permit-no-files ${env} ${read}`]],
  ]);
  const summaries = summarize(messagesIn("en"));
  const manifest = {
    tasks: Object.fromEntries(taskNames.map((name) => {
      const [description = summaries.get(name), command = run(name)] = own.get(name) ?? [];
      return [name, { description, command }];
    })),
    imports: { "@/": "./", "@fw/fw": origin.library },
    ...(origin.checkout === undefined ? {} : { links: [origin.checkout] }),
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noFallthroughCasesInSwitch: true,
      noImplicitOverride: true,
      noUncheckedIndexedAccess: true,
      jsx: "precompile",
      jsxImportSource: "@fw/fw",
      // These elements have their own escaping, so the runtime must see them.
      jsxPrecompileSkipElements: ["script", "style", "pre", "textarea"],
    },
    // The width of the guides, so that pasted blocks are already formatted.
    fmt: { lineWidth: 100 },
    // Only React needs keys; a button without a type submits its form, as most buttons should.
    lint: { rules: { exclude: ["jsx-key", "jsx-button-has-type"] } },
    test: { sanitizeOps: true, sanitizeResources: true },
    // A member `name` would make it a package, for which Deno requires `exports`.
    openapi: { info: { title: name } },
    // Otherwise Deno aborts a request's signal even after a success, and warns on first use.
    unstable: ["no-legacy-abort"],
    // A release of fw may be used on its first day; other packages keep Deno's delay.
    minimumDependencyAge: { age: "P1D", exclude: ["jsr:@fw/*"] },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function quoted(text: string): string {
  return /\s/.test(text) ? JSON.stringify(text) : text;
}

export const mcpFile = ".mcp.json";

/** Writes the file unless it exists: an existing one belongs to the user. */
export async function writeMcpJson(project: Project): Promise<"made" | "kept"> {
  // The project's task, or else the command line at its present location.
  const hasTask = commandOf(await project.manifest(), "mcp") !== undefined;
  const args = hasTask ? ["task", "--quiet", "mcp"] : ["run", "-A", findOrigin().cli, "mcp"];
  const config = { mcpServers: { fw: { command: "deno", args } } };
  return await writeOnce(join(project.root, mcpFile), `${JSON.stringify(config, null, 2)}\n`);
}
