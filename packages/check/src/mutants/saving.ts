import { inFile, type Mutant } from './mutant.js';

const rebootsAndSaves = 'packages/device/src/general/save-and-reboot.ts';
const saving = 'packages/device/src/parameters/saving.ts';
const parameters = 'packages/device/src/parameters/parameters.ts';
const storedState = 'packages/device/src/parameters/stored-state.ts';
const deviceTime = 'packages/device/src/clock/device-time.ts';
const operatingData = 'packages/device/src/operating-data/operating-data.ts';
const identity = 'packages/device/src/identity/device-information.ts';
const general = 'packages/model/src/groups/general.ts';

const openMethod = (name: string, level = 'AuthorizedClient') =>
  [`${name}: method({\n    level: '${level}'`, `${name}: method({\n    level: 'open'`] as const;
const softResetSaves = [
  'method(SoftReset, (_, { afterwards }) => {',
  'method(SoftReset, async (_, { afterwards }) => {\n        await saving.storeWorking();',
] as const;
const rebootDoesNotSave = [
  'await saving.storeWorking();\n        } catch (error) {\n          reboot.callOff();',
  'await undefined;\n        } catch (error) {\n          reboot.callOff();',
] as const;
const oldTime = ['() => time.stamp(),', '() => state.lastSave,'] as const;
/** The checksum does not cover the values. */
const namesAlone = [
  'Object.entries(state.content.parameters)',
  'Object.keys(state.content.parameters).map((name) => [name, name] as const)',
] as const;
/** The checksum covers what changes by itself. */
const restless = [
  'JSON.stringify(Object.entries(state.content.parameters)',
  'process.hrtime.bigint().toString() + JSON.stringify(Object.entries(state.content.parameters)',
] as const;

/** Mutants of the area `save`. */
export const saveMutants: readonly Mutant[] = [
  ...inFile(
    saving,
    [
      'save.write-eeprom',
      "await this.#save(this.#options.parameters.layer('working')",
      "await this.#save(this.#options.parameters.layer('stored')",
    ],
    ['save.time-of-save', ...oldTime],
    ['save.time-of-reboot-device', ...oldTime],
    ['save.time-of-restore', ...oldTime],
  ),
  ...inFile(
    rebootsAndSaves,
    ['save.write-eeprom-result', 'return { Success: true };', 'return { Success: false };'],
    ['save.unsaved-is-lost', ...softResetSaves],
    ['save.reboot-device', ...rebootDoesNotSave],
    ['save.checksum-of-soft-reset', ...softResetSaves],
    ['save.checksum-of-reboot-device', ...rebootDoesNotSave],
  ),
  ...inFile(parameters, [
    'save.every-parameter',
    'for (const cell of this.#cells) values[cell.variable.name] = cell[layer];',
    'for (const cell of this.#cells) if (!Array.isArray(cell[layer])) values[cell.variable.name] = cell[layer];',
  ]),
  ...inFile(parameters, [
    'save.all-parameters',
    'for (const cell of this.#cells) values[cell.variable.name] = cell[layer];',
    "for (const cell of this.#cells) if (typeof cell[layer] !== 'boolean') values[cell.variable.name] = cell[layer];",
  ]),
  ...inFile(
    deviceTime,
    ['save.format-of-date', 'two(usiDay)}.$', 'two(usiDay)}-$'],
    ['save.format-of-time', 'two(usiHour)}:$', 'two(usiHour)}.$'],
    ['save.time-of-save', 'two(usiMonth)}.$', 'two(usiMonth + 1)}.$'],
  ),
  ...inFile(
    storedState,
    ['save.time-without-change', 'this.lastSave = saved;', 'this.lastSave = this.content.saved;'],
    [
      'save.time-after-boot',
      'saved: { date: saved.date, time: saved.time }',
      "saved: { date: 'DD.MM.YYYY', time: 'HH:MM' }",
    ],
  ),
  ...inFile(operatingData, [
    'save.time-stays',
    'computed(LastParaTime, () => this.#options.state.lastSave.time)',
    'computed(LastParaTime, () => new Date(this.#options.clock.utc()).toISOString().slice(11, 16))',
  ]),
  ...inFile(
    identity,
    ['save.checksum-form', "createHash('md5')", "createHash('sha1')"],
    ['save.checksum-ok', 'MD5SumOK: conditions.intact', 'MD5SumOK: !conditions.intact'],
    ['save.checksum-of-write', ...restless],
    ['save.checksum-of-same-restore', ...restless],
    ['save.checksum-of-save', ...namesAlone],
    ['save.checksum-of-restore', ...namesAlone],
    [
      'save.checksum-of-parameters-alone',
      'md5(`calibration $',
      'md5(JSON.stringify(state.content.parameters) + `calibration $',
    ],
  ),
  ...inFile(general, ['save.write-eeprom-without-login', ...openMethod('WriteEeprom')]),
  ...inFile('packages/device/src/webserver-settings/webserver-switch.ts', [
    'save.web-server-until-boot',
    '({ IsEnabled: this.isEnabled })',
    '({ IsEnabled: true })',
  ]),
  ...inFile('packages/device/src/ethernet/network.ts', [
    'save.ethernet-update-alone',
    'method(members.EthernetUpdate, (_, { afterwards }) => {',
    "method(members.EthernetUpdate, (_, { afterwards }) => {\n      throw new Error('no change');",
  ]),
  ...inFile('packages/model/src/groups/ethernet.ts', [
    'save.ethernet-update-without-login',
    ...openMethod('EthernetUpdate'),
  ]),
];

/** Mutants about what is kept of levels and passwords. */
export const accessMutants: readonly Mutant[] = [
  ...inFile(
    storedState,
    [
      'save.level',
      'userLevels: switchesOf(userLevels),',
      'userLevels: { ...switchesOf(userLevels), Maintenance: false },',
    ],
    [
      'save.disabled-level',
      'userLevels: switchesOf(userLevels),',
      'userLevels: { ...switchesOf(userLevels), Maintenance: true },',
    ],
  ),
  ...inFile('packages/device/src/access/credential-store.ts', [
    'save.password',
    'if (!this.locked) return;\n    const state',
    'await this.loadFirst();\n    if (!this.locked) return;\n    const state',
  ]),
  ...inFile(saving, [
    'file.restore-keeps-levels',
    'parameters.assertAllowed(values);\n',
    'parameters.assertAllowed(values);\n      Object.assign(beside, { userLevels: { Maintenance: true, AuthorizedClient: true, Service: true } });\n',
  ]),
  ...inFile('packages/device/src/session-tokens/session-tokens.ts', [
    'file.token-of-changed-password',
    'credentials.onChanged((level) => this.#end(level));',
    '',
  ]),
  ...inFile(rebootsAndSaves, ['default.factory-password', 'await options.credentials.loadFirst();', '']),
];

const powerOnByReboot = [
  'this.#goDown({ kind, before: async () => undefined });',
  'this.#goDown({ kind, before: async () => this.#life?.powerOn() });',
] as const;
const serviceModeAfterBoot = [
  "conditions.set('DS_Startup', 'boot', true);",
  "conditions.set('DS_Startup', 'boot', true);\n    if (!this.#isFirstBoot) conditions.set('DS_ServiceMode', 'boot', true);",
] as const;

/** Mutants of the area `boot`. */
export const bootMutants: readonly Mutant[] = [
  ...inFile(
    'packages/server/src/legacy/legacy-interfaces.ts',
    ['boot.legacy-closed.text', 'down(): void {\n    this.close();', 'down(): void {'],
    ['boot.legacy-closed.binary', 'down(): void {\n    this.close();', 'down(): void {'],
  ),
  ...inFile('packages/server/src/application/web-server.ts', [
    'boot.web-server-off',
    'this.#isOn = this.#options.device.features.webserver.isEnabled;',
    'this.#isOn = this.#options.device.features.webserver !== undefined;',
  ]),
  ...inFile(
    rebootsAndSaves,
    ['boot.soft-reset', "afterwards(lifecycle.order('SoftReset').begin);", "lifecycle.order('SoftReset');"],
    ['boot.reboot-device', 'afterwards(reboot.begin);', ''],
    [
      'boot.soft-reset-of-a-processor',
      'method(SoftReset, (_, { afterwards }) => {',
      'method(SoftReset, (request, { afterwards }) => {\n        if (request.ProcessorNbr !== 0) return {};',
    ],
  ),
  ...inFile('packages/simulation/src/virtual-hardware.ts', [
    'boot.reboot-device',
    'new BootTime(bootMilliseconds)',
    'new BootTime(bootMilliseconds * 15)',
  ]),
  ...inFile(
    general,
    [
      'boot.soft-reset-needs-processor',
      "request: { ProcessorNbr: integer('uint16') },",
      "request: { ProcessorNbr: integer('uint16') },\n    optional: ['ProcessorNbr'],",
    ],
    ['boot.SoftReset-without-login', ...openMethod('SoftReset')],
    ['boot.RebootDevice-without-login', ...openMethod('RebootDevice')],
  ),
  ...inFile(
    'packages/device/src/lifecycle/lifecycle.ts',
    ['boot.power-on-count', ...powerOnByReboot],
    ['boot.daily-hours-of-reboots', ...powerOnByReboot],
  ),
  ...inFile(
    operatingData,
    ['boot.power-on-count-not-zero', 'return this.#powerOnCount;', 'return this.#powerOnCount - 1;'],
    ['boot.daily-hours', '/ 3_600_000', '/ 60_000'],
    ['boot.daily-hours-of-six-minutes', '/ 3_600_000', '/ 3_660_000'],
    [
      'boot.operating-hours',
      'Math.floor((this.#before + this.#sincePowerOn) / saveEvery)',
      'Math.floor((this.#before + this.#sincePowerOn) / 3_600_000)',
    ],
    [
      'boot.operating-hours-of-reboots',
      '() => this.counters.tenthsOfHours',
      '() => Math.max(0, 10 - this.counters.tenthsOfHours - Math.floor(this.counters.dailyHours * 1e5))',
    ],
  ),
  ...inFile(
    'packages/device/src/device.ts',
    ['boot.device-status', ...serviceModeAfterBoot],
    ['boot.device-state', ...serviceModeAfterBoot],
  ),
  ...inFile('packages/device/src/measuring/measuring.ts', [
    'boot.measures-again',
    "this.#options.parameters.read(AutoStartMeasure) ? 'measuring' : 'stopped'",
    "this.#options.parameters.read(AutoStartMeasure) ? 'stopped' : 'stopped'",
  ]),
  ...inFile('packages/device/src/general/passwords.ts', [
    'boot.challenge',
    'boot: () => access.voidChallenges(),',
    'boot: () => undefined,',
  ]),
  ...inFile('packages/device/src/session-tokens/session-tokens.ts', [
    'boot.session-token',
    'boot(): void {\n    this.#tokens = [];',
    'boot(): void {',
  ]),
  ...inFile(deviceTime, [
    'boot.clock',
    "this.#hostAhead = this.#readHostAhead();\n    this.#run = { kind: 'even', ahead: 0 };",
    'this.#hostAhead = this.#readHostAhead();',
  ]),
];

const noSwitches = [
  "parameters.layer('factory'), () => ({}), factorySwitches(firmware.release));",
  "parameters.layer('factory'), () => ({}));",
] as const;

/** Mutants of the area `default`. */
export const defaultMutants: readonly Mutant[] = [
  ...inFile(
    general,
    ['default.factory-without-login', ...openMethod('LoadFactoryDefaults', 'Service')],
    ['default.application-without-login', ...openMethod('LoadApplicationDefaults')],
  ),
  ...inFile(
    saving,
    ['default.factory', 'parameters.resetWorking(() => true);', ''],
    ['default.factory-is-stored', "parameters.layer('factory')", "parameters.layer('stored')"],
    ['default.factory-time', ...oldTime],
    ['default.factory-levels', ...noSwitches],
    ['default.factory-web-server', ...noSwitches],
    ['default.application', 'parameters.resetWorking(ofApplication);', ''],
    ['default.application-is-stored', 'parameters.withFactory(ofApplication)', "parameters.layer('stored')"],
    [
      'default.application-alone',
      "(variable: Variable<unknown>) => variable.section === 'application'",
      '(variable: Variable<unknown>) => variable.section !== undefined',
    ],
    ['default.application-time', ...oldTime],
  ),
  ...inFile(parameters, [
    'default.application-saves-nothing-else',
    'includes(cell.variable) ? cell.factory : cell.stored',
    'includes(cell.variable) ? cell.factory : cell.working',
  ]),
  ...inFile(identity, ['default.application-checksum', ...namesAlone]),
  ...inFile(rebootsAndSaves, [
    'default.factory-keeps-archive',
    'options.hardware.factoryReset();',
    "await Reflect.get(options.documents, 'storeFile').call(options.documents, 'diagnosisDump.zip', '', new Uint8Array());",
  ]),
];
