import { Client } from '@azimuth/test-support/client';
import { parse } from '@azimuth/test-support/json';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { Setup } from '@azimuth/test-support/streams/virtual-scanner';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, it } from 'vitest';

async function started() {
  const testScanner = await TestScanner.start({ controlPort: 0 });
  const advance = async (body: object) => {
    const request = { method: 'POST', path: '/clock/advance', body: JSON.stringify(body) };
    const reply = await new Client(testScanner.controlPort).send(request);
    return parse(reply.text);
  };
  return { testScanner, advance };
}

it('time that is skipped brings no scans; time that is measured brings all of them', async () => {
  const { testScanner, advance } = await started();
  const receiver = await UdpReceiver.open();
  await new Setup(testScanner.client()).send('scan', 'UDP', receiver.port);
  expect(await advance({ ms: 1000 })).toEqual({ ok: true });
  const { scans } = testScanner.service.device.features.measuring;
  expect(await advance({ ms: 1000, measure: true })).toEqual({ ok: true });
  expect(testScanner.service.device.features.measuring.scans - scans).toBe(15);
  const telegrams = await receiver.next(150);
  expect(telegrams).toHaveLength(150);
  expect(testScanner.clock.monotonic()).toBe(2000);
});

it('requests for measured time wait for each other', async () => {
  const { testScanner, advance } = await started();
  await Promise.all([advance({ ms: 70, measure: true }), advance({ ms: 30, measure: true })]);
  expect(testScanner.clock.monotonic()).toBe(100);
});

it('a boot ends in measured time', async () => {
  const { testScanner, advance } = await started();
  testScanner.service.device.lifecycle.powerCycle();
  await advance({ ms: 3000, measure: true });
  expect(testScanner.service.device.lifecycle.phase).toBe('up');
});

it('too much measured time, and a wrong word, are refused', async () => {
  const { testScanner, advance } = await started();
  expect(await advance({ ms: 600_001, measure: true })).toEqual({
    error: '"ms" must be a number from 0 to 600000 (10 minutes, if measured)',
  });
  expect(await advance({ ms: 1, measure: 'yes' })).toEqual({ error: '"measure" must be true or false' });
  expect(testScanner.clock.monotonic()).toBe(0);
});
