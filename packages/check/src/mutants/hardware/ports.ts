import { inFile, type Mutant } from '../mutant.js';

/** Mutants of the area `port`. */
export const portMutants: readonly Mutant[] = [
  ...inFile('packages/model/src/groups/inputs-and-outputs.ts', [
    'port.set-output-without-login',
    "SetOutput: method({\n    level: 'login'",
    "SetOutput: method({\n    level: 'open'",
  ]),
  ...inFile(
    'packages/device/src/inputs-and-outputs/port-states.ts',
    [
      'port.eight-in-InputState',
      'aDigitalIn: this.#inputs.items',
      'aDigitalIn: this.#inputs.items.slice(0, 6)',
    ],
    [
      'port.eight-in-OutputState',
      'aDigitalOut: this.#outputs.items',
      'aDigitalOut: this.#outputs.items.slice(0, 6)',
    ],
    [
      'port.eight-in-PortState',
      'aInternalPorts: this.#ports.items',
      'aInternalPorts: this.#ports.items.slice(0, 6)',
    ],
    ['port.time-in-InputState', 'aTimeBlock: [this.#time.now()]', 'aTimeBlock: []'],
    ['port.time-in-OutputState', 'aTimeBlock: [this.#time.now()]', 'aTimeBlock: []'],
    [
      'port.time-in-PortState',
      'uiVersionNumber: 1,\n      udiSystCount',
      'uiVersionNumber: 0,\n      udiSystCount',
    ],
    [
      'port.no-input',
      'if (input === undefined) return { IOState: { eIOState: IOState.IOS_TRISTATE } };',
      'if (input === undefined) return { IOState: { eIOState: IOState.IOS_LOW } };',
    ],
    [
      'port.no-output',
      'if (output === undefined) return { IOState: { eIOState: IOState.IOS_TRISTATE }',
      'if (output === undefined) return { IOState: { eIOState: IOState.IOS_LOW }',
    ],
    ['port.counter-of-ports', 'PortCounter: counter }', 'PortCounter: 0 }'],
    ['port.time-of-change', 'this.#uptime.microseconds)', 'this.#uptime.microseconds / 1000)'],
    [
      'port.uptime-never-back',
      'Math.round(this.#uptime.microseconds) % 2 ** 32',
      'Math.round(this.#time.utc * 1000) % 2 ** 32',
    ],
  ),
  ...inFile(
    'packages/device/src/inputs-and-outputs/ports.ts',
    [
      'port.set-output',
      'output.switched = value === 1;\n    this.#update();',
      'output.switched = value === 1;',
    ],
    [
      'port.set-output-of-input',
      'if (output === undefined || !output.isSwitchable ||',
      'if (output === undefined) return true;\n    if (!output.isSwitchable ||',
    ],
    ['port.set-output-of-other-source', '!output.isSwitchable || (value', '(value'],
    [
      'port.set-output-9',
      'if (output === undefined || !output.isSwitchable ||',
      'if (output === undefined && port > 8) return true;\n    if (output === undefined || !output.isSwitchable ||',
    ],
    ['port.set-output-2', '|| (value !== 0 && value !== 1)) return false', ') return false'],
    [
      'port.counts',
      'if (output.active && !before) port.count();',
      'if (output.active !== before) port.count();',
    ],
    [
      'port.counts-changes',
      'if (output.active && !before) port.count();',
      'if (output.active) port.count();',
    ],
    [
      'port.reset-counter',
      'if (port.output !== undefined) port.counter = 0;',
      'if (port.number === 2) port.counter = 0;',
    ],
    ['port.counts-input', 'activated.add(port.number);\n      port.count();', 'activated.add(port.number);'],
    [
      'port.other-input',
      'return levels[number - 1] ?? false;',
      'return levels.some((level) => level) && number > 0;',
    ],
    ['port.restart-input', '(input) => activated.has(input)', '(input) => activated.size > 0 && input > 0'],
    ['port.follows-field', 'fieldEvaluation.members.FieldEvaluationResult,', ''],
    ['port.ready', 'status.members.DeviceStatus,', ''],
    ['port.follows-temperature', 'status.members.temperatureAlarmStatus,', ''],
  ),
  ...inFile(
    'packages/device/src/inputs-and-outputs/port.ts',
    ['port.set-output-forgotten', 'if (!this.isSwitchable) this.switched = false;', ''],
    ['port.inverted-source', 'Invert ? (signals) => !reading(signals) : reading', 'reading'],
    ['port.and', 'return active > 0 && active === sources.length;', 'return active > 0;'],
    [
      'port.or',
      'case SourceCombination.OR:\n        return active > 0;',
      'case SourceCombination.OR:\n        return active === 1;',
    ],
    ['port.xor', 'return active % 2 === 1;', 'return active > 0;'],
    [
      'port.encoder',
      'if (role === undefined) return State.TRISTATE;',
      'if (role === undefined) return State.INPUT_NOT_ACTIVE;',
    ],
    [
      'port.state-of-output',
      'role.active ? State.OUTPUT_ACTIVE : State.OUTPUT_NOT_ACTIVE',
      'role.active ? State.OUTPUT_NOT_ACTIVE : State.OUTPUT_ACTIVE',
    ],
    [
      'port.state-of-input',
      'role.active ? State.INPUT_ACTIVE : State.INPUT_NOT_ACTIVE',
      'role.active ? State.INPUT_NOT_ACTIVE : State.INPUT_ACTIVE',
    ],
    [
      'port.no-source',
      'return active > 0 && active === sources.length;',
      'return active === sources.length;',
    ],
    [
      'port.restart-at-once',
      'case OutputRestart.RESTART_IMMEDATE:\n        return 0',
      'case OutputRestart.RESTART_IMMEDATE:\n        return RestartTime',
    ],
    [
      'port.restart-time',
      'case OutputRestart.RESTART_TIME:\n        return RestartTime',
      'case OutputRestart.RESTART_TIME:\n        return RestartTime / 10',
    ],
    [
      'port.restart-time-begins-again',
      'if (raw === this.#value) {\n      this.#since = undefined;',
      'if (raw === this.#value) {',
    ],
    [
      'port.input',
      'return high === (Logic === PortLogic.ACTIVE_HIGH);',
      'return high === (Logic === PortLogic.ACTIVE_LOW);',
    ],
    ['port.input-low', 'return high === (Logic === PortLogic.ACTIVE_HIGH);', 'return high && Logic >= 0;'],
    [
      'port.debounce',
      'this.#level.follow(high, now, this.#settings.Debounce)',
      'this.#level.follow(high, now, 10)',
    ],
    [
      'port.short-pulse',
      'this.#level.follow(high, now, this.#settings.Debounce)',
      'this.#level.follow(high, now, this.#settings.Debounce / 4)',
    ],
    ['port.edge', 'this.#settings.Sensitivity === InputSensitivity.LEVEL && isActive', 'isActive'],
    [
      'port.level',
      'return this.#settings.Sensitivity === InputSensitivity.LEVEL && isActive(this.#settings, this.high);',
      'return false;',
    ],
  ),
  ...inFile(
    'packages/device/src/inputs-and-outputs/output-sources.ts',
    [
      'port.unknown-source',
      'if (Name === noOutputSource || readerOf(Name) !== undefined) continue;',
      'if (Name.length === 4) continue;',
    ],
    [
      'port.follows-contamination',
      'CWRN: (signals) => signals.contaminationWarning()',
      'CWRN: (signals) => signals.contaminationError()',
    ],
    [
      'port.follows-input',
      'IN: (signals, port) => signals.input(port)',
      'IN: (signals, port) => signals.input(port + 1)',
    ],
  ),
  ...inFile('packages/model/src/groups/output-sources.ts', [
    'port.known-sources',
    'count: evaluationSlots',
    'count: 20',
  ]),
  ...inFile('packages/device/src/field-evaluation/field-evaluation.ts', [
    'port.field-inactive',
    '?.signal ?? false',
    '?.signal ?? true',
  ]),
  ...inFile('packages/device/src/hardware/contained-sensor.ts', [
    'port.inputs-fail',
    'this.#error.failed(this.#text, errorMessage(error));',
    '',
  ]),
  ...inFile(
    'packages/device/src/field-evaluation/field.ts',
    [
      'port.detecting-free',
      'return state === FieldState.INFRINGED || state === FieldState.DETECTING_FREE;',
      'return state === FieldState.INFRINGED;',
    ],
    ['port.invalid-beams', 'this.#unknownScans < toleratedScans && isInfringed', 'isInfringed'],
    [
      'port.invalid-beams-briefly',
      'this.#unknownScans < toleratedScans && isInfringed',
      'this.#unknownScans < 1 && isInfringed',
    ],
  ),
  ...inFile('packages/device/src/lifecycle/conditions.ts', [
    'port.ready-core',
    "['DS_RecoverableError', SCdevicestate.Error]",
    "['DS_RecoverableError', SCdevicestate.Ready]",
  ]),
  ...inFile('packages/device/src/hardware/contained-call.ts', [
    'port.outputs-fail',
    'export const callLimit = 5000',
    'export const callLimit = 60_000',
  ]),
];
