import type { LoginLevel } from '@azimuth/model';

/** One scanner that a command acts on. */
export interface Target {
  /** How the output names it: `gate3`, or its URL. */
  readonly label: string;
  readonly url: string;
  /** The level to log in at. */
  readonly user: LoginLevel;
  /**
   * The password of a level on this scanner. Whoever has to be asked for it is asked once for all scanners.
   * @throws CommandFailure if there is none, Cancelled if the question is cancelled
   */
  passwordOf(user: LoginLevel): Promise<string>;
  /** The same without a question: undefined if somebody would have to be asked. */
  knownPasswordOf(user: LoginLevel): Promise<string | undefined>;
}

/** The name of a scanner as a part of the name of a file: `hall-gate3`, `192.168.0.1-8080`. */
export function fileNameOf({ label }: Pick<Target, 'label'>): string {
  return label
    .replace(/^[a-z]+:\/\//i, '')
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/-$/, '');
}
