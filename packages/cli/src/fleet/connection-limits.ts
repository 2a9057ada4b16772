import type { MemberFacts } from '@azimuth/fleet';
import { counted } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { affordableConnections } from '../serve/open-files.js';

/** Connections of one scanner, far fewer than those of a single scanner: the scanners of a process share its files. */
export const maxConnectionsEach = 64;

/** Maximum connections of a process, for any number of files that it may open: so their memory is bounded. */
const maxConnectionsOfFleet = 10_000;

/**
 * Minimum connections in addition to the listeners: with fewer, the process would constantly close connections of
 * clients, so it does not start.
 */
const minConnectionsOfFleet = 100;

/** Listeners of a scanner with ports of its own. */
const listenersEach = 3;

/** Share of the connections for ports of scanners, if clients use these as much as the port of the fleet. */
const shareOfOwnPorts = 0.5;

/** Share if scanners open only the ports for data streams over TCP: few clients use them. */
const shareOfStreams = 0.1;

/**
 * Returns the number of connections that this process can have in addition to the listeners of its scanners.
 * @throws CommandFailure if these are too few
 */
export function connectionsFor(scanners: readonly MemberFacts[]): number {
  const affordable = affordableConnections();
  if (affordable === undefined) return maxConnectionsOfFleet;
  const listeners = scanners.filter(hasOwnPorts).length * listenersEach;
  const needed = listeners + minConnectionsOfFleet;
  if (affordable > needed) return Math.min(maxConnectionsOfFleet, affordable - listeners);
  throw new CommandFailure(
    `${counted(scanners.length, 'scanner')} with ports of their own need ${needed} open files, and this process may have ${affordable}: raise the limit with ulimit -n, or leave out port and address`,
  );
}

/** Returns the number of connections for ports of its scanners. The port of the fleet has the others. */
export function connectionsOfScanners(scanners: readonly MemberFacts[], connections: number): number {
  return Math.floor(connections * (scanners.some(hasOwnPorts) ? shareOfOwnPorts : shareOfStreams));
}

function hasOwnPorts({ ports }: MemberFacts): boolean {
  return ports !== undefined;
}
