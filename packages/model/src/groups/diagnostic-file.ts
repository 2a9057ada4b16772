import { file, group, method } from '../declaration.js';
import { boolean } from '../types/enumeration.js';
import { integer } from '../types/integer.js';
import { string } from '../types/string.js';

/** Name of every diagnostic archive in requests. */
export const diagnosisDumpName = 'diagnosisDump.zip';

export const diagnosticFile = group('Diagnostic file', {
  DoDiagnosisDump: method({
    level: 'Service',
    request: { DoRunlevelLoop: boolean(), Output: string({ maxLength: 64 }) },
    optional: ['DoRunlevelLoop', 'Output'],
    // Member as devices spell it, with two l. One description of the interface has one l, and clients exist for it.
    response: { Successfull: boolean(), Successful: boolean() },
    done: { Successfull: true },
    text: 'Writes a diagnostic archive. It replaces the previous one.',
  }),
  GetDiagnosisDumpInfo: method({
    level: 'open',
    response: { DiagDumpExists: boolean(), DiagDumpTimestamp: integer('uint32') },
    text: 'Returns whether there is a diagnostic archive, and when it was written (seconds since 1970).',
  }),
  'crown/file': file({
    verbs: {
      GET: {
        query: ['filePath'],
        produces: 'application/zip',
        text: 'Sends the file that filePath names.',
      },
    },
    text: 'Diagnostic files that the scanner has written.',
  }),
});
