import { bare, ours, startBareGet, startScanner } from '../compared-servers.js';
import type { Bench } from '../measurement.js';
import { atMost, Collected, type Measurement } from '../measurement.js';
import type { Server } from '../processes/server.js';
import { inRounds, ratio } from '../statistics.js';

/** Measures the time until the first response of the bare server. */
const wanted = 2.2;

/** MB (10⁶ bytes). */
const wantedMemory = 60;

/** Starts are short, so there are twice as many rounds. */
const startsPerRound = 2;

const figure = 'first answer ms';
const resident = 'resident MB';

/**
 * Time from the start of the process to its first response, requested every millisecond, and its memory at that moment.
 */
export async function measureStart(bench: Bench): Promise<Measurement> {
  const starts = bench.rounds * startsPerRound;
  // The first start creates the folder and fills the page cache.
  await (await startScanner(bench, 'start')).end();
  const again = new Collected(ours, 'its folder is there');
  const anew = new Collected(ours, 'a new folder');
  const floor = new Collected(bare, 'no folder');
  const starters: readonly [Collected, (round: number) => Promise<Server>][] = [
    [again, () => startScanner(bench, 'start')],
    [anew, (round) => startScanner(bench, `start-${round}`)],
    [floor, () => startBareGet(bench, '{}')],
  ];
  await inRounds(starters, starts, async ([collected, start], round) => {
    bench.progress(`start ${round + 1} of ${starts}: ${collected.subject}, ${collected.condition}`);
    const server = await start(round);
    collected.add({ [figure]: server.firstResponse, [resident]: server.memory.resident });
    await server.end();
  });
  const ratioOf = (of: Collected) => ({
    name: `${of.subject}, ${of.condition}, to ${bare}: ${figure}`,
    spread: ratio(of.values(figure), floor.values(figure)),
  });
  const toBare = ratioOf(again);
  return {
    name: 'start',
    title: 'From the start of the process to its first answer, and resident memory then',
    rows: [again.row, anew.row, floor.row],
    ratios: [toBare, ratioOf(anew)],
    targets: [
      atMost(toBare.name, '', wanted, toBare.spread.median),
      atMost(`${ours}: resident at the first answer`, 'MB', wantedMemory, again.median(resident)),
    ],
    notes: [],
  };
}
