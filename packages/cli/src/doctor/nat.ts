import { isIn } from './network.js';
import type { Observation } from './observation.js';

/** Why datagrams of a scanner do not get into this computer, and what to do. */
interface Obstacle {
  readonly cause: string;
  readonly remedy: string;
}

/**
 * Is this computer behind NAT, as seen from the scanner: in WSL2 or in a container, and neither on the computer of the scanner nor
 * in its network? In the mirrored mode of WSL2 and in the network of its host, a container is not.
 */
export function isBehindNat({ facts }: Observation): boolean {
  const { situation, host, own, networks } = facts;
  if (situation !== 'WSL2' && situation !== 'container') return false;
  if (host === undefined || own === undefined || facts.isHere) return false;
  return !networks.some((network) => network.address === own && isIn(host, network));
}

/** What keeps datagrams to a UDP port away from this computer, if that can be known; undefined if nothing is. */
export function obstacleAt(seen: Observation, port: number): Obstacle | undefined {
  const { situation, isHere } = seen.facts;
  if (situation === 'public network' && !isHere) {
    return {
      cause: 'Windows counts this network as public, and its firewall lets nothing in there',
      remedy: `in PowerShell as administrator: Set-NetConnectionProfile -InterfaceAlias NAME -NetworkCategory Private, or: New-NetFirewallRule -DisplayName Azimuth -Direction Inbound -Protocol UDP -LocalPort ${port} -Action Allow`,
    };
  }
  if (!isBehindNat(seen)) return undefined;
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
