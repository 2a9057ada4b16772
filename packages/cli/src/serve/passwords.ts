import { isLoginLevel, type LoginLevel, loginLevels, nearestName } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';

export type Passwords = Readonly<Partial<Record<LoginLevel, string>>>;

/**
 * Passwords as `Service=secret`; the last one of a level counts.
 * @throws CommandFailure, which repeats nothing of what was typed: all of it may be a secret.
 */
export function passwordsOf(typed: readonly string[]): Passwords {
  const passwords: Partial<Record<LoginLevel, string>> = {};
  for (const value of typed) {
    const at = value.indexOf('=');
    const level = value.slice(0, Math.max(0, at));
    if (!isLoginLevel(level)) throw new CommandFailure(expectation(level));
    const password = value.slice(at + 1);
    if (password === '') throw new CommandFailure(`--password: the password of ${level} must not be empty`);
    passwords[level] = password;
  }
  return passwords;
}

function expectation(level: string): string {
  const meant = nearestName(level, loginLevels);
  const question = meant === undefined ? '' : `; did you mean ${meant}=…?`;
  return `--password takes LEVEL=password, LEVEL one of ${loginLevels.join(', ')}${question}`;
}

/** Passwords from AZIMUTH_PASSWORD_SERVICE, …_MAINTENANCE and …_AUTHORIZEDCLIENT (or …_AUTHORIZED_CLIENT). */
export function passwordsOfEnvironment(environment: NodeJS.ProcessEnv): Passwords {
  const passwords: Partial<Record<LoginLevel, string>> = {};
  for (const level of loginLevels) {
    const spaced = level.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`);
    const value =
      environment[`AZIMUTH_PASSWORD_${level.toUpperCase()}`] ||
      environment[`AZIMUTH_PASSWORD_${spaced.toUpperCase()}`];
    if (value) passwords[level] = value;
  }
  return passwords;
}
