import { diagnosisDumpName } from '@azimuth/model';

/** The documents of a scanner that only its owner may read: they are always written as secret. */
export const secretDocuments = {
  credentials: 'credentials.json',
  certificates: 'certificates.json',
  backup: 'parameterbackup',
} as const;

/** The stored parameters. */
export const parametersDocument = 'parameters.json';
/** The operating counters. A first start writes them last; whoever writes them has counted all power-ons. */
export const countersDocument = 'operating.json';
/** The release that a scanner runs. */
export const firmwareDocument = 'firmware.json';
export const identityDocument = 'identity.json';
export const detectionsDocument = 'detections.json';
/** The checksums of the files below. */
export const checksumsDocument = 'files.json';
/** A firmware file that was transferred, until it is installed. */
export const firmwareFile = 'firmware.spk';
/** The latest 3D recording. */
export const cloudFile = 'cloud.pcd';

/** Files that a scanner stores as they come, not in the format of documents. */
export const checkedFiles = [secretDocuments.backup, firmwareFile, cloudFile, diagnosisDumpName] as const;

/** All that a scanner stores, by name. */
export const storedNames = [
  secretDocuments.credentials,
  parametersDocument,
  countersDocument,
  firmwareDocument,
  identityDocument,
  secretDocuments.certificates,
  detectionsDocument,
  checksumsDocument,
  ...checkedFiles,
] as const;
