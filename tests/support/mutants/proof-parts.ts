import { createHash } from 'node:crypto';
import type { Mutant } from '@azimuth/check/mutants';
import type { Proof } from './proof-plan.js';

/** Share of the proofs: two workers have one each. */
export type Part = 0 | 1;

/** Returns the proofs of a part. Each is in one, which depends on the id of its case alone. */
export function inPart(part: Part, proofs: readonly Proof[]): readonly Proof[] {
  return proofs.filter((proof) => partOf(proof.case.id) === part);
}

function partOf(id: string): Part {
  return createHash('sha256').update(id).digest().readUInt8() % 2 === 0 ? 0 : 1;
}

/** Returns the mutants of proofs. Those with the same fault in a source follow each other: it is planted once. */
export function plantingOrder(
  proofs: readonly Proof[],
): readonly { readonly mutant: Mutant; readonly proof: Proof }[] {
  return proofs
    .flatMap((proof) => proof.mutants.map((mutant) => ({ mutant, proof, fault: faultOf(mutant) })))
    .toSorted((one, other) => (one.fault < other.fault ? -1 : Number(one.fault > other.fault)));
}

function faultOf(mutant: Mutant): string {
  return mutant.kind === 'source' ? JSON.stringify([mutant.file, mutant.from, mutant.to]) : '';
}
