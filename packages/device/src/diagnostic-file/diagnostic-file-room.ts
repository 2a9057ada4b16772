import { diagnosticFile } from '@azimuth/model';
import { act, type Room } from '../room.js';

const { GetDiagnosisDumpInfo } = diagnosticFile.members;

/** Diagnosis: no archive can be made yet, so there is none. */
export function diagnosticFileRoom(): Room {
  return { acts: [act(GetDiagnosisDumpInfo, () => ({ DiagDumpExists: false, DiagDumpTimestamp: 0 }))] };
}
