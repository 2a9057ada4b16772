import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** Ports of a domain (DDSI-RTPS 2.5, 9.6.2.3). The first one is that of multicast. */
export const portsOf = (domain: number) => ({ first: 7400 + 250 * domain, last: 7400 + 250 * domain + 249 });

/** The first unicast port of a domain. */
export const firstPort = (domain: number) => portsOf(domain).first + 10;

/** The ports of higher domains are among those that Linux gives to any socket. */
const highest = 100;

/** A domain in which nobody talks on this machine. Until the test ends, no other test gets it. */
export async function freeDomain(): Promise<number> {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const domain = 1 + Math.floor(Math.random() * highest);
    if (await isReserved(domain)) return domain;
  }
  throw new Error('no free domain');
}

/** Reserves a domain for this test by its last port, which no participant uses, if nobody talks in it. */
async function isReserved(domain: number): Promise<boolean> {
  const { first, last } = portsOf(domain);
  const reservation = await opened(last);
  if (reservation === undefined) return false;
  const [multicast, unicast] = [await opened(first), await opened(firstPort(domain))];
  multicast?.close();
  unicast?.close();
  if (multicast === undefined || unicast === undefined) {
    reservation.close();
    return false;
  }
  onTestFinished(() => {
    reservation.close();
  });
  return true;
}

/** A socket at a port that it shares with nobody; undefined if another one is there. */
async function opened(port: number): Promise<Socket | undefined> {
  const socket = createSocket('udp4');
  const listening = once(socket, 'listening');
  socket.bind({ port, exclusive: true });
  try {
    await listening;
    return socket;
  } catch {
    socket.close();
    return undefined;
  }
}
