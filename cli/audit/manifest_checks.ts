/** Compares the needs of the code with the permissions of the `start` task. */
import { splitVariable } from "../project/settings/settings.ts";
import { commandOf, isAllowAll, shellWords } from "../project/start_task.ts";
import { type Checks, found, foundAt } from "./facts.ts";
import { dirname, join } from "@std/path";
import { statIfThere } from "../project/files/look.ts";
import { lockFileOf, readManifest } from "../project/manifest.ts";
import { findStaleSchema, schemaFile } from "../project/migrations.ts";

const places = [{ file: "deno.json" }];
const wideFlag = /^(?:--allow-(?:read|write|net|env|run|sys|ffi|import)|-[RWNESI])$/;

/** The variables of `generate auth` that hold the URL of a service. */
const services = ["FW_MAIL_URL", "FW_OIDC_ISSUER", "FW_KEYCLOAK_URL"];

export const manifestChecks = {
  permissions: ({ project, manifest, task, texts }) => {
    const all = ["start", "build"].filter((name) => allowsAll(commandOf(manifest, name) ?? ""));
    const wide = (task?.flags ?? []).filter((flag) => wideFlag.test(flag));
    const { detachedList } = project.messages.build;
    return [
      ...(task?.detached ?? []).map((each) =>
        found("warning", detachedList(each, each.replace(" ", "=")), places)
      ),
      ...all.length === 0 ? [] : [found("warning", texts.permissionsAll(all.join(", ")), places)],
      ...wide.length === 0 ? [] : [found("info", texts.permissionsWide(wide.join(" ")), places)],
    ];
  },

  "env-access": async ({ project, task, texts }) => {
    const granted = task && listGranted(task.flags, ["--allow-env", "-E"]);
    // Ignored variables read as unset, without an error.
    const ignored = task && listGranted(task.flags, ["--ignore-env"]);
    if (granted === undefined || ignored === undefined) return [];
    const reads = (await project.variableReads()).filter(({ variable }) =>
      ![...granted, ...ignored].some((name) =>
        name.endsWith("*") ? variable.startsWith(name.slice(0, -1)) : name === variable
      )
    );
    if (reads.length === 0) return [];
    // Scripts that the application does not import run with flags of their own.
    const files = await project.imports();
    const entry = task?.file.replace(/^\.\//, "");
    // If the imports cannot be read, report too many variables rather than too few.
    const refused = reads.filter(({ file }) => !files.size || files.has(file) || file === entry);
    const names = [...new Set(refused.map(({ variable }) => variable))].sort();
    const flag = `--allow-env=${[...granted, ...names].join(",")}`;
    const at = refused.map(({ file, line, column }) => ({ file, line, column }));
    return foundAt("warning", texts.envRefused(names.join(", "), flag), at);
  },

  "net-access": ({ task, env, texts }) => {
    const granted = task && listGranted(task.flags, ["--allow-net", "-N"]);
    if (granted === undefined) return [];
    return services.flatMap((name) => {
      const host = hostOf(task?.env[name] ?? env[name] ?? "");
      if (host === undefined || granted.some((entry) => covers(entry, host))) return [];
      const flag = `--allow-net=${[...granted, host].join(",")}`;
      return [found("warning", texts.netRefused(name, host, flag), places)];
    });
  },

  schema: async ({ project }) =>
    (await findStaleSchema(project)).map(({ message, fix = "" }) =>
      found("warning", { message, fix }, [{ file: schemaFile }])
    ),

  /** Checks for a lock file, without which two builds may contain different packages. */
  lock: async ({ root, manifest, texts }) => {
    if (manifest["lock"] === false) return [found("warning", texts.lockOff(), places)];
    if (await statIfThere(join(root, lockFileOf(manifest))) !== undefined) return [];
    // A workspace member uses the lock file of the workspace.
    for (let at = dirname(root); dirname(at) !== at; at = dirname(at)) {
      if (await statIfThere(join(at, "deno.lock")) === undefined) continue;
      if ((await readManifest(at))["workspace"] !== undefined) return [];
    }
    return [found("info", texts.lockMissing())];
  },
} satisfies Checks;

/** Reports whether a command, other than fw itself, runs or compiles with all permissions. */
function allowsAll(command: string): boolean {
  return shellWords(command).some((words) => {
    const texts = words.map(({ text }) => text);
    const at = texts.indexOf("deno");
    const isRun = ["run", "serve", "compile"].includes(texts[at + 1] ?? "");
    const isOwn = texts.some((text) => /@fw\/cli(?:@|$)|\/cli\/main\.ts$/.test(text));
    return at !== -1 && isRun && !isOwn && texts.slice(at + 2).some(isAllowAll);
  });
}

/** Returns the values that flags list for a permission; `undefined` if all are granted. */
function listGranted(
  flags: readonly string[],
  names: readonly string[],
): readonly string[] | undefined {
  const granted: string[] = [];
  for (const flag of flags) {
    const [, name = "", list] = /^([^=]+)(?:=(.*))?$/s.exec(flag) ?? [];
    const isGrant = names.includes(name);
    const isSet = name === "--permission-set" || name === "-P";
    if (isAllowAll(flag) || isSet || (isGrant && list === undefined)) return undefined;
    if (isGrant) granted.push(...splitVariable(list ?? ""));
  }
  return granted;
}

function hostOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return `${url.hostname}:${url.port || (url.protocol === "http:" ? 80 : 443)}`;
}

function covers(entry: string, host: string): boolean {
  const [, name = "", port] = /^(.*?)(:\d+)?$/.exec(entry.toLowerCase()) ?? [];
  const [, hostname = "", own] = /^(.*)(:\d+)$/.exec(host) ?? [];
  if (port !== undefined && port !== own) return false;
  return name.startsWith("*.") ? hostname.endsWith(name.slice(1)) : name === hostname;
}
