/** The application of the languages bench as a server. */
import { Off } from "../../mod.ts";
import { fixed, languages, newApp, spoken } from "./pages.ts";

const kind = Deno.env.get("BENCH_LANGUAGES") ?? "none";
const app = newApp({
  addr: `127.0.0.1:${Deno.env.get("PORT")}`,
  logRequest: Off,
  ...(kind === "none" ? {} : { languages }),
  ...(kind === "prefix" ? { languagePrefix: true } : {}),
}, kind === "none" ? fixed : spoken);
await app.listenAndServe();
