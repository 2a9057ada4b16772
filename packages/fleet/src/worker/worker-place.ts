import { createHash } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';

/** Where the system says since when it runs, and in which network this process is. */
interface SystemFiles {
  readonly bootFile: string;
  /** A link whose target names the network namespace. */
  readonly networkLink: string;
}

const ofLinux: SystemFiles = {
  bootFile: '/proc/sys/kernel/random/boot_id',
  networkLink: '/proc/self/ns/net',
};

/** Where a worker listens. */
interface ListensAt {
  /** The URL at which gateways reach it. */
  readonly url: string;
  /** The address and the port of its socket, as the system tells them. */
  readonly address: string;
  readonly port: number;
}

/**
 * Names the socket at which a worker listens: the machine since its last start, the network namespace, the address and the port. The
 * system lets one process at a time listen there. So whoever listens knows that each earlier process of the same place has closed
 * its socket: it has died, or has given its leases up before.
 * @returns undefined if the system does not tell, as one that is not Linux
 */
export async function placeOf(
  { url, address, port }: ListensAt,
  { bootFile, networkLink }: SystemFiles = ofLinux,
): Promise<string | undefined> {
  try {
    const [boot, network] = await Promise.all([readFile(bootFile, 'utf8'), readlink(networkLink)]);
    // One whose namespace has the same number as an earlier one cannot meet a process of that: it is gone with all of them.
    const socket = [boot.trim(), network, url, address, port].join(' ');
    return createHash('sha256').update(socket).digest('hex').slice(0, 16);
  } catch {
    return undefined;
  }
}
