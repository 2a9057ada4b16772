import { createHash } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';

/** Files of the system with the time of its start, and the network of this process. */
interface SystemFiles {
  readonly bootFile: string;
  /** A link whose target names the network namespace. */
  readonly networkLink: string;
}

const ofLinux: SystemFiles = {
  bootFile: '/proc/sys/kernel/random/boot_id',
  networkLink: '/proc/self/ns/net',
};

/** The listening socket of a worker. */
interface ListeningSocket {
  /** The URL at which gateways reach it. */
  readonly url: string;
  /** The address and the port of its socket, as known to the system. */
  readonly address: string;
  readonly port: number;
}

/**
 * Identifies the socket at which a worker listens: the machine since its last start, the network namespace, the address and
 * the port. The system lets one process at a time listen there. So a process that listens knows that each earlier process of
 * the same socket has closed it: it has died, or has given its leases up before.
 * @returns undefined if the system does not tell, for example if it is not Linux
 */
export async function socketIdOf(
  { url, address, port }: ListeningSocket,
  { bootFile, networkLink }: SystemFiles = ofLinux,
): Promise<string | undefined> {
  try {
    const [boot, network] = await Promise.all([readFile(bootFile, 'utf8'), readlink(networkLink)]);
    // A namespace may have the number of an earlier one. No process of the earlier one is left then.
    const socket = [boot.trim(), network, url, address, port].join(' ');
    return createHash('sha256').update(socket).digest('hex').slice(0, 16);
  } catch {
    return undefined;
  }
}
