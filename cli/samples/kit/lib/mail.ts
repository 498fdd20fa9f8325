import { type Application, variable } from "@fw/fw";
import { httpMail, type MailOptions, type MailTransport, outbox, provideMail } from "@fw/fw/mail";
// if sample
import { loanNoticePreview } from "../mails/loan_notice.ts";
// end
import { originOf } from "./origin.ts";

/** Example mails, shown in development at /_fw/dev/mail. */
const previews: NonNullable<MailOptions["previews"]> = {
  // insert preview
  loan_notice: loanNoticePreview,
  // end
};

/** Sets up mail: development shows mails at /_fw/dev/mail, production sends them. */
export function openMail(app: Application): void {
  const isDev = app.env === "dev";
  const from = isDev ? "no-reply@example.org" : needed(variable(app, "FW_MAIL_FROM"));
  const transport = isDev ? outbox() : mailService(app);
  provideMail(app, transport, { from, origin: originOf(app), previews });
}

/** A mail service for JSON with a bearer token; the option `body` changes the JSON. */
function mailService(app: Application): MailTransport {
  return httpMail({
    url: needed(variable(app, "FW_MAIL_URL")),
    token: needed(variable(app, "FW_MAIL_TOKEN")),
  });
}

function needed(value: string | undefined): string {
  if (value !== undefined) return value;
  throw new Error(
    "Cannot send mail: set FW_MAIL_URL, FW_MAIL_TOKEN and FW_MAIL_FROM, or change lib/mail.ts to " +
      "your mail service.",
  );
}
