import {
  ContaminationCover,
  ContaminationStrategy,
  ContaminationThreshold,
  contaminationIndication,
} from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { CountingClock, LateClock } from '../../../../tests/support/clocks.js';
import { ContaminationTestDevice, indicated } from './contamination-test-device.js';

const inactive = ContaminationStrategy.CM_STRATEGY_INACTIVE;
const highAvailable = ContaminationStrategy.CM_STRATEGY_HIGH_AVAILABLE;
const sensitive = ContaminationStrategy.CM_STRATEGY_SENSITIVE;
const { CM_LOW, CM_MID, CM_HIGH } = ContaminationThreshold;
const { CM_COVER, CM_COVER_CUSTOM_SECTORS } = ContaminationCover;

const allClean = 'cccccccccccc';
const noneTold = '------------';

describe('eStrategy', () => {
  test('INACTIVE reports no sector', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: inactive });
    testDevice.soil({ 0: 0.9, 5: 1 });
    testDevice.seconds(100);
    expect([testDevice.sectors, testDevice.result, testDevice.status]).toEqual([
      noneTold,
      '--',
      'DS_NormalOperation',
    ]);
    expect(testDevice.contamination.activeSectors).toEqual(Array.from({ length: 12 }, () => false));
    expect(testDevice.announced).toEqual([]);
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
      const testDevice = new ContaminationTestDevice({ eStrategy });
      testDevice.soil(levels);
      testDevice.seconds(3);
      return [testDevice.sectors, testDevice.result];
    });
    expect(results).toEqual([
      [sectors, mild],
      [sectors, strict],
    ]);
  });

  test('HIGH_AVAILABLE reports the state of the only watched sector', () => {
    const CustomSectors = Array.from({ length: 12 }, (_, sector) => sector === 6);
    const testDevice = new ContaminationTestDevice({
      eStrategy: highAvailable,
      eCover: CM_COVER_CUSTOM_SECTORS,
      CustomSectors,
    });
    testDevice.soil({ 6: 0.4 });
    testDevice.seconds(3);
    expect(testDevice.result).toBe('WE');
  });

  test('HIGH_AVAILABLE reports at once that the dirt is gone, SENSITIVE after the response time', () => {
    const after = [highAvailable, sensitive].map((eStrategy) => {
      const testDevice = new ContaminationTestDevice({ eStrategy, usiResponseTime: 10 });
      testDevice.soil({ 1: 0.4, 2: 0.4 });
      testDevice.seconds(10);
      testDevice.soil({ 1: 0.2 });
      const atOnce = testDevice.sectors;
      testDevice.seconds(9.999);
      const before = testDevice.sectors;
      testDevice.seconds(0.001);
      return [atOnce, before, testDevice.sectors];
    });
    expect(after).toEqual([
      ['cWcccccccccc', 'cWcccccccccc', 'cWcccccccccc'],
      ['cEEccccccccc', 'cEEccccccccc', 'cWcccccccccc'],
    ]);
  });

  test('reports nothing any more when it is switched off', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive });
    testDevice.soil({ 1: 0.4 });
    testDevice.seconds(3);
    testDevice.configure({ eStrategy: inactive });
    expect([testDevice.sectors, testDevice.result, testDevice.status]).toEqual([
      noneTold,
      '--',
      'DS_NormalOperation',
    ]);
    testDevice.configure({ eStrategy: sensitive });
    expect(testDevice.sectors).toBe(allClean);
    testDevice.seconds(3);
    expect(testDevice.sectors).toBe('cEcccccccccc');
  });
});

describe('usiResponseTime', () => {
  test.each([3, 17, 60])('of %d s is how long dirt has to last', (usiResponseTime) => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive, usiResponseTime });
    testDevice.soil({ 3: 0.2 });
    testDevice.seconds(usiResponseTime - 0.001);
    expect([testDevice.sectors, testDevice.announced]).toEqual([allClean, []]);
    testDevice.seconds(0.001);
    expect(testDevice.sectors).toBe('cccWcccccccc');
    expect(testDevice.announced).toEqual([['ContaminationData', 'ContaminationResult']]);
  });

  test('counts anew after every break', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: highAvailable, usiResponseTime: 5 });
    for (const level of [0.4, 0, 0.4, 0.1, 0.4]) {
      testDevice.soil({ 3: level });
      testDevice.seconds(4);
    }
    expect(testDevice.sectors).toBe(allClean);
    testDevice.seconds(1);
    expect(testDevice.sectors).toBe('cccEcccccccc');
  });

  test('counts for a warning and for an error by itself', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive, usiResponseTime: 5 });
    testDevice.soil({ 3: 0.2 });
    testDevice.seconds(3);
    testDevice.soil({ 3: 0.5 });
    testDevice.seconds(2);
    expect(testDevice.sectors).toBe('cccWcccccccc');
    testDevice.seconds(2.999);
    expect(testDevice.sectors).toBe('cccWcccccccc');
    testDevice.seconds(0.001);
    expect(testDevice.sectors).toBe('cccEcccccccc');
  });

  test('takes a new time for one that has run from the beginning', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive, usiResponseTime: 60 });
    testDevice.soil({ 3: 0.2 });
    testDevice.seconds(4);
    testDevice.configure({ usiResponseTime: 5 });
    testDevice.seconds(0.999);
    expect(testDevice.sectors).toBe(allClean);
    testDevice.seconds(0.001);
    expect(testDevice.sectors).toBe('cccWcccccccc');
  });
});

describe('eThreshold', () => {
  test.each([
    ['LOW', 0.15, 0.3, CM_LOW],
    ['MID', 0.3, 0.5, CM_MID],
    ['HIGH', 0.5, 0.7, CM_HIGH],
  ])('%s warns from %d on, with an error from %d on', (_, warning, error, eThreshold) => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive, eThreshold });
    testDevice.soil({ 0: warning - 0.001, 1: warning, 2: error - 0.001, 3: error, 4: 0.949 });
    testDevice.seconds(3);
    expect(testDevice.sectors).toBe('cWWEEccccccc');
  });

  test('holds at once where it is higher, and for what is worse after the response time', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: highAvailable, eThreshold: CM_MID });
    testDevice.soil({ 0: 0.4, 1: 0.4 });
    testDevice.seconds(3);
    expect([testDevice.sectors, testDevice.result]).toEqual(['WWcccccccccc', 'W-']);
    testDevice.configure({ eThreshold: CM_HIGH });
    expect([testDevice.sectors, testDevice.result]).toEqual([allClean, '--']);
    testDevice.configure({ eThreshold: CM_LOW });
    expect(testDevice.sectors).toBe(allClean);
    testDevice.seconds(3);
    expect([testDevice.sectors, testDevice.result]).toEqual(['EEcccccccccc', 'WE']);
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
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive, ...config });
    testDevice.soil(Object.fromEntries(Array.from({ length: 12 }, (__, sector) => [sector, 0.5])));
    testDevice.seconds(3);
    expect(testDevice.sectors).toBe(expected);
    expect(testDevice.contamination.activeSectors).toEqual([...expected].map((letter) => letter === 'E'));
  });

  test('makes a sector that is watched again wait anew', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive });
    testDevice.soil({ 0: 0.5 });
    testDevice.seconds(3);
    testDevice.configure({ eCover: CM_COVER });
    expect([testDevice.sectors, testDevice.result]).toEqual(['---cccccc---', '--']);
    testDevice.configure({ eCover: ContaminationCover.CM_COVER_NONE });
    expect(testDevice.sectors).toBe(allClean);
    testDevice.seconds(3);
    expect(testDevice.sectors).toBe('Eccccccccccc');
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
      const testDevice = new ContaminationTestDevice({ eStrategy: sensitive, bEnableWarning, bEnableError });
      testDevice.soil({ 7: 0.4 });
      testDevice.seconds(3);
      expect([testDevice.sectors, testDevice.result, testDevice.status]).toEqual([
        'cccccccEcccc',
        result,
        status,
      ]);
    },
  );

  test('make one change of DeviceStatus each', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: highAvailable });
    testDevice.soil({ 7: 0.4, 8: 0.4 });
    testDevice.seconds(3);
    testDevice.soil({ 7: 0.2, 8: 0.2 });
    testDevice.soil({});
    testDevice.soil({ 7: 0.4, 8: 0.4 });
    testDevice.seconds(3);
    testDevice.soil({});
    expect(testDevice.statuses).toEqual([
      'DS_ServiceRequired',
      'DS_ServiceRecommended',
      'DS_NormalOperation',
      'DS_ServiceRequired',
      'DS_NormalOperation',
    ]);
  });

  test('are announced together with the sectors, once for all that become dirty together', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive });
    testDevice.soil({ 1: 0.2, 7: 0.4, 8: 0.4 });
    testDevice.seconds(3);
    expect(testDevice.announced).toEqual([['ContaminationData', 'ContaminationResult']]);
    testDevice.soil({ 1: 0.2, 2: 0.2, 7: 0.4, 8: 0.4 });
    testDevice.seconds(100);
    expect(testDevice.announced.slice(1)).toEqual([['ContaminationData']]);
    testDevice.announced.length = 0;
    testDevice.configure({ bEnableError: false });
    expect(testDevice.announced).toContainEqual(['ContaminationResult']);
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
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive, eThreshold: CM_HIGH });
    testDevice.treatBlockedAsErrors(treat);
    testDevice.soil({ 7: level });
    testDevice.seconds(2.999);
    expect(testDevice.sectors).toBe(allClean);
    testDevice.seconds(0.001);
    expect([testDevice.sectors, testDevice.result]).toEqual([sectors, result]);
  });

  test('is counted otherwise at once when that is switched', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive });
    testDevice.soil({ 7: 1 });
    testDevice.seconds(3);
    testDevice.treatBlockedAsErrors(true);
    expect([testDevice.sectors, testDevice.result]).toEqual(['cccccccEcccc', 'WE']);
    testDevice.treatBlockedAsErrors(false);
    expect([testDevice.sectors, testDevice.result]).toEqual(['ccccccc-cccc', '--']);
  });

  test('stays what it was until it has been blocked for long enough', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: highAvailable });
    testDevice.soil({ 7: 0.2 });
    testDevice.seconds(3);
    testDevice.soil({ 7: 1 });
    testDevice.seconds(2.999);
    expect(testDevice.sectors).toBe('cccccccWcccc');
    testDevice.seconds(0.001);
    expect(testDevice.sectors).toBe('ccccccc-cccc');
  });
});

describe('the indication of contamination', () => {
  test('begins anew with a boot: dirt has to last from then on', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive });
    testDevice.soil({ 0: 0.5 });
    testDevice.seconds(3);
    testDevice.contamination.down();
    testDevice.seconds(100);
    testDevice.contamination.boot();
    expect([testDevice.sectors, testDevice.result, testDevice.status]).toEqual([
      allClean,
      '--',
      'DS_NormalOperation',
    ]);
    testDevice.seconds(3);
    expect(testDevice.sectors).toBe('Eccccccccccc');
  });

  test('does nothing while the scanner is down, and reads the screen when it boots', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive });
    testDevice.soil({ 0: 0.5 });
    testDevice.contamination.down();
    testDevice.seconds(100);
    testDevice.soil({ 1: 0.5 });
    testDevice.configure({ eThreshold: CM_MID });
    testDevice.seconds(100);
    expect(testDevice.announced).toEqual([['ContaminationConfig']]);
    testDevice.contamination.boot();
    testDevice.seconds(3);
    expect(testDevice.sectors).toBe('cEcccccccccc');
  });

  test('finds a screen that is dirty when the scanner comes up for the first time', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive }, indicated, {
      levels: [0, 0, 0.5],
    });
    testDevice.seconds(3);
    expect(testDevice.sectors).toBe('ccEccccccccc');
  });

  test('reports a state that has lasted long enough, even if the timer is late', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive }, indicated, {
      clock: new LateClock(),
    });
    testDevice.soil({ 0: 0.5 });
    testDevice.seconds(3);
    testDevice.soil({});
    expect(testDevice.sectors).toBe('Eccccccccccc');
  });

  test('needs a timer only while something has to last, and none when the scanner is down', () => {
    const clock = new CountingClock();
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive }, indicated, { clock });
    expect(clock.pending).toBe(0);
    testDevice.soil({ 0: 0.5 });
    testDevice.seconds(1);
    testDevice.soil({ 0: 0.5, 1: 0.2 });
    expect(clock.pending).toBe(1);
    testDevice.seconds(3);
    expect(clock.pending).toBe(0);
    testDevice.soil({});
    testDevice.contamination.down();
    expect(clock.pending).toBe(0);
  });

  test('is inactive where a variant or release lacks it', () => {
    const testDevice = new ContaminationTestDevice({}, []);
    testDevice.soil({ 0: 0.5, 1: 1 });
    testDevice.seconds(100);
    expect([testDevice.sectors, testDevice.result]).toEqual([noneTold, '--']);
  });

  test('leaves blocked sectors out before release 2.3.3, which brought the choice', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive }, [
      contaminationIndication.members.ContaminationConfig,
    ]);
    testDevice.soil({ 0: 1 });
    testDevice.seconds(3);
    expect(testDevice.sectors).toBe('-ccccccccccc');
  });

  test('has sectors as many as its variables', () => {
    const { data, activeSectors } = new ContaminationTestDevice().contamination;
    const { ContaminationData, ContaminationActiveSectors } = contaminationIndication.members;
    expect(ContaminationData.type.shape).toMatchObject({ maxItems: data.length });
    expect(ContaminationActiveSectors.type.shape).toMatchObject({ maxItems: activeSectors.length });
  });

  test('computes its variables; the active sectors follow the configuration', () => {
    const { contamination } = new ContaminationTestDevice({ eStrategy: sensitive });
    const { computed } = contamination;
    expect(computed.map(({ variable, value }) => [variable.name, value()])).toEqual([
      ['ContaminationData', contamination.data],
      ['ContaminationResult', contamination.result],
      ['ContaminationActiveSectors', contamination.activeSectors],
    ]);
    expect(computed.flatMap(({ from }) => from).map(({ name }) => name)).toEqual(['ContaminationConfig']);
  });
});

describe('the example of docs/contamination.md', () => {
  function play(eStrategy: typeof highAvailable | typeof sensitive): string[] {
    const testDevice = new ContaminationTestDevice({ eStrategy, usiResponseTime: 10, eThreshold: CM_MID });
    const seen: string[] = [];
    const look = () =>
      seen.push(`${testDevice.sectors.slice(3, 5)} ${testDevice.result} ${testDevice.status}`);
    testDevice.soil({ 3: 0.6 });
    look();
    testDevice.seconds(10);
    look();
    testDevice.seconds(5);
    testDevice.soil({ 3: 0.6, 4: 0.55 });
    look();
    testDevice.seconds(10);
    look();
    testDevice.seconds(5);
    testDevice.soil({ 4: 0.4 });
    look();
    testDevice.seconds(10);
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
