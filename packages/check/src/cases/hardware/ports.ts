import type { Area } from '../case.js';
import { inputCases } from './port-inputs.js';
import { outputCases } from './port-outputs.js';
import { sourceCases } from './port-sources.js';

/** Inputs, outputs, their sources and counters. */
export const portArea: Area = {
  name: 'port',
  title: 'Inputs and outputs',
  cases: () => [...outputCases, ...inputCases, ...sourceCases],
};
