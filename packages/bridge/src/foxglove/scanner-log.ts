import { pause } from '@azimuth/async';
import { currentValues, NoEventsError } from '@azimuth/client';
import { sameJson } from '@azimuth/model';
import type { BridgedScanner } from '../scanners/bridged-scanner.js';
import { WhileWanted } from '../scanners/while-wanted.js';
import { type LogEntry, loggedEvents, logLevel } from './log-messages.js';

/** Time in ms between two reads of a scanner that pushes no events. */
const readInterval = 2000;

const names = Object.keys(loggedEvents);

/** Makes work that tells what happens to a scanner: its events, and when it does not answer. */
export function logWhileWanted(scanner: BridgedScanner, onEntry: (entry: LogEntry) => void): WhileWanted {
  const last = new Map<string, unknown>();
  const tell = (name: string, value: unknown) => {
    if (last.has(name) && sameJson(last.get(name), value)) return;
    last.set(name, value);
    const entry = loggedEvents[name]?.(value);
    if (entry !== undefined) onEntry(entry);
  };
  let failure: string | undefined;
  return new WhileWanted({
    work: async (signal, works) => {
      try {
        const onState = (state: string) => (state === 'lost' ? undefined : works());
        const options = { signal, reconnect: false, onMissing: () => undefined, onState };
        for await (const { event, data } of scanner.scanner.eventsAny(names, options)) tell(event, data);
      } catch (error) {
        if (!(error instanceof NoEventsError)) throw error;
        await readAgain(scanner, signal, works, tell);
      }
    },
    onState: (now) => {
      if (now !== undefined && failure === undefined)
        onEntry({ level: logLevel.warning, message: `The scanner tells nothing: ${now}` });
      if (now === undefined && failure !== undefined)
        onEntry({ level: logLevel.info, message: 'The scanner answers again' });
      failure = now;
    },
  });
}

async function readAgain(
  { scanner }: BridgedScanner,
  signal: AbortSignal,
  works: () => void,
  tell: (name: string, value: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    for (const [name, value] of await currentValues(scanner, names)) tell(name, value);
    works();
    await pause(readInterval, signal);
  }
}
