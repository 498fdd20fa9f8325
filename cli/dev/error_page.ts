import { formatPlace, frameBlock } from "@fw/fw/addon";
import { errorPageStyles, reloadElement } from "@fw/fw/conventions";
import * as h from "@fw/fw/h";
import type { Language, Messages } from "../messages/catalog.ts";
import { paintFor } from "../io.ts";
import { type Failure, type FailureProblem, formatFailure } from "../project/process/failure.ts";

export interface ErrorPageOptions {
  readonly messages: Messages;
  readonly language: Language;
  readonly reloads: boolean;
}

export const pagePolicy: string =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

export interface ErrorAnswer {
  readonly status: number;
  readonly title: string;
  readonly heading: string;
  readonly problems: readonly (Partial<FailureProblem> & { readonly message: string })[];
  /** The response to clients other than browsers. */
  readonly text: string;
  /** @default none */
  readonly note?: string;
  /** Whether the page reloads itself. @default false */
  readonly retries?: boolean;
}

export function failureAnswer(failure: Failure, options: ErrorPageOptions): ErrorAnswer {
  const { dev } = options.messages;
  return {
    status: 500,
    title: dev.stage[failure.stage],
    heading: headingOf(failure, options.messages),
    problems: failure.problems,
    text: formatFailure(failure, options.messages, paintFor({ isTerminal: false })),
    note: options.reloads ? dev.watching : dev.watchingOff,
  };
}

export function renderErrorPage(answer: ErrorAnswer, options: ErrorPageOptions): string {
  const { title, heading, problems, note = "", retries = false } = answer;
  return h.render(h.html(
    h.lang(options.language === "pt" ? "pt-BR" : "en"),
    h.head(
      h.meta(h.charset("utf-8")),
      h.meta(h.name("viewport"), h.content("width=device-width, initial-scale=1")),
      h.meta(h.name("robots"), h.content("noindex")),
      // Otherwise browsers request /favicon.ico and log its 404 beside the error.
      h.link(h.rel("icon"), h.href("data:image/png,")),
      retries ? h.meta(h.httpEquiv("refresh"), h.content("1")) : null,
      h.title(title),
      h.style(h.raw(errorPageStyles)),
    ),
    h.body(
      h.main(
        h.header(
          heading === title ? null : h.p(h.class("stage"), title),
          h.h1(heading),
        ),
        h.map(problems, (problem) => problemCard(problem, options.messages)),
        note === "" ? null : h.footer(note),
      ),
      options.reloads ? h.raw(reloadElement) : null,
    ),
  ));
}

function headingOf(failure: Failure, messages: Messages): string {
  const [first, ...others] = failure.problems;
  if (others.length > 0) return messages.dev.problemCount(others.length + 1);
  return first?.place?.file ?? first?.message.split("\n")[0] ?? "";
}

function problemCard(problem: ErrorAnswer["problems"][number], messages: Messages): h.Node {
  const { message, fix, code, place, frame, stack = [] } = problem;
  const at = [place && formatPlace(place), code].filter(Boolean).join("  ");
  return h.section(
    h.class("problem"),
    h.div(
      h.class("head"),
      h.p(h.class("message"), message),
      at === "" ? null : h.p(h.class("place"), at),
    ),
    frame === undefined ? null : frameBlock(frame),
    fix === undefined ? null : h.p(h.class("fix"), h.b(messages.printed.fix), fix),
    stack.length === 0 ? null : h.details(
      h.summary(messages.dev.stack),
      h.pre(h.class("stack"), stack.join("\n")),
    ),
  );
}
