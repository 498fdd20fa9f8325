import { type Config as Settings, Off } from "@fw/fw";

/** The settings that a round varies; all others are as in production. */
export function Config(config: Settings): void {
  if (Deno.env.get("BENCH_LOG") === "off") config.logRequest = Off;
  if (Deno.env.get("BENCH_COMPRESS") === "off") config.compress = false;
}

export function Setup(): void {}
