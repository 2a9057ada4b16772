import { type Group, groupsIn } from '../in-process-group.js';
import { atMost, type Bench, Collected, type Measurement } from '../measurement.js';
import { firstMessageOf, program } from '../processes/child-program.js';
import { cores } from '../processes/children.js';
import { median, ratio } from '../statistics.js';

/** Scanners one after the other in one process, and those that are told together. */
const scanners = 1000;
const ofGroup = 200;

/** Most rounds: one takes half a minute. */
const mostRounds = 3;

const start = 'start ms';
const life = 'life ms';
const heap = 'heap MB';
const resident = 'resident MB';

/** How much longer (ratio) a start, and how much more heap (MB), the last scanners may take than those after the warm-up. */
const mostLonger = 1.15;
const mostHeap = 5;

/** Scanners one after the other in the process of a test: whether they leave anything behind. */
export async function measureInProcess(bench: Bench): Promise<Measurement> {
  const rounds = Math.min(bench.rounds, mostRounds);
  const groups = Array.from(
    { length: scanners / ofGroup },
    (_, index) => new Collected('startScanner()', `${index * ofGroup + 1} to ${(index + 1) * ofGroup}`),
  );
  const command = program('in-process', String(scanners), String(ofGroup));
  for (let round = 0; round < rounds; round++) {
    bench.progress(`round ${round + 1} of ${rounds}: ${scanners} scanners`);
    const message = await firstMessageOf({ core: cores.server, command });
    for (const [index, group] of groupsIn(message).entries()) groups[index]?.add(figuresOf(group));
  }
  // The first group compiles the code, and fills the caches.
  const [, early, , , late] = groups;
  if (early === undefined || late === undefined) throw new Error('there are too few groups');
  const longer = ratio(late.values(start), early.values(start));
  return {
    name: 'in-process',
    title: `${scanners} scanners one after the other in the process of a test, each measures 100 ms of its time`,
    rows: groups.map(({ row }) => row),
    ratios: [{ name: `${late.condition} to ${early.condition}: ${start}`, spread: longer }],
    targets: [
      atMost('a start, warm', 'ms', 50, late.median(start)),
      atMost('a start, the last scanners to the first warm ones', '', mostLonger, longer.median),
      atMost(
        'more heap, the last scanners than the first warm ones',
        'MB',
        mostHeap,
        late.median(heap) - early.median(heap),
      ),
    ],
    notes: [
      'life: from the start to the end of the scanner; heap: the least that was seen, which is after a garbage collection',
    ],
  };
}

function figuresOf({ starts, lives, leastHeap, mostResident }: Group): Record<string, number> {
  return {
    [start]: median(starts),
    [life]: median(lives),
    [heap]: leastHeap / 1e6,
    [resident]: mostResident / 1e6,
  };
}
