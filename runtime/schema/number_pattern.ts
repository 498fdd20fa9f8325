/** Returns a regular expression for the decimal texts of a range of whole numbers; `""` for none. */
export function numberPattern(min: bigint, max: bigint): string {
  if (min > max) return "";
  const larger = (a: bigint, b: bigint): bigint => a > b ? a : b;
  const negative = min <= 0n ? magnitudes(larger(-max, 0n), -min) : "";
  const positive = max >= 0n ? magnitudes(larger(min, 0n), max) : "";
  return [
    ...(negative === "" ? [] : [`-0*(?:${negative})`]),
    ...(positive === "" ? [] : [`\\+?0*(?:${positive})`]),
  ].join("|");
}

/** Alternatives for the numbers of a range, none of which is negative: by their number of digits. */
function magnitudes(min: bigint, max: bigint): string {
  const [least, most] = [String(min), String(max)];
  if (least.length === most.length) return between(least, most);
  const middle = most.length - least.length - 1;
  return [
    between(least, "9".repeat(least.length)),
    ...(middle > 0 ? [`[1-9]\\d{${least.length},${most.length - 2}}`] : []),
    between(`1${"0".repeat(most.length - 1)}`, most),
  ].join("|");
}

/** Alternatives for the numbers between two of as many digits. */
function between(least: string, most: string): string {
  const rest = least.length - 1;
  if (/^0*$/.test(least) && /^9*$/.test(most)) return digits(least.length);
  const [low, high] = [Number(least[0]), Number(most[0])];
  const tail = (from: string, to: string): string => {
    const inner = between(from, to);
    return inner.includes("|") ? `(?:${inner})` : inner;
  };
  if (low === high) return `${low}${tail(least.slice(1), most.slice(1))}`;
  // The first and the last digit allow a part of what follows, those between them all of it.
  const isWholeLow = /^0*$/.test(least.slice(1));
  const isWholeHigh = /^9*$/.test(most.slice(1));
  const from = isWholeLow ? low : low + 1;
  const to = isWholeHigh ? high : high - 1;
  return [
    ...(isWholeLow ? [] : [`${low}${tail(least.slice(1), "9".repeat(rest))}`]),
    ...(from > to ? [] : [`${from === to ? from : `[${from}-${to}]`}${digits(rest)}`]),
    ...(isWholeHigh ? [] : [`${high}${tail("0".repeat(rest), most.slice(1))}`]),
  ].join("|");
}

function digits(count: number): string {
  return count < 2 ? "\\d".repeat(count) : `\\d{${count}}`;
}
