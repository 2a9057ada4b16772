import type { Scanner } from '@azimuth/client';

/** Least time in ms between two values of an event in a recording. */
const throttle = 100;

/**
 * Passes on the events of a scanner until the signal ends it. It does not fail: a recording goes on without events.
 * @param problem gets the reason for which no events come
 */
export async function followEvents(
  scanner: Scanner,
  signal: AbortSignal,
  {
    event,
    problem,
  }: {
    readonly event: (event: { name: string; value: unknown; time: number }) => Promise<void>;
    readonly problem: (reason: string) => void;
  },
): Promise<void> {
  try {
    const known = await scanner.description.whole();
    const names = known.events.map(({ name }) => name).filter((name) => !known.lacks(name));
    for await (const { event: name, data, at } of scanner.eventsAny(names, { signal, throttle })) {
      await event({ name, value: data, time: at * 1000 });
    }
  } catch (error) {
    if (!signal.aborted) problem(error instanceof Error ? error.message : String(error));
  }
}
