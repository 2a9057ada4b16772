import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { dataOf } from '@azimuth/test-support/client';
import { expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { firmware, signer } from '@azimuth/test-support/firmware';
import { string } from '@azimuth/test-support/json';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { openSocket, Subscriber } from '@azimuth/test-support/subscriber';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, it } from 'vitest';

describe('a reboot', () => {
  it('closes event connections, and new ones work afterwards', async () => {
    const scanner = await new ScannerFolder().start();
    const port = Number(scanner.httpPort);
    const following = await Subscriber.connect(port);
    await following.follow('DeviceStatus');
    const idle = await openSocket(port, { extensions: 'permessage-deflate' });
    const own = await openSocket(port, { path: '/x/events' });
    // It neither answers a close frame nor closes anything itself.
    const stubborn = await openSocket(port, { silent: true });
    await scanner.throughReboot(async () => {
      expectDone(await scanner.client().call('RebootDevice'));
      await Promise.all([following.socket.closed, idle.closed, own.closed, stubborn.closed]);
    });
    const again = await Subscriber.connect(port);
    expect(await again.follow('DeviceStatus')).toEqual({ DeviceStatus: 3 });
    await scanner.setTemperature(60);
    await again.follow('CurrentTempDev');
    await scanner.setTemperature(61);
    expect(await again.push('CurrentTempDev')).toEqual({ CurrentTempDev: 61 });
  });

  it('after a firmware update: UpdateState is pushed until its end', async () => {
    const scannerFolder = new ScannerFolder();
    const keyFile = `${scannerFolder.folder}/key.pem`;
    const key = signer(keyFile);
    const scanner = await scannerFolder.start(['--firmware', '2.3.1', '--firmware-key', keyFile]);
    const client = scanner.client();
    const token = string(dataOf(await client.call('CreateSessionToken')).token);
    const headers = { 'Content-Type': 'application/octet-stream', 'X-Session-Token': token };
    const put = { method: 'PUT', path: '/api/update', headers, body: firmware({ key }) };
    expectDone(await client.send(put));
    const subscriber = await Subscriber.connect(client.port);
    expect(await subscriber.follow('UpdateState')).toEqual({ UpdateState: 0 });
    await subscriber.follow('DeviceStatus');
    expectDone(await client.call('RunFirmwareUpdate'));
    expect(await subscriber.push('UpdateState')).toEqual({ UpdateState: 1 });
    expect(await subscriber.push('DeviceStatus')).toEqual({ DeviceStatus: 2 });
    await until(async () => {
      await scanner.advance(250);
      return (await client.value('UpdateState')) !== 1;
    });
    expect(await subscriber.push('UpdateState')).toEqual({ UpdateState: 2 });
    await scanner.throughReboot(() => scanner.advance(2000));
    await subscriber.socket.closed;
    const again = await Subscriber.connect(client.port);
    expect(await again.follow('UpdateState')).toEqual({ UpdateState: 0 });
  });
});

describe('over TLS', () => {
  it('events are the same at the port of HTTPS', async () => {
    const scanner = await new ScannerFolder().start();
    const leaf = issue();
    const tls = { ca: leaf.certificate, servername: 'localhost' };
    expectStatus(await scanner.client().call('setCertificateBundle', bundleOf([leaf])), 0);
    for (const path of ['/apievents', '/api/apievents', '/x/events']) {
      const socket = await openSocket(scanner.httpsPort, { tls, path });
      await socket.pingPong();
    }
    const subscriber = await Subscriber.connect(scanner.httpsPort, { tls, extensions: 'permessage-deflate' });
    expect(await subscriber.follow('PortState')).toEqual(
      dataOf(await scanner.client({ tls }).get('PortState')),
    );
    await subscriber.follow('CurrentTempDev');
    await scanner.setTemperature(60);
    expect(await subscriber.push('CurrentTempDev')).toEqual({ CurrentTempDev: 60 });
    expectStatus(await scanner.client({ tls }).call('removeCertificateBundle'), 0);
    expect(await scanner.client().value('DeviceStatus')).toBe(3);
  });
});
