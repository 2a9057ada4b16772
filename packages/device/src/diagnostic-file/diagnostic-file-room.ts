import { diagnosticFile } from '@azimuth/model';
import { act, type Room } from '../room.js';
import type { DiagnosisDump } from './diagnosis-dump.js';

const { DoDiagnosisDump, GetDiagnosisDumpInfo } = diagnosticFile.members;

/** Diagnosis: an archive of all that may be told (specification, Diagnostic file). */
export function diagnosticFileRoom(dump: DiagnosisDump): Room {
  return {
    acts: [
      act(DoDiagnosisDump, async ({ DoRunlevelLoop, Output }) => {
        const made = await dump.make({ output: Output, suspend: DoRunlevelLoop });
        return { Successfull: made, Successful: made };
      }),
      act(GetDiagnosisDumpInfo, async () => {
        const label = await dump.label();
        return { DiagDumpExists: label !== undefined, DiagDumpTimestamp: label?.created ?? 0 };
      }),
    ],
  };
}
