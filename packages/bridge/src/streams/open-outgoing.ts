import type { Destination } from './destination.js';
import type { Outgoing } from './outgoing.js';
import { TcpOutgoing } from './tcp-outgoing.js';
import { UdpOutgoing } from './udp-outgoing.js';
import { WebSocketOutgoing } from './web-socket-outgoing.js';

/** Opens all destinations; if one of them cannot be opened, none is. @throws OpenError */
export async function openOutgoing(destinations: readonly Destination[]): Promise<readonly Outgoing[]> {
  const opened: Outgoing[] = [];
  try {
    for (const destination of destinations) opened.push(await openOne(destination));
  } catch (error) {
    await Promise.all(opened.map((one) => one.close()));
    throw error;
  }
  return opened;
}

function openOne(destination: Destination): Promise<Outgoing> {
  switch (destination.kind) {
    case 'udp':
    case 'multicast':
      return UdpOutgoing.open(destination);
    case 'tcp':
      return TcpOutgoing.open(destination);
    case 'websocket':
      return WebSocketOutgoing.open(destination);
  }
}
