import { inFile, type Mutant } from '../mutant.js';

const groups = 'packages/device/src/field-evaluation/active-groups.ts';

/** Mutants of the cases about slots, contours, groups and limits of fields. */
export const definitionMutants: readonly Mutant[] = [
  ...inFile(
    'packages/model/src/groups/field-evaluation.ts',
    ['field.results', 'export const evaluationSlots = 48', 'export const evaluationSlots = 20'],
    ['field.48-evaluations', 'export const evaluationSlots = 48', 'export const evaluationSlots = 47'],
    ['field.49-evaluations', 'export const evaluationSlots = 48', 'export const evaluationSlots = 49'],
    ['field.refused-id-49', 'export const evaluationSlots = 48', 'export const evaluationSlots = 50'],
    ['field.group-48', 'minimum: 1, maximum: evaluationSlots }', 'minimum: 1, maximum: 47 }'],
    ['field.group-0', 'minimum: 1, maximum: evaluationSlots }', 'minimum: 0, maximum: evaluationSlots }'],
    ['field.20-active', '{ count: 20,', '{ count: 19,'],
    ['field.21-active', '{ count: 20,', '{ count: 21,'],
    [
      'field.contour-of-nothing',
      'SOPAS_ERR_INVALID_EVALUATION_ID: 1,\n  SOPAS_ERR_INVALID_POLYGON: 2',
      'SOPAS_ERR_INVALID_EVALUATION_ID: 2,\n  SOPAS_ERR_INVALID_POLYGON: 1',
    ],
    [
      'field.activate-without-login',
      "ActivateEvaluationGroup: method({\n      level: 'login'",
      "ActivateEvaluationGroup: method({\n      level: 'open'",
    ],
    [
      'field.group-not-configured',
      'NOT_CONFIGURED: 0, ACTIVE: 1, INACTIVE: 2',
      'NOT_CONFIGURED: 2, ACTIVE: 1, INACTIVE: 0',
    ],
  ),
  ...inFile(
    'packages/model/src/contour.ts',
    ['field.contour-100-corners', 'mostCorners = 100', 'mostCorners = 99'],
    ['field.contour-101-corners', 'mostCorners = 100', 'mostCorners = 101'],
    [
      'field.contour-2-corners',
      'if (points.length < fewestCorners) return',
      'if (points.length === 2) return undefined;\n  if (points.length < fewestCorners) return',
    ],
    ['field.refused-two-corners', 'fewestCorners = 3', 'fewestCorners = 2'],
    ['field.contour-on-a-line', 'if (lieOnOneLine(points)) return', 'if (points.length > 100) return'],
    [
      'field.contour-corner-twice',
      'if (twice !== -1) return',
      'if (twice !== -1) return undefined;\n  if (twice < -1) return',
    ],
    [
      'field.contour-crossing',
      'if (meeting === undefined) return undefined;',
      'if (meeting !== null) return undefined;',
    ],
    [
      'field.contour-concave',
      'if (meeting === undefined) return undefined;',
      "if (meeting === undefined) return points.length > 4 ? 'a dent' : undefined;",
    ],
    [
      'field.refused-crossing',
      'if (meeting === undefined) return undefined;',
      'if (meeting === undefined || true) return undefined;',
    ],
    ['field.contour-far', 'furthestCorner = 120_000', 'furthestCorner = 130_000'],
  ),
  ...inFile(
    'packages/device/src/field-evaluation/field-evaluation.ts',
    ['field.result-version', 'Version: 1,', 'Version: 2,'],
    [
      'field.group-states',
      'return slots.map((id) => {\n      const group =',
      'return slots.slice(0, 20).map((id) => {\n      const group =',
    ],
    [
      'field.group-types',
      'return slots.map((id) => {\n      const [first]',
      'return slots.slice(0, 20).map((id) => {\n      const [first]',
    ],
    ['field.not-configured', ': FieldState.NOT_CONFIGURED;', ': FieldState.INACTIVE;'],
    ['field.without-group', '? FieldState.INACTIVE', '? FieldState.FREE'],
    ['field.without-contour', 'ids.has(Id) && Points.length > 0', 'ids.has(Id)'],
    ['field.21-without-contour', 'ids.has(Id) && Points.length > 0', 'ids.has(Id)'],
    [
      'field.group-deactivated',
      '? EvaluationGroupState.ACTIVE : EvaluationGroupState.INACTIVE',
      '? EvaluationGroupState.ACTIVE : EvaluationGroupState.NOT_CONFIGURED',
    ],
    [
      'field.two-groups',
      'groups.filter((group) => this.#groups.isActive(group)).flatMap',
      'groups.slice(0, 1).filter((group) => this.#groups.isActive(group)).flatMap',
    ],
    [
      'field.group-type',
      '?.Type ?? EvaluationGroupType.FIELD_EVALUATION',
      '?.Id ?? EvaluationGroupType.FIELD_EVALUATION',
    ],
    [
      'field.21-active-status',
      "conditions.set('DS_RecoverableError', 'more than",
      "conditions.set('DS_ServiceRequired', 'more than",
    ],
    [
      'field.21-active-not-ready',
      "conditions.set('DS_RecoverableError', 'more than",
      "conditions.set('DS_ServiceRecommended', 'more than",
    ],
    [
      'field.20-active-again',
      "'more than 20 active fields', tooMany)",
      "'more than 20 active fields', true)",
    ],
    [
      'field.21-with-distances',
      'this.#setTooMany(active.length >',
      'this.#setTooMany(active.filter(({ Type }) => Type === 0).length >',
    ],
    ['field.stopped', 'this.#tooMany || isAtRest(this.#options.conditions) ? []', 'this.#tooMany ? []'],
  ),
  ...inFile(
    groups,
    [
      'field.group-always',
      'case GroupActivation.ALWAYS:\n        return true',
      'case GroupActivation.ALWAYS:\n        return false',
    ],
    ['field.group-by-telegram', 'this.#byTelegram.set(id, active)', 'this.#byTelegram.set(id, true)'],
    ['field.group-initially-active', '?? Activation.InitiallyActive', '?? false'],
    [
      'field.group-always-stays',
      'if (group?.Activation.Type !== GroupActivation.TELEGRAM) return false;',
      'if (group === undefined) return false;',
    ],
    [
      'field.group-unknown',
      'if (group?.Activation.Type !== GroupActivation.TELEGRAM) return false;',
      'if (group !== undefined && group.Activation.Type !== GroupActivation.TELEGRAM) return false;',
    ],
    [
      'field.definitions-kept',
      'if (group?.Activation.Type !== GroupActivation.TELEGRAM) this.#byTelegram.delete(id);',
      'this.#byTelegram.delete(id ?? group);',
    ],
  ),
  ...inFile('packages/device/src/field-evaluation/field-evaluation.ts', [
    'field.groups-together',
    'return success;\n  }',
    'return success.slice(0, 1);\n  }',
  ]),
  ...inFile(
    'packages/device/src/field-evaluation/field-definitions.ts',
    ['field.contour', 'UpperZLimit: 0 }]', 'UpperZLimit: 100 }]'],
    ['field.contour-of-another', 'evaluation.Id === EvaluationId ? {', 'evaluation.Id > 0 ? {'],
    [
      'field.contour-of-nothing-read',
      'evaluations.find(({ Id }) => Id === id)',
      'evaluations.find(({ Id }) => Id >= 1)',
    ],
    ['field.contour-heights', 'LowerZLimit !== 0 || UpperZLimit !== 0', 'LowerZLimit !== 0'],
    ['field.contour-lower-height', 'LowerZLimit !== 0 || UpperZLimit !== 0', 'UpperZLimit !== 0'],
    [
      'field.contour-refused',
      'if (contourProblem(Points) !== undefined) return',
      'if (contourProblem(Points) !== undefined) parameters.change((change) => change.set(fields, { groups, evaluations: evaluations.map((one) => ({ ...one, Points: [] })) }));\n  if (contourProblem(Points) !== undefined) return',
    ],
  ),
  ...inFile(
    'packages/model/src/extensions/field-rules.ts',
    ['field.refused-id-twice', 'if (seen.has(Id))\n', "if (seen.has(Id) && what === 'a group')\n"],
    ['field.refused-group-twice', 'if (seen.has(Id))\n', "if (seen.has(Id) && what !== 'a group')\n"],
    [
      'field.refused-group-of-nothing',
      'if (evaluation === undefined) {\n      yield',
      'if (evaluation === undefined) {\n      if (id === 0) yield',
    ],
    ['field.refused-mixed-group', 'if (evaluation.Type !== type) {', 'if (evaluation.Type > 1) {'],
    [
      'field.refused-in-group-twice',
      'group.Evaluations.indexOf(id) !== index',
      'group.Evaluations.indexOf(id) > index',
    ],
    ['field.refused-line-missing', "'outOfBounds',\n      at,", "'illegalValue',\n      at,"],
    [
      'field.refused-line-of-one-point',
      'from.x === to.x && from.y === to.y',
      'from.x === to.x && from.y === to.y && from.x > 0',
    ],
    [
      'field.refused-height',
      'if (!limitsNothing(LowerZLimit, UpperZLimit)) {',
      'if (LowerZLimit > UpperZLimit) {',
    ],
    ['field.refused-seven-inputs', 'length !== 0 && length !== portCount', 'length > portCount'],
  ),
  ...inFile(
    'packages/model/src/extensions/field-definitions.ts',
    [
      'field.refused-id-0',
      "const number = () => integer('uint16', { minimum: 1,",
      "const number = () => integer('uint16', { minimum: 0,",
    ],
    ['field.refused-name-long', 'maxLength: 20', 'maxLength: 21'],
    ['field.refused-size', 'maximum: 5000, initial: 200', 'maximum: 6000, initial: 200'],
    [
      'field.refused-threshold',
      "InfringementThreshold: integer('uint16', { minimum: 1,",
      "InfringementThreshold: integer('uint16', { minimum: 0,",
    ],
    ['field.refused-time', 'maximum: 10_000, initial: 50', 'maximum: 60_000, initial: 50'],
    ['field.refused-free-time', 'minimum: 1, maximum: 10_000', 'minimum: 0, maximum: 10_000'],
  ),
];
