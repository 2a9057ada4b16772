import { Scanner } from '@azimuth/client';
import { ours, startScanner, variablePath } from '../compared-servers.js';
import type { LoadResult } from '../load/jobs.js';
import { login } from '../load/rest-messages.js';
import { get } from '../loads.js';
import type { Bench } from '../measurement.js';
import { Collected, type Measurement } from '../measurement.js';
import { inRounds, ratio } from '../statistics.js';
import type { ArrivalResult } from '../streams/arrivals.js';
import { Receiver } from '../streams/receiver.js';
import { configure, switchStreams, untilStreaming } from '../streams/streaming-scanner.js';

const connections = 16;

const p99 = 'p99 ms';
const perSecond = 'ops/s';
const cost = 'server µs/op';

/** Reads of one scanner while it streams scan, IMU and encoder data, and while it does not. */
export async function measureStreamingHttp(bench: Bench): Promise<Measurement> {
  const server = await startScanner(bench, 'streaming-http');
  const scanner = new Scanner({ url: `http://127.0.0.1:${server.port}`, ...login });
  const receiver = await Receiver.start(3);
  await configure(scanner, receiver.ports);
  const body = await server.get(variablePath);
  const reads = (seconds: number) =>
    get(bench, server, { paths: [variablePath], body }, { connections, seconds });
  await reads(bench.seconds);
  const streaming = new Collected(ours, `${connections} connections, while it streams`);
  const silent = new Collected(ours, `${connections} connections, while it does not`);
  await inRounds([streaming, silent], bench.rounds, async (collected, round) => {
    bench.progress(`round ${round + 1} of ${bench.rounds}: ${collected.condition}`);
    const isOn = collected === streaming;
    await switchStreams(scanner, isOn);
    await receiver.clear();
    if (isOn) await untilStreaming(receiver);
    await receiver.clear();
    const read = await reads(bench.seconds);
    collected.add({ ...figuresOf(read), ...(isOn ? streamFigures(await receiver.result()) : {}) });
  });
  await server.end();
  await receiver.end();
  const ratioOf = (figure: string) => ({
    name: `${ours}, while it streams to while it does not: ${figure}`,
    spread: ratio(streaming.values(figure), silent.values(figure)),
  });
  return {
    name: 'streaming-http',
    title: `GET ${variablePath} while the scanner streams 50 Hz, 0.25° as Compact, and IMU and encoder data`,
    rows: [streaming.row, silent.row],
    ratios: [p99, perSecond, cost].map(ratioOf),
    targets: [],
    notes: [
      'the receiver of the streams and the load share a core',
      'server µs/op: all CPU time, that of the streams included',
    ],
  };
}

function figuresOf({ operations, seconds, p50, p99: slow, serverCpu, waited }: LoadResult) {
  return {
    [perSecond]: operations / seconds,
    'p50 ms': p50,
    [p99]: slow,
    [cost]: (serverCpu * 1e6) / operations,
    'waited for a core %': (waited / seconds) * 100,
  };
}

function streamFigures({ telegrams, lost, lagP50, lagP99 }: ArrivalResult) {
  return {
    'lag p50 ms': lagP50,
    'lag p99 ms': lagP99,
    'telegrams lost %': (lost / (telegrams + lost)) * 100,
  };
}
