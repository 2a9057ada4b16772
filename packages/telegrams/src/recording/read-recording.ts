import { factsOf, isOwn, type RecordingFacts, readOwn } from './azrec.js';
import { type ByteSource, sourceOf } from './byte-source.js';
import { isPcap, readPcap } from './pcap.js';
import { isPcapng, readPcapng } from './pcapng.js';
import { LeftOut, type Recorded, RecordingError } from './recorded.js';

/**
 * Reads the telegrams of a recording, in the order of the file: our own format (azrec.ts) or a capture (pcap, pcapng). In a
 * capture, only datagrams that begin like a telegram count. The result can be iterated any number of times. The telegrams are
 * views of an array, unless they came in fragments.
 * @param recording the bytes, or a source that reads them from a file of any size
 * @throws RecordingError at once for a file of another format, and at the damaged place for a damaged file. A file that was
 * cut off is read up to its end
 */
export function readRecording(recording: Uint8Array | ByteSource): Iterable<Recorded> {
  const source = asSource(recording);
  const read = readerOf(source);
  return { [Symbol.iterator]: () => read(source) };
}

/**
 * Reads the facts in the header of a recording; undefined for a capture, which has none.
 * @throws RecordingError for a file that is not a recording.
 */
export function recordingFacts(recording: Uint8Array | ByteSource): RecordingFacts | undefined {
  const source = asSource(recording);
  return readerOf(source) === readOwn ? factsOf(source) : undefined;
}

/**
 * Returns the reasons why packets of a capture contain no telegram, each with the number of packets, the commonest first;
 * none for a recording.
 * @throws RecordingError as readRecording
 */
export function packetsLeftOut(recording: Uint8Array | ByteSource): readonly (readonly [string, number])[] {
  const source = asSource(recording);
  const leftOut = new LeftOut();
  const read = isPcap(source) ? readPcap : isPcapng(source) ? readPcapng : undefined;
  const telegrams = read?.(source, leftOut);
  while (telegrams !== undefined && telegrams.next().done !== true);
  return leftOut.counts;
}

/** The first bytes of files made by gzip. */
const gzip = [0x1f, 0x8b] as const;

function asSource(recording: Uint8Array | ByteSource): ByteSource {
  return recording instanceof Uint8Array ? sourceOf(recording) : recording;
}

function readerOf(source: ByteSource): (source: ByteSource) => Iterator<Recorded> {
  if (isOwn(source)) return readOwn;
  if (isPcap(source)) return (capture) => readPcap(capture);
  if (isPcapng(source)) return (capture) => readPcapng(capture);
  const bytes = source.part(0, 4);
  if (bytes[0] === gzip[0] && bytes[1] === gzip[1]) {
    throw new RecordingError(
      'expected a recording, got a file that is compressed with gzip: unzip it first (gunzip FILE)',
    );
  }
  const beginning = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  throw new RecordingError(
    `expected a recording (AZREC, pcap or pcapng), got a file that begins with ${beginning || 'nothing'}`,
  );
}
