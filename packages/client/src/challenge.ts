import { type Challenge, general, isObject } from '@azimuth/model';
import { checked } from './answer.js';
import type { Connection } from './connection.js';

/**
 * A new challenge for a user level. A scanner that does not salt may leave the salt out.
 * @throws ScannerError with status 4 while logins are locked; as Connection.post.
 */
export async function fetchChallenge(connection: Connection, user: string): Promise<Challenge> {
  const { name, response } = general.members.getChallenge;
  const { challenge } = (await connection.post(name, { data: { user } })).body;
  const salted = isObject(challenge) ? { salt: [], ...challenge } : challenge;
  return checked(connection.url, name, response, salted);
}
