import { Datagrams } from './datagrams.js';
import { pcap } from './pcap.js';
import type { Recorded } from './recorded.js';
import { RecordingError } from './recording-error.js';

/** Is this a capture (pcap), in either order of bytes? */
export function isPcap(bytes: Uint8Array): boolean {
  return formOf(bytes) !== undefined;
}

/**
 * The telegrams of a capture. What is cut off at its end is left out.
 * @throws RecordingError where its link type is not known, or a packet declares what none can have.
 */
export function* readPcap(bytes: Uint8Array): Generator<Recorded> {
  const form = formOf(bytes);
  if (form === undefined || bytes.length < pcap.headerBytes) {
    throw new RecordingError(`a capture header of ${pcap.headerBytes} bytes expected, ${bytes.length} came`);
  }
  const { little, perMicrosecond } = form;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  // The upper bits tell of check sequences behind the packets, which IP headers leave out anyway.
  const link = view.getUint32(pcap.linkTypeAt, little) & 0xffff;
  if (!Datagrams.knows(link)) {
    throw new RecordingError(`a capture of Ethernet, IP or Linux expected, link type ${link} came`);
  }
  const datagrams = new Datagrams();
  for (let at: number = pcap.headerBytes; at + pcap.packetHeadBytes <= bytes.length; ) {
    const length = view.getUint32(at + 8, little);
    if (length > pcap.mostPacketBytes) {
      throw new RecordingError(
        `a packet of up to ${pcap.mostPacketBytes} bytes expected at byte ${at}, ${length} came`,
      );
    }
    const start = at + pcap.packetHeadBytes;
    const end = start + length;
    if (end > bytes.length) return;
    const fraction = Math.floor(view.getUint32(at + 4, little) / perMicrosecond);
    const time = view.getUint32(at, little) * 1_000_000 + fraction;
    const telegram = datagrams.telegramIn(bytes.subarray(start, end), link);
    if (telegram !== undefined) yield { time, telegram };
    at = end;
  }
}

function formOf(bytes: Uint8Array): { little: boolean; perMicrosecond: number } | undefined {
  if (bytes.length < 4) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (const little of [true, false]) {
    const magic = view.getUint32(0, little);
    if (magic === pcap.micro) return { little, perMicrosecond: 1 };
    if (magic === pcap.nano) return { little, perMicrosecond: 1000 };
  }
  return undefined;
}
