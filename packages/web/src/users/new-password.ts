import { factoryPasswords, type LoginLevel } from '@azimuth/model';

/** Why a new password cannot be sent; undefined if it can. */
export function faultOf(newPassword: string, repeated: string): string | undefined {
  if (newPassword === '') return 'The new password is empty.';
  return newPassword === repeated ? undefined : 'The two new passwords differ.';
}

/** What is unwise about a new password, though a scanner accepts it; undefined if nothing is known to be. */
export function doubtAbout(level: LoginLevel, newPassword: string): string | undefined {
  return newPassword === factoryPasswords[level]
    ? 'This is the factory password of this level. It is public.'
    : undefined;
}
