import { type LoginLevel, levels } from '@azimuth/model';
import { bytesOfCharacters, type Framing } from '@azimuth/telegrams/legacy';
import { legacyPasswordHash } from '../password.js';

/**
 * Level and password hash as SetAccessMode and CheckPassword take them.
 * @param password the password, or its hash (uint32)
 * @throws RangeError for a hash that is no uint32
 */
export function legacyCredentials(
  framing: Framing,
  level: LoginLevel,
  password: string | number,
): Uint8Array {
  const hash = typeof password === 'string' ? legacyPasswordHash(password) : password;
  if (!Number.isInteger(hash) || hash < 0 || hash > 0xffffffff) {
    throw new RangeError('a hash of 32 bits expected, another number came');
  }
  const number = levels[level];
  if (framing === 'text') {
    // All eight digits, as clients of this family write it.
    return bytesOfCharacters(`${number} ${hash.toString(16).toUpperCase().padStart(8, '0')}`);
  }
  const bytes = new Uint8Array(5);
  bytes[0] = number;
  new DataView(bytes.buffer).setUint32(1, hash);
  return bytes;
}
