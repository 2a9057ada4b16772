import {
  ContaminationCover,
  ContaminationStrategy,
  ContaminationThreshold,
  contaminationIndication,
} from '@azimuth/model';
import { CountingClock, LateClock } from '@azimuth/test-support/clocks';
import { describe, expect, test } from 'vitest';
import { ContaminationTestDevice, indicated } from './contamination-test-device.js';

const highAvailable = ContaminationStrategy.CM_STRATEGY_HIGH_AVAILABLE;
const sensitive = ContaminationStrategy.CM_STRATEGY_SENSITIVE;
const { CM_MID } = ContaminationThreshold;
const { CM_COVER_CUSTOM_SECTORS } = ContaminationCover;

const allClean = 'ccccccc';
const noneTold = '-------';

describe('while the scanner does not measure', () => {
  test('every watched sector reads clean, and dirt has to last anew afterwards', () => {
    const testDevice = new ContaminationTestDevice({
      eStrategy: sensitive,
      eCover: CM_COVER_CUSTOM_SECTORS,
      CustomSectors: [true, false],
    });
    testDevice.soil({ 0: 0.4, 2: 1 });
    testDevice.seconds(3);
    expect([testDevice.sectors, testDevice.result]).toEqual(['E--cccc', 'WE']);
    testDevice.conditions.set('DS_SuspendedOperation', 'test', true);
    expect([testDevice.sectors, testDevice.result, testDevice.status]).toEqual([
      'c-ccccc',
      '--',
      'DS_SuspendedOperation',
    ]);
    expect(testDevice.announced).toContainEqual(['ContaminationData', 'ContaminationResult']);
    testDevice.seconds(100);
    testDevice.soil({ 0: 0.5, 2: 1 });
    expect(testDevice.sectors).toBe('c-ccccc');
    testDevice.conditions.set('DS_SuspendedOperation', 'test', false);
    testDevice.seconds(2.999);
    expect([testDevice.sectors, testDevice.result]).toEqual(['c-ccccc', '--']);
    testDevice.seconds(0.001);
    expect([testDevice.sectors, testDevice.result]).toEqual(['E--cccc', 'WE']);
  });

  test('no timer runs', () => {
    const clock = new CountingClock();
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive }, indicated, { clock });
    testDevice.soil({ 0: 0.4 });
    testDevice.conditions.set('DS_SuspendedOperation', 'test', true);
    testDevice.soil({ 0: 0.5 });
    expect(clock.pending).toBe(0);
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
    expect(testDevice.sectors).toBe('Ecccccc');
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
    expect(testDevice.sectors).toBe('cEccccc');
  });

  test('finds a screen that is dirty when the scanner comes up for the first time', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive }, indicated, {
      levels: [0, 0, 0.5],
    });
    testDevice.seconds(3);
    expect(testDevice.sectors).toBe('ccEcccc');
  });

  test('reports a state that has lasted long enough, even if the timer is late', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive }, indicated, {
      clock: new LateClock(),
    });
    testDevice.soil({ 0: 0.5 });
    testDevice.seconds(3);
    testDevice.soil({});
    expect(testDevice.sectors).toBe('Ecccccc');
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

  test('leaves blocked sectors out in releases without the choice', () => {
    const testDevice = new ContaminationTestDevice({ eStrategy: sensitive }, [
      contaminationIndication.members.ContaminationConfig,
    ]);
    testDevice.soil({ 0: 1 });
    testDevice.seconds(3);
    expect(testDevice.sectors).toBe('-cccccc');
  });

  test('has seven sectors, in every list', () => {
    const { data, activeSectors } = new ContaminationTestDevice().contamination;
    const { CustomSectors } = contaminationIndication.members.ContaminationConfig.type.initial;
    expect([data, activeSectors, CustomSectors].map(({ length }) => length)).toEqual([7, 7, 7]);
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
    const testDevice = new ContaminationTestDevice({
      ...{ eStrategy, usiResponseTime: 10, eThreshold: CM_MID, eCover: CM_COVER_CUSTOM_SECTORS },
      CustomSectors: [false, false, false, true, true, false, false],
    });
    const seen: string[] = [];
    const look = () =>
      seen.push(`${testDevice.sectors.slice(3, 5)} ${testDevice.result} ${testDevice.status}`);
    const steps: Record<number, number>[] = [{ 3: 0.6 }, { 3: 0.6, 4: 0.4 }, { 3: 0.6, 4: 0.55 }, { 4: 0.4 }];
    for (const levels of steps) {
      testDevice.soil(levels);
      look();
      testDevice.seconds(10);
      look();
      testDevice.seconds(5);
    }
    return seen;
  }

  test('holds with HIGH_AVAILABLE', () => {
    expect(play(highAvailable)).toEqual([
      'cc -- DS_NormalOperation',
      'Ec -- DS_NormalOperation',
      'Ec -- DS_NormalOperation',
      'EW W- DS_ServiceRecommended',
      'EW W- DS_ServiceRecommended',
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
      'EW WE DS_ServiceRequired',
      'EW WE DS_ServiceRequired',
      'EE WE DS_ServiceRequired',
      'EE WE DS_ServiceRequired',
      'cW W- DS_ServiceRecommended',
    ]);
  });
});
