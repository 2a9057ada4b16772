import type { LoginLevel } from '@azimuth/model';

/** A scanner of a command. */
export interface Target {
  /** Its name in output: `gate3`, or its URL. */
  readonly label: string;
  readonly url: string;
  /** The port of HTTPS, if the devices file states it. */
  readonly httpsPort?: number | undefined;
  /** The level to log in at. */
  readonly user: LoginLevel;
  /**
   * Returns the password of a level on this scanner. The user is asked only once for all scanners.
   * @throws CommandFailure if there is none, Cancelled if the question is cancelled
   */
  passwordOf(user: LoginLevel): Promise<string>;
  /** Returns the password without a question: undefined if the user would have to be asked. */
  knownPasswordOf(user: LoginLevel): Promise<string | undefined>;
}

/** Returns the name of a scanner as a part of the name of a file: `hall-gate3`, `192.168.0.1-8080`. */
export function targetFileName({ label }: Pick<Target, 'label'>): string {
  return label
    .replace(/^[a-z]+:\/\//i, '')
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/-$/, '');
}
