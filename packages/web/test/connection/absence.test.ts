import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Absences } from '../../src/connection/absence.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a reboot is followed until the scanner is back, and then for a while', () => {
  const unreachable = signal(false);
  const absences = new Absences(() => unreachable.value);
  absences.expect('reboots');
  expect(absences.current.value).toMatchObject({ kind: 'leaving', reason: 'reboots' });
  unreachable.value = true;
  expect(absences.current.value?.kind).toBe('away');
  vi.advanceTimersByTime(30_000);
  unreachable.value = false;
  expect(absences.current.value).toMatchObject({ kind: 'back', seconds: 30 });
  vi.advanceTimersByTime(10_000);
  expect(absences.current.value).toBeUndefined();
});

test('a scanner that goes away unasked is no absence', () => {
  const unreachable = signal(false);
  const absences = new Absences(() => unreachable.value);
  unreachable.value = true;
  expect(absences.current.value).toBeUndefined();
});

test('an absence that was too short to be seen ends, too', () => {
  const absences = new Absences(() => false);
  absences.expect('reboots');
  vi.advanceTimersByTime(15_000);
  expect(absences.current.value?.kind).toBe('back');
});
