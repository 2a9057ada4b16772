import { Scanner } from '@azimuth/client';
import { ScannerService } from '@azimuth/server';
import { type SomeFleet, scannerFacts, someFleet, urlOf } from '@azimuth/test-support/some-fleet';
import { until } from '@azimuth/test-support/waiting';
import { expect, test, vi } from 'vitest';
import { follow } from '../followed-events.js';

const password = 'servicelevel';

function scannerOf(some: SomeFleet, serial: string): Scanner {
  return new Scanner({ url: urlOf(some, serial), password });
}

test('the events of a fleet are the power-ons, power-offs, starts, rests and failures of its scanners', async () => {
  const some = await someFleet(scannerFacts(3), { restAfter: 20 });
  const { next } = await follow(some);
  const one = { serialNumber: '1', group: 'hall' };
  await scannerOf(some, '1').read('SerialNumber');
  expect((await next(2)).slice(0, 2)).toEqual([
    { ...one, event: 'started' },
    { ...one, event: 'rests' },
  ]);
  await some.fleet.powerCycle(some.fleet.virtualMatching('2'));
  vi.spyOn(ScannerService, 'start').mockRejectedValueOnce(new Error('no memory'));
  await scannerOf(some, '3')
    .read('SerialNumber')
    .catch(() => undefined);
  expect((await next(5)).slice(2)).toEqual([
    { ...one, serialNumber: '2', event: 'power-off' },
    { ...one, serialNumber: '2', event: 'power-on' },
    { ...one, serialNumber: '3', event: 'failed', reason: 'no memory' },
  ]);
});

test('scanners that run add saves, unsaved changes, reboots, faults and states, and a pattern chooses the scanners', async () => {
  const some = await someFleet(scannerFacts(2));
  const [scanner, other] = [scannerOf(some, '1'), scannerOf(some, '2')];
  await scanner.read('SerialNumber');
  const { all, next } = await follow(some, '?q=1');
  const names = () => all().map(({ event }) => event);
  await other.write('LocationName', 'of another one');
  await scanner.write('LocationName', 'new');
  await until(() => names().includes('unsaved'));
  await scanner.call('WriteEeprom');
  await until(() => names().length === 3);
  const simulate = (path: string, body: object) =>
    fetch(`${urlOf(some, '1')}/x/sim/${path}`, { method: 'POST', body: JSON.stringify(body) });
  await simulate('faults', { faults: [{ kind: 'device-status', status: 7 }] });
  await until(() => names().includes('fault-begins'));
  await simulate('faults/clear', {});
  await until(() => names().includes('fault-over'));
  await scanner.call('RebootDevice');
  await until(() => names().includes('up'));
  const events = await next(1);
  const one = { serialNumber: '1', group: 'hall' };
  expect(new Set(events.map(({ serialNumber }) => serialNumber))).toEqual(new Set(['1']));
  for (const event of [
    { event: 'unsaved', parameters: 1 },
    { event: 'saved' },
    { event: 'unsaved', parameters: 0 },
    { event: 'fault-begins', id: 1, kind: 'device-status' },
    { event: 'value', name: 'DeviceStatus', value: 7 },
    { event: 'fault-over', id: 1, kind: 'device-status' },
    { event: 'value', name: 'DeviceStatus', value: 3 },
    { event: 'reboots' },
    { event: 'up' },
  ])
    expect(events).toContainEqual({ ...one, ...event });
});

test('a scanner is watched once for all followers and not without one, and there are at most 64', async () => {
  const some = await someFleet(scannerFacts(2));
  const service = await some.fleet.scanners.get('1')?.started();
  if (service === undefined) throw new Error('there are two');
  const { announcements } = service.device;
  let watching = 0;
  const subscribe = announcements.subscribe.bind(announcements);
  vi.spyOn(announcements, 'subscribe').mockImplementation((listener) => {
    watching++;
    const end = subscribe(listener);
    return () => {
      watching--;
      end();
    };
  });
  const followers = await Promise.all(Array.from({ length: 64 }, () => follow(some)));
  const refused = await fetch(`${some.url}/fleet/events`);
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('64 programs')]);
  expect(watching).toBe(1);
  await Promise.all(followers.map(({ end }) => end()));
  await until(() => some.fleet.events.followers === 0);
  expect(watching).toBe(0);
});

test('what a field evaluation sees is an event, as the detection history of the scanner has it', async () => {
  const some = await someFleet(scannerFacts(1));
  const { all } = await follow(some, '?q=1');
  const detections = () => all().filter(({ event }) => event === 'detection');
  await scannerOf(some, '1').read('SerialNumber');
  const corners = [
    { x: 200, y: -2000 },
    { x: 9000, y: -2000 },
    { x: 9000, y: 2000 },
    { x: 200, y: 2000 },
  ];
  const evaluations = [{ Id: 3, Name: 'door', Points: corners }];
  await scannerOf(some, '1').writeAny('x/fields', { evaluations, groups: [{ Id: 1, Evaluations: [3] }] });
  await until(() => detections().length > 0);
  expect(detections()[0]).toMatchObject({
    serialNumber: '1',
    detection: { EvaluationId: 3, Name: 'door' },
  });
});
