import {
  allParameters,
  entryValue,
  firmwareVersion,
  type Level,
  levelNames,
  type Release,
  type Variable,
} from '@azimuth/model';
import type { Identity } from '../identity/identity.js';
import type { ValueSet } from '../parameters/parameters.js';
import { type Backup, parameterId } from './backup-file.js';

/**
 * A backup of the parameters of a scanner, by the user level that may write them, the highest first. It contains no
 * password, key, certificate or enabled user level, because a restore must not change them.
 * @param values of the parameters of its release and variant, by their names
 */
export function backupOf(
  values: ValueSet,
  { name, serialNumber }: Pick<Identity, 'name' | 'serialNumber'>,
  release: Release,
): Backup {
  const present = allParameters.filter((variable) => Object.hasOwn(values, variable.name));
  const groups = levelNames.toReversed().map((userlevel) => ({
    userlevel,
    parameters: present
      .filter((variable) => levelOf(variable) === userlevel)
      .map((variable) => ({
        name: variable.name,
        id: parameterId(variable.name),
        value: entryValue(values[variable.name]),
      })),
  }));
  return {
    version: firmwareVersion(release),
    deviceIdentification: name,
    serialNumber,
    parameters: groups.filter((group) => group.parameters.length > 0),
  };
}

/** A read-only parameter belongs to Service, the level that may restore. */
function levelOf({ facts }: Variable<unknown>): Level {
  return facts.write ?? 'Service';
}
