export interface ShellWord {
  readonly text: string;
  /** It contains a variable or a command that only the shell can expand. */
  readonly isExpanded: boolean;
}

const operator = /^(?:&&|\|\||[;|&\n])/;

export function shellWords(command: string): ShellWord[][] {
  const commands: ShellWord[][] = [[]];
  let word: { text: string; isExpanded: boolean } | undefined;
  const end = (): void => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  for (let at = 0; at < command.length;) {
    const rest = command.slice(at);
    const split = operator.exec(rest)?.[0];
    if (split !== undefined) {
      end();
      commands.push([]);
      at += split.length;
    } else if (/^\s/.test(rest)) {
      end();
      at += 1;
    } else {
      const part = readPart(rest);
      word ??= { text: "", isExpanded: false };
      word.text += part.text;
      word.isExpanded ||= part.isExpanded;
      at += part.length;
    }
  }
  end();
  return commands.filter((words) => words.length > 0);
}

function readPart(rest: string): ShellWord & { readonly length: number } {
  const single = /^'([^']*)'?/.exec(rest);
  if (single !== null) {
    return { text: single[1] ?? "", isExpanded: false, length: single[0].length };
  }
  const double = /^"((?:[^"\\]|\\.)*)"?/s.exec(rest);
  if (double !== null) {
    const inner = double[1] ?? "";
    const isExpanded = /(?<!\\)[$`]/.test(inner);
    return { text: inner.replace(/\\(["\\$`])/g, "$1"), isExpanded, length: double[0].length };
  }
  if (rest.startsWith("\\") && rest.length > 1) {
    return { text: rest.charAt(1), isExpanded: false, length: 2 };
  }
  return { text: rest.charAt(0), isExpanded: /^[$`]/.test(rest), length: 1 };
}
