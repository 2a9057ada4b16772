import { setTimeout } from 'node:timers/promises';
import { ours } from '../compared-servers.js';
import { isObject } from '../json.js';
import { atLeast, type Bench, Collected, found, type Measurement } from '../measurement.js';
import { cpuSeconds, memory, waitedSeconds } from '../proc.js';
import { ChildProgram, program } from '../processes/child-program.js';
import { cores } from '../processes/children.js';
import { inRounds, ratio } from '../statistics.js';
import { mostLag } from '../streams/arrivals.js';
import { Receiver } from '../streams/receiver.js';

/** Numbers of scanners in one process, and the number that has to keep up. */
const numbers = [25, 90, 120, 160, 200] as const;
const wanted = 200;

/** The limits for keeping up, beside the lag: shares in percent. */
const leastSent = 99;
const mostLost = 0.1;

/** Five segments of 60° or less a revolution, 50 revolutions a second. */
const telegramsPerSecond = 250;

/** Each round needs new processes and long loads. */
const mostRounds = 5;
const lengths = 4;
const longestWarmup = 3;

const lag = 'lag p99 ms';
const sent = 'sent %';
const lost = 'lost %';
const cost = 'sender µs a telegram';

/** Sends as many datagrams as the scanners, from node:dgram, and does nothing else. */
const bare = 'bare node:dgram';

/** The programs that are compared, and their names in the table. */
const senders = [
  { name: ours, program: 'scanners' },
  { name: bare, program: 'bare-sender' },
] as const;

/** Scanners in one process on one core that stream a scene. The receiver has the other core. */
export async function measureStreams(bench: Bench): Promise<Measurement> {
  const rounds = Math.min(bench.rounds, mostRounds);
  const seconds = bench.seconds * lengths;
  const all = numbers.flatMap((count) =>
    senders.map((sender) => ({
      count,
      program: sender.program,
      collected: new Collected(sender.name, `${count} scanners`),
    })),
  );
  await inRounds(all, rounds, async ({ count, program, collected }, round) => {
    bench.progress(`round ${round + 1} of ${rounds}: ${collected.condition}, ${collected.subject}`);
    collected.add(await stream(program, count, seconds));
  });
  const farms = all.filter(({ program }) => program === 'scanners');
  const keepUp = farms.findIndex(({ collected }) => !keepsUp(collected));
  const bareOf = (count: number) =>
    found(
      all.map(({ collected }) => collected),
      bare,
      `${count} scanners`,
    );
  const most = (keepUp < 0 ? farms.at(-1) : farms[keepUp - 1])?.count ?? 0;
  return {
    name: 'streams',
    title: `Scanners of one process that stream 50 Hz, 0.25°, as Compact over UDP, ${seconds} s each`,
    rows: all.map(({ collected }) => collected.row),
    ratios: farms.map(({ count, collected }) => ({
      name: `${ours} to ${bare}, ${count} scanners: ${cost}`,
      spread: ratio(collected.values(cost), bareOf(count).values(cost)),
    })),
    targets: [
      atLeast(`scanners a core with ${lag.replace(' ms', '')} below ${mostLag} ms`, '', wanted, most),
    ],
    notes: [
      'each a whole scanner with its web server, in a hall of 200 lines, noise included: 3 echoes, signal strength, properties',
      'bare: sends prepared datagrams of the same size at the same moments, and does nothing else',
      'lag: from the last beam of a segment to its being handed to the network, by the times in each telegram',
      `keeping up: ${leastSent} % of all telegrams sent or more, ${mostLost} % lost on the way or less, that lag in the median`,
    ],
  };
}

function keepsUp(collected: Collected): boolean {
  return (
    collected.median(lag) < mostLag &&
    collected.median(sent) >= leastSent &&
    collected.median(lost) <= mostLost
  );
}

async function stream(
  name: (typeof senders)[number]['program'],
  count: number,
  seconds: number,
): Promise<Record<string, number>> {
  const receiver = await Receiver.start(count);
  const command = program(name, ...receiver.ports.map(String));
  const scanners = await ChildProgram.start({ core: cores.server, command });
  await setTimeout(Math.min(longestWarmup, seconds) * 1000);
  const before = { ...(await scansOf(scanners)), ...usageOf(scanners.pid, receiver.pid) };
  await receiver.clear();
  const begun = performance.now();
  await setTimeout(seconds * 1000);
  const result = await receiver.result();
  const passed = (performance.now() - begun) / 1000;
  const after = { ...(await scansOf(scanners)), ...usageOf(scanners.pid, receiver.pid) };
  const { resident } = memory(scanners.pid);
  // In this order: the scanners must not send to closed ports.
  await scanners.end();
  await receiver.end();
  const all = result.telegrams + result.lost;
  return {
    'lag p50 ms': result.lagP50,
    [lag]: result.lagP99,
    [`later than ${mostLag} ms %`]: (result.late / result.telegrams) * 100,
    'most ms': result.lagMost,
    [sent]: (all / (count * telegramsPerSecond * passed)) * 100,
    [lost]: all === 0 ? 100 : (result.lost / all) * 100,
    'turns left out': after.skipped - before.skipped,
    'sender busy %': ((after.sender - before.sender) / passed) * 100,
    'receiver busy %': ((after.receiver - before.receiver) / passed) * 100,
    'waited for a core %': ((after.waited - before.waited) / passed) * 100,
    [cost]: ((after.sender - before.sender) * 1e6) / all,
    'sender MB': resident,
  };
}

/** Seconds of CPU time, and seconds for which the scanners waited for the core. */
function usageOf(sender: number, receiver: number) {
  return { sender: cpuSeconds(sender), receiver: cpuSeconds(receiver), waited: waitedSeconds(sender) };
}

async function scansOf(scanners: ChildProgram): Promise<{ readonly skipped: number }> {
  const count = await scanners.ask('count');
  if (!isObject(count) || typeof count.skipped !== 'number') throw new Error('scanners told something else');
  return { skipped: count.skipped };
}
