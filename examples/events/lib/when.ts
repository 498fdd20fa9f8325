/** The periods that visitors can choose, in display order. */
export const periods = [
  { id: "today", label: "Today" },
  { id: "weekend", label: "This weekend" },
  { id: "week", label: "Next 7 days" },
  { id: "month", label: "Next 30 days" },
] as const;

/** The id of a period in URLs. */
export type When = (typeof periods)[number]["id"];

/** Returns whether a text is the id of a period. */
export function isWhen(text: string): text is When {
  return periods.some(({ id }) => id === text);
}

/** A range of days, whose end is exclusive. */
export interface Days {
  /** The first day. */
  readonly from: Temporal.PlainDate;
  /** The day after the last. */
  readonly until: Temporal.PlainDate;
}

/** Returns the days of a period. On a Sunday, "this weekend" is only that day. */
export function daysOf(when: When, today: Temporal.PlainDate): Days {
  switch (when) {
    case "today":
      return { from: today, until: today.add({ days: 1 }) };
    case "weekend": {
      const monday = today.add({ days: 8 - today.dayOfWeek });
      return { from: monday.subtract({ days: 2 }), until: monday };
    }
    case "week":
      return { from: today, until: today.add({ days: 7 }) };
    case "month":
      return { from: today, until: today.add({ days: 30 }) };
  }
}
