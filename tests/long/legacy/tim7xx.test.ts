import { binaryFrame, hex } from '@azimuth/test-support/legacy/frames';
import { portsOf } from '@azimuth/test-support/legacy/scanner';
import { LegacyClient, passwordHash, shown } from '@azimuth/test-support/legacy-client';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { stillRoom } from '@azimuth/test-support/streams/room';
import { sceneFile } from '@azimuth/test-support/streams/virtual-scanner';
import { describe, expect, test } from 'vitest';

/** A step: what is asked, which answers contain enough, and whether a refusal is taken too. */
interface Step {
  readonly request: Buffer;
  readonly answers: readonly string[];
  readonly mayRefuse: boolean;
}

const letters = { sRN: ['sRA', 'sAN'], sWN: ['sWA', 'sAN'], sMN: ['sAN', 'sMA'], sEN: ['sEA'] } as const;

function step(head: `${keyof typeof letters} ${string}`, values = '', mayRefuse = true): Step {
  const [command, name] = [head.slice(0, 3), head.slice(4)];
  const allowed = Object.entries(letters).find(([one]) => one === command)?.[1] ?? [];
  const blank = values === '' ? '' : ' ';
  return {
    request: binaryFrame(Buffer.concat([Buffer.from(`${head}${blank}`), hex(values)])),
    answers: allowed.map((answer) => `${answer} ${name}`),
    mayRefuse,
  };
}

const serviceHash = passwordHash('servicelevel').toString(16);

/** What a driver sends to a scanner of the class TiM7xx at its start, before it asks for scans. */
const start: readonly Step[] = [
  step('sRN SCdevicestate', '', false),
  step('sMN SetAccessMode', '03 f4 72 47 44', false),
  step('sWN EIHstCola', '01'),
  step('sRN FirmwareVersion'),
  step('sRN SCdevicestate'),
  step('sRN ODoprh'),
  step('sRN ODpwrc'),
  step('sRN LocationName'),
  step('sRN LMPoutputRange'),
  step('sWN LMPoutputRange', '00 01 00 00 0d 05 ff f9 22 30 00 22 55 10'),
  step('sRN LMPoutputRange'),
  ...Array.from({ length: 48 }, (_, field) => step(`sRN field${String(field).padStart(3, '0')}`)),
  step('sRN LIDinputstate'),
  step('sWN LMDscandatacfg', '01 00 01 01 00 00 00 00 00 00 01 00 01'),
  step('sRN LMDscandatacfg'),
  step('sEN LFErec', '01'),
  step('sEN LIDoutputstate', '01'),
  step('sEN LIDinputstate', '01'),
  step('sRN LFErec'),
  step('sMN LMCstartmeas'),
  step('sMN Run'),
  step('sEN LMDscandata', '01', false),
];

const end: readonly Step[] = [
  step('sEN LMDscandata', '00'),
  step('sEN LFErec', '00'),
  step('sEN LIDoutputstate', '00'),
  step('sEN LIDinputstate', '00'),
  step('sMN SetAccessMode', `04 ${serviceHash}`, false),
  step('sMN LMCstopmeas'),
];

/** Goes through steps as the driver does; tells which of them were refused, and the answer to each by its head. */
async function talk(client: LegacyClient, steps: readonly Step[]) {
  const refused: string[] = [];
  const answers = new Map<string, Buffer>();
  for (const { request, answers: allowed, mayRefuse } of steps) {
    const { payload, values } = await client.exchange(request);
    const said = payload.toString('latin1');
    if (allowed.some((words) => said.includes(words))) {
      answers.set(allowed[0] ?? '', values);
      continue;
    }
    expect(mayRefuse, shown(payload)).toBe(true);
    expect(said.slice(0, 3), shown(payload)).toBe('sFA');
    refused.push(request.subarray(8, -1).toString('latin1').slice(0, 30));
  }
  return { refused, answers };
}

async function scannerInFormat(format: number, flags: readonly string[] = []) {
  const scanner = await new ScannerFolder().start(['--scene', sceneFile(stillRoom), ...flags]);
  const rest = scanner.client();
  await rest.write('ScanDataFormat', format);
  return { scanner, rest, client: await LegacyClient.forTest(portsOf(scanner).B, 'B') };
}

describe('a driver for the class TiM7xx', () => {
  test('completes its sequence, and then gets complete scans that match the replies', async () => {
    const { client, rest } = await scannerInFormat(3);
    const { refused, answers } = await talk(client, start);
    expect(answers.get('sRA SCdevicestate')).toEqual(hex('01'));
    // As delivered today nobody may log in at level 3, which the driver only logs: what needs it is refused.
    expect(answers.get('sAN SetAccessMode')).toEqual(hex('00'));
    expect(refused.filter((words) => !/^s(?:WN|MN) /.test(words))).toEqual([]);

    const range = answers.get('sRA LMPoutputRange');
    expect(range?.length).toBe(14);
    const [step = 0, from = 0, to = 0] = [2, 6, 10].map((at) => range?.readInt32BE(at));
    const scans = [];
    for (let count = 0; count < 12; count += 1) scans.push(await client.scan());
    const [first] = scans;
    for (const [index, scan] of scans.entries()) {
      expect(scan.command).toBe('sSN');
      expect(scan.layer).toBe(0);
      expect(scan.encoders).toEqual([]);
      expect(scan.wide[0]?.content).toBe('DIST1');
      const channels = [...scan.wide, ...scan.narrow];
      for (const channel of channels) {
        expect(channel.start, 'the point cloud takes its angle from LMPoutputRange').toBe(from);
        expect(channel.step).toBe(step);
        expect(channel.data.length).toBe(channels[0]?.data.length);
        const last = channel.start + (channel.data.length - 1) * channel.step;
        expect(Math.abs(last - to)).toBeLessThanOrEqual(channel.data.length);
      }
      // Without a measurement frequency, the driver computes the time from beam to beam by itself.
      expect([scan.frequency, scan.measurements]).toEqual([1500, 0]);
      expect(scan.telegram).toBe(((first?.telegram ?? 0) + index) % 65_536);
    }
    expect(scans[0]?.wide[0]?.data.some((distance) => distance > 1000)).toBe(true);
    const { refused: atEnd } = await talk(client, end);
    expect(atEnd).toEqual([]);
    expect(await rest.value('DeviceStatus')).toBe(4);
    client.forget();
    await client.request('sRN SCdevicestate');
    expect(client.unread).toBe(0);
  });

  test('is not refused any command if its level is switched on', async () => {
    const { client, rest } = await scannerInFormat(3);
    await rest.call('EnableLegacyUserLevel', { userLevel: 3, isEnabled: true });
    const { refused, answers } = await talk(client, start);
    expect(refused).toEqual([]);
    expect(answers.get('sAN SetAccessMode')).toEqual(hex('01'));
    expect(answers.get('sRA LMDscandatacfg')?.length).toBe(13);
    expect(answers.get('sRA LocationName')).toEqual(
      Buffer.concat([hex('00 0b'), Buffer.from('not defined')]),
    );
    expect(answers.get('sRA ODoprh')?.length).toBe(4);
    expect(answers.get('sRA ODpwrc')).toEqual(hex('00 00 00 01'));
    // It asked for strengths and the time. Strengths have 8 bits, also if it asks for 16.
    const scan = await client.scan();
    expect(scan.narrow.map(({ content }) => content)).toContain('RSSI1');
    expect(scan.time?.[0]).toBeGreaterThan(1969);
    const [step = 0, from = 0] = [2, 6].map((at) => answers.get('sRA LMPoutputRange')?.readInt32BE(at));
    expect([scan.wide[0]?.start, scan.wide[0]?.step]).toEqual([from, step]);
    // It asked for -45 to 225 degrees: the range that it was told is the one that is sent.
    const count = scan.wide[0]?.data.length ?? 0;
    const stop = answers.get('sRA LMPoutputRange')?.readInt32BE(10) ?? 0;
    expect(Math.abs(from + (count - 1) * step - stop)).toBeLessThanOrEqual(count);
  });

  test('is not refused any command if it logs in at level Service, which its launch arguments can choose', async () => {
    const { client } = await scannerInFormat(3);
    const login = (words: string) => words.startsWith('sMN SetAccessMode');
    const steps = start.map((one) =>
      login(one.request.subarray(8).toString('latin1'))
        ? step('sMN SetAccessMode', `04 ${serviceHash}`, false)
        : one,
    );
    const { refused, answers } = await talk(client, steps);
    expect(refused).toEqual([]);
    expect(answers.get('sAN SetAccessMode')).toEqual(hex('01'));
    expect((await client.scan()).wide[0]?.content).toBe('DIST1');
  });

  test('logs in at its level below release 2.1.0, in which all levels are on', async () => {
    const { client } = await scannerInFormat(3, ['--firmware', '1.5.0']);
    const { refused, answers } = await talk(client, start);
    expect(answers.get('sAN SetAccessMode')).toEqual(hex('01'));
    // Below 2.3.1 there is no ScanDataConfig to write.
    expect(refused.map((words) => words.slice(0, 18))).toEqual(['sWN LMDscandatacfg']);
    expect((await client.scan()).wide[0]?.content).toBe('DIST1');
  });

  test('finds three evaluations, each with an index from which it can take 1', async () => {
    const { client } = await scannerInFormat(3);
    const { answers } = await talk(client, start);
    const list = answers.get('sRA LFErec');
    expect(list?.readUInt16BE(0)).toBe(3);
    expect(list?.length).toBe(2 + 3 * 32);
    expect([0, 1, 2].map((entry) => list?.readUInt8(2 + 32 * entry + 2))).toEqual([1, 2, 3]);
  });

  test('gets times that advance at real speed', async () => {
    const { client } = await scannerInFormat(3);
    await talk(client, start);
    const first = await client.scan();
    const began = performance.now();
    let last = first;
    for (let count = 0; count < 30; count += 1) {
      const scan = await client.scan();
      expect(scan.sinceStart).toBeGreaterThan(last.sinceStart);
      expect(scan.sent).toBeGreaterThanOrEqual(scan.sinceStart);
      expect(scan.sent - scan.sinceStart).toBeLessThan(1_000_000);
      last = scan;
    }
    // A driver takes a tenth of a second; a busy machine more. A clock in ms or in 100 µs is far off.
    const passed = (performance.now() - began) * 1000;
    const told = last.sinceStart - first.sinceStart;
    expect(told).toBeGreaterThan(passed / 5);
    expect(told).toBeLessThan(passed * 5);
  });
});
