import { extensions } from '@azimuth/model';
import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { object, parse } from '@azimuth/test-support/json';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { responseTo, stamp, TimeServer } from '@azimuth/test-support/time-server';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

const moment = {
  uiYear: 2031,
  usiMonth: 5,
  usiDay: 17,
  usiHour: 8,
  usiMinute: 30,
  usiSec: 15,
  udiUSec: 0,
};

async function synchronised(timeServerPort: number) {
  const scanner = await TestScanner.start({ timeServerPort });
  const client = scanner.client();
  expectDone(await client.write('TSCTCSrvAddr', [127, 0, 0, 1]));
  expectDone(await client.write('TSCRole', 1));
  return { scanner, client };
}

test('with TSCRole the server is asked, LSPdatetime shows its time in the time zone, and cannot be set', async () => {
  const server = await TimeServer.responding();
  const { scanner, client } = await synchronised(server.port);
  const { device } = scanner.service;
  await until(() => device.features.synchronisation.state.Synchronised);
  expect(server.requests.map((request) => request[0])).toEqual([0x23]);
  // 12:00 UTC on 1 June 2030: 14:00 in Berlin, in summer.
  expect(await client.value('LSPdatetime')).toEqual({
    uiYear: 2030,
    usiMonth: 6,
    usiDay: 1,
    usiHour: 14,
    usiMinute: 0,
    usiSec: 0,
    udiUSec: 0,
  });
  expectData(await client.call('LSPsetdatetime', { DateTime: moment }), { ErrorCode: 1 });
  expectDone(await client.write('TSCTCtimezone', 70));
  expect(await client.value('LSPdatetime')).toMatchObject({ usiHour: 17, usiMinute: 30 });
  expectData(await client.call('WriteEeprom'), { Success: true });
  expect([await client.value('LastParaDate'), await client.value('LastParaTime')]).toEqual([
    '01.06.2030',
    '17:30',
  ]);
  expectDone(await client.write('TSCRole', 0));
  expectData(await client.call('LSPsetdatetime', { DateTime: moment }), { ErrorCode: 0 });
  expect(await client.value('LSPdatetime')).toEqual(moment);
});

test('the state is under /x/time and in the metrics', async () => {
  const server = await TimeServer.open((request, { port }, socket) => {
    const later = stamp(Date.UTC(2026, 0, 15, 12, 0, 1, 500));
    socket.send(responseTo(request, { received: later, sent: later, stratum: 3 }), port);
  });
  const { scanner, client } = await synchronised(server.port);
  await until(() => scanner.service.device.features.synchronisation.state.Synchronised);
  const reply = await client.send({ method: 'GET', path: '/x/time' });
  expect(object(object(object(parse(reply.text)).data).time)).toEqual({
    Role: 1,
    Synchronised: true,
    System: '',
    Server: [127, 0, 0, 1],
    Stratum: 3,
    Offset: 1500,
    RoundTrip: 0,
    LastExchange: Date.UTC(2026, 0, 15, 12, 0, 1, 500),
    NextExchange: 600,
    Missed: 0,
    Ptp: extensions.members.time.type.initial.Ptp,
    Fault: '',
  });
  const metrics = (await client.send({ method: 'GET', path: '/metrics' })).text;
  expect(metrics).toContain('\nazimuth_time_synchronised 1\n');
  expect(metrics).toContain('\nazimuth_time_offset_seconds 1.5\n');
});

test('locks and challenges do not change when the clock jumps by years', async () => {
  const server = await TimeServer.responding();
  const scanner = await TestScanner.start({ timeServerPort: server.port });
  const client = scanner.client();
  const header = await client.header('checkCredentials');
  expectDone(await client.write('TSCTCSrvAddr', [127, 0, 0, 1]));
  expectDone(await client.write('TSCRole', 1));
  await until(() => scanner.service.device.features.synchronisation.state.Synchronised);
  expectDone(await client.post('checkCredentials', { header }));
});

test('a server that cannot be reached is reported with a reason, and asked again', async () => {
  const scanner = await TestScanner.start({ timeServerPort: 123 });
  const client = scanner.client();
  expectDone(await client.write('TSCTCSrvAddr', [127, 255, 255, 255]));
  expectDone(await client.write('TSCRole', 1));
  const { synchronisation } = scanner.service.device.features;
  await until(() => synchronisation.state.Missed === 1);
  expect(synchronisation.state.Fault).toContain('127.255.255.255 cannot be asked');
  scanner.clock.advance(2000);
  await until(() => synchronisation.state.Missed === 2);
  expect(await client.value('TSCTCSrvAddr')).toEqual([127, 255, 255, 255]);
});
