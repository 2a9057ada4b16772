import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { CommandFailure } from '../command-failure.js';

/** Special characters of a shell, other than blanks and quotes. */
const needsShell = /[|&;<>()$`\\*?[\]{}~#!\n=]/;

/**
 * Returns the first line that a command prints. Its output on stderr is shown, and it may ask at the terminal.
 * @param command its words, or a line. A line without special characters of the shell runs without a shell
 * @param whose its name in messages: `gate3`
 * @throws CommandFailure if it fails or prints nothing; its output is never shown
 */
export async function passwordFromCommand(
  command: string | readonly string[],
  whose: string,
): Promise<string> {
  const failed = (why: string) => new CommandFailure(`the password command of ${whose} ${why}`);
  const [program = '', ...rest] = typeof command === 'string' ? programAndArguments(command) : command;
  const child = spawn(program, rest, { stdio: ['inherit', 'pipe', 'inherit'] });
  const [printed, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]).catch(
    (error: NodeJS.ErrnoException) => {
      throw failed(`cannot be run: ${error.code ?? error.message}`);
    },
  );
  if (code !== 0) throw failed(`failed (${code === null ? `signal ${signal}` : `exit code ${code}`})`);
  const [password = ''] = printed.split(/\r?\n/, 1);
  if (password === '') throw failed('printed nothing');
  return password;
}

/** Returns the program and arguments of a line: its words, or a shell that runs it. */
export function programAndArguments(line: string): readonly string[] {
  const isOdd = (quote: string) => line.split(quote).length % 2 === 0;
  if (needsShell.test(line) || isOdd('"') || isOdd("'")) return ['/bin/sh', '-c', line];
  const words = [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word);
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, one, other) => one ?? other));
}
