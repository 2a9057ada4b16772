import { setTimeout } from 'node:timers/promises';
import { ours } from '../compared-servers.js';
import { isObject } from '../json.js';
import type { Bench } from '../measurement.js';
import { atLeast, Collected, type Measurement } from '../measurement.js';
import { cpuSeconds, memory, waitedSeconds } from '../proc.js';
import { ChildProgram, program } from '../processes/child-program.js';
import { cores } from '../processes/children.js';
import { inRounds } from '../statistics.js';
import { mostLag } from '../streams/arrivals.js';
import { Receiver } from '../streams/receiver.js';

/** Numbers of scanners in one process, and the number that has to keep up. */
const numbers = [25, 50, 90] as const;
const wanted = 90;

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

/** Scanners in one process on one core that stream a scene. The receiver has the other core. */
export async function measureStreams(bench: Bench): Promise<Measurement> {
  const rounds = Math.min(bench.rounds, mostRounds);
  const seconds = bench.seconds * lengths;
  const farms = numbers.map((count) => ({ count, collected: new Collected(ours, `${count} scanners`) }));
  await inRounds(farms, rounds, async ({ count, collected }, round) => {
    bench.progress(`round ${round + 1} of ${rounds}: ${collected.condition}`);
    collected.add(await stream(count, seconds));
  });
  const keepUp = farms.findIndex(({ collected }) => !keepsUp(collected));
  const most = (keepUp < 0 ? farms.at(-1) : farms[keepUp - 1])?.count ?? 0;
  return {
    name: 'streams',
    title: `Scanners of one process that stream 50 Hz, 0.25°, as Compact over UDP, ${seconds} s each`,
    rows: farms.map(({ collected }) => collected.row),
    ratios: [],
    targets: [
      atLeast(`scanners a core with ${lag.replace(' ms', '')} below ${mostLag} ms`, '', wanted, most),
    ],
    notes: [
      'each a whole scanner with its web server, in a hall of 200 lines, noise included: 3 echoes, signal strength, properties',
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

async function stream(count: number, seconds: number): Promise<Record<string, number>> {
  const receiver = await Receiver.start(count);
  const command = program('scanners', ...receiver.ports.map(String));
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
    'sender µs a telegram': ((after.sender - before.sender) * 1e6) / all,
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
