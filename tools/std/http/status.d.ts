export const STATUS_TEXT: Readonly<Record<number, string>>;
