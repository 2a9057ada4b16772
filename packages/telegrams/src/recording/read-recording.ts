import { factsOf, isOwn, type RecordingFacts, readOwn } from './azrec.js';
import { isPcap, readPcap } from './pcap.js';
import { isPcapng, readPcapng } from './pcapng.js';
import { LeftOut, type Recorded, RecordingError } from './recorded.js';

/**
 * Reads the telegrams of a recording, in the order of the file: our own format (azrec.ts) or a capture (pcap, pcapng). In a
 * capture, only datagrams that begin like a telegram count. The result can be iterated any number of times. The telegrams are
 * views of `bytes`, unless they came in fragments.
 * @throws RecordingError at once for a file of another format, and at the damaged place for a damaged file. A file that was
 * cut off is read up to its end
 */
export function readRecording(bytes: Uint8Array): Iterable<Recorded> {
  const read = readerOf(bytes);
  return { [Symbol.iterator]: () => read(bytes) };
}

/**
 * Reads the facts in the header of a recording; undefined for a capture, which has none.
 * @throws RecordingError for a file that is not a recording.
 */
export function recordingFacts(bytes: Uint8Array): RecordingFacts | undefined {
  return readerOf(bytes) === readOwn ? factsOf(bytes) : undefined;
}

/**
 * Returns the reasons why packets of a capture contain no telegram, each with the number of packets, the commonest first;
 * none for a recording.
 * @throws RecordingError as readRecording
 */
export function packetsLeftOut(bytes: Uint8Array): readonly (readonly [string, number])[] {
  const leftOut = new LeftOut();
  const read = isPcap(bytes) ? readPcap : isPcapng(bytes) ? readPcapng : undefined;
  const telegrams = read?.(bytes, leftOut);
  while (telegrams !== undefined && telegrams.next().done !== true);
  return leftOut.counts;
}

/** The first bytes of files made by gzip. */
const gzip = [0x1f, 0x8b] as const;

function readerOf(bytes: Uint8Array): (bytes: Uint8Array) => Iterator<Recorded> {
  if (isOwn(bytes)) return readOwn;
  if (isPcap(bytes)) return (capture) => readPcap(capture);
  if (isPcapng(bytes)) return (capture) => readPcapng(capture);
  if (bytes[0] === gzip[0] && bytes[1] === gzip[1]) {
    throw new RecordingError(
      'expected a recording, got a file that is compressed with gzip: unzip it first (gunzip FILE)',
    );
  }
  const beginning = [...bytes.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  throw new RecordingError(
    `expected a recording (AZREC, pcap or pcapng), got a file that begins with ${beginning || 'nothing'}`,
  );
}
