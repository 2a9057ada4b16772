import type { Variable } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';

/** Returns the error for a name without a value: often both were typed in one word. */
export function typedInOneWord(name: string): CommandFailure {
  const [, variable, part, value] = /^(\w+)(?:\.([\w.]+))?=(.*)$/s.exec(name) ?? [];
  if (variable === undefined) return new CommandFailure("missing required argument 'value'");
  const words = part === undefined ? value : `${part}=${value}`;
  return new CommandFailure(
    `put a blank behind the name: azimuth set ${variable} ${words === '' ? 'VALUE' : words}`,
  );
}

/**
 * Refuses words that would be written differently from what the user probably wants.
 * @throws CommandFailure with the correct words
 */
export function refuseMistypedWords(
  name: string,
  { type: { shape } }: Variable<unknown>,
  words: readonly string[],
  force: boolean,
): void {
  const [first = '', ...rest] = words;
  const isText = shape.kind === 'string';
  if (words.some((word) => /^--?pass(?:w|$)/i.test(word))) {
    throw new CommandFailure(
      `a password was about to be written into ${name}: set AZIMUTH_PASSWORD, or name a file with --password-file`,
    );
  }
  if (first.startsWith('=')) {
    const intended = [first.slice(1), ...rest].filter((word) => word !== '').join(' ');
    const literal = isText
      ? `; for a text that begins with "=": azimuth set ${name} '"${words.join(' ')}"'`
      : '';
    throw new CommandFailure(`leave out the "=": azimuth set ${name} ${intended || 'VALUE'}${literal}`);
  }
  const scanner = words.find((word) => /^@[\w*]/.test(word));
  if (scanner !== undefined) {
    const literal = isText ? `; for a text with "@": azimuth set ${name} '"${words.join(' ')}"'` : '';
    throw new CommandFailure(
      `${scanner} stands in front of the name: azimuth set ${scanner} ${name} VALUE${literal}`,
    );
  }
  if (isText) return;
  if (words.length > 1 && words.some((word) => word.startsWith('=') || /^[\w.]+=$/.test(word))) {
    const joined = words.join(' ').replaceAll(/\s*=\s*/g, '=');
    throw new CommandFailure(`leave out the blanks around "=": azimuth set ${name} ${joined}`);
  }
  if (shape.kind === 'struct' && words.length === 2 && Object.hasOwn(shape.members, first)) {
    throw new CommandFailure(`put "=" between member and value: azimuth set ${name} ${words.join('=')}`);
  }
  const zeros = words
    .map((word) => /\b(?:\d{1,3}\.){3}\d{1,3}\b/.exec(word)?.[0])
    .find((address) => /(?:^|\.)0\d/.test(address ?? ''));
  if (zeros !== undefined && !force) {
    const plain = zeros.split('.').map(Number).join('.');
    throw new CommandFailure(
      `${name}: ${zeros} has leading zeros, which some programs read as octal numbers: write ${plain}`,
    );
  }
}
