import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A command of a tutorial, and the output that it is to have. */
export interface Step {
  readonly command: string;
  readonly output: string;
  /** Where its output stands in the text: from one index to the other. */
  readonly from: number;
  readonly to: number;
}

/** A scenario: a heading, and what is typed below it. */
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
 * Reads a tutorial: each `### heading` is a scenario. In its `console` blocks, a line that begins with `$ ` is a command,
 * `> ` continues it, and the other lines are its output. The commands of the first `sh` block start scanners.
 */
export function tutorialIn(page: string): Tutorial {
  const servers = /```sh\n([\s\S]*?)```/.exec(page)?.[1]?.trim().split('\n') ?? [];
  const scenarios: Scenario[] = [];
  for (const part of page.matchAll(/^### (.*)\n([\s\S]*?)(?=^##|(?![\s\S]))/gm)) {
    const [whole, title = '', body = ''] = part;
    const begin = part.index + whole.length - body.length;
    scenarios.push({
      title,
      steps: [...body.matchAll(/```console\n([\s\S]*?)```/g)].flatMap((block) => stepsIn(block, begin)),
    });
  }
  return { servers, scenarios };
}

function stepsIn(block: RegExpExecArray, begin: number): Step[] {
  const [, content = ''] = block;
  const start = begin + block.index + '```console\n'.length;
  return [...content.matchAll(/^\$ (.*\n(?:> .*\n)*)((?:(?!\$ ).*\n)*)/gm)].map((step) => {
    const [whole, command = '', output = ''] = step;
    const to = start + step.index + whole.length;
    return { command: command.replaceAll(/^> /gm, '').trimEnd(), output, from: to - output.length, to };
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

/** Runs a command in a shell, and gives all that it prints. */
export async function runInShell(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child: ChildProcess = spawn('bash', ['--norc', '-c', `{ ${command}\n} 2>&1`], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('no output to read');
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return printed;
}
