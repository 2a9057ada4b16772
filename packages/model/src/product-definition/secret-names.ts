import type { Shape } from '../types/value-type.js';

const secretWords =
  /pass|phrase|secret|token|key|credential|private|nonce|salt|hash|auth|signature|certificate/i;
/** `Pin` and `pinOfUser`, but not `Spinning` or `Pins`; `unlockCode`, but not `encoder`. */
const shortWords = /(?:^p|P)in(?![a-z])|(?:^c|C)ode(?![a-z])|PIN|CODE/;

/** Returns true if the name of a value, or of a member in it, looks like that of a secret. */
export function looksSecret(name: string, shape: Shape): boolean {
  if (secretWords.test(name) || shortWords.test(name)) return true;
  if (shape.kind === 'array') return looksSecret('', shape.of);
  if (shape.kind !== 'struct') return false;
  return Object.entries(shape.members).some(([member, type]) => looksSecret(member, type.shape));
}
