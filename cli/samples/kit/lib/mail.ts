import { type Application, key, provide, variable } from "@fw/fw";

/** A message. */
export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends a message. */
export type Send = (message: Message) => Promise<void>;

/** The mail, as `Setup` provides it: `use(c, Mail)`. */
export const Mail = key<Send>("mail");

/** Opens the mail: development writes messages to the log, production sends them. */
export function openMail(app: Application): void {
  const send: Send = app.env === "dev"
    ? (message) => Promise.resolve(app.log.info("mail", { ...message }))
    : mailService(app);
  provide(app, Mail, send);
}

/** A mail service that takes JSON with a bearer token; change the body to what yours takes. */
function mailService(app: Application): Send {
  const url = read(app, "FW_MAIL_URL");
  const token = read(app, "FW_MAIL_TOKEN");
  const from = read(app, "FW_MAIL_FROM");
  warnIfRefused(app, url);
  return async (message) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ from, ...message }),
      signal: AbortSignal.timeout(10_000),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The mail service answered ${response.status}.`);
  };
}

/** Warns at boot: without the permission each message is lost, and its user learns nothing of it. */
function warnIfRefused(app: Application, address: string): void {
  const url = URL.parse(address);
  if (url === null) {
    throw new Error(
      `Cannot send mail: FW_MAIL_URL is "${address}". Set a whole URL, such as https://mail.example/send.`,
    );
  }
  const host = `${url.hostname}:${url.port || (url.protocol === "http:" ? 80 : 443)}`;
  if (Deno.permissions.querySync({ name: "net", host }).state === "granted") return;
  app.log.warn(
    `Cannot send mail: no access to ${host}. Fix: add ${host} to --allow-net of the start task.`,
  );
}

function read(app: Application, name: string): string {
  const value = variable(app, name);
  if (value !== undefined) return value;
  throw new Error(
    `Cannot send mail: ${name} is not set. Set FW_MAIL_URL, FW_MAIL_TOKEN and FW_MAIL_FROM, ` +
      "or change lib/mail.ts to your mail service.",
  );
}
