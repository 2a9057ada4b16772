import { dateAndSystemTime } from '@azimuth/model';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';
import { FakeTimeServers, flushPromises } from './fake-time-servers.js';

const { LSPdatetime, TSCRole } = dateAndSystemTime.members;

async function followed() {
  const servers = new FakeTimeServers();
  const testDevice = await TestDevice.open({ timeServers: servers });
  const seconds: string[] = [];
  const stop = testDevice.device.follow(LSPdatetime, () => {
    const { usiSec, udiUSec } = testDevice.device.read(LSPdatetime);
    seconds.push(`${usiSec}.${String(udiUSec).padStart(6, '0')}`);
  });
  await flushPromises();
  return { testDevice, servers, seconds, stop };
}

test('LSPdatetime is announced as each second begins, while it is followed', async () => {
  const { testDevice, seconds, stop } = await followed();
  testDevice.clock.advance(300);
  expect(seconds).toEqual([]);
  testDevice.clock.advance(2700);
  expect(seconds).toEqual(['1.000000', '2.000000', '3.000000']);
  stop();
  testDevice.clock.advance(5000);
  expect(seconds).toHaveLength(3);
});

test('nothing is announced while it is not followed', async () => {
  const testDevice = await TestDevice.open();
  let heard = 0;
  testDevice.device.announcements.subscribe((changed) => {
    if (changed.includes(LSPdatetime)) heard += 1;
  });
  await flushPromises();
  testDevice.clock.advance(60_000);
  expect(heard).toBe(0);
});

test('it is announced when it is set, and by its new seconds from then on', async () => {
  const { testDevice, seconds } = await followed();
  testDevice.clock.advance(1250);
  await testDevice.respond('LSPsetdatetime', {
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
  testDevice.clock.advance(1100);
  expect(seconds).toEqual(['1.000000', '30.900000', '31.000000', '32.000000']);
});

test('it is announced when a server has moved it, and by the seconds of the server', async () => {
  const { testDevice, servers, seconds } = await followed();
  testDevice.device.write(TSCRole, 1, atService);
  await servers.respondWithTime(400);
  testDevice.clock.advance(1600);
  expect(seconds).toEqual(['0.400000', '1.000000', '2.000000']);
});

test('skipped time is announced as one second', async () => {
  const { testDevice, seconds } = await followed();
  testDevice.device.lifecycle.skipTime(() => testDevice.clock.advance(400 * 24 * 3_600_000 + 30_500));
  expect(seconds).toEqual(['30.500000']);
  testDevice.clock.advance(1000);
  expect(seconds).toEqual(['30.500000', '31.000000']);
});

test('nothing is announced while the scanner is down, nor after its end', async () => {
  const { testDevice, seconds } = await followed();
  testDevice.device.lifecycle.reboot();
  testDevice.clock.advance(1999);
  expect(seconds).toEqual([]);
  await testDevice.boot();
  testDevice.clock.advance(1001);
  expect(seconds.length).toBeGreaterThan(0);
  const before = seconds.length;
  await testDevice.device.close();
  testDevice.clock.advance(60_000);
  expect(seconds).toHaveLength(before);
});

test('a second is not announced again after the clock was set, which announces it', async () => {
  const testDevice = await TestDevice.open();
  const seconds: number[] = [];
  testDevice.device.follow(LSPdatetime, () => seconds.push(testDevice.device.read(LSPdatetime).usiSec));
  const DateTime = { uiYear: 2030, usiMonth: 1, usiDay: 1, usiHour: 0, usiMinute: 0, usiSec: 30, udiUSec: 0 };
  await testDevice.respond('LSPsetdatetime', { DateTime });
  await flushPromises();
  expect(seconds).toEqual([30]);
});
