import { type IncidentField, leftOutText } from "../../base/observe/incident.ts";
import { hideSecrets, isSecretName, namesSecret } from "./secrets.ts";

const minValueChars = 4;
const namelessParameter = "a parameter without a value";

/** The maximum total length of the fields of a form, in characters. */
const maxFieldChars = 65_536;

/** Removes secrets from the parts of a request and records what it omitted. */
export class Redaction {
  /** The omitted parts, a few words each. */
  readonly leftOut = new Set<string>();
  readonly #values = new Set<string>();

  /** Records an omitted part and its value. */
  leave(part: string, ...values: readonly string[]): void {
    this.leftOut.add(part);
    this.hide(...values);
  }

  /** Records values that an error must not repeat. */
  hide(...values: readonly string[]): void {
    for (const value of values) this.#values.add(value);
  }

  /** Removes omitted values from an error, which often quotes the value that it refuses. */
  error(text: string): string {
    let hidden = hideSecrets(text);
    // The longest first, so that a value inside another one does not split it.
    for (const value of [...this.#values].sort((a, b) => b.length - a.length)) {
      if (value.length >= minValueChars) hidden = hidden.replaceAll(value, leftOutText);
    }
    return hidden;
  }

  /** Removes parameters whose names or values look secret; the others stay unchanged. */
  query(query: string): string {
    const pieces = query.slice(1).split("&").map((piece) => {
      const equals = piece.indexOf("=");
      const name = decode(equals < 0 ? "" : piece.slice(0, equals));
      const value = decode(piece.slice(equals + 1));
      // A name that contains a secret is treated as a value.
      const isNameless = clean(name) !== name || (equals < 0 && isSecretName(value));
      if (!isNameless && !isSecretName(name) && clean(value) === value) return piece;
      const isNamed = equals >= 0 && !isNameless;
      this.leave(`query ${shortName(isNamed ? name : namelessParameter)}`, value);
      return isNamed ? `${piece.slice(0, equals)}=left-out` : "left-out";
    });
    return query === "" ? "" : `?${pieces.join("&")}`;
  }

  fields(fields: Iterable<readonly [name: string, value: string]>, csrf: string): IncidentField[] {
    const kept: IncidentField[] = [];
    let chars = 0;
    for (const [name, value] of fields) {
      // The token belongs to one browser; a test sends its own.
      if (name === csrf) {
        this.hide(value);
        continue;
      }
      chars += name.length + value.length;
      if (chars > maxFieldChars) {
        this.leave(`fields beyond ${maxFieldChars} characters`);
        break;
      }
      // JSON with the type of a form: the parser reads all of it as a field name.
      if (namesSecret(name)) this.leave("a field whose name holds a value", value);
      else if (isSecretName(name) || namesSecret(value)) {
        this.leave(`field ${shortName(name)}`, value);
        kept.push({ name });
      } else kept.push({ name, value: hideSecrets(value) });
    }
    return kept;
  }

  /** Removes members whose names look secret; `undefined` if the value cannot be searched for them. */
  json(text: string): string | undefined {
    const left: (readonly [part: string, ...values: string[]])[] = [];
    const leave = (name: string, member: unknown): unknown => {
      left.push([`member ${shortName(name)}`, ...scalarsIn(member)]);
      return placeholderOf(member);
    };
    let kept: string;
    // Each of the three steps throws for JSON that is nested too deep.
    try {
      const value: unknown = JSON.parse(text, (name, member: unknown) => {
        if (name !== "" && isSecretName(name)) return leave(name, member);
        if (typeof member === "string") return clean(member);
        return isPair(member) ? { ...member, value: leave("value", member.value) } : member;
      });
      kept = JSON.stringify(value);
    } catch {
      return undefined;
    }
    for (const [part, ...values] of left) this.leave(part, ...values);
    return kept;
  }
}

export function shortName(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

/** Returns a string without its secrets; the whole string is replaced if it names one. */
function clean(text: string): string {
  return namesSecret(text) ? leftOutText : hideSecrets(text);
}

/** Reports whether an object holds a secret's name in one member and its value in another. */
function isPair(member: unknown): member is { readonly value: unknown } {
  if (typeof member !== "object" || member === null || !Object.hasOwn(member, "value")) {
    return false;
  }
  return Object.entries(member).some(([key, name]) =>
    /^(?:name|key|field|id)$/.test(key) && typeof name === "string" &&
    // `key` is itself a secret name, so its value has already been omitted.
    (name === leftOutText || isSecretName(name))
  );
}

function scalarsIn(member: unknown): string[] {
  if (typeof member === "string" || typeof member === "number") return [String(member)];
  return typeof member === "object" && member !== null
    ? Object.values(member).flatMap(scalarsIn)
    : [];
}

/** Returns a value of the same type, so that a schema still accepts the body. */
function placeholderOf(member: unknown): unknown {
  if (typeof member === "string") return leftOutText;
  if (typeof member === "number") return 0;
  return Array.isArray(member) ? [] : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
