import { deviceState, isObject } from '@azimuth/model';
import { stampOf } from './field-scene.js';

/** Levels of foxglove.Log. */
export const logLevel = { info: 2, warning: 3, error: 4 } as const;

export type LogLevel = (typeof logLevel)[keyof typeof logLevel];

/** An entry of the log: one line for people. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
}

/** Returns an entry as foxglove.Log. @param name the scanner @param stamp µs since 1970 */
export function logMessage({ level, message }: LogEntry, name: string, stamp: number) {
  return { timestamp: stampOf(stamp), level, message, name, file: '', line: 0 };
}

const levelOfSeverity = {
  good: logLevel.info,
  idle: logLevel.info,
  warn: logLevel.warning,
  bad: logLevel.error,
} as const;

/** The events that are told in the log. Each returns its entry; undefined if there is nothing to tell. */
export const loggedEvents: Readonly<Record<string, (value: unknown) => LogEntry | undefined>> = {
  DeviceStatus: (value) => {
    const { severity, word, advice } = deviceState(value);
    return { level: levelOfSeverity[severity], message: advice === '' ? word : `${word}. ${advice}` };
  },
  ContaminationResult: (value) => {
    const { bWarningActive, bErrorActive } = isObject(value) ? value : {};
    if (bErrorActive === true)
      return { level: logLevel.error, message: 'The front screen is dirty: the scanner cannot measure' };
    if (bWarningActive === true)
      return { level: logLevel.warning, message: 'The front screen is becoming dirty: clean it' };
    return { level: logLevel.info, message: 'The front screen is clean' };
  },
  temperatureAlarmStatus: (value) =>
    value === true
      ? { level: logLevel.warning, message: 'The temperature alarm is raised' }
      : { level: logLevel.info, message: 'The temperature is as usual' },
};
