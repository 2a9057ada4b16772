import { describe, expect, test } from 'vitest';
import { acceptedSockets } from '../../../../tests/support/accepted-sockets.js';
import { Bench, bootMilliseconds } from '../../../../tests/support/service-test-bench.js';
import { until } from '../../../../tests/support/waiting.js';
import { longestFrameTime } from '../../src/legacy/limits.js';
import { binaryFrame, hex, LegacyWire, loginHash, textFrame } from './legacy-wire.js';

const service = `sMN SetAccessMode 4 ${loginHash.Service}`;

describe('what comes in pieces', () => {
  test('is put together, byte by byte', async () => {
    const bench = await Bench.start();
    const wire = await LegacyWire.open(bench.portA);
    for (const frame of [textFrame('sRN SCdevicestate'), binaryFrame('sRN SCdevicestate')]) {
      for (const byte of frame) wire.write(Buffer.of(byte));
    }
    expect(await wire.text()).toBe('sRA SCdevicestate 1');
    expect((await wire.binary()).toString('latin1')).toBe('sRA SCdevicestate \u0001');
  });

  test('is taken apart and answered in its order, thousands at a time, in both forms', async () => {
    const bench = await Bench.start();
    const wire = await LegacyWire.open(bench.portB);
    const frames = Array.from({ length: 3000 }, (_, index) =>
      textFrame(index % 2 === 0 ? 'sRN SCdevicestate' : 'sRN FREchoFilter'),
    );
    wire.write(Buffer.concat(frames));
    for (let index = 0; index < 3000; index++) {
      expect(await wire.text()).toBe(index % 2 === 0 ? 'sRA SCdevicestate 1' : 'sRA FREchoFilter 1');
    }
  });

  test('is found behind garbage', async () => {
    const bench = await Bench.start();
    const wire = await LegacyWire.open(bench.portA);
    wire.write(Buffer.from('some words\r\n\r\n\u0002\u0002garbage'));
    const damaged = binaryFrame('sRN FREchoFilter');
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
    wire.write(damaged);
    wire.write(textFrame('sRN SCdevicestate'));
    expect((await wire.binary()).toString('hex'), 'the damaged one').toBe('7346410005');
    expect(await wire.text()).toBe('sRA SCdevicestate 1');
  });

  test('is found within a frame that does not end in time, and not kept back for long', async () => {
    const bench = await Bench.start();
    const wire = await LegacyWire.open(bench.portB);
    wire.write(hex('02 02 02 02 00 01 00 00'));
    wire.write(Buffer.concat([binaryFrame('sRN SCdevicestate'), textFrame('sRN FREchoFilter')]));
    const asked = wire.binary();
    await until(() => {
      bench.clock.advance(longestFrameTime / 4);
      return wire.received.length > 0;
    });
    expect((await asked).toString('hex'), 'the frame without an end').toBe('7346410008');
    expect((await wire.binary()).toString('latin1')).toBe('sRA SCdevicestate \u0001');
    expect(await wire.text()).toBe('sRA FREchoFilter 1');
    expect(await wire.ask('sRN FREchoFilter')).toBe('sRA FREchoFilter 1');
  });

  test('is waited for where its end comes in time', async () => {
    const bench = await Bench.start();
    const wire = await LegacyWire.open(bench.portB);
    const frame = binaryFrame('sRN SCdevicestate');
    for (const part of [frame.subarray(0, 12), frame.subarray(12)]) {
      wire.write(part);
      bench.clock.advance(longestFrameTime / 2 - 1);
    }
    expect((await wire.binary()).toString('latin1')).toBe('sRA SCdevicestate \u0001');
  });

  test('and is too long is refused in its turn and in its form', async () => {
    const bench = await Bench.start();
    const wire = await LegacyWire.open(bench.portA);
    const tooLong = hex('02 02 02 02 00 01 00 01');
    wire.write(
      Buffer.concat([textFrame('sRN FREchoFilter'), tooLong, tooLong, textFrame('sRN SCdevicestate')]),
    );
    expect(await wire.text()).toBe('sRA FREchoFilter 1');
    expect((await wire.binary()).toString('hex')).toBe('7346410007');
    expect(await wire.text()).toBe('sRA SCdevicestate 1');
  });
});

test('requests behind one that takes its time wait, and see what it did', async () => {
  const bench = await Bench.start();
  const wire = await LegacyWire.open(bench.portA);
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

test('a client that sends no more still gets all of its answers, and is closed then', async () => {
  const bench = await Bench.start();
  const wire = await LegacyWire.open(bench.portA);
  wire.socket.end(Buffer.concat([service, 'sMN mEEwriteall', 'sRN SCdevicestate'].map(textFrame)));
  expect(await wire.text()).toBe('sAN SetAccessMode 1');
  expect(await wire.text()).toBe('sAN mEEwriteall 1');
  expect(await wire.text()).toBe('sRA SCdevicestate 1');
  await wire.closed;
});

test('a client that asks and never reads is not asked for more, and others are served', async () => {
  const bench = await Bench.start();
  const accepted = acceptedSockets();
  const wire = await LegacyWire.open(bench.portA);
  // The system takes nothing more for it, as it does once some MiB fill the buffers of both ends.
  const [theirs] = accepted;
  theirs?.cork();
  const many = Buffer.concat(Array.from({ length: 20_000 }, () => textFrame('sRN PortConfiguration')));
  let taken = true;
  for (let round = 0; round < 40 && taken; round++) {
    taken = wire.socket.write(many) || (await Promise.race([drained(wire), other(bench)]));
  }
  expect(taken).toBe(false);
  expect(theirs?.writableLength).toBeLessThan(1_000_000);
});

const drained = (wire: LegacyWire) =>
  new Promise<boolean>((resolve) => {
    wire.socket.once('drain', () => resolve(true));
  });

/** Several hundred requests of somebody else: so long nothing was taken. */
async function other(bench: Bench): Promise<boolean> {
  const wire = await LegacyWire.open(bench.portA);
  for (let count = 0; count < 300; count++) await wire.ask('sRN SCdevicestate');
  return false;
}

describe('a level', () => {
  test('is that of its session alone, and ends with it', async () => {
    const bench = await Bench.start();
    const [one, two] = [await LegacyWire.open(bench.portA), await LegacyWire.open(bench.portA)];
    expect(await one.ask(service)).toBe('sAN SetAccessMode 1');
    expect(await two.ask('sWN FREchoFilter 0')).toBe('sFA A');
    expect(await one.ask('sWN FREchoFilter 0')).toBe('sWA FREchoFilter');
    one.socket.destroy();
    const three = await LegacyWire.open(bench.portA);
    expect(await three.ask('sWN FREchoFilter 1')).toBe('sFA A');
  });

  test('stays as it was where another login fails, and Run gives it up', async () => {
    const bench = await Bench.start();
    const wire = await LegacyWire.open(bench.portA);
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

  test('is not given by CheckPassword', async () => {
    const bench = await Bench.start();
    const wire = await LegacyWire.open(bench.portA);
    expect(await wire.ask('sMN CheckPassword 4 81BE23AA')).toBe('sAN CheckPassword 1');
    expect(await wire.ask('sWN FREchoFilter 0')).toBe('sFA A');
  });

  test('is switched on and off by EnableLegacyUserLevel, for sessions that have it, too', async () => {
    const bench = await Bench.start();
    const wire = await LegacyWire.open(bench.portA);
    const client = await LegacyWire.open(bench.portB);
    const login = `sMN SetAccessMode 3 ${loginHash.AuthorizedClient}`;
    expect(await client.ask(login)).toBe('sAN SetAccessMode 0');
    await wire.ask(service);
    expect(await wire.ask('sMN EnableLegacyUserLevel 3 1')).toBe('sAN EnableLegacyUserLevel 1');
    expect(await client.ask(login)).toBe('sAN SetAccessMode 1');
    expect(await client.ask('sWN FREchoFilter 0')).toBe('sWA FREchoFilter');
    expect(await wire.ask('sMN EnableLegacyUserLevel 3 0')).toBe('sAN EnableLegacyUserLevel 1');
    expect(await client.ask('sWN FREchoFilter 0')).toBe('sFA A');
  });

  test('has the password that SetPassword gives it', async () => {
    const bench = await Bench.start();
    const wire = await LegacyWire.open(bench.portA);
    await wire.ask(service);
    expect(await wire.ask('sMN SetPassword 4 CAFE0001')).toBe('sAN SetPassword 1');
    expect(await wire.ask(service)).toBe('sAN SetAccessMode 0');
    expect(await wire.ask('sMN SetAccessMode 4 CAFE0001')).toBe('sAN SetAccessMode 1');
  });
});

test('five failed logins of all sessions together lock everybody out for 30 s, and REST not', async () => {
  const bench = await Bench.start();
  const [one, two] = [await LegacyWire.open(bench.portA), await LegacyWire.open(bench.portB)];
  for (const wire of [one, two, one, two, one]) {
    expect(await wire.ask('sMN SetAccessMode 4 1')).toBe('sAN SetAccessMode 0');
  }
  expect(await two.ask(service)).toBe('sAN SetAccessMode 0');
  expect(await two.ask('sMN CheckPassword 4 81BE23AA')).toBe('sAN CheckPassword 0');
  expect(bench.service.device.access.lockout.locked).toBe(false);
  bench.clock.advance(30_000);
  expect(await two.ask(service)).toBe('sAN SetAccessMode 1');
});

describe('sessions', () => {
  test('are at most 64: the one that has been silent longest makes way, and none with a level', async () => {
    const bench = await Bench.start();
    const wires: LegacyWire[] = [];
    for (let count = 0; count < 64; count++) {
      const wire = await LegacyWire.open(count % 2 === 0 ? bench.portA : bench.portB);
      await wire.ask(count < 62 ? service : 'sMN Run');
      bench.clock.advance(1);
      wires.push(wire);
    }
    await wires[62]?.ask('sRN SCdevicestate');
    const newcomer = await LegacyWire.open(bench.portA);
    expect(await newcomer.ask(service)).toBe('sAN SetAccessMode 1');
    await wires[63]?.closed;
    const another = await LegacyWire.open(bench.portA);
    expect(await another.ask(service)).toBe('sAN SetAccessMode 1');
    await wires[62]?.closed;
    // Now all have a level.
    const refused = await LegacyWire.open(bench.portA);
    await refused.closed;
    expect(await wires[0]?.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
    wires[0]?.socket.destroy();
    await until(() => wires[0]?.isClosed === true);
    const last = await LegacyWire.open(bench.portA);
    expect(await last.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
  });

  test('that have never asked for anything make way before one that rests', async () => {
    const bench = await Bench.start();
    const resting = await LegacyWire.open(bench.portA);
    await resting.ask('sMN Run');
    for (let count = 0; count < 70; count++) {
      bench.clock.advance(1);
      await LegacyWire.open(bench.portA);
    }
    const newcomer = await LegacyWire.open(bench.portA);
    expect(await newcomer.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
    expect(await resting.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
  });

  test('come and go quickly, one after the other', async () => {
    const bench = await Bench.start();
    for (let count = 0; count < 300; count++) {
      const wire = await LegacyWire.open(bench.portA);
      expect(await wire.ask(service)).toBe('sAN SetAccessMode 1');
      wire.socket.resetAndDestroy();
    }
  });
});

test('a reboot is answered, closes every session, and brings back the ports', async () => {
  const bench = await Bench.start();
  const { portA, portB } = bench;
  const [wire, witness] = [await LegacyWire.open(portA), await LegacyWire.open(portB)];
  await witness.ask('sMN Run');
  await wire.ask(service);
  expect(await wire.ask('sMN mSCreboot')).toBe('sAN mSCreboot');
  await wire.closed;
  await witness.closed;
  expect(bench.service.ports).toMatchObject({ legacyA: null, legacyB: null });
  bench.clock.advance(bootMilliseconds);
  await until(() => bench.service.ports.legacyB !== null);
  expect(bench.service.ports).toMatchObject({ legacyA: portA, legacyB: portB });
  const again = await LegacyWire.open(portA);
  expect(await again.ask('sWN FREchoFilter 0')).toBe('sFA A');
  await again.ask(service);
  expect(await again.ask('sMN mSCsoftreset')).toBe('sAN mSCsoftreset');
  await again.closed;
});

test('the web server goes off and comes back by a call from here', async () => {
  const bench = await Bench.start();
  const { portA } = bench;
  for (const enabled of [0, 1]) {
    const wire = await LegacyWire.open(portA);
    await wire.ask(service);
    expect(await wire.ask(`sMN SetWebserverEnabled ${enabled}`)).toBe('sAN SetWebserverEnabled');
    expect(await wire.ask('sMN GetWebserverEnabled')).toBe(`sAN GetWebserverEnabled ${enabled}`);
    expect(await wire.ask('sMN RebootDevice')).toBe('sAN RebootDevice');
    await wire.closed;
    bench.clock.advance(bootMilliseconds);
    await until(() => bench.service.ports.legacyA !== null);
    await until(() => (bench.service.ports.http !== null) === (enabled === 1));
  }
});
