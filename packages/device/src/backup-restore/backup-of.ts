import {
  allParameters,
  firmwareVersion,
  type Level,
  levelNames,
  type Release,
  type Variable,
} from '@azimuth/model';
import type { Identity } from '../identity/identity.js';
import type { Parameters } from '../parameters/parameters.js';
import type { Backup } from './backup-file.js';
import { entryValue } from './entry-value.js';
import { parameterId } from './parameter-id.js';

/**
 * The working values of all parameters of a scanner, by the user level that may write them, the highest first. Nothing
 * else is in a backup: no password, key, certificate or switch of a user level, which a restore must not change.
 */
export function backupOf(
  parameters: Parameters,
  { name, serialNumber }: Pick<Identity, 'name' | 'serialNumber'>,
  release: Release,
): Backup {
  const present = allParameters.filter((variable) => parameters.has(variable));
  const groups = levelNames.toReversed().map((userlevel) => ({
    userlevel,
    parameters: present
      .filter((variable) => levelOf(variable) === userlevel)
      .map((variable) => ({
        name: variable.name,
        id: parameterId(variable.name),
        value: entryValue(parameters.read(variable)),
      })),
  }));
  return {
    version: firmwareVersion(release),
    deviceIdentification: name,
    serialNumber,
    parameters: groups.filter((group) => group.parameters.length > 0),
  };
}

/** A parameter that nobody may write by itself is for Service, who may restore. */
function levelOf({ facts }: Variable<unknown>): Level {
  return facts.write ?? 'Service';
}
