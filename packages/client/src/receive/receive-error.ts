import { ClientError } from '../errors.js';

/** What the program should do, by the system's word for what went wrong. */
const advice: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'another program receives there: another azimuth, a driver or the tool of a vendor; end it, or let the scanner send to another port and listen there',
  EACCES: 'ports below 1024 are for administrators; let the scanner send to a higher one',
  EADDRNOTAVAIL: 'this computer has no such address',
  ENODEV: 'no network of this computer takes multicast',
  EINVAL: 'this is no multicast address',
};

/** Data cannot be received: the port cannot be opened, or the socket failed while it was read. */
export class ReceiveError extends ClientError {
  override readonly name = 'ReceiveError';

  constructor(
    /** What it was about: `UDP port 2115`. */
    readonly place: string,
    /** The system's word, `EADDRINUSE`; empty where it has none. */
    readonly code: string,
    cause: unknown,
  ) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const hint = advice[code];
    super(`${place} cannot be received from: ${hint === undefined ? reason : `${hint} (${code})`}`, {
      cause,
    });
  }

  static of(place: string, error: NodeJS.ErrnoException): ReceiveError {
    return new ReceiveError(place, error.code ?? '', error);
  }
}
