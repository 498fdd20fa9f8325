import { type IncidentField, leftOutText } from "../../base/observe/incident.ts";
import { hideSecrets, isSecretName, namesSecret } from "./secrets.ts";

const minValueChars = 4;
const namelessParameter = "a parameter without a value";

/** The most that the fields of a form hold together, in characters. */
const maxFieldChars = 65_536;

/** Takes secrets out of the parts of a request, and notes what it has left out. */
export class Redaction {
  /** The omitted parts, a few words each. */
  readonly leftOut = new Set<string>();
  readonly #values = new Set<string>();

  /** Notes a part that is left out, and its value. */
  leave(part: string, ...values: readonly string[]): void {
    this.leftOut.add(part);
    this.hide(...values);
  }

  /** Notes values that an error must not repeat. */
  hide(...values: readonly string[]): void {
    for (const value of values) this.#values.add(value);
  }

  /** Removes what was left out elsewhere: an error often quotes what it could not take. */
  error(text: string): string {
    let hidden = hideSecrets(text);
    // The longest first, so that a value inside another one does not break it.
    for (const value of [...this.#values].sort((a, b) => b.length - a.length)) {
      if (value.length >= minValueChars) hidden = hidden.replaceAll(value, leftOutText);
    }
    return hidden;
  }

  /** Removes parameters whose names or values look secret; the others stay as they were sent. */
  query(query: string): string {
    const pieces = query.slice(1).split("&").map((piece) => {
      const equals = piece.indexOf("=");
      const name = decode(equals < 0 ? "" : piece.slice(0, equals));
      const value = decode(piece.slice(equals + 1));
      // A name that holds a value is none.
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
      // The token is of one browser; a test sends its own.
      if (name === csrf) {
        this.hide(value);
        continue;
      }
      chars += name.length + value.length;
      if (chars > maxFieldChars) {
        this.leave(`fields beyond ${maxFieldChars} characters`);
        break;
      }
      // JSON with the type of a form: all of it is the name of a field.
      if (namesSecret(name)) this.leave("a field whose name holds a value", value);
      else if (isSecretName(name) || namesSecret(value)) {
        this.leave(`field ${shortName(name)}`, value);
        kept.push({ name });
      } else kept.push({ name, value: hideSecrets(value) });
    }
    return kept;
  }

  /** Removes members whose names look secret; `undefined` for what cannot be searched for them. */
  json(text: string): string | undefined {
    const left: (readonly [part: string, ...values: string[]])[] = [];
    const leave = (name: string, member: unknown): unknown => {
      left.push([`member ${shortName(name)}`, ...scalarsIn(member)]);
      return placeholderOf(member);
    };
    let kept: string;
    // Each of the three steps fails for JSON that is nested too deep.
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

/** Returns a string without what is secret in it: whole, in parts, or not at all. */
function clean(text: string): string {
  return namesSecret(text) ? leftOutText : hideSecrets(text);
}

/** Reports whether a member says in one place what it is called and in another what its value is. */
function isPair(member: unknown): member is { readonly value: unknown } {
  if (typeof member !== "object" || member === null || !Object.hasOwn(member, "value")) {
    return false;
  }
  return Object.entries(member).some(([key, name]) =>
    /^(?:name|key|field|id)$/.test(key) && typeof name === "string" &&
    // `key` is a secret name itself: what it said has been left out already.
    (name === leftOutText || isSecretName(name))
  );
}

function scalarsIn(member: unknown): string[] {
  if (typeof member === "string" || typeof member === "number") return [String(member)];
  return typeof member === "object" && member !== null
    ? Object.values(member).flatMap(scalarsIn)
    : [];
}

/** Returns a value of the same type, so that a schema takes the body as before. */
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
