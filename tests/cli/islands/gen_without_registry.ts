/**
 * Runs `fw gen` in the working directory for `faults_test.ts`, with an empty cache and an
 * unreachable registry for its child processes.
 */
import { systemIo } from "../../../cli/io.ts";
import { main } from "../../../cli/main.ts";

// Set here and not by the test, because this process itself needs the cache.
Deno.env.set("DENO_DIR", `${Deno.cwd()}/.deno`);
Deno.env.set("NPM_CONFIG_REGISTRY", "http://127.0.0.1:9/");

Deno.exit(await main(["gen"], systemIo()));
