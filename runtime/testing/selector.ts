/** The parts of an element that a selector reads. */
interface Selectable {
  readonly name: string;
  attribute(name: string): string | undefined;
  ancestors(): Iterable<Selectable>;
}

type Test = (element: Selectable) => boolean;

const maxSelectorChars = 1_000;

const name = /\*|[A-Za-z][\w-]*/y;
const word = /([#.])((?:[\w-]|[\u0080-\uffff]|\\[^\n])+)/y;
const attribute = /\[\s*([\w:-]+)\s*(?:([\^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\s\]"']+))\s*)?\]/y;

/**
 * Parses a CSS selector: names, `*`, `#id`, `.class`, attributes (`[a]`, `=`, `^=`, `$=`, `*=`), a blank or
 * `>` between them, `:not()`, and lists.
 *
 * @returns The test for one element.
 * @throws {TypeError} for a selector that is malformed or not among these.
 */
export function parseSelector(text: string): Test {
  let at = 0;
  const fault = (reason: string): TypeError =>
    new TypeError(
      `Cannot use the selector ${JSON.stringify(text.slice(0, 200))}: ${reason} (at character ${
        at + 1
      }).`,
    );
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const list = (): Test => {
    const tests: Test[] = [];
    do {
      take(/\s*/y);
      tests.push(path());
      take(/\s*/y);
    } while (take(/,/y) !== null);
    return (element) => tests.some((test) => test(element));
  };
  const path = (): Test => {
    let test = compound();
    for (;;) {
      const written = take(/\s*>\s*|\s+(?=[^\s,)])/y)?.[0];
      if (written === undefined) return test;
      test = inside(test, compound(), { isChild: written.trim() === ">" });
    }
  };
  const compound = (): Test => {
    const own = take(name)?.[0].toLowerCase();
    const tests: Test[] = own === undefined
      ? []
      : [(element) => own === "*" || element.name === own];
    for (let test = simple(); test !== undefined; test = simple()) tests.push(test);
    if (tests.length > 0) return (element) => tests.every((test) => test(element));
    throw fault("it needs a name, #id, .class, [attribute] or :not()");
  };
  const simple = (): Test | undefined => {
    const [, mark, written = ""] = take(word) ?? [];
    const given = written.replace(/\\(.)/gs, "$1");
    if (mark === "#") return (element) => element.attribute("id") === given;
    if (mark === ".") return (element) => classesOf(element).includes(given);
    const found = take(attribute);
    if (found !== null) {
      const [, key = "", operator, double, single, bare] = found;
      const want = double ?? single ?? bare ?? "";
      return (element) => hasValue(element.attribute(key), operator, want);
    }
    if (take(/:not\(/y) === null) return undefined;
    const inner = list();
    if (take(/\)/y) === null) throw fault(":not( needs its )");
    return (element) => !inner(element);
  };
  if (text.length > maxSelectorChars) throw fault(`it is over ${maxSelectorChars} characters`);
  const test = list();
  if (at < text.length) throw fault("it is malformed, or not supported");
  return test;
}

/** Returns the test for an element that stands in one which passes another. */
function inside(outer: Test, inner: Test, { isChild }: { readonly isChild: boolean }): Test {
  return (element) => {
    if (!inner(element)) return false;
    for (const around of element.ancestors()) {
      if (outer(around)) return true;
      if (isChild) return false;
    }
    return false;
  };
}

function classesOf(element: Selectable): string[] {
  return element.attribute("class")?.split(/[\t\n\f\r ]+/) ?? [];
}

function hasValue(value: string | undefined, operator: string | undefined, want: string): boolean {
  if (value === undefined || operator === undefined) return value !== undefined;
  if (operator === "=") return value === want;
  if (want === "") return false;
  if (operator === "^=") return value.startsWith(want);
  return operator === "$=" ? value.endsWith(want) : value.includes(want);
}
