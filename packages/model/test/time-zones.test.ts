import { describe, expect, test } from 'vitest';
import { dateAndSystemTime, extensions, extensionsOf, ianaZones, PtpState, TimeZone } from '../src/index.js';

/** Returns the offset in hours at a moment, by the words that Node has for it: `GMT-03:30`. */
function hoursAt(zone: string, utc: number): number {
  const words = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(utc)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign = '+', hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(words ?? '') ?? [];
  return Number(`${sign}1`) * (Number(hours) + Number(minutes) / 60);
}

describe('the time zones', () => {
  test('are 105, and Node knows the rules of each', () => {
    expect(Object.keys(ianaZones)).toHaveLength(105);
    for (const number of Object.values(TimeZone)) {
      expect(() => new Intl.DateTimeFormat('en', { timeZone: ianaZones[number] })).not.toThrow();
    }
  });

  test.each([
    ['DATE_LINE_STANDARD', -12, -12],
    ['COORD_WORLD_TIME_11', -11, -11],
    ['CALIFORNIA', -8, -7],
    ['ARIZONA', -7, -7],
    ['NEUFUNDLAND', -3.5, -2.5],
    ['SANTIAGO', -3, -4],
    ['COORD_WORLD_TIME_02', -2, -2],
    ['DUBLIN_LISSABON_LONDON', 0, 1],
    ['COORD_WORLD_TIME', 0, 0],
    ['AMSTERDAM_BERLIN_ROM', 1, 2],
    ['HELSINKI_KIEW_RIGA', 2, 3],
    ['MOSKAU_PETERSBURG', 3, 3],
    ['TEHERAN', 3.5, 3.5],
    ['KATMANDU', 5.75, 5.75],
    ['PEKING_HONGKONG', 8, 8],
    ['ADELAIDE', 10.5, 9.5],
    ['CANBERRA_SYDNEY', 11, 10],
    ['COORD_WORLD_TIME_12', 12, 12],
    ['KIRITIMATI', 14, 14],
  ] as const)('%s is %d h ahead of UTC in January, %d h in July', (name, january, july) => {
    const zone = ianaZones[TimeZone[name]];
    expect([hoursAt(zone, Date.UTC(2025, 0, 15)), hoursAt(zone, Date.UTC(2025, 6, 15))]).toEqual([
      january,
      july,
    ]);
  });

  test('go from west to east, give or take the two hours that some have changed by since they got their numbers', () => {
    const winters = Object.values(TimeZone).map((number) =>
      hoursAt(ianaZones[number], Date.UTC(2025, 0, 15)),
    );
    const out = winters.flatMap((hours, index) => {
      const before = Math.max(...winters.slice(0, index));
      return hours < before - 2 ? [Object.keys(TimeZone)[index]] : [];
    });
    expect(out).toEqual([]);
  });
});

describe('the state of synchronisation', () => {
  const { time } = extensions.members;

  test('is readable and announced on every scanner, and not a parameter', () => {
    expect([time.isEvent, time.facts.write, time.stored]).toEqual([true, undefined, false]);
    for (const variant of ['full', 'basic'] as const) {
      expect(extensionsOf({ release: '1.4.0', variant }).get('time')).toBe(time);
    }
  });

  test('says at first what the interface says of the time server, and that nobody was asked', () => {
    expect(time.type.initial).toEqual({
      Role: dateAndSystemTime.members.TSCRole.type.initial,
      Synchronised: false,
      System: '',
      Server: [0, 0, 0, 0],
      Stratum: 0,
      Offset: 0,
      RoundTrip: 0,
      LastExchange: 0,
      NextExchange: 0,
      Missed: 0,
      Ptp: {
        State: PtpState.DISABLED,
        Grandmaster: '',
        Master: '',
        MasterAddress: [0, 0, 0, 0],
        Priority1: 0,
        ClockClass: 0,
        Priority2: 0,
        StepsRemoved: 0,
        UtcOffset: 0,
        Leap: 0,
        PathDelay: 0,
        Drift: 0,
      },
      Fault: '',
    });
  });
});
