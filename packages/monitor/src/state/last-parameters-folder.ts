import { parameterNamed } from '@azimuth/client';
import { isObject, Refusal } from '@azimuth/model';
import { ScannerFiles } from '../files/scanner-files.js';
import type { LastParameters, LastSeen } from './last-parameters.js';

/** Most bytes of a file. The parameters of a scanner need less than 64 KiB. */
const mostBytes = 4 * 1024 * 1024;

/** Keeps what was last seen in a folder: a file of JSON for each scanner, replaced at once. */
export class LastParametersFolder implements LastParameters {
  readonly #files: ScannerFiles;

  constructor(folder: string) {
    this.#files = new ScannerFiles(folder, '.json');
  }

  async read(name: string): Promise<LastSeen | undefined> {
    const bytes = await this.#files.read(name);
    return bytes === undefined || bytes.length > mostBytes ? undefined : lastSeenIn(bytes.toString('utf8'));
  }

  write(name: string, seen: LastSeen): Promise<void> {
    return this.#files.replace(name, jsonOf(name, seen));
  }
}

function jsonOf(name: string, { parameters, stored, ...seen }: LastSeen): string {
  const members = { scanner: name, ...seen };
  return `${JSON.stringify({ ...members, parameters: Object.fromEntries(parameters), stored: Object.fromEntries(stored) })}\n`;
}

/** Returns the content of a file; undefined if it is damaged. Then the scanner is seen as if for the first time. */
function lastSeenIn(text: string): LastSeen | undefined {
  const json = parsed(text);
  if (!isObject(json) || typeof json.at !== 'number') return undefined;
  return {
    at: json.at,
    serial: textIn(json.serial),
    answered: textIn(json.answered),
    firmware: textIn(json.firmware),
    deviceStatus: numberIn(json.deviceStatus),
    powerOnCount: numberIn(json.powerOnCount),
    dailyHours: numberIn(json.dailyHours),
    lastSave: textIn(json.lastSave),
    parameters: valuesIn(json.parameters),
    stored: valuesIn(json.stored),
    unsavedSince: numberIn(json.unsavedSince),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Values that the interface does not allow, perhaps no longer, are left out. */
function valuesIn(json: unknown): ReadonlyMap<string, unknown> {
  if (!isObject(json)) return new Map();
  return new Map(
    Object.entries(json).flatMap(([name, value]): [string, unknown][] => {
      const variable = parameterNamed(name);
      if (variable === undefined) return [];
      try {
        return [[name, variable.type.fromJson(value, name)]];
      } catch (error) {
        if (error instanceof Refusal) return [];
        throw error;
      }
    }),
  );
}

function textIn(json: unknown): string | undefined {
  return typeof json === 'string' ? json : undefined;
}

function numberIn(json: unknown): number | undefined {
  return typeof json === 'number' && Number.isFinite(json) ? json : undefined;
}
