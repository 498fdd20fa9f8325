import type { Ctx } from "@fw/fw";
import * as h from "@fw/fw/h";
import { catalog } from "@fw/fw/i18n";
import { type Mail, mailButton } from "@fw/fw/mail";

/** The texts of the mail. */
const messages = catalog({
  en: {
    subject: "Hello, {name}",
    text: "Write here what the mail says.",
    open: "Open the site",
  },
  pt: {
    subject: "Olá, {name}",
    text: "Escreva aqui o que o email diz.",
    open: "Abrir o sítio",
  },
});

/** The data of the mail. */
export interface LoanNotice {
  readonly name: string;
  /** The language of the recipient. */
  readonly language: string;
}

/** Builds the mail: `await mail(c, { to, ...loanNotice({ name, language: c.language }) })`. */
export function loanNotice(
  { name, language }: LoanNotice,
): Pick<Mail, "subject" | "body" | "language"> {
  const subject = messages.text(language, "subject", { name });
  return {
    language,
    subject,
    body: h.fragment(
      h.h1(subject),
      h.p(messages.text(language, "text")),
      mailButton("/", messages.text(language, "open")),
    ),
  };
}

/** The example shown in development at /_fw/dev/mail/loan_notice. */
export function loanNoticePreview(c: Ctx): ReturnType<typeof loanNotice> {
  return loanNotice({ name: "Ada", language: c.language });
}
