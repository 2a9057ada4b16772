import type { Area } from '../case.js';
import { bodyCases, textCases } from './bodies.js';
import { framingCases, refusedCases } from './framing.js';
import { limitCases } from './limits.js';
import { pageCases, pathCases, verbCases } from './paths.js';

/** HTTP: bytes on a connection, bodies, paths, verbs, web pages. */
export const httpArea: Area = {
  name: 'http',
  title: 'HTTP',
  cases: () => [
    ...framingCases,
    ...refusedCases,
    ...bodyCases,
    ...textCases,
    ...pathCases,
    ...verbCases,
    ...pageCases,
    ...limitCases,
  ],
};
