import {
  ContaminationCover,
  ContaminationStrategy,
  contaminationIndication,
  LampId,
  LEDColor,
  LEDFunction,
  type SectorState,
  sectorCount,
  sectorStates,
} from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { dayAndHours, lampText, screenText, sectorsText } from '../../src/overview/words.js';

const { ContaminationConfig } = contaminationIndication.members;
const screen = (state: SectorState): SectorState[] => Array.from({ length: sectorCount }, () => state);

describe('the front screen in words', () => {
  test('is clean, or nothing watches it', () => {
    expect(screenText(screen('clean'))).toBe('The front screen is clean.');
    expect(screenText(screen('unwatched'))).toBe('Nothing watches the front screen for dirt.');
  });

  test('names blocked and dirty sectors, the worst first', () => {
    const sectors = screen('clean').with(0, 'warning').with(3, 'blocked').with(6, 'error');
    expect(screenText(sectors)).toBe('Sector 4: blocked. Sector 7: very dirty. Sector 1: dirty.');
  });

  test('tells a blocked sector from one that the settings leave out', () => {
    const config = {
      ...ContaminationConfig.type.initial,
      eStrategy: ContaminationStrategy.CM_STRATEGY_SENSITIVE,
      eCover: ContaminationCover.CM_COVER,
    };
    const sectors = sectorStates([0, 0, 1, 1, 1, 2, 0], config);
    expect(sectors).toEqual(['unwatched', 'blocked', 'clean', 'clean', 'clean', 'warning', 'unwatched']);
    expect(screenText(sectors)).toBe('Sector 2: blocked. Sector 6: dirty.');
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
