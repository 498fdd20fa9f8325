/** The suite of stores on a cluster of three servers, and over TLS. */
import { Cluster, Redis } from "npm:ioredis@6.0.0";
import { createCluster } from "npm:redis@6.3.0";
import { assert } from "@std/assert";
import { join } from "@std/path";
import { type RedisClient, redisStores } from "../../../data/redis/mod.ts";
import { testUnless } from "../../../tools/skip.ts";
import { noRedis, type RedisServer, startRedis } from "../../data/redis_server.ts";
import { testStores } from "../../data/stores_suite.ts";
import { freePort } from "../../free_port.ts";

interface Opened {
  readonly client: RedisClient;
  close(): unknown;
}

/** Returns two replicas with one kind of client, in a separate part of the server. */
function testClient(name: string, open: () => Opened | Promise<Opened>): void {
  testStores(name, async (now) => {
    const [one, other] = [await open(), await open()];
    const prefix = `${crypto.randomUUID()}:`;
    const make = ({ client }: Opened) => redisStores(client, { prefix, now, timeoutMs: 30_000 });
    return {
      one: make(one),
      other: make(other),
      close: async () => {
        await one.close();
        await other.close();
      },
    };
    // The clients close their sockets after they report the end.
  }, { sanitizeOps: false, sanitizeResources: false });
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args: [...args] }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert(success, `${program} ${args.join(" ")}: ${text}`);
}

if (noRedis !== undefined) {
  testUnless(noRedis, { name: "Redis: a cluster, and TLS", fn: () => {} });
} else {
  const servers: RedisServer[] = [];
  const folder = Deno.makeTempDirSync({ prefix: "fw_redis_tls_" });
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  let tlsPort = 0;
  Deno.test.beforeAll(async () => {
    for (let n = 0; n < 3; n++) {
      // Each also listens for the others on its port plus 10,000.
      servers.push(await startRedis({ settings: ["--cluster-enabled", "yes"] }));
    }
    const nodes = servers.map(({ port }) => `127.0.0.1:${port}`);
    await run("redis-cli", ["--cluster", "create", ...nodes, "--cluster-yes"]);
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
    const files = ["-keyout", key, "-out", cert];
    await run("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...subject, ...files]);
    tlsPort = freePort();
    const tls = ["--tls-cert-file", cert, "--tls-key-file", key, "--tls-ca-cert-file", cert];
    const settings = ["--port", "0", "--tls-port", String(tlsPort), "--tls-auth-clients", "no"];
    servers.push(await startRedis({ port: tlsPort, settings: [...settings, ...tls] }));
  });
  Deno.test.afterAll(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
  });

  const nodes = () => servers.slice(0, 3).map(({ port }) => ({ host: "127.0.0.1", port }));
  testClient("a cluster with npm:redis", async () => {
    const rootNodes = nodes().map(({ port }) => ({ url: `redis://127.0.0.1:${port}` }));
    const client = createCluster({ rootNodes });
    await client.connect();
    return { client: client as unknown as RedisClient, close: () => client.destroy() };
  });
  testClient("a cluster with npm:ioredis", () => {
    const client = new Cluster(nodes());
    return { client: client as unknown as RedisClient, close: () => client.disconnect() };
  });
  testClient("TLS with npm:ioredis", () => {
    const ca = Deno.readTextFileSync(cert);
    const client = new Redis({ host: "127.0.0.1", port: tlsPort, tls: { ca } });
    return { client: client as unknown as RedisClient, close: () => client.disconnect() };
  });
}
