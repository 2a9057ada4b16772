import { defaultLimits } from '../../src/conditions/limits.js';
import type { History } from '../../src/history/history.js';
import type { LogEntry } from '../../src/log/log-entry.js';
import { MemoryLog } from '../../src/log/memory-log.js';
import { Monitor, type MonitorOptions } from '../../src/monitor.js';
import { MemoryLastParameters } from '../../src/state/last-parameters.js';
import type { ScannerToWatch } from '../../src/watch/watched-scanner.js';
import { FakeScanner } from './fake-scanner.js';
import { TestClock } from './test-clock.js';

/** What a run of a monitor leaves to the next one. */
export interface Kept {
  readonly clock: TestClock;
  readonly store: MemoryLog;
  readonly lastParameters: MemoryLastParameters;
  /** What the monitor has reported about itself. */
  readonly errors: unknown[];
}

export function kept(): Kept {
  return {
    clock: new TestClock(),
    store: new MemoryLog(),
    lastParameters: new MemoryLastParameters(),
    errors: [],
  };
}

/** Starts a monitor on a clock that a test moves. */
export async function monitorOf(
  scanners: readonly (Partial<ScannerToWatch> & Pick<ScannerToWatch, 'scanner'>)[],
  of: Kept & Partial<MonitorOptions>,
): Promise<Monitor> {
  const monitor = new Monitor({
    outputs: [],
    scanners: scanners.map((each, index) => ({
      name: `scanner${index + 1}`,
      limits: defaultLimits,
      ...each,
    })),
    interval: 10,
    parameters: 300,
    random: () => 0.5,
    reportError: (error) => of.errors.push(error),
    ...of,
  });
  await monitor.start();
  return monitor;
}

/** A monitor of one scanner. */
export async function watching(
  options: Partial<Omit<ScannerToWatch, 'scanner'>> & {
    readonly version?: string;
    readonly interval?: number;
    readonly history?: History;
  } = {},
) {
  const parts = kept();
  const { version, interval = 10, history, ...of } = options;
  const scanner = new FakeScanner(parts.clock, { version });
  const monitor = await monitorOf([{ scanner, ...of }], {
    ...{ ...parts, interval, history, parameters: 30 * interval },
  });
  const entries = (kind: LogEntry['kind']) => parts.store.entries.filter((entry) => entry.kind === kind);
  return { ...parts, scanner, monitor, entries, conditions: () => conditionsIn(parts.store) };
}

/** The begins and ends in a log, short: `scanner1 begins unreachable`. */
export function conditionsIn({ entries }: Pick<MemoryLog, 'entries'>): readonly string[] {
  return entries.flatMap((entry) =>
    entry.kind === 'condition'
      ? [`${entry.scanner} ${entry.change} ${entry.condition}${entry.part === '' ? '' : ` ${entry.part}`}`]
      : [],
  );
}
