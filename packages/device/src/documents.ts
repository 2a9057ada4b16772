/** @packageDocumentation @internal */

export { firstCredentials } from './access/credentials.js';
export { releaseIn } from './firmware-record.js';
export { sendsFromPowerOn } from './measurement-data-output/stream-settings.js';
export { parametersIn, parametersJustWritten } from './parameters/stored-state.js';
export {
  asideName,
  countersDocument,
  decodeDocument,
  encodeDocument,
  firmwareDocument,
  parametersDocument,
  secretDocuments,
  storedNames,
} from './storage/document.js';
export type { LostDocument } from './storage/documents.js';
export { FolderInUse, FolderLock } from './storage/folder-lock.js';
export { makeFolder } from './storage/make-folder.js';
export { inPieces } from './storage/memory-storage.js';
export { codeOf, DamagedDocument, exists, isMissing } from './storage/storage-failure.js';
