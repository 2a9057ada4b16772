import { isIn } from './network.js';
import type { Observation } from './observation.js';

/** Reason why datagrams of a scanner do not reach this computer, with advice. */
interface Obstacle {
  readonly cause: string;
  readonly remedy: string;
}

/**
 * True if this computer is behind NAT, as seen from the scanner: in WSL2 or in a container, and neither on the
 * computer of the scanner nor in its network. The mirrored mode of WSL2 and a container in the network of its host are
 * not behind NAT.
 */
export function isBehindNat({ facts }: Observation): boolean {
  const { situation, host, own, networks } = facts;
  if (situation !== 'WSL2' && situation !== 'container') return false;
  if (host === undefined || own === undefined || facts.isHere) return false;
  return !networks.some((network) => network.address === own && isIn(host, network));
}

/** Returns the known reason why datagrams to a UDP port do not reach this computer; undefined if there is none. */
export function obstacleAt(observation: Observation, port: number): Obstacle | undefined {
  const { situation, isHere } = observation.facts;
  if (situation === 'public network' && !isHere) {
    return {
      cause: 'Windows counts this network as public, and its firewall lets nothing in there',
      remedy: `in PowerShell as administrator: Set-NetConnectionProfile -InterfaceAlias NAME -NetworkCategory Private, or: New-NetFirewallRule -DisplayName Azimuth -Direction Inbound -Protocol UDP -LocalPort ${port} -Action Allow`,
    };
  }
  if (!isBehindNat(observation)) return undefined;
  if (situation === 'WSL2') {
    return {
      cause: 'this computer is WSL2 behind the NAT of Windows, which lets no datagram in',
      remedy:
        'set networkingMode=mirrored under [wsl2] in the file .wslconfig of Windows, then wsl --shutdown; or run this on Windows itself; or use TCP (Protocol=2)',
    };
  }
  return {
    cause: 'this computer is a container behind the NAT of its host',
    remedy: `start the container with --network host, or with -p ${port}:${port}/udp and the data sent to the address of its host; or use TCP (Protocol=2)`,
  };
}
