import { publicFolder } from "@fw/fw/conventions";
import { resolve } from "@std/path";
import { liesIn, realPathSoFar } from "../project/files/look.ts";
import { runGit } from "../project/process/git.ts";
import { knownTexts } from "../project/settings/production.ts";
import { isAllowAll } from "../project/start_task.ts";
import { type AuditFacts, type Findings, type Found, found, placesOf } from "./facts.ts";

/** Checks that no client and no repository gets what users sent, and that the folder can be written. */
export async function checkIncidents(facts: AuditFacts): Promise<Findings> {
  const { root, settings, texts } = facts;
  const values = settings.possible("observability.incidents")
    .filter((value) => value.kind !== "known" || Boolean(value.value));
  if (values.length === 0) return [];
  const findings: Found[] = [];
  for (const value of values) {
    // Known at run time only: the application itself refuses a folder that it serves.
    if (value.kind !== "known" || typeof value.value !== "string") continue;
    const folder = value.value;
    const path = await realPathSoFar(resolve(root, folder));
    const places = placesOf([value]);
    if (await isServed(path, facts)) {
      findings.push(found("critical", texts.incidentsServed(folder), places));
    }
    if (await isTracked(root, path)) {
      findings.push(found("critical", texts.incidentsCommitted(folder), places));
    }
    if (!mayWrite(path, facts)) {
      findings.push(found("warning", texts.incidentsRefused(folder), places));
    }
  }
  return findings;
}

async function isServed(path: string, { root, settings }: AuditFacts): Promise<boolean> {
  for (const folder of [publicFolder, ...knownTexts(settings, "public")]) {
    if (liesIn(path, await realPathSoFar(resolve(root, folder)))) return true;
  }
  return false;
}

async function isTracked(root: string, path: string): Promise<boolean> {
  const run = await runGit(root, ["ls-files", "-z", "--", path]);
  if (run?.code !== 0) return false;
  return run.stdout.split("\0").some((name) => /(?:^|\/)fw-incident-[^/]+$/.test(name));
}

function mayWrite(path: string, { root, task }: AuditFacts): boolean {
  if (task === undefined || task.flags.some(isAllowAll)) return true;
  return ["read", "write"].every((kind) => {
    const short = kind === "read" ? "-R" : "-W";
    return task.flags.some((flag) => {
      const [name, list] = flag.split(/=(.*)/s, 2);
      if (name !== `--allow-${kind}` && name !== short) return false;
      return list === undefined ||
        list.split(/(?<!,),(?!,)/).some((entry) => liesIn(path, resolve(root, entry)));
    });
  });
}
