import type { AuditFacts } from "./facts.ts";
import { listGranted } from "./granted.ts";
import { found, type Verdict } from "./verdict.ts";

/** The variables of `generate auth` whose address the application requests. */
const services = ["FW_MAIL_URL", "FW_OIDC_ISSUER", "FW_KEYCLOAK_URL"];

/** Compares the addresses of services with `--allow-net` of the `start` task. */
export function checkNetAccess({ task, env, messages }: AuditFacts): Verdict {
  const { audit: texts } = messages;
  const granted = task === undefined ? undefined : listGranted(task.flags, ["--allow-net", "-N"]);
  if (task === undefined || granted === undefined) return texts.netAllowed;
  const findings = services.flatMap((name) => {
    const host = hostOf(task.env[name] ?? env[name] ?? "");
    if (host === undefined || granted.some((entry) => covers(entry, host))) return [];
    const flag = `--allow-net=${[...granted, host].join(",")}`;
    return [found("warning", texts.netRefused(name, host, flag), {
      places: [{ file: "deno.json" }],
    })];
  });
  return findings.length === 0 ? texts.netAllowed : findings;
}

/** Returns the host of a URL with its port; `undefined` for what is no URL of the web. */
function hostOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return `${url.hostname}:${url.port || (url.protocol === "http:" ? 80 : 443)}`;
}

/** Reports whether an entry of `--allow-net` grants a host with its port. */
function covers(entry: string, host: string): boolean {
  const [, name = "", port] = /^(.*?)(:\d+)?$/.exec(entry.toLowerCase()) ?? [];
  const [, hostname = "", own] = /^(.*)(:\d+)$/.exec(host) ?? [];
  if (port !== undefined && port !== own) return false;
  return name.startsWith("*.") ? hostname.endsWith(name.slice(1)) : name === hostname;
}
