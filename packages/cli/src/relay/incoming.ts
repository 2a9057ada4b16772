import { type Incoming, type StreamRelay, TcpIncoming, udpIncoming } from '@azimuth/bridge/streams';
import { remark } from '../output/output.js';
import type { Opening } from '../scan-data/sources.js';

/** Returns what opens the sockets whose data a relay passes on. @param failed called if a socket fails while it is read */
export function relayOpening(streams: StreamRelay, failed: (error: Error) => void): Opening<Incoming> {
  const { arrived } = streams;
  return {
    udp: ({ port, host, multicast, closeSocketAfter, serialNumber }) => {
      streams.expect(serialNumber);
      return udpIncoming({ port, host, multicast, closeSocketAfter, arrived, failed });
    },
    tcp: ({ host, port, serialNumber }) => {
      streams.expect(serialNumber);
      const foreign = (bytes: number, from: string) => streams.foreign(bytes, from);
      return Promise.resolve(new TcpIncoming({ host, port, arrived, foreign, changed: tellConnection }));
    },
  };
}

function tellConnection(reason: string | undefined, from: string): void {
  const url = `tcp://${from}`;
  remark(reason === undefined ? `connected to ${url}` : `${url}: ${reason}; connecting again`);
}
