import { TimingAnalysis } from '@azimuth/client/timing';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { expect, test } from 'vitest';
import { beat, cameUp, causesIn, scanTelegram } from './beat.js';

/** Numbers that programs stumble over, and any others of 64 bits. */
function anyNumber(random: SeededRandom): number {
  const strange = [0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 2 ** 64 - 1];
  if (random.fraction() < 0.3) return strange[random.below(strange.length)] ?? 0;
  return Math.floor(random.fraction() * 2 ** (1 + random.below(64)));
}

/** ms that this process has computed since then: what others compute does not count. */
function msComputed(begin: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

test('numbers of any size, in any order, give a report of numbers', () => {
  const random = new SeededRandom('numbers');
  const analysis = new TimingAnalysis({ watchesComputer: true });
  const begin = process.cpuUsage();
  for (let index = 0; index < 30_000; index++) {
    const any = () => anyNumber(random);
    const telegram = scanTelegram({
      sequence: any(),
      sender: 7,
      frame: random.fraction() < 0.5 ? index : any(),
      segment: random.below(100),
      first: any(),
      last: any(),
      sent: any(),
    });
    // Files state any time, too.
    const at = random.fraction() < 0.5 ? cameUp + index : any() / 1000;
    analysis.push(telegram, at, '10.0.0.1:5');
    if (index % 10 === 0) analysis.tick(at, any() / 1000);
  }
  const report = analysis.report();
  expect(msComputed(begin)).toBeLessThan(10_000);
  expect(report.telegrams).toBe(30_000);
  expect(causesIn(report).length).toBeGreaterThan(0);
  const numbers = JSON.stringify(report, (_, value) =>
    typeof value === 'number' && !Number.isFinite(value) ? 'no number' : value,
  );
  expect(numbers).not.toContain('no number');
});

test('two thousand senders neither fill the memory nor hide the scanner', () => {
  const analysis = new TimingAnalysis();
  const begin = process.cpuUsage();
  const scanner = beat({ seconds: 20 });
  scanner.forEach(({ telegram, at, from }, index) => {
    analysis.push(telegram, at, from, '0.0.0.0:2115');
    for (let other = 0; other < 10; other++) {
      const sender = 1 + ((index * 10 + other) % 2000);
      const numbers = { sequence: index, sender, frame: index, segment: 0, first: 0, last: 0, sent: 0 };
      analysis.push(scanTelegram(numbers), at, `10.0.${sender >> 8}.${sender & 255}:9`, '0.0.0.0:2115');
    }
  });
  const report = analysis.report();
  expect(msComputed(begin)).toBeLessThan(10_000);
  expect(analysis.streams).toHaveLength(32);
  expect(report.streams.find(({ sender }) => sender === 123_456_789)?.telegrams).toBe(scanner.length);
  const [finding] = report.findings;
  expect(finding?.text).toMatch(/^more than 32 scanners send scan data to one port: /);
  expect(report.findings.filter(({ scanner: name }) => name.includes('123456789'))).toEqual([]);
});

test('a stream that never ends keeps a bounded number of samples, and its drift', () => {
  const analysis = new TimingAnalysis();
  // Four times as many telegrams as are kept, and twenty times as long as the first bins reach.
  const seconds = 1200;
  for (const { telegram, at, from } of beat({
    seconds,
    segments: 1,
    frequency: 15,
    clock: (time) => time * 1.0002,
  })) {
    analysis.push(telegram, at, from);
  }
  const [stream] = analysis.streams;
  expect(stream?.telegrams).toBe(seconds * 15);
  for (const { samples, scans } of stream?.stretches ?? []) {
    expect(samples.kept.length).toBeLessThanOrEqual(4096);
    expect(scans.kept.length).toBeLessThanOrEqual(4096);
    expect(samples.kept.length).toBeGreaterThan(2000);
  }
  const report = analysis.report();
  expect(causesIn(report)).toEqual(['clock-drift']);
  expect(report.streams[0]?.drift?.ppm).toBeCloseTo(-200, 0);
});
