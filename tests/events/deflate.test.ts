import { events } from '@azimuth/test-support/event-names';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { SceneScanner } from '@azimuth/test-support/scene-scanner';
import { openSocket, Subscriber } from '@azimuth/test-support/subscriber';
import { describe, expect, it } from 'vitest';

const plain = 'permessage-deflate';

describe('permessage-deflate', () => {
  it.each([
    { offer: plain, most: 10 },
    { offer: `${plain}; client_max_window_bits`, most: 10 },
    { offer: `${plain}; server_no_context_takeover; client_no_context_takeover`, most: 10 },
    { offer: `${plain}; server_max_window_bits=10`, most: 10 },
    { offer: `${plain}; server_max_window_bits=9; client_max_window_bits=9`, most: 9 },
    { offer: `${plain}; server_max_window_bits=12, ${plain}`, most: 10 },
  ])('is accepted for the offer "$offer" and used as agreed', async ({ offer, most }) => {
    const scanner = await SceneScanner.start();
    const subscriber = await Subscriber.connect(scanner.testScanner.httpPort, { extensions: offer });
    const { extensions = '', received, socket } = subscriber.socket;
    const windowBits = Number(/server_max_window_bits=(\d+)/.exec(extensions)?.[1]);
    expect(windowBits).toBeLessThanOrEqual(most);
    if (offer.includes('server_no_context')) expect(extensions).toContain('server_no_context_takeover');
    if (!offer.includes('client_max')) expect(extensions).not.toContain('client_max_window_bits');
    const handshake = socket.bytesRead;
    for (const event of events) expect(await subscriber.follow(event)).toEqual(await scanner.data(event));
    for (let celsius = 30; celsius < 60; celsius += 1) {
      await scanner.control('/temperature', { celsius });
      await scanner.drive(1, celsius % 2 === 0);
      scanner.pass(10);
    }
    const told = await subscriber.pushes('CurrentTempDev');
    expect(told).toHaveLength(30);
    // The same list of eight ports again and again.
    expect(received.filter(({ data }) => data.includes('"PortState"')).length).toBeGreaterThan(30);
    const length = received.reduce((sum, { data }) => sum + data.length, 0);
    expect(socket.bytesRead - handshake).toBeLessThan(length / 2);
  });

  it('decompresses messages of a client', async () => {
    const scanner = await SceneScanner.start();
    const subscriber = await Subscriber.connect(scanner.testScanner.httpPort, { extensions: plain });
    await subscriber.socket.sendCompressed('{"type":"register","event":"DeviceStatus","clientId":3}');
    expect(await subscriber.rest()).toEqual([
      { type: 'register', event: 'DeviceStatus', clientId: 3, status: 0, data: { DeviceStatus: 3 } },
    ]);
  });

  it.each([
    'permessage-bzip2',
    'x-webkit-deflate-frame',
    `${plain}; server_max_window_bits=99`,
    `${plain}; server_max_window_bits=7`,
    `${plain}; server_max_window_bits`,
    `${plain}; client_max_window_bits=0`,
    `${plain}; server_no_context_takeover=1`,
    `${plain}; server_no_context_takeover; server_no_context_takeover`,
    `${plain}; unknown`,
    `${plain};`,
    `${plain}; server_max_window_bits="10`,
    ';;==,,',
  ])('the invalid offer "%s" is declined, and the connection goes on without it', async (extensions) => {
    const scanner = await SceneScanner.start();
    const subscriber = await Subscriber.connect(scanner.testScanner.httpPort, { extensions });
    expect(subscriber.socket.extensions).toBeUndefined();
    expect(await subscriber.follow('DeviceStatus')).toEqual(await scanner.data('DeviceStatus'));
  });

  it('a valid offer behind an invalid one is accepted', async () => {
    const scanner = await SceneScanner.start();
    const extensions = `${plain}; server_max_window_bits=99, x-else, ${plain}; client_max_window_bits`;
    const subscriber = await Subscriber.connect(scanner.testScanner.httpPort, { extensions });
    expect(subscriber.socket.extensions).toContain(plain);
    expect(await subscriber.follow('DeviceStatus')).toEqual(await scanner.data('DeviceStatus'));
  });

  it('is optional: a client without it is served', async () => {
    const scanner = await SceneScanner.start();
    const subscriber = await Subscriber.connect(scanner.testScanner.httpPort);
    expect(subscriber.socket.extensions).toBeUndefined();
    for (const event of events) await subscriber.follow(event);
    await scanner.control('/temperature', { celsius: 40 });
    await subscriber.push('CurrentTempDev');
  });
});

describe('--strict-events', () => {
  const register = (event: string) => JSON.stringify({ type: 'register', event, clientId: 1 });

  it('requires permessage-deflate and 200 ms between registrations, like a device', async () => {
    const scanner = await new ScannerFolder().start(['--strict-events']);
    const port = Number(scanner.httpPort);

    const without = await openSocket(port);
    without.send(register('DeviceStatus'));
    expect(await without.closed).toMatchObject({ code: 1002, reset: false });
    expect(without.received).toEqual([]);

    const hasty = await Subscriber.connect(port, { extensions: plain });
    await hasty.follow('DeviceStatus');
    hasty.socket.send(register('LSPdatetime'));
    expect(await hasty.socket.closed).toEqual({ code: undefined, reason: '', reset: true });
    expect(hasty.socket.received).toHaveLength(1);
    const burst = await openSocket(port, { extensions: plain });
    for (const event of events) burst.send(register(event));
    expect((await burst.closed).code).toBeUndefined();
    expect(burst.received.length).toBeLessThan(2);

    const patient = await Subscriber.connect(port, { extensions: plain });
    for (const event of ['DeviceStatus', 'SCdevicestate', 'UpdateState', 'CurrentTempDev']) {
      await patient.follow(event);
      // The distance that a device demands, counted from an answer on.
      await scanner.advance(201);
    }
    await scanner.setTemperature(60);
    expect(await patient.push('CurrentTempDev')).toEqual({ CurrentTempDev: 60 });
    expect(await scanner.client().value('DeviceStatus')).toBe(3);
  });
});
