import { inFile, type Mutant } from '../mutant.js';

const supervised = 'packages/device/src/measuring/supervised-core.ts';
const evaluation = 'packages/device/src/field-evaluation/field-evaluation.ts';

/** What follows the check of the first distance. The short path of beams with one echo has that check, too. */
const behind = '\n      d1 >= 0 &&';
const distanceOfFirst = `d0 <= furthest &&${behind}`;

/** Mutants of the area `state`. */
export const stateMutants: readonly Mutant[] = [
  ...inFile(
    'packages/device/src/measuring/measuring-state.ts',
    ['state.stop', "this.#conditions.set(suspended, 'measuring is off', state !== 'measuring');", ''],
    [
      'state.start',
      "'measuring is off', state !== 'measuring')",
      "'measuring is off', state !== 'measuring' || this.#conditions.holds(suspended))",
    ],
    [
      'state.standby',
      "'measuring is off', state !== 'measuring')",
      "'measuring is off', state === 'stopped')",
    ],
    [
      'state.start-again',
      'if (!(state',
      "if (state === 'measuring' && this.#state === 'measuring') return false;\n    if (!(state",
    ],
    [
      'state.stop-again',
      'if (!(state',
      "if (state === 'stopped' && this.#state === 'stopped') state = 'measuring';\n    if (!(state",
    ],
  ),
  ...inFile(
    'packages/device/src/measuring/measuring.ts',
    [
      'state.stalled-unused',
      'this.#listeners.size > 0 || this.#core.isRecovering',
      'this.#listeners.size > 0',
    ],
    [
      'state.parameter-takes-no-effect',
      'options.announcements.subscribeTo(processingVariables, () => this.configure());',
      "options.announcements.subscribeTo(processingVariables, () => this.configure());\n    options.announcements.subscribeTo([AutoStartMeasure], () => this.#switch.boot(options.parameters.read(AutoStartMeasure) ? 'measuring' : 'stopped'));",
    ],
    [
      'state.invalid-nan-field',
      'const invalid = invalidateBeams(copy, scan, processing.furthest, first, end);',
      'const invalid = invalidateBeams(copy, scan, processing.furthest, first, end);\n      copy.invalid.fill(0);',
    ],
  ),
  ...inFile(
    'packages/device/src/lifecycle/conditions.ts',
    [
      'state.stop-busy',
      "['DS_SuspendedOperation', SCdevicestate.Busy]",
      "['DS_SuspendedOperation', SCdevicestate.Ready]",
    ],
    [
      'state.stalled-not-ready',
      "['DS_RecoverableError', SCdevicestate.Error]",
      "['DS_RecoverableError', SCdevicestate.Ready]",
    ],
    [
      'state.hardware-not-ready',
      "['DS_RecoverableError', SCdevicestate.Error]",
      "['DS_RecoverableError', SCdevicestate.Busy]",
    ],
    [
      'state.gravest',
      "  ['DS_RecoverableError', SCdevicestate.Error],\n  ['DS_ServiceRequired', SCdevicestate.Error],",
      "  ['DS_ServiceRequired', SCdevicestate.Error],\n  ['DS_RecoverableError', SCdevicestate.Error],",
    ],
    [
      'state.stalled-not-stopped',
      "  ['DS_RecoverableError', SCdevicestate.Error],\n  ['DS_ServiceRequired', SCdevicestate.Error],\n  ['DS_SuspendedOperation', SCdevicestate.Busy],",
      "  ['DS_SuspendedOperation', SCdevicestate.Busy],\n  ['DS_RecoverableError', SCdevicestate.Error],\n  ['DS_ServiceRequired', SCdevicestate.Error],",
    ],
  ),
  ...inFile(
    supervised,
    ['state.core-stall', 'const silentRevolutions = 3', 'const silentRevolutions = 300'],
    [
      'state.core-stall-ends',
      'this.#silence.scanReceived();\n    this.#clearSilence();',
      'this.#silence.scanReceived();',
    ],
    ['state.stalled-briefly', 'const silentRevolutions = 3', 'const silentRevolutions = 1.5'],
    ['state.stalled-stopped', 'this.halt();\n    this.#silence.end();\n    this.#clearSilence();', ''],
    [
      'state.invalid-nan',
      'if (invalid === undefined) this.#beamError.works();',
      "if (invalid === undefined || invalid.includes('NaN')) this.#beamError.works();",
    ],
    ['state.invalid-ends', 'if (invalid === undefined) this.#beamError.works();\n    else if', 'if'],
    [
      'state.invalid-twice',
      'else if (this.#invalidScans >= toleratedScans)',
      'else if (this.#invalidScans >= 1)',
    ],
    ...(['time-back', 'time-ahead', 'number-back'] as const).map(
      (failure) =>
        [
          `state.core-${failure}`,
          'this.#coreError.failed(message, reason);',
          'if (!/its (time|number|rate)/.test(reason)) this.#coreError.failed(message, reason);',
        ] as const,
    ),
    [
      'state.core-time-back-ends',
      'if (wrongRate === undefined) this.#coreError.works();',
      'if (wrongRate === undefined && !this.#coreError.holds) this.#coreError.works();',
    ],
    [
      'state.core-time-ahead-ends',
      'if (wrongRate === undefined) this.#coreError.works();',
      'if (wrongRate === undefined && !this.#coreError.holds) this.#coreError.works();',
    ],
    [
      'state.core-number-back-ends',
      'if (wrongRate === undefined) this.#coreError.works();',
      'if (wrongRate === undefined && !this.#coreError.holds) this.#coreError.works();',
    ],
    [
      'state.still-answers',
      'this.#coreError.failed(message, reason);\n    this.#options.unreliable();',
      "this.#coreError.failed(message, reason);\n    this.#options.conditions.set('DS_ServiceMode', reason, true);\n    this.#options.unreliable();",
    ],
  ),
  ...inFile(
    'packages/device/src/measuring/scan-check.ts',
    ['state.invalid-negative', 'd0 >= 0 &&', 'd0 !== Number.NaN &&'],
    [
      'state.invalid-infinite',
      distanceOfFirst,
      `!(d0 > furthest && d0 < Number.POSITIVE_INFINITY) &&${behind}`,
    ],
    ['state.invalid-far', distanceOfFirst, `d0 <= 2 * furthest &&${behind}`],
    ['state.invalid-negative-field', 'd0 >= 0 &&', ''],
    ['state.invalid-infinite-field', distanceOfFirst, behind],
    ['state.invalid-far-field', distanceOfFirst, `d0 <= furthest + 1 &&${behind}`],
    ['state.invalid-not-free', 'scan.invalidate(beam);', 'scan.clear(beam, beam + 1);'],
  ),
  ...inFile(
    'packages/device/src/field-evaluation/field.ts',
    [
      'state.invalid-object',
      'const isUnknown = !found && search.lacksBeams(scan);',
      'const isUnknown = search.lacksBeams(scan);',
    ],
    [
      'state.invalid-elsewhere',
      'const isUnknown = !found && search.lacksBeams(scan);',
      'const isUnknown = scan.invalidBeams > 0;',
    ],
  ),
  ...inFile(evaluation, ['state.stalled-fields', 'unreliable: () => this.#setUnknown(true),', '']),
  ...inFile('packages/device/src/hardware/contained-call.ts', [
    'state.find-me-fails',
    'else this.#fails(errorMessage(failure.error));',
    '',
  ]),
  ...inFile('packages/device/src/hardware/contained-sensor.ts', [
    'state.encoder-fails',
    'this.#error.failed(this.#text, errorMessage(error));',
    '',
  ]),
];
