/** Programs of the machine, and certificates that `openssl` creates for tests. */
import { isIP } from "node:net";
import { join } from "@std/path";

/** The files of a certificate that clients trust. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

export async function makeCertificate(folder: string, host: string): Promise<Certificate> {
  const [certificate, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const { code, stderr } = await new Deno.Command("openssl", {
    // A handshake with such a key takes a tenth of the time of RSA.
    args: ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
      .concat("-nodes", "-days", "1")
      .concat("-keyout", key, "-out", certificate, "-subj", `/CN=${host}`)
      .concat("-addext", `subjectAltName=${isIP(host) === 0 ? "DNS" : "IP"}:${host}`),
    stdin: "null",
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  return { certificate, key };
}

/** Returns why a test that needs programs cannot run; `undefined` if all are installed. */
export async function reasonWithoutPrograms(
  ...programs: readonly string[]
): Promise<string | undefined> {
  for (const program of programs) {
    try {
      const quiet = { stdin: "null", stdout: "null", stderr: "null" } as const;
      await new Deno.Command(program, { args: ["--version"], ...quiet }).output();
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return `${program} is not installed`;
      throw error;
    }
  }
  return undefined;
}
