/** A server of Debian's PostgreSQL for the tests, in its own folder, on a free loopback port. */
import { join } from "@std/path";
import { freePort } from "../free_port.ts";

export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /**
   * Restarts the server with its data.
   *
   * @param signal `SIGINT` ends its connections; `SIGQUIT` drops everything, as a crash does.
   */
  restart(signal: "SIGINT" | "SIGQUIT"): Promise<void>;
}

export function findPostgres(): string | undefined {
  const base = "/usr/lib/postgresql";
  try {
    const [version] = [...Deno.readDirSync(base)].map(({ name }) => name).sort((a, b) =>
      Number(b) - Number(a)
    );
    const folder = `${base}/${version}/bin`;
    Deno.statSync(`${folder}/initdb`);
    return folder;
  } catch {
    return undefined;
  }
}

/** The reason why tests with Postgres cannot run here; `undefined` if they can. */
export const noPostgres: string | undefined = findPostgres() === undefined
  ? "no postgresql"
  : undefined;

/** `initdb` refuses to run as root. */
function command(
  program: string,
  args: readonly string[],
  { stderr = "piped", env = {} }: {
    readonly stderr?: "piped" | "null";
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Deno.Command {
  const isRoot = Deno.uid() === 0;
  return new Deno.Command(isRoot ? "runuser" : program, {
    args: isRoot ? ["-u", "postgres", "--", program, ...args] : [...args],
    stdin: "null",
    stdout: "null",
    stderr,
    env,
    cwd: "/tmp",
  });
}

interface Running {
  readonly pid: number;
  readonly status: Promise<Deno.CommandStatus>;
}

/** Creates a locale in a folder. @returns Whether the system can. */
async function makeLocale(folder: string, locale: string): Promise<boolean> {
  const [language = "", encoding = ""] = locale.split(".");
  const args = ["-i", language, "-f", encoding, join(folder, locale)];
  return await command("localedef", args).output().then(({ success }) => success, () => false);
}

/**
 * Starts a server, which is removed on disposal.
 *
 * @param locale The language of its messages, such as `de_DE.UTF-8`, where the system can make it. @default English
 */
export async function startPostgres({ locale }: { locale?: string } = {}): Promise<PostgresServer> {
  const programs = findPostgres();
  if (programs === undefined) throw new Error("postgresql is not installed");
  const folder = await Deno.makeTempDir({ prefix: "fw_postgres_" });
  if (Deno.uid() === 0) await new Deno.Command("chown", { args: ["postgres", folder] }).output();
  const data = join(folder, "data");
  const init = await command(join(programs, "initdb"), [
    ...["-D", data, "-U", "fw", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N"],
  ]).output();
  if (!init.success) throw new Error(new TextDecoder().decode(init.stderr));
  const port = freePort();
  const isMade = locale !== undefined && await makeLocale(folder, locale);
  const settings = {
    ...(isMade && { lc_messages: locale }),
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    fsync: "off",
    // Statistics of a few rows, taken at any time, would change the plans that tests check.
    autovacuum: "off",
  };
  const isReady = ["-h", "127.0.0.1", "-p", String(port), "-q"];
  const start = async (): Promise<Running> => {
    const child = command(join(programs, "postgres"), [
      ...["-D", data],
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ], { stderr: "null", env: isMade ? { LOCPATH: folder } : {} }).spawn();
    let isEnded = false;
    const status = child.status.finally(() => void (isEnded = true));
    while (!(await command(join(programs, "pg_isready"), isReady).output()).success) {
      if (isEnded) throw new Error("Cannot start postgres");
    }
    const file = await Deno.readTextFile(join(data, "postmaster.pid"));
    return { pid: Number(file.split("\n")[0]), status };
  };
  let running = await start();
  return {
    url: `postgres://fw@127.0.0.1:${port}/postgres`,
    get pid() {
      return running.pid;
    },
    restart: async (signal) => {
      Deno.kill(running.pid, signal);
      await running.status;
      running = await start();
    },
    [Symbol.asyncDispose]: async () => {
      // SIGINT: the server closes its connections and stops.
      Deno.kill(running.pid, "SIGINT");
      await running.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}
