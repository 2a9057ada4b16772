import { isIPv4 } from 'node:net';
import type { Received } from '@azimuth/client/receive';
import { pcapHeader, pcapPacketOf, recordingHeader, recordOf } from '@azimuth/telegrams';
import type { Source } from './sources.js';

/** How a recording is written. */
export interface RecordForm {
  header(): Uint8Array;
  record(received: Received, source: Source): Uint8Array;
}

/** A capture for names that end in `.pcap`, else the recording format of our own. @param source in words */
export function recordForm(path: string, source: () => string): RecordForm {
  if (path.toLowerCase().endsWith('.pcap')) return { header: pcapHeader, record: packet };
  return {
    header: () => recordingHeader({ made: new Date().toISOString(), source: source() }),
    record: ({ time, bytes }) => recordOf(time, bytes),
  };
}

/** What came over TCP stands in a capture as if it had come over UDP: programs that read captures look there. */
function packet({ time, bytes, from }: Received, { receiver }: Source): Uint8Array {
  const { host, port } = receiver.address;
  const at = from.lastIndexOf(':');
  const sender = { sourceAddress: from.slice(0, at), sourcePort: Number(from.slice(at + 1)) };
  return pcapPacketOf(time, bytes, {
    ...(isIPv4(sender.sourceAddress) ? sender : { sourcePort: sender.sourcePort }),
    ...(isIPv4(host) && host !== '0.0.0.0' ? { destinationAddress: host } : {}),
    destinationPort: port,
  });
}
