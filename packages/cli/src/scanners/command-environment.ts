import type { LoginLevel } from '@azimuth/model';

/** Names the scanner for a command that prints or stores passwords. */
export const scannerOfCommand = 'AZIMUTH_SCANNER';

/**
 * The password that a command stores or prints: the one in force, or one that is being set. Both are kept until a login has
 * proven the new one.
 */
export type PasswordStage = 'password' | 'next';

/** Returns the environment of a command that prints or stores the password of a level of a scanner. */
export function commandEnvironment(
  scanner: string,
  level: LoginLevel,
  stage: PasswordStage = 'password',
): Readonly<Record<string, string>> {
  return { [scannerOfCommand]: scanner, AZIMUTH_LEVEL: level, AZIMUTH_STAGE: stage };
}
