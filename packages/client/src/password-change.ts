import { general, type LoginLevel, type ResponseOf } from '@azimuth/model';
import { checked } from './answer.js';
import { fetchChallenge } from './challenge.js';
import type { Connection } from './connection.js';
import { encryptedMessage, freshBytes } from './encrypted-message.js';
import { ResultError } from './errors.js';

type Result = ResponseOf<'changePassword'>['result'];

const refusals = {
  2: 'the old password is not right',
  4: 'the password of this level cannot be changed, or the level is disabled',
  5: 'logins are locked for a while after too many that failed',
} as const satisfies Record<Exclude<Result, 0>, string>;

export interface ChangedPassword {
  readonly user: LoginLevel;
  readonly oldPassword: string;
  readonly newPassword: string;
}

/**
 * Sets the REST password of a level. To be run in turn: it takes a challenge.
 * @throws ResultError for a result other than SUCCESS; as Connection.post.
 */
export async function changePassword(connection: Connection, change: ChangedPassword): Promise<void> {
  const { realm, salt } = await fetchChallenge(connection, change.user);
  const message = encryptedMessage({ ...change, realm, oldSalt: salt }, freshBytes());
  const { name, response } = general.members.changePassword;
  const data = { encryptedMessage: [...message], userLevel: change.user };
  const answer = await connection.post(name, { data });
  const { result } = checked(connection.url, name, response, answer.body.data);
  if (result !== 0) throw new ResultError(name, result, resultName(result), refusals[result]);
}

/** The name that the interface gives a result: `NOT_ACCEPTED`. */
function resultName(result: Result): string {
  const { shape } = general.members.changePassword.response;
  const member = shape.kind === 'struct' ? shape.members.result?.shape : undefined;
  const values = member?.kind === 'enumeration' ? member.values : {};
  return Object.keys(values).find((name) => values[name] === result) ?? 'refused';
}
