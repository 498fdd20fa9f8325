import { formatPlace, frameBlock } from "@fw/fw/addon";
import { errorPageStyles, reloadElement } from "@fw/fw/conventions";
import * as h from "@fw/fw/h";
import type { Language, Messages } from "../messages/catalog.ts";
import type { Failure, FailureProblem } from "../project/process/failure.ts";

export interface ErrorPageOptions {
  readonly messages: Messages;
  readonly language: Language;
  readonly reloads: boolean;
}

export const pagePolicy: string =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

export function failurePage(failure: Failure, options: ErrorPageOptions): string {
  const { dev } = options.messages;
  return page(options, {
    title: dev.stage[failure.stage],
    heading: headingOf(failure, options.messages),
    body: h.group(failure.problems.map((problem) => problemCard(problem, options))),
    note: !options.reloads
      ? dev.watchingOff
      : failure.stage === "boot"
      ? dev.watchingBoot
      : dev.watching,
  });
}

/** A page that says why there is no response. */
export interface NoticeText {
  readonly title: string;
  readonly text: string;
  readonly fix: string;
  readonly retries: boolean;
}

export function noticePage(notice: NoticeText, options: ErrorPageOptions): string {
  return page(options, {
    title: notice.title,
    heading: notice.title,
    body: h.section(
      h.class("problem"),
      notice.text === "" ? null : h.div(h.class("head"), notice.text),
      fixLine(notice.fix, options.messages),
    ),
    note: "",
    retries: notice.retries,
  });
}

interface PageParts {
  readonly title: string;
  readonly heading: string;
  readonly body: h.Node;
  readonly note: string;
  readonly retries?: boolean;
}

function page(options: ErrorPageOptions, parts: PageParts): string {
  const { title, heading, body, note, retries = false } = parts;
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
        body,
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

function problemCard(problem: FailureProblem, options: ErrorPageOptions): h.Node {
  const { message, fix, code, place, frame, stack } = problem;
  return h.section(
    h.class("problem"),
    h.div(
      h.class("head"),
      h.p(h.class("message"), message),
      h.p(h.class("place"), [place && formatPlace(place), code].filter(Boolean).join("  ")),
    ),
    frame === undefined ? null : frameBlock(frame),
    fix === undefined ? null : fixLine(fix, options.messages),
    stack.length === 0 ? null : h.details(
      h.summary(options.messages.dev.stack),
      h.pre(h.class("stack"), stack.join("\n")),
    ),
  );
}

function fixLine(fix: string, messages: Messages): h.Node {
  return h.p(h.class("fix"), h.b(messages.printed.fix), fix);
}

/** Returns the problem document of a failure (RFC 9457), with all problems in `problems`. */
export function failureDocument(failure: Failure, messages: Messages): string {
  const first = failure.problems[0];
  const place = first?.place === undefined ? "" : `${formatPlace(first.place)} `;
  return JSON.stringify({
    type: "about:blank",
    title: messages.dev.stage[failure.stage],
    status: 500,
    detail: `${place}${first?.message ?? ""}`,
    problems: failure.problems.map(({ code, severity, place, message, fix }) => ({
      code,
      severity,
      place,
      message,
      fix,
    })),
  });
}

export function noticeDocument(notice: NoticeText, status: number): string {
  const detail = [notice.text, notice.fix].filter((text) => text !== "").join(" ");
  return JSON.stringify({ type: "about:blank", title: notice.title, status, detail });
}
