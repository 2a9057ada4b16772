// The other half of proof.test.ts.
import { provesPart } from '@azimuth/test-support/mutants/proof-suite';

provesPart(1);
