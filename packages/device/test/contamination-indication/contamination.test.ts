import {
  ContaminationCover,
  ContaminationStrategy,
  ContaminationThreshold,
  contaminationIndication,
} from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { CountingClock, LateClock } from '../../../../tests/support/clocks.js';
import { ContaminationBench, indicated } from './contamination-bench.js';

const inactive = ContaminationStrategy.CM_STRATEGY_INACTIVE;
const highAvailable = ContaminationStrategy.CM_STRATEGY_HIGH_AVAILABLE;
const sensitive = ContaminationStrategy.CM_STRATEGY_SENSITIVE;
const { CM_LOW, CM_MID, CM_HIGH } = ContaminationThreshold;
const { CM_COVER, CM_COVER_CUSTOM_SECTORS } = ContaminationCover;

const allClean = 'cccccccccccc';
const noneTold = '------------';

describe('eStrategy', () => {
  test('INACTIVE tells nothing of any sector', () => {
    const bench = new ContaminationBench({ eStrategy: inactive });
    bench.soil({ 0: 0.9, 5: 1 });
    bench.seconds(100);
    expect([bench.sectors, bench.result, bench.status]).toEqual([noneTold, '--', 'DS_NormalOperation']);
    expect(bench.contamination.activeSectors).toEqual(Array.from({ length: 12 }, () => false));
    expect(bench.announced).toEqual([]);
  });

  test.each([
    // One sector with a warning, one with an error, two of a kind, one of each.
    [{ 4: 0.2 }, 'ccccWccccccc', '--', 'W-'],
    [{ 4: 0.4 }, 'ccccEccccccc', 'W-', 'WE'],
    [{ 4: 0.2, 11: 0.2 }, 'ccccWccccccW', 'W-', 'W-'],
    [{ 4: 0.4, 0: 0.2 }, 'WcccEccccccc', 'W-', 'WE'],
    [{ 4: 0.4, 5: 0.4 }, 'ccccEEcccccc', 'WE', 'WE'],
  ])('judges %j as %s: HIGH_AVAILABLE %s, SENSITIVE %s', (levels, sectors, mild, strict) => {
    const results = [highAvailable, sensitive].map((eStrategy) => {
      const bench = new ContaminationBench({ eStrategy });
      bench.soil(levels);
      bench.seconds(3);
      return [bench.sectors, bench.result];
    });
    expect(results).toEqual([
      [sectors, mild],
      [sectors, strict],
    ]);
  });

  test('HIGH_AVAILABLE takes a sector for what it is where no other is watched', () => {
    const CustomSectors = Array.from({ length: 12 }, (_, sector) => sector === 6);
    const bench = new ContaminationBench({
      eStrategy: highAvailable,
      eCover: CM_COVER_CUSTOM_SECTORS,
      CustomSectors,
    });
    bench.soil({ 6: 0.4 });
    bench.seconds(3);
    expect(bench.result).toBe('WE');
  });

  test('HIGH_AVAILABLE tells at once that the dirt is gone, SENSITIVE after the response time', () => {
    const after = [highAvailable, sensitive].map((eStrategy) => {
      const bench = new ContaminationBench({ eStrategy, usiResponseTime: 10 });
      bench.soil({ 1: 0.4, 2: 0.4 });
      bench.seconds(10);
      bench.soil({ 1: 0.2 });
      const atOnce = bench.sectors;
      bench.seconds(9.999);
      const before = bench.sectors;
      bench.seconds(0.001);
      return [atOnce, before, bench.sectors];
    });
    expect(after).toEqual([
      ['cWcccccccccc', 'cWcccccccccc', 'cWcccccccccc'],
      ['cEEccccccccc', 'cEEccccccccc', 'cWcccccccccc'],
    ]);
  });

  test('switched off forgets at once what was told', () => {
    const bench = new ContaminationBench({ eStrategy: sensitive });
    bench.soil({ 1: 0.4 });
    bench.seconds(3);
    bench.configure({ eStrategy: inactive });
    expect([bench.sectors, bench.result, bench.status]).toEqual([noneTold, '--', 'DS_NormalOperation']);
    bench.configure({ eStrategy: sensitive });
    expect(bench.sectors).toBe(allClean);
    bench.seconds(3);
    expect(bench.sectors).toBe('cEcccccccccc');
  });
});

describe('usiResponseTime', () => {
  test.each([3, 17, 60])('of %d s is how long dirt has to last', (usiResponseTime) => {
    const bench = new ContaminationBench({ eStrategy: sensitive, usiResponseTime });
    bench.soil({ 3: 0.2 });
    bench.seconds(usiResponseTime - 0.001);
    expect([bench.sectors, bench.announced]).toEqual([allClean, []]);
    bench.seconds(0.001);
    expect(bench.sectors).toBe('cccWcccccccc');
    expect(bench.announced).toEqual([['ContaminationData', 'ContaminationResult']]);
  });

  test('counts anew after every break', () => {
    const bench = new ContaminationBench({ eStrategy: highAvailable, usiResponseTime: 5 });
    for (const level of [0.4, 0, 0.4, 0.1, 0.4]) {
      bench.soil({ 3: level });
      bench.seconds(4);
    }
    expect(bench.sectors).toBe(allClean);
    bench.seconds(1);
    expect(bench.sectors).toBe('cccEcccccccc');
  });

  test('counts for a warning and for an error by itself', () => {
    const bench = new ContaminationBench({ eStrategy: sensitive, usiResponseTime: 5 });
    bench.soil({ 3: 0.2 });
    bench.seconds(3);
    bench.soil({ 3: 0.5 });
    bench.seconds(2);
    expect(bench.sectors).toBe('cccWcccccccc');
    bench.seconds(2.999);
    expect(bench.sectors).toBe('cccWcccccccc');
    bench.seconds(0.001);
    expect(bench.sectors).toBe('cccEcccccccc');
  });

  test('takes a new time for one that has run from the beginning', () => {
    const bench = new ContaminationBench({ eStrategy: sensitive, usiResponseTime: 60 });
    bench.soil({ 3: 0.2 });
    bench.seconds(4);
    bench.configure({ usiResponseTime: 5 });
    bench.seconds(0.999);
    expect(bench.sectors).toBe(allClean);
    bench.seconds(0.001);
    expect(bench.sectors).toBe('cccWcccccccc');
  });
});

describe('eThreshold', () => {
  test.each([
    ['LOW', 0.15, 0.3, CM_LOW],
    ['MID', 0.3, 0.5, CM_MID],
    ['HIGH', 0.5, 0.7, CM_HIGH],
  ])('%s warns from %d on, with an error from %d on', (_, warning, error, eThreshold) => {
    const bench = new ContaminationBench({ eStrategy: sensitive, eThreshold });
    bench.soil({ 0: warning - 0.001, 1: warning, 2: error - 0.001, 3: error, 4: 0.949 });
    bench.seconds(3);
    expect(bench.sectors).toBe('cWWEEccccccc');
  });

  test('holds at once where it is higher, and for what is worse after the response time', () => {
    const bench = new ContaminationBench({ eStrategy: highAvailable, eThreshold: CM_MID });
    bench.soil({ 0: 0.4, 1: 0.4 });
    bench.seconds(3);
    expect([bench.sectors, bench.result]).toEqual(['WWcccccccccc', 'W-']);
    bench.configure({ eThreshold: CM_HIGH });
    expect([bench.sectors, bench.result]).toEqual([allClean, '--']);
    bench.configure({ eThreshold: CM_LOW });
    expect(bench.sectors).toBe(allClean);
    bench.seconds(3);
    expect([bench.sectors, bench.result]).toEqual(['EEcccccccccc', 'WE']);
  });
});

describe('eCover', () => {
  test.each([
    ['NONE', { eCover: ContaminationCover.CM_COVER_NONE, CustomSectors: [false] }, 'EEEEEEEEEEEE'],
    ['COVER', { eCover: CM_COVER, CustomSectors: [true] }, '---EEEEEE---'],
    ['CUSTOM', { eCover: CM_COVER_CUSTOM_SECTORS, CustomSectors: [] }, 'EEEEEEEEEEEE'],
    ['CUSTOM', { eCover: CM_COVER_CUSTOM_SECTORS, CustomSectors: [false, true, false] }, '-E-EEEEEEEEE'],
    [
      'CUSTOM',
      {
        eCover: CM_COVER_CUSTOM_SECTORS,
        CustomSectors: Array.from({ length: 12 }, (_, sector) => sector === 11),
      },
      '-----------E',
    ],
  ])('%s has %j watch %s', (_, config, expected) => {
    const bench = new ContaminationBench({ eStrategy: sensitive, ...config });
    bench.soil(Object.fromEntries(Array.from({ length: 12 }, (__, sector) => [sector, 0.5])));
    bench.seconds(3);
    expect(bench.sectors).toBe(expected);
    expect(bench.contamination.activeSectors).toEqual([...expected].map((letter) => letter === 'E'));
  });

  test('makes a sector that is watched again wait anew', () => {
    const bench = new ContaminationBench({ eStrategy: sensitive });
    bench.soil({ 0: 0.5 });
    bench.seconds(3);
    bench.configure({ eCover: CM_COVER });
    expect([bench.sectors, bench.result]).toEqual(['---cccccc---', '--']);
    bench.configure({ eCover: ContaminationCover.CM_COVER_NONE });
    expect(bench.sectors).toBe(allClean);
    bench.seconds(3);
    expect(bench.sectors).toBe('Eccccccccccc');
  });
});

describe('a warning and an error', () => {
  test.each([
    [true, true, 'WE', 'DS_ServiceRequired'],
    [true, false, 'W-', 'DS_ServiceRecommended'],
    [false, true, '-E', 'DS_ServiceRequired'],
    [false, false, '--', 'DS_NormalOperation'],
  ])(
    'are reported with bEnableWarning %s, bEnableError %s',
    (bEnableWarning, bEnableError, result, status) => {
      const bench = new ContaminationBench({ eStrategy: sensitive, bEnableWarning, bEnableError });
      bench.soil({ 7: 0.4 });
      bench.seconds(3);
      expect([bench.sectors, bench.result, bench.status]).toEqual(['cccccccEcccc', result, status]);
    },
  );

  test('make one change of DeviceStatus each', () => {
    const bench = new ContaminationBench({ eStrategy: highAvailable });
    bench.soil({ 7: 0.4, 8: 0.4 });
    bench.seconds(3);
    bench.soil({ 7: 0.2, 8: 0.2 });
    bench.soil({});
    bench.soil({ 7: 0.4, 8: 0.4 });
    bench.seconds(3);
    bench.soil({});
    expect(bench.statuses).toEqual([
      'DS_ServiceRequired',
      'DS_ServiceRecommended',
      'DS_NormalOperation',
      'DS_ServiceRequired',
      'DS_NormalOperation',
    ]);
  });

  test('are announced together with the sectors, once for all that become dirty together', () => {
    const bench = new ContaminationBench({ eStrategy: sensitive });
    bench.soil({ 1: 0.2, 7: 0.4, 8: 0.4 });
    bench.seconds(3);
    expect(bench.announced).toEqual([['ContaminationData', 'ContaminationResult']]);
    bench.soil({ 1: 0.2, 2: 0.2, 7: 0.4, 8: 0.4 });
    bench.seconds(100);
    expect(bench.announced.slice(1)).toEqual([['ContaminationData']]);
    bench.announced.length = 0;
    bench.configure({ bEnableError: false });
    expect(bench.announced).toContainEqual(['ContaminationResult']);
  });
});

describe('a blocked sector', () => {
  test.each([
    [false, 0.949, 'cccccccEcccc', 'WE'],
    [false, 0.95, 'ccccccc-cccc', '--'],
    [false, 1, 'ccccccc-cccc', '--'],
    [true, 0.95, 'cccccccEcccc', 'WE'],
    [true, 1, 'cccccccEcccc', 'WE'],
  ])('counts as dirty by treatBlockedSectorsAsErrorSectors %s: %d', (treat, level, sectors, result) => {
    const bench = new ContaminationBench({ eStrategy: sensitive, eThreshold: CM_HIGH });
    bench.treatBlockedAsErrors(treat);
    bench.soil({ 7: level });
    bench.seconds(2.999);
    expect(bench.sectors).toBe(allClean);
    bench.seconds(0.001);
    expect([bench.sectors, bench.result]).toEqual([sectors, result]);
  });

  test('is counted otherwise at once when that is switched', () => {
    const bench = new ContaminationBench({ eStrategy: sensitive });
    bench.soil({ 7: 1 });
    bench.seconds(3);
    bench.treatBlockedAsErrors(true);
    expect([bench.sectors, bench.result]).toEqual(['cccccccEcccc', 'WE']);
    bench.treatBlockedAsErrors(false);
    expect([bench.sectors, bench.result]).toEqual(['ccccccc-cccc', '--']);
  });

  test('stays what it was until it has been blocked for long enough', () => {
    const bench = new ContaminationBench({ eStrategy: highAvailable });
    bench.soil({ 7: 0.2 });
    bench.seconds(3);
    bench.soil({ 7: 1 });
    bench.seconds(2.999);
    expect(bench.sectors).toBe('cccccccWcccc');
    bench.seconds(0.001);
    expect(bench.sectors).toBe('ccccccc-cccc');
  });
});

describe('the indication of contamination', () => {
  test('begins anew with a boot: dirt has to last from then on', () => {
    const bench = new ContaminationBench({ eStrategy: sensitive });
    bench.soil({ 0: 0.5 });
    bench.seconds(3);
    bench.contamination.down();
    bench.seconds(100);
    bench.contamination.boot();
    expect([bench.sectors, bench.result, bench.status]).toEqual([allClean, '--', 'DS_NormalOperation']);
    bench.seconds(3);
    expect(bench.sectors).toBe('Eccccccccccc');
  });

  test('does nothing while the scanner is down, and finds the screen as it is', () => {
    const bench = new ContaminationBench({ eStrategy: sensitive });
    bench.soil({ 0: 0.5 });
    bench.contamination.down();
    bench.seconds(100);
    bench.soil({ 1: 0.5 });
    bench.configure({ eThreshold: CM_MID });
    bench.seconds(100);
    expect(bench.announced).toEqual([['ContaminationConfig']]);
    bench.contamination.boot();
    bench.seconds(3);
    expect(bench.sectors).toBe('cEcccccccccc');
  });

  test('finds a screen that is dirty when the scanner comes up for the first time', () => {
    const bench = new ContaminationBench({ eStrategy: sensitive }, indicated, { levels: [0, 0, 0.5] });
    bench.seconds(3);
    expect(bench.sectors).toBe('ccEccccccccc');
  });

  test('tells what has lasted, however late the timer is', () => {
    const bench = new ContaminationBench({ eStrategy: sensitive }, indicated, { clock: new LateClock() });
    bench.soil({ 0: 0.5 });
    bench.seconds(3);
    bench.soil({});
    expect(bench.sectors).toBe('Eccccccccccc');
  });

  test('needs a timer only while something has to last, and none when the scanner is down', () => {
    const clock = new CountingClock();
    const bench = new ContaminationBench({ eStrategy: sensitive }, indicated, { clock });
    expect(clock.pending).toBe(0);
    bench.soil({ 0: 0.5 });
    bench.seconds(1);
    bench.soil({ 0: 0.5, 1: 0.2 });
    expect(clock.pending).toBe(1);
    bench.seconds(3);
    expect(clock.pending).toBe(0);
    bench.soil({});
    bench.contamination.down();
    expect(clock.pending).toBe(0);
  });

  test('is inactive where a variant or release lacks it', () => {
    const bench = new ContaminationBench({}, []);
    bench.soil({ 0: 0.5, 1: 1 });
    bench.seconds(100);
    expect([bench.sectors, bench.result]).toEqual([noneTold, '--']);
  });

  test('leaves blocked sectors out before release 2.3.3, which brought the choice', () => {
    const bench = new ContaminationBench({ eStrategy: sensitive }, [
      contaminationIndication.members.ContaminationConfig,
    ]);
    bench.soil({ 0: 1 });
    bench.seconds(3);
    expect(bench.sectors).toBe('-ccccccccccc');
  });

  test('has sectors as many as its variables', () => {
    const { data, activeSectors } = new ContaminationBench().contamination;
    const { ContaminationData, ContaminationActiveSectors } = contaminationIndication.members;
    expect(ContaminationData.type.shape).toMatchObject({ maxItems: data.length });
    expect(ContaminationActiveSectors.type.shape).toMatchObject({ maxItems: activeSectors.length });
  });

  test('computes its variables, and applies the other parameters', () => {
    const { contamination } = new ContaminationBench({ eStrategy: sensitive });
    const { appliedParameters, computed } = contamination;
    expect(computed.map(({ variable, value }) => [variable.name, value()])).toEqual([
      ['ContaminationData', contamination.data],
      ['ContaminationResult', contamination.result],
      ['ContaminationActiveSectors', contamination.activeSectors],
    ]);
    const names = [...appliedParameters, ...computed.flatMap(({ from }) => from)].map(({ name }) => name);
    expect(names).toEqual(['treatBlockedSectorsAsErrorSectors', 'ContaminationConfig']);
  });
});

describe('the example of docs/contamination.md', () => {
  function play(eStrategy: typeof highAvailable | typeof sensitive): string[] {
    const bench = new ContaminationBench({ eStrategy, usiResponseTime: 10, eThreshold: CM_MID });
    const seen: string[] = [];
    const look = () => seen.push(`${bench.sectors.slice(3, 5)} ${bench.result} ${bench.status}`);
    bench.soil({ 3: 0.6 });
    look();
    bench.seconds(10);
    look();
    bench.seconds(5);
    bench.soil({ 3: 0.6, 4: 0.55 });
    look();
    bench.seconds(10);
    look();
    bench.seconds(5);
    bench.soil({ 4: 0.4 });
    look();
    bench.seconds(10);
    look();
    return seen;
  }

  test('holds with HIGH_AVAILABLE', () => {
    expect(play(highAvailable)).toEqual([
      'cc -- DS_NormalOperation',
      'Ec W- DS_ServiceRecommended',
      'Ec W- DS_ServiceRecommended',
      'EE WE DS_ServiceRequired',
      'cW -- DS_NormalOperation',
      'cW -- DS_NormalOperation',
    ]);
  });

  test('holds with SENSITIVE', () => {
    expect(play(sensitive)).toEqual([
      'cc -- DS_NormalOperation',
      'Ec WE DS_ServiceRequired',
      'Ec WE DS_ServiceRequired',
      'EE WE DS_ServiceRequired',
      'EE WE DS_ServiceRequired',
      'cW W- DS_ServiceRecommended',
    ]);
  });
});
