import * as h from "@fw/fw/h";
import { type Mail, mailButton } from "@fw/fw/mail";

/** The data of the mail. */
export interface LoanNotice {
  readonly name: string;
}

/** Builds the mail. Send it with `await mail(c, { to, ...loanNotice({ name }) })`. */
export function loanNotice({ name }: LoanNotice): Pick<Mail, "subject" | "body"> {
  return {
    subject: `Hello, ${name}`,
    body: h.fragment(
      h.h1(`Hello, ${name}`),
      h.p("Write here what the mail says."),
      mailButton("/", "Open the site"),
    ),
  };
}

/** The example shown in development at /_fw/dev/mail/loan_notice. */
export const loanNoticePreview = (): ReturnType<typeof loanNotice> => loanNotice({ name: "Ada" });
