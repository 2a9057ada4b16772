import { inFile, type Mutant } from '../mutant.js';

/** Mutants of the area `distance`. */
export const distanceMutants: readonly Mutant[] = [
  ...inFile(
    'packages/device/src/perpendicular-distance/perpendicular-distance.ts',
    [
      'distance.wall',
      'const rounded = Math.round(distance) + 0',
      'const rounded = Math.round(distance / 10) + 0',
    ],
    ['distance.id', 'evaluationId: this.evaluation.Id', 'evaluationId: this.evaluation.Id - 1'],
    [
      'distance.moves',
      'const leastMoved = this.#least.move(',
      'const leastMoved = !wasKnown && this.#least.move(',
    ],
    [
      'distance.left',
      'return this.#alongX * y - this.#alongY * x',
      'return this.#alongY * x - this.#alongX * y',
    ],
    [
      'distance.right',
      'return this.#alongX * y - this.#alongY * x',
      'return Math.abs(this.#alongX * y - this.#alongY * x)',
    ],
    ['distance.line-elsewhere', '- this.#from.x;', ';'],
    ['distance.positions', 'x: this.#x, y: this.#y, z: 0', 'x: this.#y, y: this.#x, z: 0'],
    [
      'distance.several',
      'this.#ranges.map(({ result }) => result).filter(',
      'this.#ranges.slice(0, 1).map(({ result }) => result).filter(',
    ],
    ['distance.stays', 'isValid && (wasKnown || this.#isSeen)', 'isValid && this.#isSeen'],
    ['distance.timestamp', 'if (isSeen) this.#timestamp =', 'if (changed) this.#timestamp ='],
    ['distance.timestamp-stays', 'if (isSeen) this.#timestamp =', 'this.#timestamp ='],
    ['distance.nothing-yet', 'if (!this.#isKnown) return undefined;', ''],
    ['distance.outside', 'at > (leave[part] ?? 0)) continue', 'at < 0) continue'],
    ['distance.invalid-beams', 'const isValid = !someInvalid(scan, beams);', 'const isValid = true;'],
  ),
  ...inFile(
    'packages/device/src/region-of-interest/distance-filters.ts',
    ['distance.distance-filter', 'if (d < near || d > far)', 'if (d < near)'],
    ['distance.rectangle-filter', 'narrow(ranges, x, lXMin, lXMax);', 'narrow(ranges, x, lYMin, lYMax);'],
  ),
  ...inFile(
    'packages/device/src/field-evaluation/field-evaluation.ts',
    [
      'distance.inactive',
      'this.distances.evaluate(evaluated.filter(({ Type })',
      'this.distances.evaluate(this.#definitions.evaluations.filter(({ Type })',
    ],
    [
      'distance.no-field',
      'return defined?.Type === EvaluationGroupType.FIELD_EVALUATION\n      ?',
      'return defined !== undefined\n      ?',
    ],
    ['distance.core-stalls', 'unreliable: () => this.#setUnknown(true),', ''],
    [
      'distance.stopped',
      'isAtRest(this.#options.conditions) ? [] : active',
      'isAtRest(this.#options.conditions) ? active.filter(({ Type }) => Type === 1) : active',
    ],
  ),
];
