import { createInterface } from 'node:readline';
import { CommandFailure } from '../command-failure.js';

/** The user at the terminal cancels: Ctrl-C, Ctrl-D, or "no". It ends the whole command, also for several scanners. */
export class Cancelled extends CommandFailure {}

interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly screen: NodeJS.WritableStream;
}

const withoutTerminal = 'cannot ask for confirmation without a terminal: give --yes';

/**
 * Asks before an action that cannot be undone: `y` or `yes` continues. Any other answer and Ctrl-C end the command.
 * @throws CommandFailure if the answer is no, or there is no terminal.
 */
export async function confirm(question: string, terminal: Terminal | undefined): Promise<void> {
  if (terminal === undefined) {
    throw new CommandFailure(withoutTerminal);
  }
  if (!(await agrees(question, terminal))) throw new Cancelled('not confirmed; nothing was changed');
}

/**
 * Asks before data is lost, unless `--yes` was given. Call it before any request.
 * @param what the effect, without a full stop: it is also a part of the error message
 * @throws CommandFailure if the answer is no, or there is no terminal
 */
export async function confirmLoss(
  what: string,
  question: string,
  { yes = false }: { readonly yes?: boolean },
  terminal: Terminal | undefined = terminalOfCommand(),
): Promise<void> {
  if (yes) return;
  if (terminal === undefined) {
    throw new CommandFailure(`${what}. Nothing was sent: ${withoutTerminal}`);
  }
  await confirm(`${what}. ${question}`, terminal);
}

/** Asks a question. Returns true for `y` or `yes`, false for anything else. */
export async function agrees(question: string, { input, screen }: Terminal): Promise<boolean> {
  const lines = createInterface({ input, output: screen, terminal: false });
  const interrupt = () => {
    screen.write('\n');
    lines.close();
  };
  process.on('SIGINT', interrupt);
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
    screen.write(`${question} [y/N] `);
  });
  process.off('SIGINT', interrupt);
  lines.close();
  return /^\s*y(es)?\s*$/i.test(answer);
}

/** Returns the terminal of the command; undefined without one. */
export function terminalOfCommand(): Terminal | undefined {
  return process.stdin.isTTY ? { input: process.stdin, screen: process.stderr } : undefined;
}

const escapeKey = '\u001b';
const enterKeys = new Set(['\r', '\n']);
/** Characters of Ctrl-C and Ctrl-D. */
const cancelKeys = new Set(['\u0003', '\u0004']);
const eraseKeys = new Set(['\u007f', '\b']);
const killLine = '\u0015';

/** The input of a terminal: it can pass on each key as it is pressed, and echo none of them. */
export interface Keyboard extends NodeJS.ReadableStream {
  setRawMode(raw: boolean): unknown;
}

/**
 * Asks for a line without echo: not even its length is shown. Backspace and Ctrl-U correct it, Enter ends it.
 * @throws CommandFailure on Ctrl-C, Ctrl-D and at the end of the input.
 */
export async function askPassword(
  prompt: string,
  keyboard: Keyboard,
  screen: NodeJS.WritableStream,
): Promise<string> {
  keyboard.setEncoding('utf8');
  // Before the prompt, so that no key is echoed.
  keyboard.setRawMode(true);
  try {
    screen.write(prompt);
    return await hiddenLine(keyboard);
  } finally {
    keyboard.setRawMode(false);
    keyboard.pause();
    screen.write('\n');
  }
}

function hiddenLine(keyboard: Keyboard): Promise<string> {
  const typed: string[] = [];
  return new Promise((resolve, reject) => {
    keyboard.on('data', onKeys);
    keyboard.on('end', giveUp);
    // A previous prompt has left it paused.
    keyboard.resume();

    function onKeys(keys: string | Buffer): void {
      const text = String(keys);
      // An arrow or another special key sends several characters. None of them belongs to the password.
      if (text.startsWith(escapeKey)) return;
      for (const key of text) {
        if (enterKeys.has(key)) {
          stop();
          resolve(typed.join(''));
          return;
        }
        if (cancelKeys.has(key)) {
          giveUp();
          return;
        }
        typeKey(typed, key);
      }
    }

    function giveUp(): void {
      stop();
      reject(new Cancelled('no password was given'));
    }

    function stop(): void {
      keyboard.off('data', onKeys);
      keyboard.off('end', giveUp);
    }
  });
}

function typeKey(typed: string[], key: string): void {
  if (eraseKeys.has(key)) typed.pop();
  else if (key === killLine) typed.length = 0;
  else if (key >= ' ') typed.push(key);
}
