import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Ports of a domain (DDSI-RTPS 2.5, 9.6.2.3). The discovery port is that of multicast. */
export const portsOf = (domain: number) => ({ first: 7400 + 250 * domain, last: 7400 + 250 * domain + 249 });

/** The ports of higher domains are among those that Linux gives to any socket. */
const highest = 100;

/** A domain in which nobody talks on this machine. */
export async function freeDomain(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const domain = 1 + Math.floor(Math.random() * highest);
    if (await isFree(portsOf(domain).first)) return domain;
  }
  throw new Error('no free domain');
}

/** Every participant of a domain binds its discovery port, for others to share. Without sharing, binding then fails. */
async function isFree(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  try {
    socket.bind(port);
    await once(socket, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    socket.close();
  }
}
