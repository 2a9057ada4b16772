/** @packageDocumentation @internal */

import type { CheckSubject } from '../scanner/checked-scanner.js';
import { authMutants } from './auth.js';
import { methodMutants } from './derived-methods.js';
import { nameMutants } from './derived-names.js';
import { variableMutants } from './derived-variables.js';
import { eventMutants } from './event.js';
import { distanceMutants, fieldMutants } from './fields/index.js';
import { fileMutants } from './files.js';
import { filterMutants } from './filter.js';
import { hardwareMutants } from './hardware/index.js';
import { httpMutants } from './http.js';
import { legacyMutants } from './legacy/index.js';
import { levelMutants } from './level.js';
import { lockMutants } from './lock.js';
import type { Mutant } from './mutant.js';
import { accessMutants, bootMutants, defaultMutants, saveMutants } from './saving.js';
import { searchMutants } from './search.js';
import { statusMutants } from './status.js';
import { streamMutants } from './stream.js';
import { tlsMutants } from './tls.js';
import { ruleMutants } from './variable-rules.js';

export {
  type Change,
  type DeclarationChange,
  type Declared,
  declarationChanges,
  type Fault,
} from './changes/index.js';
export * from './mutant.js';

/** Returns the mutants for the cases of a scanner. Those of variables derive from its interface. */
export function mutantsFor(subject: CheckSubject): readonly Mutant[] {
  return [
    ...statusMutants,
    ...authMutants,
    ...levelMutants,
    ...lockMutants,
    ...nameMutants(subject),
    ...variableMutants(subject),
    ...ruleMutants(subject),
    ...methodMutants(subject),
    ...httpMutants,
    ...tlsMutants,
    ...fileMutants,
    ...saveMutants,
    ...accessMutants,
    ...bootMutants,
    ...defaultMutants,
    ...legacyMutants,
    ...searchMutants,
    ...streamMutants,
    ...filterMutants,
    ...eventMutants,
    ...fieldMutants,
    ...distanceMutants,
    ...hardwareMutants,
  ];
}
