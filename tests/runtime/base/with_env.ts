const known = [
  ..."PORT ADDR FW_ENV FW_BASE_PATH FW_DEV_RELOAD FW_REUSE_PORT FW_TRUSTED_PROXIES".split(" "),
  ..."FW_ALLOWED_HOSTS FW_ORIGIN FW_SECRET FW_SECRET_PREVIOUS FW_OBS_TOKEN".split(" "),
  ..."FW_METRICS FW_OBS_TRUSTED FW_INCIDENTS".split(" "),
];

/** Runs with exactly these of the known variables set, then restores all of them. */
export function runWithEnv(variables: Readonly<Record<string, string>>, run: () => void): void {
  const before = known.map((name) => [name, Deno.env.get(name)] as const);
  for (const name of known) Deno.env.delete(name);
  for (const [name, value] of Object.entries(variables)) Deno.env.set(name, value);
  try {
    run();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
  }
}
