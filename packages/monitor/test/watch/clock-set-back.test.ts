import { expect, onTestFinished, test } from 'vitest';
import { watching } from './watching.js';

const hour = 3_600_000;

test.each([
  { version: '1.5.0.0R', ago: hour },
  { version: '2.4.4.0R', ago: hour },
  { version: '2.4.4.0R', ago: 400 * 24 * hour },
])(
  'a clock of this computer that is set back keeps no trouble from the operator: $version, $ago ms',
  async ({ version, ago }) => {
    const { clock, scanner, monitor, conditions, entries } = await watching({ version });
    onTestFinished(() => monitor.close());
    await clock.advance(600);
    clock.set(clock.now() - ago);
    await clock.advance(30);
    const asked = scanner.asked.length;
    scanner.values.set('LocationName', 'moved');
    scanner.push('DeviceStatus', 7);
    await clock.advance(20);
    expect(conditions()).toEqual(['scanner1 begins device-status']);
    await clock.advance(400);
    expect(scanner.asked.length).toBeGreaterThan(asked + 100);
    expect(entries('parameter')).toHaveLength(1);
    scanner.push('DeviceStatus', 3);
    scanner.behaviour = 'refuses connections';
    scanner.dropListeners();
    clock.set(clock.now() - ago);
    await clock.advance(120);
    expect(conditions()).toContain('scanner1 begins unreachable');
    scanner.behaviour = 'answers';
    clock.set(clock.now() - ago);
    await clock.advance(120);
    expect(conditions().filter((each) => each.includes('begins'))).toEqual([
      'scanner1 begins device-status',
      'scanner1 begins unreachable',
    ]);
    expect(conditions()).toContain('scanner1 ends unreachable');
    expect(conditions()).toContain('scanner1 ends device-status');
  },
);
