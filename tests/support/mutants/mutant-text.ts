import type { Mutant } from '@azimuth/check/mutants';

/** Returns a mutant in words, for errors and reports. */
export function mutantText(mutant: Mutant): string {
  switch (mutant.kind) {
    case 'source':
      return `mutant of ${mutant.case} in ${mutant.file}: ${JSON.stringify(mutant.from)} -> ${JSON.stringify(mutant.to)}`;
    case 'declaration':
      return `mutant of ${mutant.case}: ${mutant.name} ${mutant.change}`;
  }
}

/** A mutant that cannot prove anything. */
export class InvalidMutant extends Error {
  override readonly name = 'InvalidMutant';

  constructor(mutant: Mutant, why: string) {
    super(`${mutantText(mutant)}: ${why}`);
  }
}
