/** A mail service that stores the received mails, for applications of `generate auth`. */
import { serveLocal } from "../serve_local.ts";

export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

export interface MailService extends AsyncDisposable {
  /** The environment variables that configure it in the application. */
  readonly env: Readonly<Record<string, string>>;
  readonly mails: readonly ReceivedMail[];
  /** Waits for the next mail with a one-time link, and returns the link. */
  link(to: string): Promise<string>;
}

export function startMailService(): MailService {
  const mails: ReceivedMail[] = [];
  let read = 0;
  let arrived = Promise.withResolvers<void>();
  const server = serveLocal(async (request) => {
    if (request.headers.get("authorization") !== "Bearer key") {
      return new Response(null, { status: 401 });
    }
    mails.push(await request.json());
    arrived.resolve();
    arrived = Promise.withResolvers();
    return new Response(null, { status: 202 });
  });
  return {
    mails,
    env: {
      FW_MAIL_URL: `${server.origin}/`,
      FW_MAIL_TOKEN: "key",
      FW_MAIL_FROM: "club@example.org",
    },
    link: async (to) => {
      let mail: ReceivedMail | undefined;
      do {
        while (read >= mails.length) await arrived.promise;
        mail = mails[read++];
      } while (mail === undefined || !/\/(?:password|account\/email)\//.test(mail.text));
      if (String(mail.to) !== to) throw new Error(`a mail to ${mail.to}, not to ${to}`);
      return /https?:[^\s>]+/.exec(mail.text)?.[0] ?? "";
    },
    [Symbol.asyncDispose]: async () => await server.shutdown(),
  };
}
