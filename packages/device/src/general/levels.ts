import { isLoginLevel, type LoginLevel, levelOfNumber } from '@azimuth/model';
import type { LevelSwitches } from '../parameters/stored-state.js';

/** The level that a method's number names and that can log in; undefined for any other number. */
export function loginLevelOf(number: number): LoginLevel | undefined {
  const level = levelOfNumber(number);
  return level !== undefined && isLoginLevel(level) ? level : undefined;
}

/** May this switch be set so? Service can never be switched off. */
export function maySwitch(level: LoginLevel, enabled: boolean): boolean {
  return level !== 'Service' || enabled;
}

export function switched(switches: LevelSwitches, level: LoginLevel, enabled: boolean): LevelSwitches {
  return { ...switches, [level]: enabled };
}
