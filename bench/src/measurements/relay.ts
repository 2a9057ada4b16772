import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { atMost, type Bench, Collected, type Measurement } from '../measurement.js';
import { ChildProgram, program, root } from '../processes/child-program.js';
import { type Child, cores, end, start } from '../processes/children.js';
import { freePort } from '../processes/free-port.js';
import { type Latencies, latencies, ratio } from '../statistics.js';
import {
  portsIn,
  programsPerWay,
  receivedIn,
  sentIn,
  telegramsPerSecond,
  type WayTimes,
  ways,
  wayTimes,
} from '../streams/relay-times.js';

/** ms: the limit for 99 % of the telegrams. */
const wanted = 0.5;
const mostRounds = 5;
/** Seconds of a round, for each measured second of other loads. */
const lengths = 10;
/** Telegrams until the code is compiled: ten seconds. */
const warmup = 2500;
/** ms after which a datagram counts as lost. */
const longest = 1000;
const [half, most] = ['added p50 ms', 'added p99 ms'];

/** A relay passes each telegram on to three programs. How much later do they get it than straight from the scanner? */
export async function measureRelay(bench: Bench): Promise<Measurement> {
  const seconds = bench.seconds * lengths;
  const rounds = Math.min(bench.rounds, mostRounds);
  const condition = `${telegramsPerSecond} telegrams/s`;
  const straight = new Collected('straight to a program', condition);
  const [relay, forwarder] = [new Collected(ways[0], condition), new Collected(ways[1], condition)];
  for (let round = 1; round <= rounds; round++) {
    bench.progress(`round ${round} of ${rounds}`);
    const [relayed, forwarded] = await measured(telegramsPerSecond * seconds);
    straight.add(latencies([...relayed.straight, ...forwarded.straight]));
    relay.add(figures(relayed));
    forwarder.add(figures(forwarded));
  }
  return {
    name: 'relay',
    title: `Telegrams that are passed on: ${telegramsPerSecond} telegrams/s to the last of ${programsPerWay} programs over UDP, ${seconds} s each`,
    rows: [straight.row, relay.row, forwarder.row],
    ratios: [half, most].map((name) => ({
      name: `${name}, ${ways[0]} to ${ways[1]}`,
      spread: ratio(relay.values(name), forwarder.values(name)),
    })),
    targets: [
      atMost(`through ${ways[0]}: ${most}`, 'ms', wanted, relay.median(most)),
      atMost('lost telegrams', 'telegrams', 0, Math.max(...relay.values('lost'))),
    ],
    notes: [
      'added: how much later a telegram comes to the last of the programs than the same telegram, sent straight at the same moment',
      'the bare forwarder is a program of node:dgram that passes on what comes, and does nothing else; both take turns, telegram by telegram, on the same core',
    ],
  };
}

function figures({ passed, added, lost }: WayTimes): Latencies & Record<string, number> {
  const { 'p50 ms': p50, 'p99 ms': p99 } = latencies(added);
  return { ...latencies(passed), [half]: p50, [most]: p99, lost };
}

async function measured(count: number): Promise<readonly [WayTimes, WayTimes]> {
  const receiver = await ChildProgram.start({ core: cores.load, command: program('relay-receiver') });
  const sender = await ChildProgram.start({ core: cores.load, command: program('relay-sender') });
  const [behindRelay, behindForwarder] = portsIn(receiver.firstMessage);
  if (behindRelay === undefined || behindForwarder === undefined) throw new Error('programs are missing');
  const entry = await freePort();
  const relay = await startRelay(entry, behindRelay.passed);
  const forwarder = await ChildProgram.start({
    core: cores.server,
    command: program('bare-forwarder', ...behindForwarder.passed.map(String)),
  });
  const both = [
    { straight: behindRelay.straight, entry },
    { straight: behindForwarder.straight, entry: Number(forwarder.firstMessage) },
  ];
  await sender.ask(JSON.stringify({ ways: both, count: warmup }));
  await setTimeout(longest);
  await receiver.ask('clear');
  const sent = sentIn(await sender.ask(JSON.stringify({ ways: both, count })));
  await setTimeout(longest);
  const received = receivedIn(await receiver.ask('result'));
  await end(relay);
  for (const one of [forwarder, sender, receiver]) await one.end();
  return [timesOf(0), timesOf(1)];

  function timesOf(way: number): WayTimes {
    const [out, back] = [sent[way], received[way]];
    if (out === undefined || back === undefined) throw new Error('there are no times');
    return wayTimes(out, back);
  }
}

async function startRelay(port: number, programs: readonly number[]): Promise<Child> {
  const to = programs.flatMap((one) => ['--to', `udp://127.0.0.1:${one}`]);
  const azimuth = `${root}packages/cli/bin/azimuth.js`;
  const child = start({
    core: cores.server,
    command: [process.execPath, azimuth, 'relay', '--listen', String(port), '--host', '127.0.0.1', ...to],
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { NODE_ENV: 'production' },
  });
  if (child.stderr === null) throw new Error('the relay has no output');
  for await (const line of createInterface(child.stderr)) if (line.includes('passes on')) return child;
  await once(child, 'exit');
  throw new Error('the relay has ended');
}
