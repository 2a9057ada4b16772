import { isLoginLevel, type LoginLevel, loginLevels } from '@azimuth/model';
import { InvalidArgumentError } from 'commander';

export type Passwords = Readonly<Partial<Record<LoginLevel, string>>>;

/** A port number from 0 (any free one) to 65535. */
export function portOption(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new InvalidArgumentError('A port number from 0 to 65535 is expected.');
}

/** A number in a range, bounds included. */
export function numberOption(minimum: number, maximum: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (value.trim() !== '' && number >= minimum && number <= maximum) return number;
    throw new InvalidArgumentError(`A number from ${minimum} to ${maximum} is expected.`);
  };
}

/** `Service=secret`, added to what was given before. */
export function collectPassword(value: string, before: Passwords): Passwords {
  const at = value.indexOf('=');
  const level = value.slice(0, Math.max(0, at));
  if (!isLoginLevel(level)) {
    throw new InvalidArgumentError(`LEVEL=password is expected, LEVEL one of ${loginLevels.join(', ')}.`);
  }
  return { ...before, [level]: checkedPassword(value.slice(at + 1), level) };
}

/** Passwords from AZIMUTH_PASSWORD_SERVICE, …_MAINTENANCE and …_AUTHORIZEDCLIENT (or …_AUTHORIZED_CLIENT). */
export function passwordsOfEnvironment(environment: NodeJS.ProcessEnv): Passwords {
  const passwords: Partial<Record<LoginLevel, string>> = {};
  for (const level of loginLevels) {
    const spaced = level.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`);
    const value =
      environment[`AZIMUTH_PASSWORD_${level.toUpperCase()}`] ??
      environment[`AZIMUTH_PASSWORD_${spaced.toUpperCase()}`];
    if (value !== undefined && value !== '') passwords[level] = checkedPassword(value, level);
  }
  return passwords;
}

function checkedPassword(password: string, level: LoginLevel): string {
  if (password === '') throw new InvalidArgumentError(`The password of ${level} must not be empty.`);
  return password;
}
