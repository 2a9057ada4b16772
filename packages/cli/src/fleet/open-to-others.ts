import type { Log } from '@azimuth/device';
import type { ScannerFacts } from '@azimuth/fleet';
import { enabledAtFactory, type LoginLevel, loginLevels, newestRelease } from '@azimuth/model';
import { isLoopback } from './numbering.js';

interface Opened {
  /** At which the fleet listens. */
  readonly host: string;
  readonly units: readonly Pick<ScannerFacts, 'release'>[];
  /** That all scanners get at their start. */
  readonly passwords: Readonly<Partial<Record<LoginLevel, string>>>;
}

/** Is this an address at which only programs on this computer reach a port? */
function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || isLoopback(host);
}

/**
 * Warns in the log if other computers reach a fleet whose scanners leave the factory with passwords that are public. Whether they
 * were changed since is known only when a scanner runs.
 */
export function warnIfOpenToOthers(log: Pick<Log, 'warn'>, { host, units, passwords }: Opened): void {
  if (isLocal(host)) return;
  const levels = loginLevels.filter(
    (level) =>
      passwords[level] === undefined &&
      units.some(({ release = newestRelease }) => enabledAtFactory(level, release)),
  );
  if (levels.length === 0) return;
  log.warn(
    'Other computers reach this fleet, and anybody can log in to a scanner that has a factory password. Change it with azimuth password, or set others before the first start of the scanners with AZIMUTH_PASSWORD_<LEVEL>',
    { host, levels },
  );
}
