/** The format letters with decimals or an exponent. */
export type FloatFormat = "e" | "E" | "f" | "F" | "g" | "G";

export function formatFloat(
  value: number,
  format: FloatFormat,
  digits: number | undefined,
): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const lower = format.toLowerCase();
  const write = lower === "f" ? fixed : lower === "e" ? exponent : general;
  const text = sign + write(Math.abs(value), digits);
  return format === "E" || format === "G" ? text.toUpperCase() : text;
}

function fixed(value: number, digits: number | undefined): string {
  if (digits === undefined) return shortest(value);
  // Beyond its limits, toFixed uses exponents or throws.
  const count = Math.min(digits, 100);
  const text = value >= 1e21
    ? String(BigInt(value)) + (count === 0 ? "" : `.${"0".repeat(count)}`)
    : toEven(value, count, "toFixed");
  return digits > count ? text + "0".repeat(digits - count) : text;
}

/** Formats with the built-in method, but rounds ties to even, as Go does. */
function toEven(value: number, digits: number, method: "toFixed" | "toExponential"): string {
  const text = value[method](digits);
  if (digits > 60) return text;
  const [mantissa = "", power] = value[method](digits + 40).split("e");
  const cut = mantissa.length - 40;
  if (!/^50*$/.test(mantissa.slice(cut).replace(".", ""))) return text;
  const kept = mantissa.slice(0, cut).replace(/\.$/, "");
  if (/[13579]$/.test(kept)) return text;
  return power === undefined ? kept : `${kept}e${power}`;
}

/** Formats without an exponent, with the fewest digits that identify the number. */
function shortest(value: number): string {
  const text = String(value);
  const [mantissa = "", power] = text.split("e");
  if (power === undefined) return text;
  const [whole = "", part = ""] = mantissa.split(".");
  const shift = Number(power);
  if (shift < 0) return `0.${"0".repeat(-shift - 1)}${whole}${part}`;
  return whole + part.padEnd(shift, "0");
}

function exponent(value: number, digits: number | undefined): string {
  const count = Math.min(digits ?? 0, 100);
  const text = digits === undefined ? value.toExponential() : toEven(value, count, "toExponential");
  // Go writes at least two digits of the exponent.
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

function general(value: number, digits: number | undefined): string {
  const precision = digits === 0 ? 1 : digits;
  const shown = exponent(value, precision === undefined ? undefined : precision - 1);
  const [mantissa = "", power = "0"] = shown.split("e");
  const plain = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  const scale = Number(power);
  if (scale < -4 || scale >= (precision ?? 6)) return `${plain}e${power}`;
  return shortest(Number(`${plain}e${scale}`));
}
