import { type Config as Settings, Off } from "@fw/fw";

/** What a round changes; everything else is as in production. */
export function Config(config: Settings): void {
  if (Deno.env.get("BENCH_LOG") === "off") config.logRequest = Off;
  if (Deno.env.get("BENCH_COMPRESS") === "off") config.compress = false;
}

export function Setup(): void {}
