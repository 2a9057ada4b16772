import { expectStatus } from '@azimuth/test-support/envelope';
import { metric, openFiles } from '@azimuth/test-support/health';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { Subscriber } from '@azimuth/test-support/subscriber';
import { until } from '@azimuth/test-support/waiting';
import { WebSocketClient } from '@azimuth/test-support/web-socket';
import { expect, it, onTestFinished } from 'vitest';

it('a thousand event connections that register and break off leave no memory, files or registrations behind', async () => {
  const scanner = await new ScannerFolder().start();
  const port = Number(scanner.httpPort);
  const round = async (count: number) => {
    const subscribers = await Promise.all(
      Array.from({ length: count }, async () => {
        const subscriber = new Subscriber(await WebSocketClient.open(port));
        onTestFinished(() => subscriber.socket.destroy());
        await subscriber.follow('LSPdatetime');
        await subscriber.follow('InertialMeasurementUnit', 2, {
          throttle: { minOutputIntervalMs: 60_000 },
        });
        return subscriber;
      }),
    );
    const connections = async () => metric(scanner, 'azimuth_connections');
    await until(async () => (await connections()) === count + 1);
    const files = openFiles(scanner);
    for (const { socket } of subscribers) socket.destroy();
    return files;
  };
  // What is opened once and kept.
  await round(1);
  await until(async () => (await metric(scanner, 'azimuth_connections')) === 1);
  const before = openFiles(scanner);
  for (let time = 0; time < 2; time += 1) {
    expect(await round(500)).toBeGreaterThanOrEqual(500);
    await until(async () => (await metric(scanner, 'azimuth_connections')) === 1);
    // A few files come and go with requests for metrics and the like.
    await until(() => openFiles(scanner) <= before + 3);
  }
  await scanner.advance(60_000);
  expectStatus(await scanner.client().get('DeviceStatus'), 0);
  const next = await Subscriber.connect(port);
  await next.follow('LSPdatetime');
});
