import type { Config as Settings } from "@fw/fw";

/** Sets the languages; the first is the default. */
export function Config(config: Settings): void {
  config.languages = ["en"];
}

/** Runs at boot; an error here stops the start. */
export function Setup(): void {}
