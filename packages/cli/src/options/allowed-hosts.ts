import { hostName } from '@azimuth/http';
import { CommandFailure } from '../command-failure.js';

/** Returns the words of an option or of the environment, where commas or blanks separate them. */
export function splitWords(typed: string): string[] {
  const words = typed.split(/[\s,]+/).filter((word) => word !== '');
  return words.length === 0 ? [typed] : words;
}

/**
 * Returns the host names by which a port may be requested besides its own ones.
 * @throws CommandFailure for an invalid name
 */
export function allowedHosts(typed: readonly string[]): readonly string[] {
  return typed.flatMap(splitWords).map((word) => {
    const name = hostName(word);
    if (name !== undefined) return name;
    throw new CommandFailure(`--allowed-host: expected a host name without a port, got "${word}"`);
  });
}
