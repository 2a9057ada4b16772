import { encodePtp, type PtpDelayRequest, type PtpMessage } from '@azimuth/telegrams/ptp';
import type { SeededRandom } from '@azimuth/test-support/seeded-random';
import { mutated } from './mutated.js';

/** A datagram, and the port that it is for. */
export interface PtpInput {
  readonly bytes: Buffer;
  readonly port: 'event' | 'general';
}

/** Clocks that hostile messages name: few, so that some are heard often enough to be selected. */
const clocks = ['0000000000000001', '001122fffe000001', 'ffffffffffffffff', 'aabbccfffe010203'] as const;
const flags = [0, 0, 0x0008, 0x000c, 0x0009, 0x000e, 0x0200, 0x0200, 0x0400, 0x0100, 0xffff];
const intervals = [0, 0, -3, -7, 4, 127, -128, 20];
const kinds = [
  'announce',
  'announce',
  'announce',
  'sync',
  'sync',
  'followUp',
  'delayResponse',
  'delayRequest',
] as const;

/** s since 1970, and a few that are far away. */
function seconds(random: SeededRandom, now: number): number {
  const ours = Math.floor(now / 1000);
  return random.pick([ours, ours, ours + 37, ours + random.below(100_000), 0, 2 ** 32, 2 ** 48 - 1]);
}

function message(random: SeededRandom, now: number): PtpMessage {
  const source = { clock: random.pick(clocks), port: random.pick([1, 1, 1, 0, 65_535]) };
  const common = {
    domain: random.percent(95) ? 0 : random.below(256),
    sdoId: random.percent(97) ? 0 : random.below(4096),
    flags: random.pick(flags),
    correction: random.pick([0n, 0n, 0n, 1n << 62n, -(1n << 62n), BigInt(random.below(2 ** 31))]),
    source,
    sequence: random.pick([0, 1, 2, 3, random.below(65_536)]),
    logInterval: random.pick(intervals),
    time: { seconds: seconds(random, now), nanoseconds: random.below(1_000_000_000) },
    tlvs: random.percent(90)
      ? []
      : Array.from({ length: random.below(20) }, () => ({
          type: random.below(65_536),
          value: random.bytes(random.below(40)),
        })),
  };
  const kind = random.pick(kinds);
  if (kind === 'delayResponse') {
    return { ...common, kind, requester: { clock: random.pick(clocks), port: random.below(3) } };
  }
  if (kind !== 'announce') return { ...common, kind };
  return {
    ...common,
    kind,
    utcOffset: random.pick([0, 37, 37, -32_768, 32_767]),
    priority1: random.pick([0, 127, 128, 255]),
    clockClass: random.pick([6, 7, 248, 255]),
    clockAccuracy: random.below(256),
    variance: random.below(65_536),
    priority2: random.below(256),
    grandmaster: random.percent(70) ? source.clock : random.pick(clocks),
    stepsRemoved: random.pick([0, 0, 1, 254, 255, 65_535]),
    timeSource: random.below(256),
  };
}

/** ms by which many wild answers are off: little enough to be believed. */
const plausible = [0, 0, 1, -1, 20, -20, 5000];
/** 2^-16 ns: 3.7 hours and 39 hours, and what the field can hold at all. */
const corrections = [0n, 0n, 0n, 1n << 60n, -(1n << 60n), (1n << 63n) - 1n, -(1n << 63n)];

/** Answers of a hostile master to a Delay_Req: one from each of its clocks, of which one may be selected. */
export function wildResponses(
  random: SeededRandom,
  { sequence, source }: PtpDelayRequest,
  now: number,
): readonly Buffer[] {
  return clocks.map((clock) => {
    const time = now + random.pick(plausible);
    const isNear = random.percent(60);
    const message: PtpMessage = {
      kind: 'delayResponse',
      domain: 0,
      sdoId: 0,
      flags: random.pick(flags),
      correction: random.pick(corrections),
      source: { clock, port: 1 },
      sequence: random.percent(70)
        ? sequence
        : (sequence + random.pick([1, 65_535, random.below(65_536)])) % 65_536,
      logInterval: random.pick(intervals),
      time: {
        seconds: isNear ? Math.floor(time / 1000) + random.pick([0, 37]) : seconds(random, now),
        nanoseconds: random.below(1_000_000_000),
      },
      requester: random.percent(85) ? source : { clock: random.pick(clocks), port: random.below(3) },
      tlvs: [],
    };
    return Buffer.from(encodePtp(message));
  });
}

/** One datagram for a PTP slave. `now` is in ms since 1970. */
export function ptpInput(random: SeededRandom, now: number): PtpInput {
  const port = random.percent(50) ? 'event' : 'general';
  if (random.percent(10)) {
    return { bytes: random.bytes(random.pick([0, 1, 33, 34, 43, 44, 54, 64, 100, 1400])), port };
  }
  const bytes = Buffer.from(encodePtp(message(random, now)));
  return { bytes: random.percent(40) ? mutated(random, bytes) : bytes, port };
}
