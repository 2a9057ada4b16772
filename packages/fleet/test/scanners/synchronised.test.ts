import { Scanner } from '@azimuth/client';
import { SystemClock } from '@azimuth/device';
import { scannerFacts, someFleet, urlOf } from '@azimuth/test-support/some-fleet';
import { expect, test } from 'vitest';

test('synchronised scanners of a fleet have the same UTC, whenever they start', async () => {
  const some = await someFleet(scannerFacts(3, (number) => ({ synchronised: number < 3 })));
  const aheadOf = async (serial: string) => {
    // A scanner starts when it is needed.
    await new Scanner({ url: urlOf(some, serial) }).read('SerialNumber');
    const { device } = (await some.fleet.scanners.get(serial)?.started()) ?? {};
    if (device === undefined) throw new Error(`no scanner ${serial}`);
    const { uptime, telegramTime } = device.features;
    const zero = uptime.microsecondsAt(0);
    return telegramTime.offsetAt(uptime.microseconds) + zero;
  };
  const first = await aheadOf('1');
  await some.fleet.powerCycle(some.fleet.virtualMatching('2'));
  const second = await aheadOf('2');
  // µs by which UTC leads the clock of the process.
  const right = new SystemClock().utcAhead() * 1000;
  for (const ahead of [first, second]) expect(Math.abs(ahead - right)).toBeLessThan(1);
  expect(Math.abs(first - second)).toBeLessThan(1);
  expect(await aheadOf('3')).toBeLessThan(0);
});
