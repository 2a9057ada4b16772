import { ScanDataFormat } from '@azimuth/model';
import { decodeTelegram } from '@azimuth/telegrams';
import { decodeLmdText } from '@azimuth/telegrams/legacy';
import { decodeLaserScan } from '@azimuth/telegrams/ros2';
import { freeDomain } from '@azimuth/test-support/dds-domain';
import { DdsProgram } from '@azimuth/test-support/dds-program';
import { WebSocketClient } from '@azimuth/test-support/web-socket';
import { LegacyWire, textFrame } from '../legacy/legacy-wire.js';
import { scanTopic } from '../ros2/scanner.js';
import { UdpReceiver } from '../streams/receivers.js';
import { type StreamingScanner, scan, settled, udp } from '../streams/scanner.js';

/** A scan as a receiver has it. */
export interface ReceivedScan {
  /** Undefined in ROS 2. */
  readonly number: number | undefined;
  /** Time of the first beam in µs. */
  readonly stamp: number;
  /** Times of the last beam, and of sending the first telegram, in µs. Undefined in formats without it. */
  readonly end: number | undefined;
  readonly sent: number | undefined;
  /** First echoes in whole mm, 0 for none. */
  readonly distances: readonly number[];
}

/** Lets the scanner send its scans in a format. Returns the whole scans that have come. */
type Output = (scanner: StreamingScanner) => Promise<() => readonly ReceivedScan[]>;

export type OutputName = 'Compact' | 'MSGPACK' | '/x/scan' | 'LMDscandata' | 'ROS 2';

/** All outputs of scans, over real sockets. */
export const outputs: Readonly<Record<OutputName, Output>> = {
  Compact: (scanner) => overUdp(scanner, ScanDataFormat.Compact),
  MSGPACK: (scanner) => overUdp(scanner, ScanDataFormat.MSGPACK),
  '/x/scan': async ({ testScanner }) => {
    const client = await WebSocketClient.open(testScanner.httpPort, { path: '/x/scan' });
    return () => scansIn(client.received.map(({ data }) => Buffer.from(data)));
  },
  LMDscandata: async (scanner) => {
    scanner.set(scan.ScanDataFormat, ScanDataFormat.LMDscandata);
    const wire = await LegacyWire.open(scanner.testScanner.portA);
    wire.write(textFrame('sEN LMDscandata 1'));
    return () => {
      const head = 'sSN LMDscandata ';
      const frames = wire.received.toString('latin1').split('\x03').slice(0, -1);
      const telegrams = frames.map((frame) => frame.slice(1)).filter((frame) => frame.startsWith(head));
      return telegrams.map((telegram) => {
        const { scanCounter, scanTime, transmitTime, channels16 } = decodeLmdText(
          Buffer.from(telegram.slice(head.length), 'latin1'),
        );
        const distances = [...(channels16.find(({ content }) => content === 'DIST1')?.data ?? [])];
        return { number: scanCounter, stamp: scanTime, end: undefined, sent: transmitTime, distances };
      });
    };
  },
  'ROS 2': async (scanner) => {
    const domain = await freeDomain();
    scanner.set(scan.rosDomainId, domain);
    scanner.set(scan.ScanDataFormat, ScanDataFormat.NativeROS2);
    scanner.set(scan.ScanDataEnable, true);
    while (scanner.lines('info', 'ROS 2: the scanner has joined').length === 0) await settled();
    const program = await DdsProgram.open(domain, [scanTopic]);
    program.announce();
    await scanner.runUntil(() => program.topics.length > 0);
    return () =>
      program
        .of(0)
        .map(decodeLaserScan)
        .map(({ stamp, ranges }) => ({
          ...{ number: undefined, stamp, end: undefined, sent: undefined },
          distances: Array.from(ranges, (range) => (Number.isFinite(range) ? Math.round(range * 1000) : 0)),
        }));
  },
};

async function overUdp(scanner: StreamingScanner, format: 1 | 2): Promise<() => readonly ReceivedScan[]> {
  const receiver = await UdpReceiver.open();
  scanner.set(scan.ScanDataFormat, format);
  scanner.sendScans(receiver.port, udp);
  return () => scansIn(receiver.telegrams);
}

/** Returns the scans of these telegrams without the last one, whose rest may be missing. */
function scansIn(telegrams: readonly Buffer[]): readonly ReceivedScan[] {
  const scans = new Map<number, ReceivedScan>();
  for (const bytes of telegrams) {
    const { kind, telegram } = decodeTelegram(bytes);
    if (kind !== 'scan') throw new Error(`a telegram of the kind ${kind}`);
    for (const { frameNumber, firstBeamTime, lastBeamTime, distance, echoes } of telegram.modules) {
      const first = distance.filter((_, place) => place % echoes === 0);
      const distances = Array.from(first, Math.round);
      const before = scans.get(frameNumber);
      scans.set(frameNumber, {
        number: frameNumber,
        stamp: before?.stamp ?? firstBeamTime[0] ?? Number.NaN,
        end: lastBeamTime[0],
        sent: before?.sent ?? telegram.transmitTime,
        distances: [...(before?.distances ?? []), ...distances],
      });
    }
  }
  return [...scans.values()].slice(0, -1);
}
