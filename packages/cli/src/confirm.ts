import { createInterface } from 'node:readline';
import { CommandFailure } from './command-failure.js';

interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly screen: NodeJS.WritableStream;
}

/**
 * Asks before something that cannot be taken back: `y` or `yes` goes on, anything else ends the command.
 * @throws CommandFailure where the answer is no, or there is no terminal to ask at.
 */
export async function confirm(question: string, terminal: Terminal | undefined): Promise<void> {
  if (terminal === undefined) {
    throw new CommandFailure('this has to be confirmed: give --yes (there is no terminal to ask at)');
  }
  const { input, screen } = terminal;
  const lines = createInterface({ input, output: screen, terminal: false });
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
    screen.write(`${question} [y/N] `);
  });
  lines.close();
  if (!/^\s*y(es)?\s*$/i.test(answer)) throw new CommandFailure('not confirmed; nothing was changed');
}

/** The terminal that the command was typed at, where there is one. */
export function terminalOfCommand(): Terminal | undefined {
  return process.stdin.isTTY ? { input: process.stdin, screen: process.stderr } : undefined;
}
