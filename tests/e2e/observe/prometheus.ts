/** A real Prometheus, from Debian's package of that name. */
import { join } from "@std/path";
import { freePort } from "../../free_port.ts";

/** The labels that Prometheus adds by itself. */
const scrapeLabels = ["__name__", "instance", "job"];

/** Why a program of Debian's package `prometheus` cannot run here. */
export async function findReason(program: string): Promise<string | undefined> {
  try {
    await new Deno.Command(program, { args: ["--version"], stdout: "null", stderr: "null" })
      .output();
    return undefined;
  } catch {
    return `${program} is not installed`;
  }
}

export interface Prometheus extends AsyncDisposable {
  query(expression: string): Promise<Record<string, number>>;
  /** The health and the last error of its target. */
  target(): Promise<{ readonly health: string; readonly lastError: string }>;
}

export async function startPrometheus(target: string, credentials: string): Promise<Prometheus> {
  const temp = await Deno.makeTempDir();
  const config = join(temp, "prometheus.yml");
  await Deno.writeTextFile(
    config,
    JSON.stringify({
      global: { scrape_interval: "1s" },
      scrape_configs: [{
        job_name: "app",
        authorization: { credentials },
        static_configs: [{ targets: [target] }],
      }],
    }),
  );
  const port = freePort();
  const child = new Deno.Command("prometheus", {
    args: [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(temp, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    stdout: "null",
    stderr: "null",
  }).spawn();
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
    return (await response.json()).data;
  };
  return {
    query: (expression) =>
      until(async () => {
        const data = await ask(`query?query=${encodeURIComponent(expression)}`) as {
          result: { metric: Record<string, string>; value: [number, string] }[];
        };
        if (data.result.length === 0) return undefined;
        return Object.fromEntries(data.result.map(({ metric, value }) => {
          const own = Object.entries(metric).filter(([name]) => !scrapeLabels.includes(name));
          return [own.map(([, text]) => text).join(" "), Number(value[1])];
        }));
      }),
    target: () =>
      until(async () => {
        const data = await ask("targets") as {
          activeTargets: { health: string; lastError: string }[];
        };
        const [found] = data.activeTargets;
        return found === undefined || found.health === "unknown" ? undefined : found;
      }),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.status;
      await Deno.remove(temp, { recursive: true });
    },
  };
}

async function until<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 600; tries++) {
    const value = await attempt().catch(() => undefined);
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("there was no answer");
}
