import { isObject } from './json.js';
import { Collected } from './measurement.js';
import { firstMessageOf } from './processes/child-program.js';
import { cores } from './processes/children.js';
import { inRounds } from './statistics.js';

/** Calls between two readings of the clock, which cost some hundredths of a microsecond. */
const callsPerClockRead = 16;

/** Runs tasks one after the other, `milliseconds` each, in rounds. A first round, which compiles them, does not count. */
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

/** Microseconds of a call that is repeated for this long. */
export function microsecondsOf(call: () => number, milliseconds: number): number {
  const begun = performance.now();
  let now = begun;
  let calls = 0;
  let sum = 0;
  do {
    for (let count = 0; count < callsPerClockRead; count++) sum += call();
    calls += callsPerClockRead;
    now = performance.now();
  } while (now - begun < milliseconds);
  if (Number.isNaN(sum)) throw new Error('a task has returned NaN');
  return ((now - begun) * 1000) / calls;
}

/** A function whose calls are measured within a process. */
export interface Task {
  readonly subject: string;
  readonly condition: string;
  /** Runs once. The results are added up, so that the compiler cannot remove the call. */
  readonly call: () => number;
}

/** The result of a task: µs of a call, one value a round. */
export interface Measured {
  readonly subject: string;
  readonly condition: string;
  readonly microseconds: readonly number[];
}

/** The figure of each task. */
export const perCall = 'µs a call';

/**
 * Runs a program that measures tasks in its own process. Returns their figures in its order.
 * @param figure the name of the figure, with its unit
 */
export async function runMicrobenchmark(
  command: readonly string[],
  figure: string = perCall,
): Promise<Collected[]> {
  const message = await firstMessageOf({ core: cores.server, command });
  if (!Array.isArray(message)) throw new Error('a list of what was measured was expected');
  return message.map((measured: unknown) => collect(measured, figure));
}

function collect(measured: unknown, figure: string): Collected {
  if (!isObject(measured) || !Array.isArray(measured.microseconds)) throw new Error('figures were expected');
  const collected = new Collected(String(measured.subject), String(measured.condition));
  for (const value of measured.microseconds) collected.add({ [figure]: Number(value) });
  return collected;
}
