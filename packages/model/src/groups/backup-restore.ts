import { file, group, method, variable } from '../declaration.js';
import { array } from '../types/array.js';
import { boolean, enumeration } from '../types/enumeration.js';
import { integer } from '../types/integer.js';
import { string } from '../types/string.js';
import { struct } from '../types/struct.js';

export const JobStatus = { Pending: 0, Finished: 1 } as const;

export const RestoreResult = {
  Ok: 0,
  ChecksumError: 1,
  ParseError: 2,
  DeviceIdentificationError: 3,
  UpdateRepositoryError: 4,
  UpdateSourceError: 5,
  DecryptionError: 6,
  DecryptionHeaderError: 7,
  DecryptionLengthError: 8,
  IoError: 9,
  VersionConversionError: 10,
  ComponentRegistryError: 50,
} as const;

const jobStatus = () => enumeration(JobStatus, JobStatus.Pending);
/** A passphrase; an empty one leaves the file unencrypted. */
const passphrase = () => string({ maxLength: 256 });

const restoreOutcome = {
  RestoreResult: enumeration(RestoreResult, RestoreResult.Ok),
  ParametersFailedToRestore: array(string({ maxLength: 256 }), { maxItems: 100 }),
};

/** Bytes of the largest backup file that is accepted. */
const largestBackup = 16 * 1024 * 1024;

const upload = {
  accepts: ['multipart/form-data', 'application/octet-stream'],
  part: 'datei',
  maxBytes: largestBackup,
  tokenSince: '2.3.1',
  text: 'Receives a backup file. RestoreParameterBackup then restores it.',
} as const;

export const backupRestore = group('Backup/Restore', {
  CreateParameterBackup: method({
    level: 'Service',
    since: '2.2.0',
    request: { Passphrase: passphrase() },
    optional: ['Passphrase'],
    secrets: ['Passphrase'],
    response: { Result: boolean() },
    done: { Result: true },
    text: 'Writes the parameters to a backup file. If a passphrase is given, the file is encrypted.',
  }),
  CreateParameterBackupResult: variable(struct({ Status: jobStatus(), Result: boolean() }), {
    since: '2.3.1',
    text: 'Result of the last CreateParameterBackup.',
  }),
  RestoreParameterBackup: method({
    level: 'Service',
    since: '2.2.0',
    request: { Passphrase: passphrase(), Filter: integer('uint32') },
    optional: ['Passphrase', 'Filter'],
    secrets: ['Passphrase'],
    // Some devices respond with a flag, others with the outcome. The response contains both.
    response: { Result: boolean(), ...restoreOutcome },
    done: { Result: true },
    loses: 'the values of the parameters that it restores, stored ones too',
    text: 'Restores the parameters from the backup file that was sent last.',
  }),
  RestoreParameterBackupResult: variable(struct({ Status: jobStatus(), ...restoreOutcome }), {
    since: '2.3.1',
    text: 'Result of the last RestoreParameterBackup, with the parameters that it could not restore.',
  }),
  enableCloningPlug: variable(boolean(true), {
    write: 'Service',
    since: '2.3.1',
    text: 'Whether the system plug in the connector gets the stored parameters, and gives them to a replacement scanner.',
  }),
  parameterbackup: file({
    since: '2.2.0',
    verbs: {
      GET: {
        produces: 'application/json',
        tokenSince: '2.3.1',
        text: 'Sends the backup file that CreateParameterBackup has written.',
      },
      PUT: upload,
      POST: upload,
    },
    text: 'The parameter backup file.',
  }),
});
