import {
  contaminationIndication,
  device,
  operatingData,
  type SectorState,
  sectorCount,
  sectorStates,
  type Variable,
} from '@azimuth/model';
import { oneLine } from '../text/one-line.js';
import type { ScannerSnapshot } from './scanner-snapshot.js';

const { ContaminationConfig, ContaminationData } = contaminationIndication.members;
const { DeviceIdent } = device.members;
const { DailyOpHours } = operatingData.members;

/** What follows from the values of a scanner. */
export function derivedFrom(
  values: ReadonlyMap<string, unknown>,
): Pick<ScannerSnapshot, 'firmware' | 'release' | 'sectors' | 'uptime'> {
  const version = valueIn(values, DeviceIdent)?.Version;
  const firmware = version === undefined ? undefined : oneLine(version);
  const hours = valueIn(values, DailyOpHours);
  return {
    firmware,
    release: firmware === undefined ? undefined : /\d+\.\d+\.\d+/.exec(firmware)?.[0],
    sectors: sectorsIn(values),
    uptime: hours === undefined ? undefined : hours * 3600,
  };
}

/** Returns a value with its type; undefined if it is not known. Values of a snapshot have been checked. */
export function valueIn<T>(values: ReadonlyMap<string, unknown>, variable: Variable<T>): T | undefined {
  const value = values.get(variable.name);
  return value === undefined ? undefined : variable.type.fromJson(value, variable.name);
}

function sectorsIn(values: ReadonlyMap<string, unknown>): readonly SectorState[] {
  const data = valueIn(values, ContaminationData);
  return data === undefined
    ? []
    : sectorStates(data.slice(0, sectorCount), valueIn(values, ContaminationConfig));
}
