import { FolderInUse, type Log } from '@azimuth/device';
import { ForbiddenAddress, ForeignJournal, type MemberFacts, virtualOf } from '@azimuth/fleet';
import { PortTaken } from '@azimuth/http';
import { counted, enabledAtFactory, type LoginLevel, loginLevels, newestRelease } from '@azimuth/model';
import { CommandFailure, systemErrorText } from '../command-failure.js';
import { isLoopback } from './numbering.js';

/**
 * Runs a step of the start of a process of a fleet. If the system or a folder does not allow it, the command states
 * the reason.
 * @throws CommandFailure; other errors unchanged
 */
export async function started<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const isOfUser = [PortTaken, FolderInUse, ForeignJournal, ForbiddenAddress].some(
      (kind) => error instanceof kind,
    );
    if (isOfUser && error instanceof Error) throw new CommandFailure(error.message);
    if (error instanceof Error && 'syscall' in error) throw new CommandFailure(systemErrorText(error));
    throw error;
  }
}

/**
 * Returns the reason why the port of a scanner cannot be opened, with the scanner and the option that sets its port.
 * @param ownPorts true if `--own-ports` sets it
 * @returns undefined if it is the port of no scanner
 */
export function ownPortProblem(
  { problem }: PortTaken,
  scanners: readonly MemberFacts[],
  ownPorts: boolean,
): string | undefined {
  const owner = scanners.find((scanner) => isAbout(problem, scanner));
  if (owner === undefined) return undefined;
  const advice = ownPorts
    ? 'choose other ports with --own-ports'
    : `choose another one with port: or address: of the group ${owner.group} in the fleet file`;
  return `scanner ${owner.serial}: ${problem}. Stop the program that uses it, or ${advice}`;
}

/**
 * Returns `Port 8103 on 127.0.0.1 is in use`, `Port 80 needs more rights …`, `this machine does not have the address
 * 127.0.9.1`.
 */
function isAbout(problem: string, { ports }: MemberFacts): boolean {
  if (ports === undefined) return false;
  const [, port, host] = /^port (\d+)(?: on (\S+))? /i.exec(problem) ?? [];
  if (port === undefined) return problem.endsWith(` ${ports.host}`);
  const own = [ports.http, ports.https, ports.legacyA, ports.legacyB];
  return own.includes(Number(port)) && (host === undefined || host === ports.host);
}

interface Opened {
  /** Address at which the fleet listens. */
  readonly host: string;
  readonly scanners: readonly MemberFacts[];
  /** Passwords of all scanners at their start. */
  readonly passwords: Readonly<Partial<Record<LoginLevel, string>>>;
}

/** True if only programs on this computer reach a port at this address. */
function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || isLoopback(host);
}

/**
 * Warns in the log if other computers can reach a fleet whose scanners leave the factory with public passwords.
 * Changes of passwords are only known when a scanner runs.
 */
export function warnIfOpenToOthers(log: Pick<Log, 'warn'>, { host, scanners, passwords }: Opened): void {
  if (isLocal(host)) return;
  const levels = loginLevels.filter(
    (level) =>
      passwords[level] === undefined &&
      virtualOf(scanners).some(({ release = newestRelease }) => enabledAtFactory(level, release)),
  );
  if (levels.length === 0) return;
  log.warn(
    'Other computers reach this fleet, and anybody can log in to a scanner that has a factory password. Change it with azimuth password, or set others before the first start of the scanners with AZIMUTH_PASSWORD_<LEVEL>',
    { host, levels },
  );
}

interface Ready {
  readonly url: string;
  readonly scanners: readonly MemberFacts[];
  /** ms since the start. */
  readonly milliseconds: number;
  readonly json?: boolean | undefined;
}

/** Returns the line that is printed when all scanners are ready. */
export function readyText({ url, scanners, milliseconds, json }: Ready): string {
  const { length: count } = scanners;
  if (json === true)
    return `${JSON.stringify({ ready: true, url, scanners: count, milliseconds, pid: process.pid })}\n`;
  const path = `${url}/scanners/${scanners[0]?.serial}`;
  return `Azimuth: ${counted(count, 'scanner is', 'scanners are')} ready, after ${milliseconds} ms.
  list     ${url}/scanners, and ${url}/ in a browser
  one      ${path}/api, and ${path}/ in a browser
  try      azimuth get DeviceIdent --device ${path}
`;
}
