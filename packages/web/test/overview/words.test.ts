import { LampId, LEDColor, LEDFunction, SectorContamination, sectorCount } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { screenText, sectorsText } from '../../src/overview/front-screen.js';
import { dayAndHours } from '../../src/overview/hours.js';
import { lampText } from '../../src/overview/lamps.js';

const screen = (state: number): number[] => Array.from({ length: sectorCount }, () => state);

describe('the front screen in words', () => {
  test('is clean, or nothing watches it', () => {
    expect(screenText(screen(SectorContamination.CM_DATA_CLEAN))).toBe('The front screen is clean.');
    expect(screenText(screen(SectorContamination.CM_DATA_NONE))).toBe(
      'Nothing watches the front screen for dirt.',
    );
  });

  test('names dirty sectors, the dirtiest first', () => {
    const sectors = screen(SectorContamination.CM_DATA_CLEAN)
      .with(0, SectorContamination.CM_DATA_WARN)
      .with(11, SectorContamination.CM_DATA_ERROR);
    expect(screenText(sectors)).toBe('Sector 12: very dirty. Sector 1: dirty.');
  });

  test('lists numbers as a sentence does', () => {
    expect(sectorsText([3, 4, 9])).toBe('Sectors 3, 4 and 9');
    expect(sectorsText([])).toBe('');
  });
});

describe('a lamp in words', () => {
  const lamp = (Color: number, light: number) => lampText({ Color, Function: light, Id: LampId.STATE });

  test('has a colour only while it shines', () => {
    expect(lamp(LEDColor.RED, LEDFunction.BLINKING)).toBe('red, blinking');
    expect(lamp(LEDColor.WHITE, LEDFunction.BLINKING_FAST)).toBe('white, blinking fast');
    expect(lamp(LEDColor.GREEN, LEDFunction.OFF)).toBe('off');
  });
});

describe('hours for a person', () => {
  test.each([
    [0.2, '12 min'],
    [5.25, '5.3 h'],
    [1000.9, '41 days 16 h'],
  ])('%s are %s', (hours, text) => {
    expect(dayAndHours(hours)).toBe(text);
  });
});
