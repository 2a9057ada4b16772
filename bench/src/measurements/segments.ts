import { setTimeout } from 'node:timers/promises';
import { geometryOf } from '@azimuth/device';
import { performanceProfiles } from '@azimuth/model';
import { atMost, type Bench, Collected, type Measurement } from '../measurement.js';
import { ChildProgram, program } from '../processes/child-program.js';
import { cores } from '../processes/children.js';
import { latencies } from '../statistics.js';
import { latenciesOf, segmentTimesOf } from '../streams/segment-times.js';

/** 50 Hz, 0.25°. */
const { frequency, step, beams, beamsPerSegment } = geometryOf(performanceProfiles[8]);
/** ms from the first beam of a segment to its last one. */
const duration = (1000 * (beamsPerSegment - 1) * step) / (360 * frequency);

/** ms: the limits for half, and for 99 %, of the segments. */
const wanted = { half: 0.3, most: 2 };
const firstSegment = 'segment 0, from its first beam';
const eachSegment = 'each segment, from its last beam';
const [p50, p99] = ['p50 ms', 'p99 ms'];

/** Each round needs new processes and a long load. */
const mostRounds = 5;
const lengths = 4;
/** ms until the code is compiled. */
const warmup = 3000;
/** ms: the last datagrams arrive. */
const pause = 100;

/** A sensor passes the segments of a scan as they are measured. How long does each need to its datagram? */
export async function measureSegments(bench: Bench): Promise<Measurement> {
  const seconds = bench.seconds * lengths;
  const rounds = Math.min(bench.rounds, mostRounds);
  const each = new Collected('datagram received', eachSegment);
  const first = new Collected('datagram received', firstSegment);
  for (let round = 1; round <= rounds; round++) {
    bench.progress(`round ${round} of ${rounds}`);
    const { sinceLastBeam, sinceFirstBeam, lost } = await measured(seconds);
    if (sinceLastBeam.length === 0) throw new Error('no segment has arrived');
    each.add({ ...latencies(sinceLastBeam), lost });
    first.add(latencies(sinceFirstBeam));
  }
  return {
    name: 'segments',
    title: `Segments that leave as they are measured: ${frequency} Hz, ${beams} beams, 3 echoes, Compact over UDP, ${seconds} s each`,
    rows: [each.row, first.row],
    ratios: [],
    targets: [
      atMost(`${eachSegment}: ${p50}`, 'ms', wanted.half, each.median(p50)),
      atMost(`${eachSegment}: ${p99}`, 'ms', wanted.most, each.median(p99)),
      atMost(`${firstSegment}: ${p50}`, 'ms', duration + wanted.half, first.median(p50)),
      atMost(`${firstSegment}: ${p99}`, 'ms', duration + wanted.most, first.median(p99)),
    ],
    notes: [
      `from the call \`measured(scan, beams)\` to the datagram in another process, which has a core of its own`,
      `segment 0 takes ${duration.toFixed(2)} ms itself; a whole scan would leave ${(1000 / frequency).toFixed(0)} ms after its first beam, or earlier only if it were known before`,
      'the sensor is simulated in the process of the scanner: it waits actively, so that it is on time',
    ],
  };
}

async function measured(seconds: number) {
  const receiver = await ChildProgram.start({ core: cores.load, command: program('segment-receiver') });
  const command = program('segment-sender', String(receiver.firstMessage));
  const sender = await ChildProgram.start({ core: cores.server, command });
  await setTimeout(warmup);
  await sender.ask('clear');
  await receiver.ask('clear');
  await setTimeout(seconds * 1000);
  const passed = segmentTimesOf(await sender.ask('result'));
  await setTimeout(pause);
  const arrived = segmentTimesOf(await receiver.ask('result'));
  // In this order: the scanner must not send to a closed port.
  await sender.end();
  await receiver.end();
  // Segments that were passed between the two questions at the beginning count as arrived before.
  const [begin] = arrived;
  return latenciesOf(
    passed.filter(({ at }) => begin !== undefined && at >= begin.at),
    arrived,
  );
}
