import { Health } from '@azimuth/test-support/health';
import { binaryFrame, type Dialect, frame, textFrame } from '@azimuth/test-support/legacy/frames';
import {
  dialects,
  expectServed,
  type LegacyPorts,
  portsOf,
  session,
} from '@azimuth/test-support/legacy/scanner';
import { type LegacyClient, passwordHash } from '@azimuth/test-support/legacy-client';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { env } from './fuzz-run.js';
import { mutated } from './mutated.js';

const seed = Number(process.env.AZIMUTH_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Damaged telegrams in each dialect, and forty times as many as runs of noise between telegrams. */
const inputs = Number(process.env.AZIMUTH_FUZZ_INPUTS ?? 10_000);
const timeout = Math.max(30_000, inputs * 20);
const again = `AZIMUTH_FUZZ_SEED=${seed}`;

const mostGrowth = 48;

const hash = passwordHash('servicelevel').toString(16).toUpperCase();

/** Valid telegrams to damage. None of them ends the session or the scanner. */
const telegrams: Readonly<Record<Dialect, readonly string[]>> = {
  A: [
    'sRN LocationName',
    'sRN PortConfiguration',
    'sWN LocationName B not defined',
    'sWN FREchoFilter 1',
    'sWN LFPangleRangeFilter 0 FFEAF160 150EA0 FFF24460 DBBA0 1',
    'sWN ScanDataEthSettings 1 +127 +0 +0 +1 +2115',
    'sWN EncResolution 3F800000',
    'sWN ContaminationConfig 0 3 0 0 2 1 0 1 1',
    `sMN SetAccessMode 4 ${hash}`,
    'sMN CheckPassword 3 F4724744',
    'sEN LocationName 1',
    'sEN LMDscandata 0',
    'sRN LMDscandatacfg',
    'sWN LMDscandatacfg 01 00 1 1 0 00 00 0 0 0 0 +1',
    'sRN LMPoutputRange',
    'sWN LMPoutputRange 1 D05 FFF92230 225510',
    'sMN LMCstartmeas',
    'sRN LFErec',
    'sMN mLMPsetscancfg +1500 +1 +3333 0 0',
    'sWN SetActiveApplications 1 FEVL 1',
    'sRN STlms',
    'sRN DeviceIdent',
    'sMN GetFieldEvaluationContour 1',
    'sWN PortConfiguration 0 6 InOut1 0 A 1 0 0 0 0 0 C8 1 1 0 0 1 DRDY 0 0 0 0 0 0 0',
    'sRN FieldEvaluationResult',
    'sEN DevSta',
  ],
  B: [
    'sRN LocationName',
    'sRN PortConfiguration',
    'sWN LocationName \0\x0bnot defined',
    'sWN FREchoFilter \x01',
    'sWN LFPangleRangeFilter \0\xff\xea\xf1\x60\0\x15\x0e\xa0\xff\xf2\x44\x60\0\x0d\xbb\xa0\0\x01',
    'sWN ScanDataEthSettings \x01\x7f\0\0\x01\x08\x43',
    'sWN EncResolution \x3f\x80\0\0',
    'sMN SetAccessMode \x04\x81\xbe\x23\xaa',
    'sEN LocationName \x01',
    'sEN LMDscandata \0',
    'sEN DeviceStatus \x01',
    'sWN LMDscandatacfg \x01\0\x01\x01\0\0\0\0\0\0\0\0\x01',
    'sWN LMPoutputRange \0\x01\0\0\x0d\x05\xff\xf9\x22\x30\0\x22\x55\x10',
    'sMN LMCstartmeas',
    'sRN LFErec',
    'sMN mLMPsetscancfg \0\0\x05\xdc\0\x01\0\0\x0d\x05\0\0\0\0\0\0\0\0',
    'sWN ScanLayerFilter \0\x04\x01\x01\x01\x01',
    'sMN GetFieldEvaluationContour \0\x01',
    `sWN PortConfiguration \0\0\x06InOut1\0\0\x0a\x01${'\0'.repeat(10)}\xc8\0\x01\x01${'\0'.repeat(4)}\0\0${'\0'.repeat(8)}`,
    'sRN FieldEvaluationResult',
    'sEN DevSta',
  ],
};

/** Bytes that a text frame can contain: neither STX nor ETX. */
const inTextFrame = (bytes: Buffer) =>
  Buffer.from(bytes.map((byte) => (byte === 2 || byte === 3 ? 0x20 : byte)));

async function started() {
  const scanner = await new ScannerFolder().start([], { env });
  return { scanner, ports: portsOf(scanner), health: new Health(scanner) };
}

async function expectHealthy(scanner: ScannerProcess, ports: LegacyPorts, health: Health): Promise<void> {
  expect(health.growth, `${again} ${health.memory.map(Math.round).join(' ')}`).toBeLessThan(mostGrowth);
  for (const dialect of dialects) await expectServed(await session(ports, dialect));
  expect(scanner.log, again).not.toMatch(/internalServerError|TypeError|RangeError|Cannot read/);
}

test.each(dialects)(
  `${inputs} damaged telegrams over %s get as many answers (seed ${seed})`,
  async (dialect) => {
    const { scanner, ports, health } = await started();
    const random = new SeededRandom(`${seed} ${dialect}`);
    const tally = new Map<string, number>();
    const batch = 100;
    for (let sent = 0; sent < inputs; sent += batch) {
      const client = await session(ports, dialect);
      await client.tryLogin(4, passwordHash('servicelevel'));
      const payloads = Array.from({ length: batch }, () => {
        const bytes = mutated(random, Buffer.from(random.pick(telegrams[dialect]), 'latin1'));
        return dialect === 'A' ? inTextFrame(bytes) : bytes;
      });
      client.raw(Buffer.concat(payloads.map((payload) => frame(dialect, payload))));
      for (const payload of payloads) {
        const answer = await client.response().catch((error: unknown) => {
          throw new Error(`${again}: no answer to ${payload.toString('hex')}`, { cause: error });
        });
        tally.set(answer.command, (tally.get(answer.command) ?? 0) + 1);
        expect(answer.dialect, again).toBe(dialect);
        // An answer has the name of its request, or none.
        if (answer.command !== 'sFA') {
          expect(payload.toString('latin1'), again).toContain(answer.name);
        }
      }
      client.close();
      health.check();
    }
    for (const command of ['sRA', 'sWA', 'sAN', 'sEA', 'sFA']) {
      expect(tally.get(command) ?? 0, `${again} ${[...tally]}`).toBeGreaterThan(3);
    }
    await scanner.advance(31_000);
    await expectHealthy(scanner, ports, health);
  },
  timeout,
);

/** Bytes that are not a whole frame. */
function noise(random: SeededRandom): Buffer {
  const payload = Buffer.from(random.pick(telegrams.B), 'latin1');
  switch (random.below(9)) {
    case 0:
      return random.bytes(random.between(1, 200));
    case 1:
      return Buffer.alloc(random.between(1, 300), random.pick([0x02, 0x03, 0x00, 0xff]));
    case 2: {
      const whole = binaryFrame(payload);
      return whole.subarray(0, random.between(1, whole.length - 1));
    }
    case 3: {
      const whole = textFrame(random.pick(telegrams.A));
      return whole.subarray(0, random.between(1, whole.length - 1));
    }
    case 4: {
      const whole = Buffer.from(binaryFrame(payload));
      whole.writeUInt32BE(
        random.pick([0, 1, payload.length - 1, payload.length + 1, 1000, 65_535, 65_536, 65_537]),
        4,
      );
      return whole;
    }
    case 5: {
      const whole = Buffer.from(binaryFrame(payload));
      whole.writeUInt32BE(random.pick([2 ** 24, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32 - 9]), 4);
      return whole;
    }
    case 6: {
      const whole = Buffer.from(binaryFrame(payload));
      whole[whole.length - 1] = (whole.at(-1) ?? 0) ^ random.between(1, 255);
      return whole;
    }
    case 7:
      return Buffer.concat([Buffer.from([2]), random.bytes(random.between(1, 3000))]);
    default:
      return Buffer.concat([Buffer.from([2, 2]), textFrame('sRN SCdevicestate'), Buffer.from([2, 2, 2])]);
  }
}

test(
  `after noise between two telegrams the session synchronises again or ends (seed ${seed})`,
  async () => {
    const { scanner, ports, health } = await started();
    const random = new SeededRandom(`${seed} noise`);
    let synchronised = 0;
    let ended = 0;
    for (let round = 0; round < inputs / 40; round += 1) {
      const dialect = random.pick(dialects);
      const client = await session(ports, dialect);
      for (let count = random.between(1, 8); count > 0; count -= 1) client.raw(noise(random));
      const valid = frame(dialect, 'sRN SCdevicestate');
      client.raw(valid);
      client.raw(valid);
      let answered = await answersWith(client, 'SCdevicestate', 20);
      // A length field can announce up to 64 KiB, which the session then takes as one telegram.
      for (let time = 0; !answered && client.ending === undefined && time < 3; time += 1) {
        client.raw(Buffer.concat(Array.from({ length: Math.ceil(2 ** 16 / valid.length) + 2 }, () => valid)));
        answered = await answersWith(client, 'SCdevicestate', 10_000);
      }
      if (answered) synchronised += 1;
      else if (client.ending !== undefined) ended += 1;
      else throw new Error(`${again}: no answer after round ${round}`);
      client.close();
      if (round % 10 === 0) health.check();
    }
    expect(synchronised, `${ended} ended`).toBeGreaterThan(inputs / 100);
    await expectHealthy(scanner, ports, health);
  },
  timeout,
);

async function answersWith(client: LegacyClient, name: string, limit: number): Promise<boolean> {
  try {
    for (;;) if ((await client.response(limit)).name === name) return true;
  } catch {
    return false;
  }
}

test('a telegram with a wrong checksum has no effect, and the next one is answered', async () => {
  const { ports } = await started();
  const client = await session(ports, 'B');
  await client.login(4);
  const damaged = Buffer.from(binaryFrame('sWN FREchoFilter \x02'));
  damaged[damaged.length - 1] = 0;
  client.raw(damaged);
  client.send('sRN FREchoFilter');
  let answer = await client.response();
  if (answer.command === 'sFA') answer = await client.response();
  expect(answer.payload.toString('latin1')).toBe('sRA FREchoFilter \x01');
});

test('a telegram without an end is not kept in memory', async () => {
  const { scanner, ports, health } = await started();
  health.check();
  const before = health.memory[0] ?? 0;
  const flood = Buffer.alloc(2 ** 20, 'x');
  for (const start of ['\x02sWN LocationName 20 ', '\x02\x02\x02\x02\x7f\xff\xff\xffsWN LocationName ']) {
    const client = await session(ports, 'A');
    client.raw(start);
    for (let count = 0; count < 64 && client.ending === undefined; count += 1) {
      client.raw(flood);
      await until(() => client.socket.writableLength < 2 ** 21 || client.ending !== undefined);
    }
    health.check();
    const witness = await session(ports, 'B');
    await expectServed(witness);
    if (client.ending !== undefined) continue;
    client.raw(textFrame('sRN SCdevicestate'));
    expect(await answersWith(client, 'SCdevicestate', 5000)).toBe(true);
  }
  expect(Math.max(...health.memory) - before).toBeLessThan(64);
  expect(scanner.log).not.toMatch(/TypeError|RangeError/);
});
