import { CommandFailure } from './command-failure.js';

const escapeKey = '\u001b';
const ends = new Set(['\r', '\n']);
/** Ctrl-C and Ctrl-D. */
const givesUp = new Set(['\u0003', '\u0004']);
const corrects = new Set(['\u007f', '\b']);
const killLine = '\u0015';

/** A terminal's input: it can hand over each key as it is pressed, and show none of them. */
export interface Keyboard extends NodeJS.ReadableStream {
  setRawMode(raw: boolean): unknown;
}

/**
 * Asks for a line that is never shown, not even its length. Backspace and Ctrl-U correct it, Enter ends it.
 * @throws CommandFailure on Ctrl-C, Ctrl-D and at the end of the input.
 */
export async function askPassword(
  prompt: string,
  keyboard: Keyboard,
  screen: NodeJS.WritableStream,
): Promise<string> {
  keyboard.setEncoding('utf8');
  // Before anybody can answer: what comes sooner would be shown.
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
    // A prompt before this one has left it paused.
    keyboard.resume();

    function onKeys(keys: string | Buffer): void {
      const text = String(keys);
      // An arrow or another special key is more than one character, of which none belongs to the password.
      if (text.startsWith(escapeKey)) return;
      for (const key of text) {
        if (ends.has(key)) {
          stop();
          resolve(typed.join(''));
          return;
        }
        if (givesUp.has(key)) {
          giveUp();
          return;
        }
        typeKey(typed, key);
      }
    }

    function giveUp(): void {
      stop();
      reject(new CommandFailure('no password was given'));
    }

    function stop(): void {
      keyboard.off('data', onKeys);
      keyboard.off('end', giveUp);
    }
  });
}

function typeKey(typed: string[], key: string): void {
  if (corrects.has(key)) typed.pop();
  else if (key === killLine) typed.length = 0;
  else if (key >= ' ') typed.push(key);
}
