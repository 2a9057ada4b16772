/** Files that a scanner stores as they come, not in the format of documents. */
export const checkedFiles = ['parameterbackup', 'firmware.spk', 'cloud.pcd', 'diagnosisDump.zip'] as const;

/** All that a scanner stores, by name. */
export const storedNames = [
  'credentials.json',
  'parameters.json',
  'operating.json',
  'firmware.json',
  'identity.json',
  'certificates.json',
  'detections.json',
  'files.json',
  ...checkedFiles,
] as const;
