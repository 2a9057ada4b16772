import {
  ContaminationCover,
  ContaminationStrategy,
  ContaminationThreshold,
  sectorCount,
} from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { ContaminationTestDevice } from './contamination-test-device.js';

const inactive = ContaminationStrategy.CM_STRATEGY_INACTIVE;
const highAvailable = ContaminationStrategy.CM_STRATEGY_HIGH_AVAILABLE;
const sensitive = ContaminationStrategy.CM_STRATEGY_SENSITIVE;
const { CM_LOW, CM_MID, CM_HIGH } = ContaminationThreshold;
const { CM_COVER, CM_COVER_CUSTOM_SECTORS } = ContaminationCover;

/** Shares of light that all sectors block. */
function everywhere(level: number): Readonly<Record<number, number>> {
  return Object.fromEntries(Array.from({ length: sectorCount }, (_, sector) => [sector, level]));
}

const allClean = 'ccccccc';
const noneTold = '-------';

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
    expect(testDevice.contamination.activeSectors).toEqual(Array.from({ length: sectorCount }, () => false));
    expect(testDevice.announced).toEqual([]);
  });

  test.each([
    // One sector with a warning, with an error, several, all but one, all.
    [{ 4: 0.2 }, 'ccccWcc', '--', 'W-'],
    [{ 4: 0.4 }, 'ccccEcc', '--', 'WE'],
    [{ 4: 0.4, 0: 0.2 }, 'WcccEcc', '--', 'WE'],
    [{ 0: 0.4, 1: 0.4, 2: 0.4, 3: 0.4, 4: 0.4, 5: 0.4 }, 'EEEEEEc', '--', 'WE'],
    [{ 0: 0.2, 1: 0.2, 2: 0.2, 3: 0.2, 4: 0.2, 5: 0.2, 6: 0.2 }, 'WWWWWWW', 'W-', 'W-'],
    [{ 0: 0.4, 1: 0.4, 2: 0.4, 3: 0.4, 4: 0.4, 5: 0.4, 6: 0.2 }, 'EEEEEEW', 'W-', 'WE'],
    [{ 0: 0.4, 1: 0.4, 2: 0.4, 3: 0.4, 4: 0.4, 5: 0.4, 6: 0.4 }, 'EEEEEEE', 'WE', 'WE'],
  ])(
    'judges %j as %s: HIGH_AVAILABLE, which needs all, %s; SENSITIVE, which needs one, %s',
    (levels, sectors, all, one) => {
      const results = [highAvailable, sensitive].map((eStrategy) => {
        const testDevice = new ContaminationTestDevice({ eStrategy });
        testDevice.soil(levels);
        testDevice.seconds(3);
        return [testDevice.sectors, testDevice.result];
      });
      expect(results).toEqual([
        [sectors, all],
        [sectors, one],
      ]);
    },
  );

  test('HIGH_AVAILABLE needs all watched sectors, not all that there are', () => {
    const CustomSectors = Array.from({ length: sectorCount }, (_, sector) => sector === 6);
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
      ['cWccccc', 'cWccccc', 'cWccccc'],
      ['cEEcccc', 'cEEcccc', 'cWccccc'],
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
    expect(testDevice.sectors).toBe('cEccccc');
  });
});

describe('usiResponseTime', () => {
  test.each([3, 17, 60])('of %d s is how long dirt has to last', (usiResponseTime) => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive, usiResponseTime });
    testDevice.soil({ 3: 0.2 });
    testDevice.seconds(usiResponseTime - 0.001);
    expect([testDevice.sectors, testDevice.announced]).toEqual([allClean, []]);
    testDevice.seconds(0.001);
    expect(testDevice.sectors).toBe('cccWccc');
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
    expect(testDevice.sectors).toBe('cccEccc');
  });

  test('counts for a warning and for an error by itself', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive, usiResponseTime: 5 });
    testDevice.soil({ 3: 0.2 });
    testDevice.seconds(3);
    testDevice.soil({ 3: 0.5 });
    testDevice.seconds(2);
    expect(testDevice.sectors).toBe('cccWccc');
    testDevice.seconds(2.999);
    expect(testDevice.sectors).toBe('cccWccc');
    testDevice.seconds(0.001);
    expect(testDevice.sectors).toBe('cccEccc');
  });

  test('takes a new time for one that has run from the beginning', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive, usiResponseTime: 60 });
    testDevice.soil({ 3: 0.2 });
    testDevice.seconds(4);
    testDevice.configure({ usiResponseTime: 5 });
    testDevice.seconds(0.999);
    expect(testDevice.sectors).toBe(allClean);
    testDevice.seconds(0.001);
    expect(testDevice.sectors).toBe('cccWccc');
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
    expect(testDevice.sectors).toBe('cWWEEcc');
  });

  test('holds at once where it is higher, and for what is worse after the response time', () => {
    const testDevice = new ContaminationTestDevice({
      eStrategy: highAvailable,
      eThreshold: CM_MID,
      eCover: CM_COVER_CUSTOM_SECTORS,
      CustomSectors: [true, true, false, false, false, false, false],
    });
    testDevice.soil({ 0: 0.4, 1: 0.4 });
    testDevice.seconds(3);
    expect([testDevice.sectors, testDevice.result]).toEqual(['WW-----', 'W-']);
    testDevice.configure({ eThreshold: CM_HIGH });
    expect([testDevice.sectors, testDevice.result]).toEqual(['cc-----', '--']);
    testDevice.configure({ eThreshold: CM_LOW });
    expect(testDevice.sectors).toBe('cc-----');
    testDevice.seconds(3);
    expect([testDevice.sectors, testDevice.result]).toEqual(['EE-----', 'WE']);
  });
});

describe('eCover', () => {
  test.each([
    ['NONE', { eCover: ContaminationCover.CM_COVER_NONE, CustomSectors: [false] }, 'EEEEEEE'],
    ['COVER', { eCover: CM_COVER, CustomSectors: [true] }, '-EEEEE-'],
    ['CUSTOM', { eCover: CM_COVER_CUSTOM_SECTORS, CustomSectors: [] }, 'EEEEEEE'],
    ['CUSTOM', { eCover: CM_COVER_CUSTOM_SECTORS, CustomSectors: [false, true, false] }, '-E-EEEE'],
    [
      'CUSTOM',
      {
        eCover: CM_COVER_CUSTOM_SECTORS,
        CustomSectors: Array.from({ length: sectorCount }, (_, sector) => sector === sectorCount - 1),
      },
      '------E',
    ],
  ])('%s has %j watch %s', (_, config, expected) => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive, ...config });
    testDevice.soil(Object.fromEntries(Array.from({ length: sectorCount }, (__, sector) => [sector, 0.5])));
    testDevice.seconds(3);
    expect(testDevice.sectors).toBe(expected);
    expect(testDevice.contamination.activeSectors).toEqual([...expected].map((letter) => letter === 'E'));
  });

  test('makes a sector that is watched again wait anew', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive });
    testDevice.soil({ 0: 0.5 });
    testDevice.seconds(3);
    testDevice.configure({ eCover: CM_COVER });
    expect([testDevice.sectors, testDevice.result]).toEqual(['-ccccc-', '--']);
    testDevice.configure({ eCover: ContaminationCover.CM_COVER_NONE });
    expect(testDevice.sectors).toBe(allClean);
    testDevice.seconds(3);
    expect(testDevice.sectors).toBe('Ecccccc');
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
      testDevice.soil({ 5: 0.4 });
      testDevice.seconds(3);
      expect([testDevice.sectors, testDevice.result, testDevice.status]).toEqual(['cccccEc', result, status]);
    },
  );

  test('make one change of DeviceStatus each', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: highAvailable });
    testDevice.soil(everywhere(0.4));
    testDevice.seconds(3);
    testDevice.soil(everywhere(0.2));
    testDevice.soil({});
    testDevice.soil(everywhere(0.4));
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
    testDevice.soil({ 1: 0.2, 5: 0.4, 6: 0.4 });
    testDevice.seconds(3);
    expect(testDevice.announced).toEqual([['ContaminationData', 'ContaminationResult']]);
    testDevice.soil({ 1: 0.2, 2: 0.2, 5: 0.4, 6: 0.4 });
    testDevice.seconds(100);
    expect(testDevice.announced.slice(1)).toEqual([['ContaminationData']]);
    testDevice.announced.length = 0;
    testDevice.configure({ bEnableError: false });
    expect(testDevice.announced).toContainEqual(['ContaminationResult']);
  });
});

describe('a blocked sector', () => {
  test.each([
    [false, 0.949, 'cccccEc', 'WE'],
    [false, 0.95, 'ccccc-c', '--'],
    [false, 1, 'ccccc-c', '--'],
    [true, 0.95, 'ccccc-c', 'WE'],
    [true, 1, 'ccccc-c', 'WE'],
  ])('counts as dirty by treatBlockedSectorsAsErrorSectors %s: %d', (treat, level, sectors, result) => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive, eThreshold: CM_HIGH });
    testDevice.treatBlockedAsErrors(treat);
    testDevice.soil({ 5: level });
    testDevice.seconds(2.999);
    expect(testDevice.sectors).toBe(allClean);
    testDevice.seconds(0.001);
    expect([testDevice.sectors, testDevice.result]).toEqual([sectors, result]);
  });

  test.each([
    [false, 0.2, 'WWWWW-W', 'W-'],
    [false, 0.4, 'EEEEE-E', 'WE'],
    [false, 0, 'ccccc-c', '--'],
    [true, 0.4, 'EEEEE-E', 'WE'],
    [true, 0, 'ccccc-c', '--'],
  ])(
    'is left out by HIGH_AVAILABLE, or is one of all: %s, the others %d',
    (treat, level, sectors, result) => {
      const testDevice = new ContaminationTestDevice({ eStrategy: highAvailable });
      testDevice.treatBlockedAsErrors(treat);
      testDevice.soil({ ...everywhere(level), 5: 1 });
      testDevice.seconds(3);
      expect([testDevice.sectors, testDevice.result]).toEqual([sectors, result]);
    },
  );

  test('is counted otherwise at once when that is switched', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive });
    testDevice.soil({ 5: 1 });
    testDevice.seconds(3);
    testDevice.treatBlockedAsErrors(true);
    expect([testDevice.sectors, testDevice.result]).toEqual(['ccccc-c', 'WE']);
    testDevice.treatBlockedAsErrors(false);
    expect([testDevice.sectors, testDevice.result]).toEqual(['ccccc-c', '--']);
  });

  test('stays what it was until it has been blocked for long enough', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: highAvailable });
    testDevice.soil({ 5: 0.2 });
    testDevice.seconds(3);
    testDevice.soil({ 5: 1 });
    testDevice.seconds(2.999);
    expect(testDevice.sectors).toBe('cccccWc');
    testDevice.seconds(0.001);
    expect(testDevice.sectors).toBe('ccccc-c');
  });
});
