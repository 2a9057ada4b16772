import type { Area } from '../case.js';
import { eventCases } from './events.js';
import { framingCases } from './framing.js';
import { interfaceCases } from './interfaces.js';
import { levelCases, lockCases } from './levels.js';
import { methodCases } from './methods.js';
import { notationCases } from './notations.js';
import { presentCases } from './present.js';
import { refusalCases } from './refusals.js';
import { relativeCases } from './relatives.js';
import { scanDataCases } from './scan-data.js';
import { scanFactCases } from './scan-facts.js';
import { variableCases } from './variables.js';
import { wrongValueCases } from './wrong-values.js';

const all = [
  ...presentCases,
  ...framingCases,
  ...notationCases,
  ...variableCases,
  ...methodCases,
  ...refusalCases,
  ...wrongValueCases,
  ...levelCases,
  ...lockCases,
  ...eventCases,
  ...scanFactCases,
  ...scanDataCases,
  ...relativeCases,
  ...interfaceCases,
];

/** The legacy protocol over interfaces A (text) and B (binary). */
export const legacyArea: Area = {
  name: 'legacy',
  title: 'Legacy protocol',
  cases: (subject) => all.filter(({ names = [] }) => names.every((name) => subject.has(name))),
};
