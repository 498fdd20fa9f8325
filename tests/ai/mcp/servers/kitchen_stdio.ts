import { kitchen } from "../kitchen.ts";

await kitchen().serveStdio();
