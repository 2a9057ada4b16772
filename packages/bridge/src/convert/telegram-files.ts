import { isIPv4 } from 'node:net';
import {
  pcapHeader,
  pcapngHeader,
  pcapngPacketOf,
  pcapPacketOf,
  type Recorded,
  recordingHeader,
  recordOf,
  type UdpPath,
} from '@azimuth/telegrams';
import { decodedOrNothing, ScannerRecording } from '../mcap/index.js';
import type { WrittenFile } from './written-file.js';

/** Facts about the new recording. */
export interface ConvertedFacts {
  /** Begin of the recording: ISO 8601. */
  readonly made: string;
  readonly source: string;
  /** The program that converts: `azimuth 1.2.3`. */
  readonly library: string;
}

type Write = (recorded: Iterable<Recorded>, file: WrittenFile, facts: ConvertedFacts) => number;

/** Functions that write telegrams to a file, by its format. Each returns the number of telegrams. */
export const telegramWriters = {
  azrec(recorded, file, { made, source }) {
    file.write(recordingHeader({ made, source }));
    return each(recorded, ({ time, telegram }) => file.write(recordOf(time, telegram)));
  },
  pcap(recorded, file) {
    file.write(pcapHeader());
    return each(recorded, (one) => file.write(pcapPacketOf(one.time, one.telegram, pathOf(one))));
  },
  pcapng(recorded, file) {
    file.write(pcapngHeader());
    return each(recorded, (one) => file.write(pcapngPacketOf(one.time, one.telegram, pathOf(one))));
  },
  mcap(recorded, file, { library, made, source }) {
    const recording = new ScannerRecording((bytes) => file.write(bytes), {
      library,
      facts: { made, source },
    });
    const count = each(recorded, ({ time, telegram, from, to }) =>
      recording.add({ time, bytes: telegram, telegram: decodedOrNothing(telegram), from, to }),
    );
    recording.end();
    return count;
  },
} as const satisfies Readonly<Record<string, Write>>;

function each(recorded: Iterable<Recorded>, write: (one: Recorded) => void): number {
  let count = 0;
  for (const one of recorded) {
    write(one);
    count += 1;
  }
  return count;
}

/** Ports of scan data that are written if the recording does not know them. */
const usualPath: UdpPath = { sourcePort: 2115, destinationPort: 2115 };

/** Captures have IPv4 addresses: others, and those that are not known, become those of the factory. */
function pathOf({ from = '', to = '' }: Recorded): UdpPath {
  const [sourceAddress, sourcePort] = endpoint(from);
  const [destinationAddress, destinationPort] = endpoint(to);
  return {
    sourceAddress,
    destinationAddress,
    sourcePort: sourcePort ?? usualPath.sourcePort,
    destinationPort: destinationPort ?? usualPath.destinationPort,
  };
}

function endpoint(text: string): readonly [address: string | undefined, port: number | undefined] {
  const at = text.lastIndexOf(':');
  const address = text.slice(0, at);
  const port = Number(text.slice(at + 1));
  const isPort = at > 0 && Number.isInteger(port) && port > 0 && port <= 65_535;
  return [isIPv4(address) && address !== '0.0.0.0' ? address : undefined, isPort ? port : undefined];
}
