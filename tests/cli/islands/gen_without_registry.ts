/**
 * Runs `fw gen` in the working directory, for `faults_test.ts`: what it starts finds neither what
 * was fetched before nor a registry.
 */
import { systemIo } from "../../../cli/io.ts";
import { main } from "../../../cli/main.ts";

// Set here and not by the test: this process itself needs what was fetched.
Deno.env.set("DENO_DIR", `${Deno.cwd()}/.deno`);
Deno.env.set("NPM_CONFIG_REGISTRY", "http://127.0.0.1:9/");

Deno.exit(await main(["gen"], systemIo()));
