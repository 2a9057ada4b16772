import type { ScannerFacts } from '@azimuth/fleet';
import type { PortTaken } from '@azimuth/http';

/**
 * Why the port of a scanner cannot be opened: which scanner it is, and what chooses its port.
 * @param ownPorts whether `--own-ports` does
 * @returns undefined if it is the port of no scanner
 */
export function ownPortProblem(
  { problem }: PortTaken,
  units: readonly ScannerFacts[],
  ownPorts: boolean,
): string | undefined {
  const owner = units.find((unit) => isAbout(problem, unit));
  if (owner === undefined) return undefined;
  const advice = ownPorts
    ? 'choose other ports with --own-ports'
    : `choose another one with port: or address: of the group ${owner.group} in the fleet file`;
  return `scanner ${owner.serial}: ${problem}. Stop the program that uses it, or ${advice}`;
}

/** `Port 8103 on 127.0.0.1 is in use`, `Port 80 needs more rights …`, `this machine does not have the address 127.0.9.1`. */
function isAbout(problem: string, { ports }: ScannerFacts): boolean {
  if (ports === undefined) return false;
  const [, port, host] = /^port (\d+)(?: on (\S+))? /i.exec(problem) ?? [];
  if (port === undefined) return problem.endsWith(` ${ports.host}`);
  const own = [ports.http, ports.https, ports.legacyA, ports.legacyB];
  return own.includes(Number(port)) && (host === undefined || host === ports.host);
}
