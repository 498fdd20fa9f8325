const known = [
  ..."PORT ADDR FW_ENV FW_BASE_PATH FW_DEV_RELOAD FW_REUSE_PORT FW_TRUSTED_PROXIES".split(" "),
  ..."FW_ALLOWED_HOSTS FW_ORIGIN FW_SECRET FW_SECRET_PREVIOUS FW_OBS_TOKEN".split(" "),
  ..."FW_METRICS FW_OBS_TRUSTED FW_INCIDENTS".split(" "),
];

/** Sets and deletes variables; `using` restores them. */
export function setEnv(variables: Readonly<Record<string, string | undefined>>): Disposable {
  const before = Object.keys(variables).map((name) => [name, Deno.env.get(name)] as const);
  const write = (name: string, value: string | undefined): void =>
    value === undefined ? Deno.env.delete(name) : Deno.env.set(name, value);
  for (const [name, value] of Object.entries(variables)) write(name, value);
  return {
    [Symbol.dispose]: () => {
      for (const [name, value] of before) write(name, value);
    },
  };
}

/** Runs with exactly these of the known variables set, then restores all of them. */
export function runWithEnv(variables: Readonly<Record<string, string>>, run: () => void): void {
  const unset = Object.fromEntries(known.map((name) => [name, undefined]));
  using _ = setEnv({ ...unset, ...variables });
  run();
}
