import { inFile, type Mutant } from '../mutant.js';

/** Mutants of the cases about what fields detect. */
export const detectingMutants: readonly Mutant[] = [
  ...inFile(
    'packages/device/src/field-evaluation/field.ts',
    [
      'field.free',
      '#state: FieldStateNumber = FieldState.FREE',
      '#state: FieldStateNumber = FieldState.INACTIVE',
    ],
    [
      'field.enters',
      'this.#become(FieldState.DETECTING_INFRINGED, now + this.#times.infringed)',
      'this.#become(FieldState.DETECTING_INFRINGED, now + 20 * this.#times.infringed)',
    ],
    [
      'field.leaves',
      'this.#become(FieldState.DETECTING_FREE, now + this.#times.free)',
      'this.#become(FieldState.DETECTING_FREE, now + 20 * this.#times.free)',
    ],
    [
      'field.detecting-infringed',
      'this.#become(FieldState.DETECTING_INFRINGED, now + this.#times.infringed)',
      'this.#become(FieldState.DETECTING_INFRINGED, now + this.#times.free)',
    ],
    ['field.detecting-free', 'free: evaluation.TimeForFreeState', 'free: evaluation.TimeForInfringedState'],
    ['field.leaves-in-time', 'return !infringed && this.#become(FieldState.FREE);', 'return false;'],
    ['field.comes-back-in-time', 'return infringed && this.#become(FieldState.INFRINGED);', 'return false;'],
    ['field.position', '[{ x: this.#x, y: this.#y }]', '[{ x: this.#y, y: this.#x }]'],
    ['field.free-position', 'return this.infringed ? [', 'return this.#search !== undefined ? ['],
    ['field.threshold', 'this.evaluation, fan)', '{ ...this.evaluation, InfringementThreshold: 1 }, fan)'],
    ['field.larger-object', 'this.evaluation, fan)', '{ ...this.evaluation, MinimumObjectSize: 800 }, fan)'],
  ),
  ...inFile(
    'packages/device/src/field-evaluation/object-search.ts',
    ['field.nearest-position', 'this.#nearestAt >= this.#foundAt', 'this.#nearestAt <= this.#foundAt'],
    ['field.smaller-object', 'this.#extent >= this.#size', 'this.#extent >= 0'],
    [
      'field.missing',
      'if (nearest === 0) return this.#missing && this.#hiddenHit(first);',
      'if (nearest === 0) return false;',
    ],
    ['field.occluded', 'if (!this.#occluded) return false;', 'if (this.#occluded) return false;'],
    ['field.reflectors-only', 'if (this.#reflectorsOnly && (', 'if (!this.#reflectorsOnly && ('],
    ['field.reference', 'if (this.#isReference) return !isSeen', 'if (this.#isReference) return isSeen'],
    [
      'field.apart-off',
      'evaluation.ObjectDistanceThreshold || Number.POSITIVE_INFINITY',
      'evaluation.ObjectDistanceThreshold || 300',
    ],
    [
      'field.apart-300',
      'evaluation.ObjectDistanceThreshold || Number.POSITIVE_INFINITY',
      'Number.POSITIVE_INFINITY',
    ],
    [
      'field.apart-500',
      'evaluation.ObjectDistanceThreshold || Number.POSITIVE_INFINITY',
      'evaluation.ObjectDistanceThreshold / 2 || Number.POSITIVE_INFINITY',
    ],
  ),
  ...inFile(
    'packages/device/src/field-evaluation/field-evaluation.ts',
    ['field.timestamp', 'if (this.#fields.someInfringed) this.#infringedAt = this.#now;', ''],
    [
      'field.timestamp-free',
      'if (this.#fields.someInfringed) this.#infringedAt = this.#now;',
      'this.#infringedAt = this.#now;',
    ],
    ['field.only-its-own', 'State: this.stateOf(id)', 'State: this.stateOf(Math.min(id, 1))'],
    [
      'field.contour-takes-effect',
      'options.announcements.subscribeTo([fields], () => this.#definitionsChanged());',
      "options.announcements.subscribeTo([fields], () => this.#watch.state === 'idle' && this.#definitionsChanged());",
    ],
    [
      'field.activated',
      'this.#groups.activate(groups, GroupId, Activate));\n    this.#updateEvaluations();',
      'this.#groups.activate(groups, GroupId, Activate));',
    ],
    ['field.group-by-input', 'options.ports.onInput(() => this.#updateEvaluations());', ''],
    ['field.measuring-stops', 'options.conditions.onChange(() => this.#updateEvaluations());', ''],
  ),
  ...inFile(
    'packages/device/src/field-evaluation/active-groups.ts',
    ['field.group-by-input', 'this.#isMet(condition, index + 1)', 'this.#isMet(condition, index)'],
    ['field.group-by-input', 'Activation.Inputs.every(', 'Activation.Inputs.some('],
  ),
  ...inFile('packages/device/src/region-of-interest/distance-filters.ts', [
    'field.distance-filter',
    'if (d < near || d > far)',
    'if (d < near)',
  ]),
  ...inFile(
    'packages/device/src/field-evaluation/teach-in.ts',
    [
      'field.teach-in',
      'const filled = withContours(definitions, contourOf) ?? withField(definitions, contourOf);',
      'const filled = withField(definitions, contourOf);',
    ],
    ['field.teach-in-creates', '?? withField(definitions, contourOf)', '?? definitions'],
    [
      'field.teach-in-of-nothing',
      "new Refusal('invalidData', '', reason)",
      "new Refusal('outOfRange', '', reason)",
    ],
  ),
  ...inFile(
    'packages/device/src/detection-history/detection-history.ts',
    [
      'field.history',
      'if (isLogged(infringement.evaluation.Id, options)) this.#add(infringement);',
      'if (isLogged(infringement.evaluation.Id, options)) for (let time = 0; time < 2; time++) this.#add(infringement);',
    ],
    ['field.history-entry', 'Name: evaluation.Name', "Name: ''"],
    ['field.history-entry', 'Positions: positions', 'Positions: []'],
    ['field.history-200', '.slice(-historyLength)', '.slice(-historyLength - 20)'],
    [
      'field.history-newest',
      '[...this.#detections, detection].slice(-historyLength)',
      '[...this.#detections, detection].slice(0, historyLength)',
    ],
    ['field.history-off', 'parameters.read(EnableDetectionHistory) && parameters', 'parameters'],
    [
      'field.history-to-log',
      'parameters.read(EvaluationsToLog)[evaluation - 1]',
      'parameters.read(EvaluationsToLog)[evaluation]',
    ],
    [
      'field.history-reset',
      'this.#detections = this.#detections.filter((detection) => !deleted.has(detection));',
      '',
    ],
    [
      'field.history-order',
      '[...this.#detections, detection].slice(-historyLength)',
      '[detection, ...this.#detections].slice(0, historyLength)',
    ],
  ),
];
