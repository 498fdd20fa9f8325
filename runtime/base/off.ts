/** Turns a setting off where a missing value would mean its default. */
export const Off: unique symbol = Symbol.for("fw.Off");

/** Disables a deadline. */
export const NoTimeout: number = Infinity;
