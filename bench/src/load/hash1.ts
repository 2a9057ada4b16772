import { createHash } from 'node:crypto';

/** hash1 of the specification's login, as hex: what a client and a server keep of a password. */
export function hash1Of(user: string, realm: string, password: string, salt: Uint8Array): string {
  return createHash('sha256').update(`${user}:${realm}:${password}:`, 'latin1').update(salt).digest('hex');
}
