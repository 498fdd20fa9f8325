import type { Config, Settings } from "../ctx/config.ts";

/** Returns a configuration with settings over it; a setting that is `undefined` changes nothing. */
export function overlaySettings(base: Config, settings: Settings): Config {
  const given = withoutUndefined(settings);
  return {
    ...base,
    ...given,
    timeouts: { ...base.timeouts, ...withoutUndefined(given.timeouts) },
    bodyLimits: { ...base.bodyLimits, ...withoutUndefined(given.bodyLimits) },
    observability: { ...base.observability, ...withoutUndefined(given.observability) },
  };
}

function withoutUndefined<T extends object>(values: T | undefined): Partial<T> {
  const given: Partial<T> = { ...values };
  for (const name in given) if (given[name] === undefined) delete given[name];
  return given;
}
