/** Something that the reader of a tutorial does. */
export type Step =
  /** A command, typed in the first terminal or, with a name, in one that it keeps busy. */
  | (Typed & { readonly kind: 'command' })
  | (Typed & { readonly kind: 'program'; readonly terminal: string })
  /** A file, saved with this content. */
  | { readonly kind: 'file'; readonly name: string; readonly content: string };

/** A command, and the output that it is to have. */
export interface Typed {
  readonly command: string;
  readonly output: string;
  /** Where its output stands in the text: from one index to the other. */
  readonly from: number;
  readonly to: number;
}

/** A scenario: a heading, and what is done below it. */
export interface Scenario {
  readonly title: string;
  readonly steps: readonly Step[];
}

export interface Tutorial {
  /** The commands that start scanners, which run all the time. */
  readonly servers: readonly string[];
  readonly scenarios: readonly Scenario[];
}

/**
 * Reads a tutorial: each `### heading` is a scenario. The commands of the first `sh` block start scanners.
 *
 * | block | what it is |
 * |---|---|
 * | `console` | a line that begins with `$ ` is a command, `> ` continues it, and the other lines are its output |
 * | `console NAME` | the same in the terminal of this name. Its command runs until the next one there |
 * | `LANGUAGE NAME` | the file of this name |
 */
export function tutorialIn(page: string): Tutorial {
  const servers = /```sh\n([\s\S]*?)```/.exec(page)?.[1]?.trim().split('\n') ?? [];
  const scenarios: Scenario[] = [];
  for (const part of page.matchAll(/^### (.*)\n([\s\S]*?)(?=^##|(?![\s\S]))/gm)) {
    const [whole, title = '', body = ''] = part;
    const begin = part.index + whole.length - body.length;
    const blocks = [...body.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)];
    scenarios.push({ title, steps: blocks.flatMap((block) => stepsIn(block, begin)) });
  }
  return { servers, scenarios };
}

function stepsIn(block: RegExpExecArray, begin: number): Step[] {
  const [whole, language, name, content = ''] = block;
  if (language !== 'console') return name === undefined ? [] : [{ kind: 'file', name, content }];
  const start = begin + block.index + whole.indexOf('\n') + 1;
  return [...content.matchAll(/^\$ (.*\n(?:> .*\n)*)((?:(?!\$ ).*\n)*)/gm)].map((step) => {
    const [typed, command = '', output = ''] = step;
    const to = start + step.index + typed.length;
    const facts = {
      command: command.replaceAll(/^> /gm, '').trimEnd(),
      ...{ output, from: to - output.length, to },
    };
    return name === undefined ? { kind: 'command', ...facts } : { kind: 'program', terminal: name, ...facts };
  });
}

/**
 * Is this the output that was expected? In a line, `…` stands for any text; a line that consists of it stands for any
 * number of lines.
 */
export function isAsExpected(output: string, expected: string): boolean {
  const lines = expected.split('\n').map((line) => {
    if (line === '…') return '(?:.*\\n)*?';
    return `${line
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}\\n`;
  });
  return new RegExp(`^${lines.join('')}$`).test(`${output}\n`);
}
