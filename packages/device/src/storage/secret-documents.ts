/** The documents of a scanner that only its owner may read: they are always written as secret. */
export const secretDocuments = {
  credentials: 'credentials.json',
  certificates: 'certificates.json',
  backup: 'parameterbackup',
} as const;
