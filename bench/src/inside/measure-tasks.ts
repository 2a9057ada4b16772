import { inRounds } from '../rounds.js';
import type { Measured, Task } from './task.js';

/** Calls between two looks at the clock, which takes some hundredths of a microsecond itself. */
const callsPerLook = 16;

/** Lets tasks take turns, so many milliseconds each; a first turn, in which their code is compiled, does not count. */
export async function measureTasks(
  tasks: readonly Task[],
  rounds: number,
  milliseconds: number,
): Promise<Measured[]> {
  for (const { call } of tasks) microsecondsOf(call, milliseconds);
  const turns = tasks.map((task) => ({ task, microseconds: [] as number[] }));
  await inRounds(turns, rounds, async ({ task, microseconds }) => {
    microseconds.push(microsecondsOf(task.call, milliseconds));
  });
  return turns.map(({ task: { subject, condition }, microseconds }) => ({
    subject,
    condition,
    microseconds,
  }));
}

/** Microseconds of a call, when it is called again and again for this long. */
export function microsecondsOf(call: () => number, milliseconds: number): number {
  const begun = performance.now();
  let now = begun;
  let calls = 0;
  let sum = 0;
  do {
    for (let count = 0; count < callsPerLook; count++) sum += call();
    calls += callsPerLook;
    now = performance.now();
  } while (now - begun < milliseconds);
  if (Number.isNaN(sum)) throw new Error('a task has come to no number');
  return ((now - begun) * 1000) / calls;
}
