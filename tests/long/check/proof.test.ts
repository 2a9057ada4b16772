// Proves the cases of `azimuth check`: each fails with each of its planted faults, and passes without one. A second file has the
// other half of the cases, for a second worker.
//
//   npx vitest run --project long tests/long/check/proof
//   MUTANTS=status. npx vitest run --project long tests/long/check/proof.test.ts
//
// It takes a share of the cases, each day another one: one in twelve, and one in 72 of those that derive from tables. A failure
// names the variable that takes the same ones again. The campaign takes all: npm run campaign check.
// MUTANTS takes only the cases whose id contains this text, with their mutants: all of them are proved here then. A survivor is
// printed with its case, what was planted, and what the case said.
import { provesPart } from '@azimuth/test-support/mutants/proof-suite';

provesPart(0);
