// One application per core, in one process: deno serve --parallel serve.ts
import { newApp } from "./fw_gen.ts";

const app = await newApp();
export default { fetch: app.fetch };
