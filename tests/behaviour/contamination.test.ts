import { object } from '@azimuth/test-support/json';
import { revolution, SceneScanner, source } from '@azimuth/test-support/scene-scanner';
import { statedStrength } from '@azimuth/test-support/stated-strength';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import type { Segment, Telegram } from '@azimuth/test-support/streams/telegram';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, it } from 'vitest';

const NONE = 0;
const CLEAN = 1;
const WARN = 2;
const ERROR = 3;

const strategy = { INACTIVE: 0, HIGH_AVAILABLE: 1, SENSITIVE: 2 } as const;
const threshold = { LOW: 0, MID: 1, HIGH: 2 } as const;

/** A scanner whose screen is watched, with lamps for a warning (port 1) and an error (port 2). */
async function watching(change: object = {}): Promise<SceneScanner> {
  const scanner = await SceneScanner.start();
  await scanner.configure({
    1: { PortType: 1, OutputSettings: { Sources: [source('CWRN')] } },
    2: { PortType: 1, OutputSettings: { Sources: [source('CERR')] } },
  });
  await configure(scanner, { eStrategy: strategy.SENSITIVE, ...change });
  return scanner;
}

async function configure(scanner: SceneScanner, change: object): Promise<void> {
  const before = object(await scanner.client.value('ContaminationConfig'));
  await scanner.write('ContaminationConfig', { ...before, ...change });
}

async function soil(scanner: SceneScanner, levels: Readonly<Record<number, number>>): Promise<void> {
  for (const [sector, level] of Object.entries(levels)) {
    await scanner.control('/contamination', { sector: Number(sector), level });
  }
}

/** What is told of the sectors. */
const sectors = (scanner: SceneScanner) => scanner.client.value('ContaminationData');

/** Warning and error, which status, result and outputs have to agree on. */
async function verdict(scanner: SceneScanner): Promise<string> {
  const { bWarningActive, bErrorActive } = await scanner.data('ContaminationResult');
  expect(await scanner.isOn(1)).toBe(bWarningActive);
  expect(await scanner.isOn(2)).toBe(bErrorActive);
  const words = [bWarningActive === true ? ['warning'] : [], bErrorActive === true ? ['error'] : []].flat();
  const status = bErrorActive === true ? 6 : bWarningActive === true ? 5 : 3;
  expect(await scanner.client.value('DeviceStatus')).toBe(status);
  return words.join(', ') || 'none';
}

/** Seven sectors, all the same but these. */
function seven(usual: number, others: Readonly<Record<number, number>> = {}): readonly number[] {
  return Array.from({ length: 7 }, (_, index) => others[index + 1] ?? usual);
}

interface Step {
  readonly time: number;
  readonly dirt: Readonly<Record<number, number>>;
  readonly told: readonly number[];
  readonly result: string;
}

describe('ContaminationConfig', () => {
  it('behaves as in the example of the documents', async () => {
    const scanner = await watching({
      eStrategy: strategy.HIGH_AVAILABLE,
      usiResponseTime: 10,
      eThreshold: threshold.MID,
      eCover: 255,
      CustomSectors: [false, false, false, true, true, false, false],
    });
    const table: Step[] = [
      { time: 0, dirt: { 4: 0.6, 5: 0 }, told: [CLEAN, CLEAN], result: 'none' },
      { time: 10, dirt: {}, told: [ERROR, CLEAN], result: 'none' },
      { time: 15, dirt: { 5: 0.4 }, told: [ERROR, CLEAN], result: 'none' },
      { time: 25, dirt: {}, told: [ERROR, WARN], result: 'warning' },
      { time: 30, dirt: { 5: 0.55 }, told: [ERROR, WARN], result: 'warning' },
      { time: 40, dirt: {}, told: [ERROR, ERROR], result: 'warning, error' },
      { time: 45, dirt: { 4: 0, 5: 0.4 }, told: [CLEAN, WARN], result: 'none' },
    ];
    for (const { time, dirt, told, result } of table) {
      scanner.goTo(time * 1000);
      await soil(scanner, dirt);
      const [four = -1, five = -1] = told;
      expect(await sectors(scanner), `${time} s`).toEqual(seven(NONE, { 4: four, 5: five }));
      expect(await verdict(scanner), `${time} s`).toBe(result);
    }
  });
});

describe('dirt on the front screen', () => {
  /** Straight ahead; weak is 65535 × 0.1 / (1 + (10 m / 10 m)²) = 3277, strong 65535 × 0.5 / 1.04 = 31507. */
  const wall = (x: number, material: string) => ({ walls: [{ from: [x, -0.5], to: [x, 0.5], material }] });

  const segmentAhead = (telegram: Telegram): Segment | undefined =>
    telegram.kind === 'scan' ? telegram.segments.find(({ index }) => index === 4) : undefined;

  /** Strength of the echo of the beam straight ahead in the next scan; undefined where there is none. */
  async function ahead(scanner: SceneScanner, receiver: UdpReceiver): Promise<number | undefined> {
    receiver.rest();
    let segment: Segment | undefined;
    // What is still on its way is of the revolution before; the change is seen from the next one on.
    for (let revolutions = 0; revolutions < 3; revolutions += 1) {
      scanner.pass(revolution);
      const telegram = await receiver.find('the segment ahead', (one) => segmentAhead(one) !== undefined);
      segment = segmentAhead(telegram);
    }
    // It begins at -18°.
    const beam = 18 * 3;
    expect(segment?.azimuth?.[beam]).toBeCloseTo(0, 5);
    const distance = segment?.distance[beam]?.[0] ?? 0;
    return distance === 0 ? undefined : segment?.rssi?.[beam]?.[0];
  }

  async function streaming(scene: object) {
    const scanner = await SceneScanner.start({ scene });
    const receiver = await UdpReceiver.open();
    await scanner.write('ScanDataFormat', 1);
    await scanner.send('scan', 'UDP', receiver.port);
    await until(() => scanner.testScanner.log.lines.some(({ message }) => /sending started/.test(message)));
    return { scanner, strength: () => ahead(scanner, receiver) };
  }

  it('reduces the RSSI on the way out and back, and only in its sector', async () => {
    const { scanner, strength } = await streaming(wall(2, 'grey'));
    expect(await strength()).toBe(statedStrength(31_507));
    // 0° is in the middle of sector 4.
    await soil(scanner, { 3: 0.5, 5: 0.5 });
    expect(await strength()).toBe(statedStrength(31_507));
    await soil(scanner, { 4: 0.1 });
    expect(await strength()).toBe(statedStrength(31_507 * 0.81));
    await soil(scanner, { 4: 0.5 });
    expect(await strength()).toBe(statedStrength(7877));
    await soil(scanner, { 4: 0.95 });
    expect(await strength()).toBeUndefined();
    await soil(scanner, { 4: 0 });
    expect(await strength()).toBe(statedStrength(31_507));
  });

  it.each([
    { name: 'MAXIMUM_ROBUSTNESS', mode: 0, level: 900, share: { seen: 0.45, lost: 0.48 } },
    { name: 'STANDARD', mode: 1, level: 500, share: { seen: 0.6, lost: 0.61 } },
    { name: 'MAXIMUM_DETECTIVITY', mode: 2, level: 300, share: { seen: 0.69, lost: 0.7 } },
  ])('hides echoes below the threshold of $name ($level)', async ({ mode, level, share }) => {
    const { scanner, strength } = await streaming(wall(10, 'black'));
    scanner.pass(revolution);
    await scanner.write('SensitivityMode', mode);
    scanner.pass(revolution);
    expect(3277 * (1 - share.seen) ** 2).toBeGreaterThan(level);
    expect(3277 * (1 - share.lost) ** 2).toBeLessThan(level);
    await soil(scanner, { 4: share.seen });
    expect(await strength()).toBe(statedStrength(3277 * (1 - share.seen) ** 2));
    await soil(scanner, { 4: share.lost });
    expect(await strength()).toBeUndefined();
  });
});
