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
 * @param environment variables that it gets in addition to those of the program
 * @throws CommandFailure if it fails or prints nothing; its output is never shown
 */
export async function passwordFromCommand(
  command: string | readonly string[],
  whose: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const failed = (why: string) => new CommandFailure(`the password command of ${whose} ${why}`);
  const [program = '', ...rest] = typeof command === 'string' ? programAndArguments(command) : command;
  const child = spawn(program, rest, {
    stdio: ['inherit', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
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

/**
 * Gives a password to a command on its standard input. Its output is shown on stderr.
 * @param meanwhile what is so if it fails: `Nothing was changed`
 * @throws CommandFailure if it fails
 */
export async function passwordToCommand(
  line: string,
  password: string,
  environment: Readonly<Record<string, string>>,
  meanwhile: string,
): Promise<void> {
  const failed = (why: string) => new CommandFailure(`the store command ${why}. ${meanwhile}`, 'refused');
  const [program = '', ...rest] = programAndArguments(line);
  const env = { ...process.env, ...environment };
  const child = spawn(program, rest, { stdio: ['pipe', process.stderr, 'inherit'], env });
  // A command that does not read has ended already: its exit code tells more.
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${password}\n`);
  const [code, signal] = await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    throw failed(`cannot be run: ${error.code ?? error.message}`);
  });
  if (code !== 0) throw failed(`failed (${code === null ? `signal ${signal}` : `exit code ${code}`})`);
}

/** Returns the program and arguments of a line: its words, or a shell that runs it. */
export function programAndArguments(line: string): readonly string[] {
  const isOdd = (quote: string) => line.split(quote).length % 2 === 0;
  if (needsShell.test(line) || isOdd('"') || isOdd("'")) return ['/bin/sh', '-c', line];
  const words = [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word);
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, one, other) => one ?? other));
}
