import { TimingAnalysis } from '@azimuth/client/timing';
import { performanceProfiles } from '@azimuth/model';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { describe, expect, test } from 'vitest';
import { type Arrival, analysed, beat, cameUp, causesIn } from './beat.js';

const causesOf = (arrivals: readonly Arrival[]) => causesIn(analysed(arrivals).report());
const utc = (time: number) => cameUp + time;

/** Telegrams whose times of beams are wrong by some µs. @param longer µs that are added to the last beam of each scan */
function restamped(wrongBy: (scan: number, segment: number) => number, longer = 0): Arrival[] {
  return beat().map(({ telegram, ...rest }) => {
    if (telegram.kind !== 'scan') return { telegram, ...rest };
    const modules = telegram.telegram.modules.map((module) => {
      const { frameNumber, segmentIndex } = module;
      const by = wrongBy(frameNumber, segmentIndex);
      const last = Number(module.lastBeamTime[0]) + by + (segmentIndex === 9 ? longer : 0);
      return { ...module, firstBeamTime: [Number(module.firstBeamTime[0]) + by], lastBeamTime: [last] };
    });
    return { ...rest, telegram: { ...telegram, telegram: { ...telegram.telegram, modules } } };
  });
}

describe('nothing is found', () => {
  test.each(Object.entries(performanceProfiles))('with profile %s', (_, { frequency }) => {
    const segments = frequency < 3000 ? 10 : 5;
    expect(causesOf(beat({ frequency: frequency / 100, segments }))).toEqual([]);
    expect(causesOf(beat({ frequency: frequency / 100, segments, clock: utc }))).toEqual([]);
  });

  test('with an interval filter, an angle range, and both', () => {
    expect(causesOf(beat({ every: 10, seconds: 60 }))).toEqual([]);
    expect(causesOf(beat({ range: [3, 4] }))).toEqual([]);
    expect(causesOf(beat({ range: [5], every: 15, seconds: 60 }))).toEqual([]);
    expect(causesOf(beat({ range: [0, 1, 2, 7, 8, 9] }))).toEqual([]);
  });

  test('when crystals differ as crystals do', () => {
    expect(causesOf(beat({ seconds: 60, clock: (time) => time * (1 + 50e-6) }))).toEqual([]);
  });

  test('when telegrams are a few ms late now and then', () => {
    const random = new SeededRandom('7');
    const arrivals = beat({ seconds: 30 }).map((each) => ({ ...each, at: each.at + 4 * random.fraction() }));
    expect(causesOf(arrivals)).toEqual([]);
  });

  test('when the mirror stops and turns again, and when the profile changes', () => {
    const before = beat({ seconds: 10 });
    const after = beat({
      seconds: 10,
      sequence: before.length + 1,
      frame: 200,
      begins: 22_431,
      frequency: 25,
    });
    expect(causesOf([...before, ...after])).toEqual([]);
  });
});

describe('each cause is named, and no other one', () => {
  test('a time server that sets the clock every 600 s', () => {
    const clock = (time: number) => utc(time + (time % 600_000) * 30e-6);
    const analysis = analysed(beat({ seconds: 1900, frequency: 15, segments: 2, clock }));
    const { findings } = analysis.report();
    expect(findings.map(({ cause }) => cause)).toEqual(['clock-steps']);
    expect(findings[0]?.text).toContain(
      '3 steps, up to 18 ms back: a time server sets it about every 10 min (SNTP)',
    );
  });

  test('a clock that somebody sets', () => {
    const [finding, ...others] = analysed(
      beat({ clock: (time) => utc(time < 20_000 ? time : time + 1500) }),
    ).report({ asked: { follows: 'nothing' } }).findings;
    expect([finding?.cause, others]).toEqual(['clock-steps', []]);
    expect(finding?.text).toBe(
      'the clock of the scanner made 1 step, 1500 ms forward: somebody has set it by hand, because it follows nothing (TSCRole TX_NONE)',
    );
  });

  test('uptime stamps although the scanner should follow a time server', () => {
    const analysis = analysed(beat());
    expect(causesIn(analysis.report())).toEqual([]);
    const [finding, ...others] = analysis.report({
      asked: { follows: 'time server', synchronised: false, server: '192.168.0.11' },
    }).findings;
    expect([finding?.cause, others]).toEqual(['uptime-stamps', []]);
    expect(finding?.text).toContain('time server 192.168.0.11: no time has come from it');
    expect(causesIn(analysis.report({ asked: { expectsUtc: true } }))).toEqual(['uptime-stamps']);
    expect(causesIn(analysis.report({ asked: { synchronised: true } }))).toEqual(['uptime-stamps']);
    expect(causesIn(analysis.report({ asked: { follows: 'nothing', synchronised: false } }))).toEqual([]);
  });

  test('stamps that become UTC in the middle', () => {
    expect(causesOf(beat({ clock: (time) => (time < 20_000 ? time : utc(time)) }))).toEqual([
      'clock-changed',
    ]);
    expect(causesOf(beat({ clock: (time) => (time > 20_000 ? time : utc(time)) }))).toEqual([
      'clock-changed',
    ]);
  });

  test('two scanners on one port, also with the same serial number', () => {
    const other = beat({ sender: 42, from: '192.168.0.2:40000', begins: 5020 });
    expect(causesOf([...beat(), ...other.map((each) => ({ ...each, at: each.at + 7000 }))])).toEqual([
      'several-senders',
    ]);
    const twin = beat({ from: '192.168.0.1:40001', begins: 5020, sequence: 4000, frame: 700 });
    expect(causesOf([...beat(), ...twin.map((each) => ({ ...each, at: each.at + 7000 }))])).toEqual([
      'several-senders',
    ]);
  });

  test('a program that waits for 360°, or a scanner that does', () => {
    const gathered = beat().map((each, index, all) => ({
      ...each,
      at: (all[index - (index % 10) + 9]?.at ?? each.at) + (index % 10) * 0.02,
    }));
    const [finding, ...others] = analysed(gathered).report().findings;
    expect([finding?.cause, others]).toEqual(['whole-scans', []]);
    expect(finding?.text).toContain('a program on the way gathers whole scans');
    expect(finding?.text).toContain('51.1 ms old');
  });

  test('cross traffic', () => {
    // A queue that fills for 300 ms each 2 s: what comes meanwhile waits, in order.
    const queued = beat({ seconds: 40 }).map((each) => {
      const phase = each.at % 2000;
      return { ...each, at: each.at + (phase < 300 ? 40 * (1 - phase / 300) : 0) };
    });
    expect(causesOf(queued)).toEqual(['network-delay']);
    const random = new SeededRandom('3');
    const mixed = beat().map((each) => ({ ...each, at: each.at + 20 * random.fraction() }));
    expect(causesOf(mixed)).toEqual(['network-delay']);
  });

  test('lost segments', () => {
    const random = new SeededRandom('5');
    expect(causesOf(beat().filter(() => random.fraction() > 0.05))).toEqual(['lost-segments']);
    expect(causesOf(beat({ frequency: 40, segments: 5 }).filter(() => random.fraction() > 0.2))).toEqual([
      'lost-segments',
    ]);
  });

  test('lost scans', () => {
    expect(causesOf(beat().filter((_, index) => index % 600 > 35))).toEqual(['lost-scans']);
  });

  test('another order, and telegrams that come twice', () => {
    const swapped = beat().map((each, index) => ({ ...each, at: each.at + (index % 50 === 20 ? 7 : 0) }));
    expect(causesOf(swapped)).toEqual(['reordered']);
    const twice = beat().flatMap((each, index) =>
      index % 40 === 3 ? [each, { ...each, at: each.at + 0.1 }] : [each],
    );
    expect(causesOf(twice)).toEqual(['duplicated']);
    const later = beat().flatMap((each, index) =>
      index % 40 === 3 ? [each, { ...each, at: each.at + 30 }] : [each],
    );
    expect(causesOf(later)).toEqual(['duplicated']);
  });

  test('a reboot, with a new port of the sender and another clock', () => {
    const before = beat({ seconds: 10, clock: utc });
    const after = beat({ seconds: 10, begins: 500, from: '192.168.0.1:40001' });
    const late = after.map((each) => ({ ...each, at: each.at + 36_000 }));
    const [finding, ...others] = analysed([...before, ...late]).report().findings;
    expect([finding?.cause, others]).toEqual(['reboot', []]);
    expect(finding?.text).toMatch(/after 14\.5 s without data/);
  });

  test('a clock that drifts', () => {
    for (const ppm of [300, -300]) {
      const [finding, ...others] = analysed(
        beat({ seconds: 60, clock: (time) => utc(time * (1 + ppm * 1e-6)) }),
      ).report().findings;
      expect([finding?.cause, others]).toEqual(['clock-drift', []]);
      expect(finding?.text).toContain(`300 ppm too ${ppm > 0 ? 'fast' : 'slow'}`);
    }
  });

  test('a clock that is wrong', () => {
    expect(causesOf(beat({ clock: (time) => utc(time) - 3_600_000 }))).toEqual(['clock-offset']);
  });

  test('a clock that shows TAI, or the time of another zone', () => {
    const textWith = (ahead: number) => {
      const [finding, ...others] = analysed(beat({ clock: (time) => utc(time) + ahead })).report().findings;
      expect([finding?.cause, others]).toEqual(['clock-offset', []]);
      return `${finding?.text} – ${finding?.remedy}`;
    };
    expect(textWith(37_000)).toContain(
      'TAI is 37 s ahead of UTC, and the scanner seems to show it – let the PTP',
    );
    expect(textWith(-37_200)).toContain('this computer seems to show it');
    expect(textWith(18_000)).toContain('GPS time');
    expect(textWith(-2 * 3_600_000 + 700)).toContain(': 2 h are a difference of time zones');
    expect(textWith(5.75 * 3_600_000)).toContain(': 5.75 h are');
    for (const accident of [42_000, 500, 1_000_000, 20 * 3_600_000]) {
      expect(textWith(accident)).toMatch(/though its stamps are UTC – synchronise both/);
    }
  });

  test('two scans with the same stamp', () => {
    const once = (time: number) => utc(time < 20_000 || time >= 20_060 ? time : time - 1000 / 15);
    const [finding, ...others] = analysed(beat({ clock: once })).report().findings;
    expect([finding?.cause, others]).toEqual(['stamps-repeated', []]);
    expect(finding?.text).toBe('1 scan of 299 has the same stamps as the scan before');
    // In every second scan.
    const every = restamped((scan) => (scan % 2) * -66_667);
    expect(causesOf(every)).toEqual(['stamps-repeated']);
    // A clock that was set back by one revolution is set nevertheless.
    const back = (time: number) => utc(time < 20_000 ? time : time - 50);
    expect(causesOf(beat({ frequency: 20, clock: back }))).toEqual(['clock-steps']);
  });

  test('stamps that go back within a scan', () => {
    const { findings } = analysed(
      restamped((scan, segment) => (scan === 100 && segment === 5 ? -9000 : 0)),
    ).report();
    expect(findings.map(({ cause, text }) => `${cause}: ${text}`)).toEqual([
      'stamps-back: stamps go back within 1 scan, by up to 3.9 ms',
    ]);
  });

  test('noisy stamps', () => {
    const random = new SeededRandom('9');
    const errors = new Map<number, number>();
    const clock = (time: number) => {
      const known = errors.get(time) ?? 10 * (random.fraction() - 0.5);
      errors.set(time, known);
      return utc(time + known);
    };
    expect(causesOf(beat({ clock }))).toEqual(['stamp-jitter']);
  });

  test('stamps of a scan that reach into the next one', () => {
    expect(causesOf(restamped(() => 0, 30_000))).toEqual(['stamps-overlap']);
  });

  test('stamps that are no time', () => {
    expect(causesOf(beat({ clock: (time) => 20 * 365 * 86_400_000 + time }))).toEqual(['stamps-unknown']);
  });

  test('a scanner that sends late', () => {
    expect(causesOf(beat({ sends: 250 }))).toEqual(['sent-late']);
  });

  test('silence, in the middle and at the end', () => {
    const before = beat({ seconds: 10 });
    const after = beat({ seconds: 5, sequence: before.length + 1, frame: 301, begins: 32_000 });
    expect(causesOf([...before, ...after])).toEqual(['silence']);
    const analysis = analysed(before);
    const [finding, ...others] = analysis.report({ now: cameUp + 40_000 }).findings;
    expect([finding?.cause, others]).toEqual(['silence', []]);
    expect(finding?.text).toContain('up to the end');
  });

  test('data that is no telegram, without blaming the network for the numbers that are missing', () => {
    const analysis = new TimingAnalysis();
    const arrivals = beat();
    arrivals.forEach(({ telegram, at, from }, index) => {
      if (index % 100 === 50) analysis.damaged();
      else analysis.push(telegram, at, from);
    });
    expect(causesIn(analysis.report())).toEqual(['damaged']);
  });

  test('data of which nothing is a telegram, with the time that was watched', () => {
    const analysis = new TimingAnalysis({ watchesComputer: true });
    for (let tick = 0; tick <= 100; tick++) analysis.tick(cameUp + 10 * tick, 0);
    analysis.damaged(30);
    const report = analysis.report({ now: cameUp + 1000 });
    expect([causesIn(report), report.duration]).toEqual([['damaged'], 1000]);
  });
});

describe('this computer', () => {
  test('is told apart when it was busy: neither its delays nor its losses are blamed on the scanner', () => {
    const analysis = new TimingAnalysis({ watchesComputer: true });
    const stalls = [5000, 9000, 15_000].map((at) => cameUp + 12_000 + at);
    const arrivals = beat().flatMap((each, index) => {
      const stall = stalls.find((from) => each.at >= from && each.at < from + 600);
      if (stall === undefined) return [each];
      // The buffer of the system holds the first ones only.
      return index % 10 < 7 ? [{ ...each, at: stall + 600 }] : [];
    });
    for (const stall of stalls) analysis.tick(stall + 600, 600);
    const { findings, lateness } = analysed(arrivals, analysis).report();
    expect(findings.map(({ cause }) => cause)).toEqual(['receiver-late']);
    expect(findings[0]?.text).toContain('600 ms late, 1800 ms in all and lost');
    expect(lateness).toEqual({ longest: 600, total: 1800 });
  });

  test('is not blamed for numbers that are missing because telegrams came damaged', () => {
    const analysis = new TimingAnalysis({ watchesComputer: true });
    beat().forEach(({ telegram, at, from }, index) => {
      if (index % 500 === 250) analysis.tick(at + 10, 150);
      if (index % 100 === 50) analysis.damaged();
      else analysis.push(telegram, at, from);
    });
    expect(causesIn(analysis.report())).toEqual(['damaged']);
  });

  test('is no finding when it was late a little', () => {
    const analysis = new TimingAnalysis({ watchesComputer: true });
    const all = beat();
    const arrivals = all.map((each, index) => {
      if (index % 100 < 95) return each;
      const at = (all[index - (index % 100) + 99]?.at ?? each.at) + (index % 100) * 0.02;
      analysis.tick(at + 3, at - each.at);
      return { ...each, at };
    });
    expect(causesIn(analysed(arrivals, analysis).report())).toEqual([]);
  });

  test('that is late all the time is not taken for a network that is', () => {
    // Six telegrams wait for the last of them, every 2 s.
    const all = beat({ seconds: 30 });
    const delayed = all.map((each, index) => {
      const last = all[index - (index % 300) + 5];
      return index % 300 < 5 && last !== undefined
        ? { ...each, at: last.at + 0.01 * (index % 300) - 0.05 }
        : each;
    });
    const quiet = new TimingAnalysis({ watchesComputer: true });
    const busy = new TimingAnalysis({ watchesComputer: true });
    for (let tick = 0; tick < 3000; tick++) {
      // Long before the telegrams, so that all of them are judged.
      quiet.tick(cameUp - 60_000 + 10 * tick, 0.1);
      busy.tick(cameUp - 60_000 + 10 * tick, tick % 30 === 0 ? 20 : 0.1);
    }
    expect(causesIn(analysed(delayed, quiet).report())).toEqual(['network-delay']);
    expect(causesIn(analysed(delayed, busy).report())).toEqual([]);
  });

  test('that is late again and again says that it cannot judge the network', () => {
    const analysis = new TimingAnalysis({ watchesComputer: true });
    for (let tick = 0; tick < 1000; tick++) {
      analysis.tick(cameUp - 60_000 + 10 * tick, tick % 30 === 0 ? 40 : 0.1);
    }
    const [finding, ...others] = analysed(beat(), analysis).report().findings;
    expect([finding?.cause, others]).toEqual(['receiver-late', []]);
    expect(finding?.text).toMatch(
      /up to 40 ms late, .*: what came meanwhile is not judged, nor are delays of the network$/,
    );
  });
});
