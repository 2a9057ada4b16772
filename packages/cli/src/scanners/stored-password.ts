import { Scanner } from '@azimuth/client';
import type { LoginLevel } from '@azimuth/model';
import { canLogIn } from './connection.js';
import type { Device } from './devices-content.js';
import { PasswordStore } from './password-store.js';

/**
 * Returns the password of a device in a file of passwords; undefined if the file has none. If a change of it broke off,
 * one login tells which of the two passwords is in force.
 * @throws CommandFailure, FileMistakes for an invalid file; ClientError
 */
export async function storedPassword(
  path: string,
  { name, url }: Device,
  user: LoginLevel,
): Promise<string | undefined> {
  const { password, next } = await new PasswordStore(path).find(name, user);
  if (next === undefined) return password;
  if (password === undefined) return next;
  return (await canLogIn(new Scanner({ url, user, password: next }))) ? next : password;
}
