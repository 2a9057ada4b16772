import { acceptedSockets } from '@azimuth/test-support/accepted-sockets';
import { bootMilliseconds, TestScanner } from '@azimuth/test-support/test-scanner';
import { promisesSettled, until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { longestFrameTime } from '../../src/legacy/limits.js';
import { binaryFrame, hex, LegacyWire, loginHash, textFrame } from './legacy-wire.js';

const service = `sMN SetAccessMode 4 ${loginHash.Service}`;

describe('data in pieces', () => {
  test('is joined, byte by byte', async () => {
    const scanner = await TestScanner.start();
    const wire = await LegacyWire.open(scanner.portA);
    for (const frame of [textFrame('sRN SCdevicestate'), binaryFrame('sRN SCdevicestate')]) {
      for (const byte of frame) wire.write(Buffer.of(byte));
    }
    expect(await wire.text()).toBe('sRA SCdevicestate 1');
    expect((await wire.binary()).toString('latin1')).toBe('sRA SCdevicestate \u0001');
  });

  test('is split and answered in order, thousands of requests at a time, in both encodings', async () => {
    const scanner = await TestScanner.start();
    const wire = await LegacyWire.open(scanner.portB);
    const frames = Array.from({ length: 3000 }, (_, index) =>
      textFrame(index % 2 === 0 ? 'sRN SCdevicestate' : 'sRN FREchoFilter'),
    );
    wire.write(Buffer.concat(frames));
    for (let index = 0; index < 3000; index++) {
      expect(await wire.text()).toBe(index % 2 === 0 ? 'sRA SCdevicestate 1' : 'sRA FREchoFilter 1');
    }
  });

  test('is found after garbage', async () => {
    const scanner = await TestScanner.start();
    const wire = await LegacyWire.open(scanner.portA);
    wire.write(Buffer.from('some words\r\n\r\n\u0002\u0002garbage'));
    const damaged = binaryFrame('sRN FREchoFilter');
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
    wire.write(damaged);
    wire.write(textFrame('sRN SCdevicestate'));
    expect((await wire.binary()).toString('hex'), 'the damaged one').toBe('7346410005');
    expect(await wire.text()).toBe('sRA SCdevicestate 1');
  });

  test('is found within a frame that does not end in time, without a long delay', async () => {
    const scanner = await TestScanner.start();
    const wire = await LegacyWire.open(scanner.portB);
    wire.write(hex('02 02 02 02 00 01 00 00'));
    wire.write(Buffer.concat([binaryFrame('sRN SCdevicestate'), textFrame('sRN FREchoFilter')]));
    const asked = wire.binary();
    await until(() => {
      scanner.clock.advance(longestFrameTime / 4);
      return wire.received.length > 0;
    });
    expect((await asked).toString('hex'), 'the frame without an end').toBe('7346410008');
    expect((await wire.binary()).toString('latin1')).toBe('sRA SCdevicestate \u0001');
    expect(await wire.text()).toBe('sRA FREchoFilter 1');
    expect(await wire.ask('sRN FREchoFilter')).toBe('sRA FREchoFilter 1');
  });

  test('is waited for if its end comes in time', async () => {
    const scanner = await TestScanner.start();
    const wire = await LegacyWire.open(scanner.portB);
    const frame = binaryFrame('sRN SCdevicestate');
    for (const part of [frame.subarray(0, 12), frame.subarray(12)]) {
      wire.write(part);
      scanner.clock.advance(longestFrameTime / 2 - 1);
    }
    expect((await wire.binary()).toString('latin1')).toBe('sRA SCdevicestate \u0001');
  });

  test('that is too long is refused in order and in its encoding', async () => {
    const scanner = await TestScanner.start();
    const wire = await LegacyWire.open(scanner.portA);
    const tooLong = hex('02 02 02 02 00 01 00 01');
    wire.write(
      Buffer.concat([textFrame('sRN FREchoFilter'), tooLong, tooLong, textFrame('sRN SCdevicestate')]),
    );
    expect(await wire.text()).toBe('sRA FREchoFilter 1');
    expect((await wire.binary()).toString('hex')).toBe('7346410007');
    expect(await wire.text()).toBe('sRA SCdevicestate 1');
  });
});

test('requests after a slow one wait, and see its effects', async () => {
  const scanner = await TestScanner.start();
  const wire = await LegacyWire.open(scanner.portA);
  wire.write(
    Buffer.concat(
      [service, 'sWN LocationName 1 x', 'sMN mEEwriteall', 'sRN LocationName', 'sMN Run'].map(textFrame),
    ),
  );
  for (const answer of [
    'sAN SetAccessMode 1',
    'sWA LocationName',
    'sAN mEEwriteall 1',
    'sRA LocationName 1 x',
    'sAN Run 1',
  ]) {
    expect(await wire.text()).toBe(answer);
  }
});

test('a client that closes its sending side gets all answers, and is then closed', async () => {
  const scanner = await TestScanner.start();
  const wire = await LegacyWire.open(scanner.portA);
  wire.socket.end(Buffer.concat([service, 'sMN mEEwriteall', 'sRN SCdevicestate'].map(textFrame)));
  expect(await wire.text()).toBe('sAN SetAccessMode 1');
  expect(await wire.text()).toBe('sAN mEEwriteall 1');
  expect(await wire.text()).toBe('sRA SCdevicestate 1');
  await wire.closed;
});

test('the scanner stops reading from a client that does not read its answers, and serves others', async () => {
  const scanner = await TestScanner.start();
  const accepted = acceptedSockets();
  const wire = await LegacyWire.open(scanner.portA);
  // The system accepts nothing more for it, as it does once some MiB fill the buffers of both ends.
  const [theirs] = accepted;
  theirs?.cork();
  const many = Buffer.concat(Array.from({ length: 20_000 }, () => textFrame('sRN PortConfiguration')));
  let taken = true;
  for (let round = 0; round < 40 && taken; round++) {
    taken = wire.socket.write(many) || (await Promise.race([drained(wire), other(scanner)]));
  }
  expect(taken).toBe(false);
  expect(theirs?.writableLength).toBeLessThan(1_000_000);
});

const drained = (wire: LegacyWire) =>
  new Promise<boolean>((resolve) => {
    wire.socket.once('drain', () => resolve(true));
  });

/** Several hundred requests of another client: nothing was accepted for so long. */
async function other(scanner: TestScanner): Promise<boolean> {
  const wire = await LegacyWire.open(scanner.portA);
  for (let count = 0; count < 300; count++) await wire.ask('sRN SCdevicestate');
  return false;
}

describe('a level', () => {
  test('belongs to its session, and ends with it', async () => {
    const scanner = await TestScanner.start();
    const [one, two] = [await LegacyWire.open(scanner.portA), await LegacyWire.open(scanner.portA)];
    expect(await one.ask(service)).toBe('sAN SetAccessMode 1');
    expect(await two.ask('sWN FREchoFilter 0')).toBe('sFA A');
    expect(await one.ask('sWN FREchoFilter 0')).toBe('sWA FREchoFilter');
    one.socket.destroy();
    const three = await LegacyWire.open(scanner.portA);
    expect(await three.ask('sWN FREchoFilter 1')).toBe('sFA A');
  });

  test('stays if another login fails, and Run ends it', async () => {
    const scanner = await TestScanner.start();
    const wire = await LegacyWire.open(scanner.portA);
    await wire.ask(service);
    expect(await wire.ask('sMN SetAccessMode 4 12345678')).toBe('sAN SetAccessMode 0');
    expect(await wire.ask('sMN SetAccessMode 1 12345678')).toBe('sAN SetAccessMode 0');
    expect(await wire.ask('sMN CheckPassword 4 81BE23AA')).toBe('sAN CheckPassword 1');
    expect(await wire.ask('sMN CheckPassword 3 81BE23AA')).toBe('sAN CheckPassword 0');
    expect(await wire.ask('sWN FREchoFilter 0')).toBe('sWA FREchoFilter');
    expect(await wire.ask('sMN checkCredentials')).toBe('sAN checkCredentials');
    expect(await wire.ask('sMN SetAccessMode 0 0')).toBe('sAN SetAccessMode 1');
    expect(await wire.ask('sWN FREchoFilter 0')).toBe('sFA A');
  });

  test('is not granted by CheckPassword', async () => {
    const scanner = await TestScanner.start();
    const wire = await LegacyWire.open(scanner.portA);
    expect(await wire.ask('sMN CheckPassword 4 81BE23AA')).toBe('sAN CheckPassword 1');
    expect(await wire.ask('sWN FREchoFilter 0')).toBe('sFA A');
  });

  test('is switched on and off by EnableLegacyUserLevel, also for open sessions', async () => {
    const scanner = await TestScanner.start();
    const wire = await LegacyWire.open(scanner.portA);
    const client = await LegacyWire.open(scanner.portB);
    const login = `sMN SetAccessMode 3 ${loginHash.AuthorizedClient}`;
    expect(await client.ask(login)).toBe('sAN SetAccessMode 0');
    await wire.ask(service);
    expect(await wire.ask('sMN EnableLegacyUserLevel 3 1')).toBe('sAN EnableLegacyUserLevel 1');
    expect(await client.ask(login)).toBe('sAN SetAccessMode 1');
    expect(await client.ask('sWN FREchoFilter 0')).toBe('sWA FREchoFilter');
    expect(await wire.ask('sMN EnableLegacyUserLevel 3 0')).toBe('sAN EnableLegacyUserLevel 1');
    expect(await client.ask('sWN FREchoFilter 0')).toBe('sFA A');
  });
});

describe('sessions', () => {
  test('are at most 64: the one that has been silent longest is closed, but none with a level', async () => {
    const scanner = await TestScanner.start();
    const wires: LegacyWire[] = [];
    for (let count = 0; count < 64; count++) {
      // Sessions of two addresses: one may have only half of them.
      const port = count % 2 === 0 ? scanner.portA : scanner.portB;
      const wire = await LegacyWire.open(port, '127.0.0.1', count % 2 === 0 ? '127.0.0.2' : '127.0.0.3');
      await wire.ask(count < 62 ? service : 'sMN Run');
      scanner.clock.advance(1);
      wires.push(wire);
    }
    await wires[62]?.ask('sRN SCdevicestate');
    const newcomer = await LegacyWire.open(scanner.portA);
    expect(await newcomer.ask(service)).toBe('sAN SetAccessMode 1');
    await wires[63]?.closed;
    const another = await LegacyWire.open(scanner.portA);
    expect(await another.ask(service)).toBe('sAN SetAccessMode 1');
    await wires[62]?.closed;
    // Now all have a level.
    const refused = await LegacyWire.open(scanner.portA);
    await refused.closed;
    expect(await wires[0]?.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
    wires[0]?.socket.destroy();
    await until(() => wires[0]?.isClosed === true);
    const last = await LegacyWire.open(scanner.portA);
    expect(await last.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
  });

  test('that have never sent a request are closed before idle ones', async () => {
    const scanner = await TestScanner.start();
    const resting = await LegacyWire.open(scanner.portA);
    await resting.ask('sMN Run');
    for (let count = 0; count < 70; count++) {
      scanner.clock.advance(1);
      await LegacyWire.open(scanner.portA);
    }
    const newcomer = await LegacyWire.open(scanner.portA);
    expect(await newcomer.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
    expect(await resting.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
  });

  /**
   * Opens sessions of an address, each with a subscription to an event that does not come, a second after the other.
   */
  async function subscribed(scanner: TestScanner, count: number, from: string, event = 'SCdevicestate') {
    const wires: LegacyWire[] = [];
    for (let session = 0; session < count; session++) {
      const wire = await LegacyWire.open(scanner.portA, '127.0.0.1', from);
      await wire.ask(`sEN ${event} 1`);
      scanner.clock.advance(1000);
      wires.push(wire);
    }
    return wires;
  }

  const openOf = (wires: readonly LegacyWire[]) => wires.filter(({ isClosed }) => !isClosed).length;

  test('of one address are at most 32: a new one takes the place of its own that was silent longest', async () => {
    const scanner = await TestScanner.start();
    const other = await LegacyWire.open(scanner.portA);
    await other.ask('sMN Run');
    const wires = await subscribed(scanner, 32, '127.0.0.2');
    const [newcomer] = await subscribed(scanner, 1, '127.0.0.2');
    await wires[0]?.closed;
    expect(openOf(wires)).toBe(31);
    expect(await newcomer?.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
    expect(await other.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
  });

  test('with a level count as well: then a further one of the address is closed', async () => {
    const scanner = await TestScanner.start();
    for (let count = 0; count < 32; count++) {
      await (await LegacyWire.open(scanner.portA, '127.0.0.1', '127.0.0.2')).ask(service);
    }
    await (await LegacyWire.open(scanner.portA, '127.0.0.1', '127.0.0.2')).closed;
    const other = await LegacyWire.open(scanner.portA);
    expect(await other.ask(service)).toBe('sAN SetAccessMode 1');
    const warnings = scanner.log.lines.filter(({ message }) =>
      message.startsWith('Too many legacy sessions'),
    );
    expect(warnings).toHaveLength(1);
  });

  test('with subscriptions that send nothing lock nobody out', async () => {
    const scanner = await TestScanner.start();
    const wires = [
      ...(await subscribed(scanner, 32, '127.0.0.2')),
      ...(await subscribed(scanner, 32, '127.0.0.3')),
    ];
    for (let time = 0; time < 3; time++) {
      const newcomer = await LegacyWire.open(scanner.portA);
      expect(await newcomer.ask(service)).toBe('sAN SetAccessMode 1');
      await until(() => openOf(wires) === 63 - time);
    }
    // The oldest session is closed first, then one of the address that has more.
    expect([0, 1, 32].map((session) => wires[session]?.isClosed)).toEqual([true, true, true]);
  });

  test('that get their events lock nobody out, either, but are closed only for an address that has fewer', async () => {
    const scanner = await TestScanner.start();
    const wires = [
      ...(await subscribed(scanner, 32, '127.0.0.2', 'LSPdatetime')),
      ...(await subscribed(scanner, 32, '127.0.0.3', 'LSPdatetime')),
    ];
    await promisesSettled();
    const refused = await LegacyWire.open(scanner.portA, '127.0.0.1', '127.0.0.3');
    await refused.closed;
    expect(openOf(wires)).toBe(64);
    const newcomer = await LegacyWire.open(scanner.portA);
    expect(await newcomer.ask(service)).toBe('sAN SetAccessMode 1');
    await wires[0]?.closed;
    expect(openOf(wires)).toBe(63);
  });

  test('can be opened and closed quickly', async () => {
    const scanner = await TestScanner.start();
    for (let count = 0; count < 300; count++) {
      const wire = await LegacyWire.open(scanner.portA);
      expect(await wire.ask(service)).toBe('sAN SetAccessMode 1');
      wire.socket.resetAndDestroy();
    }
  });
});

test('a reboot is answered, closes every session, and brings back the ports', async () => {
  const scanner = await TestScanner.start();
  const { portA, portB } = scanner;
  const [wire, witness] = [await LegacyWire.open(portA), await LegacyWire.open(portB)];
  await witness.ask('sMN Run');
  await wire.ask(service);
  expect(await wire.ask('sMN mSCreboot')).toBe('sAN mSCreboot');
  await wire.closed;
  await witness.closed;
  expect(scanner.service.ports).toMatchObject({ legacyA: null, legacyB: null });
  scanner.clock.advance(bootMilliseconds);
  await until(() => scanner.service.ports.legacyB !== null);
  expect(scanner.service.ports).toMatchObject({ legacyA: portA, legacyB: portB });
  const again = await LegacyWire.open(portA);
  expect(await again.ask('sWN FREchoFilter 0')).toBe('sFA A');
  await again.ask(service);
  expect(await again.ask('sMN mSCsoftreset')).toBe('sAN mSCsoftreset');
  await again.closed;
});

test('the web server can be switched off and on over the legacy protocol', async () => {
  const scanner = await TestScanner.start();
  const { portA } = scanner;
  for (const enabled of [0, 1]) {
    const wire = await LegacyWire.open(portA);
    await wire.ask(service);
    expect(await wire.ask(`sMN SetWebserverEnabled ${enabled}`)).toBe('sAN SetWebserverEnabled');
    expect(await wire.ask('sMN GetWebserverEnabled')).toBe(`sAN GetWebserverEnabled ${enabled}`);
    expect(await wire.ask('sMN RebootDevice')).toBe('sAN RebootDevice');
    await wire.closed;
    scanner.clock.advance(bootMilliseconds);
    await until(() => scanner.service.ports.legacyA !== null);
    await until(() => (scanner.service.ports.http !== null) === (enabled === 1));
  }
});
