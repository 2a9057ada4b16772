import { drip, expectEnd, open, openAndSend, read } from '@azimuth/test-support/raw-connection';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

const headersBegun = 'GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\nA: ';

test.each([
  ['that stop', () => {}],
  ['that drip', drip],
])('headers %s get HTTP 408', { timeout: 5000 }, async (_, goOn) => {
  const { httpPort } = await TestScanner.start({ web: { timeouts: { headers: 100 } } });
  const connection = await openAndSend(httpPort, headersBegun);
  void goOn(connection);
  await expectEnd(connection, 408);
});

test('clients that request thousands of responses and read none are closed, and others are served meanwhile', async () => {
  const scanner = await new ScannerFolder().start();
  const client = scanner.client();
  const connectionsOpen = async () => {
    const { text } = await client.send({ method: 'GET', path: '/metrics' });
    return Number(/^azimuth_connections (\d+)$/m.exec(text)?.[1]);
  };
  const connections = await Promise.all(Array.from({ length: 40 }, () => open(Number(scanner.httpPort))));
  for (const { socket } of connections) {
    socket.pause();
    socket.write(read.repeat(25_000));
  }
  await until(async () => {
    expect(await client.value('LocationName')).toBe('not defined');
    return (await connectionsOpen()) === 1;
  });
});
