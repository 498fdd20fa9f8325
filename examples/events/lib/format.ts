const weekdays = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
] as const;

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** Formats the weekday: `Friday`. */
export function formatWeekday(date: Temporal.PlainDate): string {
  return weekdays[date.dayOfWeek - 1] ?? "";
}

/** Formats the month: `May`. */
export function formatMonth(date: Temporal.PlainDate): string {
  return months[date.month - 1] ?? "";
}

/** Formats a date without the year: `Friday 15 May`. */
export function formatDate(date: Temporal.PlainDate): string {
  return `${formatWeekday(date)} ${date.day} ${formatMonth(date)}`;
}

/** Formats a short date: `Fri 15 May`. */
export function formatShortDate(date: Temporal.PlainDate): string {
  return `${formatWeekday(date).slice(0, 3)} ${date.day} ${formatMonth(date).slice(0, 3)}`;
}

/** Returns the time of day of a text such as `2026-05-14T19:30`. */
export function formatTime(localText: string): string {
  return localText.slice(11, 16);
}

/** Formats a price: `Free`, `€12` or `€12.50`. */
export function formatPrice(cents: number): string {
  if (cents === 0) return "Free";
  return `€${cents % 100 === 0 ? cents / 100 : (cents / 100).toFixed(2)}`;
}

/** Formats a count: `1 event`, `12 events`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
