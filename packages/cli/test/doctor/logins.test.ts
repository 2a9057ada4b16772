import type { LoginLevel } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { triedLogins } from '../../src/doctor/logins.js';
import type { LoginResult } from '../../src/doctor/observation.js';

/** A scanner with these passwords; it records the maximum number of failed logins in a row. */
function scannerWith(passwords: Partial<Record<LoginLevel, string>>) {
  let row = 0;
  const counted = { attempts: 0, mostInRow: 0, row: () => row };
  const attempt = async (level: LoginLevel, password: string): Promise<LoginResult> => {
    counted.attempts++;
    if (row >= 5) return 'locked';
    row = passwords[level] === password ? 0 : row + 1;
    counted.mostInRow = Math.max(counted.mostInRow, row);
    return row === 0 ? 'in' : 'denied';
  };
  return { counted, attempt };
}

describe('logins', () => {
  test('only the given one is tried, once', async () => {
    const { attempt, counted } = scannerWith({ Service: 'secret' });
    expect(
      await triedLogins({ given: { level: 'Service', password: 'wrong' }, factory: false }, attempt),
    ).toEqual({
      given: { level: 'Service', result: 'denied', isFactory: false },
      factory: new Map(),
    });
    expect(counted.attempts).toBe(1);
  });

  test('never fail twice in a row, and end with a right one', async () => {
    const { attempt, counted } = scannerWith({ Service: 'secret', Maintenance: 'main' });
    const { factory } = await triedLogins(
      { given: { level: 'Service', password: 'secret' }, factory: true },
      attempt,
    );
    expect([...factory]).toEqual([
      ['Service', 'denied'],
      ['AuthorizedClient', 'denied'],
      ['Maintenance', 'in'],
    ]);
    expect(counted.mostInRow).toBe(1);
    expect(counted.row()).toBe(0);
  });

  test('stop after the first wrong one if no right one is known', async () => {
    const { attempt, counted } = scannerWith({ Service: 'secret' });
    const { factory, stopped } = await triedLogins({ factory: true }, attempt);
    expect([...factory]).toEqual([['Service', 'denied']]);
    expect(stopped).toContain('no more were tried');
    expect(counted.attempts).toBe(1);
  });

  test('try no factory password after a given one that was wrong', async () => {
    const { attempt, counted } = scannerWith({ Service: 'secret' });
    await triedLogins({ given: { level: 'Service', password: 'wrong' }, factory: true }, attempt);
    expect(counted.attempts).toBe(1);
  });

  test('use a factory password that works to end the row', async () => {
    const { attempt, counted } = scannerWith({ Service: 'servicelevel' });
    const { factory } = await triedLogins({ factory: true }, attempt);
    expect([...factory.values()]).toEqual(['in', 'denied', 'denied']);
    expect(counted.mostInRow).toBe(1);
    expect(counted.row()).toBe(0);
  });
});
