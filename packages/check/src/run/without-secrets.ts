import type { CheckTarget } from '../scanner/checked-scanner.js';
import type { CaseResult } from './case-result.js';
import type { Leftover } from './leftover.js';

/** What lets somebody in: members of JSON with proofs of passwords, passwords and tokens; HTTP Basic; tokens in a query. */
const secrets = [
  /(\\?"(?:response|encryptedMessage|\w*token|\w*password\w*)\\?":\s*\\?")[^"\\]*/gi,
  /(\bBasic )[\w+/=]+/g,
  /([?&]\w*token=)[^&'"\s]+/gi,
];

/** Places in an answer whose value is a token. */
const secretPlace = /token$/i;

/** A shorter password would be replaced in other words, and be seen by that. */
const shortestPassword = 6;

/**
 * Returns a result for reports, in which nothing lets somebody in: a scanner may repeat in its answers what it was sent, and
 * tokens are valid for a while.
 */
export function withoutSecrets(result: CaseResult, target: CheckTarget): CaseResult {
  const { failure } = result;
  if (failure === undefined) return result;
  const { at, expected, came, byHand } = failure;
  const hidden = (text: string) => hiddenIn(text, target);
  const value = (text: string) =>
    secretPlace.test(at) && text.startsWith('"') ? lengthOf(text) : hidden(text);
  return {
    ...result,
    failure: {
      ...failure,
      ...{ at: hidden(at), expected: value(expected), came: value(came), byHand: byHand.map(hidden) },
    },
  };
}

/** Returns what could not be put back, likewise. */
export function leftoverWithoutSecrets(leftover: Leftover, target: CheckTarget): Leftover {
  const { what, command } = leftover;
  return { ...leftover, what: hiddenIn(what, target), command: hiddenIn(command, target) };
}

function hiddenIn(text: string, { passwords, legacyPasswords = {} }: CheckTarget): string {
  const known = [...Object.values(passwords), ...Object.values(legacyPasswords)].filter(
    (password) => password.length >= shortestPassword,
  );
  const rest = secrets.reduce((shown, secret) => shown.replace(secret, '$1…'), text);
  return known.reduce((shown, password) => shown.replaceAll(password, '…'), rest);
}

/** Returns in words how long a shown text is. */
function lengthOf(shown: string): string {
  return `a text of ${shown.length - 2} characters`;
}
