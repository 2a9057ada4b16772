import { dateAndSystemTime } from '@azimuth/model';
import { expect, test } from 'vitest';
import { atService, Bench } from '../../../../tests/support/device-test-bench.js';
import { FakeTimeServers, settled } from './fake-time-servers.js';

const { LSPdatetime, TSCRole } = dateAndSystemTime.members;

async function followed() {
  const servers = new FakeTimeServers();
  const bench = await Bench.open({ timeServers: servers });
  const seconds: string[] = [];
  const stop = bench.device.announcements.follow(LSPdatetime, () => {
    const { usiSec, udiUSec } = bench.device.read(LSPdatetime);
    seconds.push(`${usiSec}.${String(udiUSec).padStart(6, '0')}`);
  });
  await settled();
  return { bench, servers, seconds, stop };
}

test('LSPdatetime is announced as each second begins, while somebody follows it', async () => {
  const { bench, seconds, stop } = await followed();
  bench.clock.advance(300);
  expect(seconds).toEqual([]);
  bench.clock.advance(2700);
  expect(seconds).toEqual(['1.000000', '2.000000', '3.000000']);
  stop();
  bench.clock.advance(5000);
  expect(seconds).toHaveLength(3);
});

test('nothing is announced where nobody follows it', async () => {
  const bench = await Bench.open();
  let heard = 0;
  bench.device.announcements.subscribe((changed) => {
    if (changed.includes(LSPdatetime)) heard += 1;
  });
  await settled();
  bench.clock.advance(60_000);
  expect(heard).toBe(0);
});

test('it is announced when it is set, and by its new seconds from then on', async () => {
  const { bench, seconds } = await followed();
  bench.clock.advance(1250);
  await bench.respond('LSPsetdatetime', {
    DateTime: {
      uiYear: 2030,
      usiMonth: 1,
      usiDay: 1,
      usiHour: 0,
      usiMinute: 0,
      usiSec: 30,
      udiUSec: 900_000,
    },
  });
  bench.clock.advance(1100);
  expect(seconds).toEqual(['1.000000', '30.900000', '31.000000', '32.000000']);
});

test('it is announced when a server has moved it, and by the seconds of the server', async () => {
  const { bench, servers, seconds } = await followed();
  bench.device.write(TSCRole, 1, atService);
  await servers.tell(400);
  bench.clock.advance(1600);
  expect(seconds).toEqual(['0.400000', '1.000000', '2.000000']);
});

test('skipped time is told as one second', async () => {
  const { bench, seconds } = await followed();
  bench.device.skipTime(() => bench.clock.advance(400 * 24 * 3_600_000 + 30_500));
  expect(seconds).toEqual(['30.500000']);
  bench.clock.advance(1000);
  expect(seconds).toEqual(['30.500000', '31.000000']);
});

test('nothing is told while the scanner is down, nor after its end', async () => {
  const { bench, seconds } = await followed();
  bench.device.lifecycle.reboot();
  bench.clock.advance(1999);
  expect(seconds).toEqual([]);
  await bench.boot();
  bench.clock.advance(1001);
  expect(seconds.length).toBeGreaterThan(0);
  const before = seconds.length;
  await bench.device.close();
  bench.clock.advance(60_000);
  expect(seconds).toHaveLength(before);
});

test('a second is not announced again after the clock was set, which announces it', async () => {
  const bench = await Bench.open();
  const seconds: number[] = [];
  bench.device.announcements.follow(LSPdatetime, () => seconds.push(bench.device.read(LSPdatetime).usiSec));
  const DateTime = { uiYear: 2030, usiMonth: 1, usiDay: 1, usiHour: 0, usiMinute: 0, usiSec: 30, udiUSec: 0 };
  await bench.respond('LSPsetdatetime', { DateTime });
  await settled();
  expect(seconds).toEqual([30]);
});
