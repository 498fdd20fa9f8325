import type { App } from "@fw/fw";

/** What a runner puts around the application of every test, such as a proxy that judges its API. */
export const around: { fetch?: (fetch: App["fetch"]) => App["fetch"] } = {};
