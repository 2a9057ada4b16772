// Measures how costs grow. Arguments: rounds, milliseconds of each turn, and the UDP ports to which scanners send.
import { allCosts } from '../growth/costs.js';
import { inRounds } from '../statistics.js';

const [rounds = '', milliseconds = '', ...ports] = process.argv.slice(2);
const turns = (await allCosts(ports.map(Number))).map((cost) => ({ cost, microseconds: [] as number[] }));
// The first round, which compiles the code, does not count.
for (const { cost } of turns) await microsecondsOf(cost.step);
await inRounds(turns, Number(rounds), async ({ cost, microseconds }) => {
  microseconds.push(await microsecondsOf(cost.step));
});
process.send?.(
  turns.map(({ cost: { grows, unit, size }, microseconds }) => ({
    subject: `${grows}: ${unit}`,
    condition: String(size),
    microseconds,
  })),
);

/** CPU time of a unit. */
async function microsecondsOf(step: () => Promise<number>): Promise<number> {
  const end = performance.now() + Number(milliseconds);
  const before = process.cpuUsage();
  let units = 0;
  do units += await step();
  while (performance.now() < end);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / units;
}
