import type { Config as Settings } from "@fw/fw";

/** Sets the languages; the first one is for clients that ask for none of them. */
export function Config(config: Settings): void {
  config.languages = ["en"];
}

/** Runs at boot: what throws here stops it. */
export function Setup(): void {}
