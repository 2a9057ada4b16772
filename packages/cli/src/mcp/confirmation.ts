import { allMethods, general } from '@azimuth/model';
import { printable } from '../output/output.js';
import { chosenScanners, targetsText } from '../scanners/chosen.js';
import { shellLine } from './command-words.js';
import type { Server } from './sdk.js';

/** The answer of a person. `cannot ask`: the client has no way to ask. */
export type Confirmation = 'yes' | 'no' | 'cannot ask';

/** Time in ms that a person has to answer. */
const answersWithin = 10 * 60_000;

/** Maximum characters of a command line in a question: a person reads it to its end. */
export const longestQuestion = 4000;

/**
 * Asks the person at the client whether a command may run (MCP, elicitation). Only the answer yes, given in the form, is
 * one.
 * @throws CommandFailure if the line names a scanner that the devices file does not have
 */
export async function confirmation(
  server: Server,
  words: readonly string[],
  signal: AbortSignal,
): Promise<Confirmation> {
  if (server.getClientCapabilities()?.elicitation?.form === undefined) return 'cannot ask';
  const { action, content } = await server.elicitInput(
    {
      message: await questionOf(words),
      requestedSchema: {
        type: 'object',
        properties: {
          run: { type: 'boolean', title: 'Run this command', default: false },
        },
        required: ['run'],
      },
    },
    { signal, timeout: answersWithin },
  );
  return action === 'accept' && content?.run === true ? 'yes' : 'no';
}

/**
 * Returns the question about a command line: the line, the scanners for which names in it stand, and what the method that
 * it calls loses for good.
 */
export async function questionOf(words: readonly string[]): Promise<string> {
  const scanners = await namedScanners(words);
  const loss = methodOf(words)?.loss;
  return [
    'The assistant wants to run this command:',
    shellLine(words),
    ...(scanners === undefined ? [] : [`It is sent to: ${scanners}`]),
    ...(loss === undefined ? [] : [loss]),
  ].join('\n\n');
}

/** Returns what the names of the devices file in a command line stand for; undefined if there is none in it. */
async function namedScanners(words: readonly string[]): Promise<string | undefined> {
  const device = words.flatMap((word) => /^--device=(@.+)$/.exec(word)?.slice(1) ?? []);
  if (device.length === 0) return undefined;
  const { targets } = await chosenScanners({ device });
  return printable(targetsText(targets));
}

/** Parts of the names of secrets, for methods that only a scanner knows. */
const ofSecrets = /pass(?:word|phrase)|token|secret/i;

/** True if a command line calls a method that has a password, a key or a token in its request or its response. */
export function callsForSecrets(words: readonly string[]): boolean {
  if (words[0] !== 'call') return false;
  return (
    methodOf(words)?.holdsSecrets === true ||
    words.slice(words.indexOf('--')).some((word) => ofSecrets.test(word))
  );
}

function methodOf(words: readonly string[]) {
  const [command] = words;
  if (command === 'reboot' && words.includes('--discard')) return general.members.SoftReset;
  const called = command === 'call' ? words[words.indexOf('--') + 1] : undefined;
  return allMethods.find(({ name }) => name === called);
}
