import { expect, vi } from 'vitest';
import type { MonitorClock } from '../../src/clock.js';
import { systemClock } from '../../src/clock.js';
import type { LogEntry } from '../../src/log/log-entry.js';
import { usualBounds } from '../../src/outputs/send-queue.js';

/** Waits until a check passes, also on a slow computer. */
export const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000 });

/** A clock with pauses of a hundredth: attempts follow each other at once. */
export const fastClock: MonitorClock = {
  now: () => systemClock.now(),
  pause: (milliseconds, signal) => systemClock.pause(milliseconds / 100, signal),
};

export const at = Date.UTC(2026, 5, 1, 12, 30, 15, 250);

/** A condition that begins. */
export function condition(changes: Partial<Extract<LogEntry, { kind: 'condition' }>> = {}): LogEntry {
  return {
    ...{ kind: 'condition', at, scanner: 'hall-a/gate1', serial: '23010001', change: 'begins' },
    ...{ condition: 'temperature', part: '', severity: 'warning', text: '61 °C inside, above 60 °C' },
    since: at - 60_000,
    ...changes,
  };
}

/** What all outputs need, and what they have reported. */
export function basics(name: string, bounds: Partial<typeof usualBounds> = {}) {
  const reports: string[] = [];
  return {
    reports,
    options: {
      ...{ name, clock: fastClock, filter: {}, random: () => 0 },
      report: (text: string) => {
        reports.push(text);
      },
      // An attempt has half a minute in spite of this clock.
      bounds: { ...usualBounds, attempt: 3_000_000, ...bounds },
    },
  };
}

/** Fails if any text has one of these secrets. */
export function expectNoSecrets(texts: readonly string[], ...secrets: readonly string[]): void {
  for (const secret of secrets) expect(texts.join('\n')).not.toContain(secret);
}
