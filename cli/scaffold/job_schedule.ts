import type { CommandArgs } from "../args.ts";
import { UsageError } from "../stop.ts";
import { endOfImports } from "./imports.ts";

/** The schedule of a job, as written in `jobs/mod.ts`. */
export interface JobSchedule {
  /** The function of `@fw/fw/jobs`. */
  readonly call: "every" | "daily" | "weekly" | "cron";
  /** The value of the flag. */
  readonly at: string;
}

const time = "(?:[01]\\d|2[0-3]):[0-5]\\d";
const forms: Readonly<Record<JobSchedule["call"], readonly [form: RegExp, example: string]>> = {
  every: [/^[1-9]\d{0,4}[smhd]$/, "15m"],
  daily: [RegExp(`^${time}$`), "07:00"],
  weekly: [RegExp(`^(?:mon|tue|wed|thu|fri|sat|sun) ${time}$`), '"mon 07:00"'],
  cron: [/^(?:[\dA-Za-z*?#,/-]+ ){4,5}[\dA-Za-z*?#,/-]+$/, '"0 7 * * 1-5"'],
};
const units: Readonly<Record<string, string>> = {
  s: "1_000",
  m: "60_000",
  h: "3_600_000",
  d: "86_400_000",
};

const cronerImport =
  `// deno-lint-ignore no-import-prefix -- in the import map every task would install it
import { Cron } from "npm:croner@11";
`;

/** @throws {UsageError} for a malformed time or more than one schedule flag. */
export function parseSchedule(args: CommandArgs): JobSchedule | undefined {
  const calls = ["every", "daily", "weekly", "cron"] as const;
  const given = calls.flatMap((call) => {
    const at = args.value(call);
    return at === undefined ? [] : [{ call, at }];
  });
  const [schedule] = given;
  const isSound = given.every(({ call, at }) => forms[call][0].test(at));
  if (isSound && given.length < 2) return schedule;
  const flags = given.map(({ call, at }) => `--${call} ${JSON.stringify(at)}`).join(", ");
  const examples = calls.map((call) => `--${call} ${forms[call][1]}`).join(", ");
  throw new UsageError(({ jobs }) => jobs.schedule(flags, examples));
}

/** Adds a schedule to the text of `jobs/mod.ts`; `undefined` if the text was changed. */
export function addSchedule(
  text: string,
  job: string,
  schedule: JobSchedule,
): string | undefined {
  const { call } = schedule;
  const list = /(\bconst schedule: readonly Schedule\[\] = \[)(\s*)/;
  if (!list.test(text)) return undefined;
  const imported = new RegExp(`\\bimport \\{[^}]*\\b${call}\\b[^}]*\\} from "@fw/fw/jobs"`);
  const own = imported.test(text)
    ? text
    : text.replace(/(\bimport \{)([^}]*\} from "@fw\/fw\/jobs")/, `$1 ${call},$2`);
  const end = endOfImports(own);
  const whole = call === "cron" && !own.includes('"npm:croner')
    ? own.slice(0, end) + cronerImport + own.slice(end)
    : own;
  return whole.replace(
    list,
    (_, head: string) => `${head}\n  ${scheduleEntry(job, schedule)},\n  `,
  );
}

export function scheduleEntry(job: string, { call, at }: JobSchedule): string {
  const quoted = JSON.stringify(at);
  if (call === "every") return `every(${at.slice(0, -1)} * ${units[at.slice(-1)]}, ${job})`;
  if (call !== "cron") return `${call}(${quoted}, ${job})`;
  return `cron(${quoted}, ${job}, { next: (after) => new Cron(${quoted}, { timezone: "UTC" }).nextRun(after) })`;
}
