import type { SourceMutant } from '../mutant.js';
import { inSource, type Rule, wrongCode } from './rules.js';

/** Codes of wrong values, and the forms of the cases. */
const refused: readonly (readonly [
  code: number | readonly number[],
  form: 'text' | 'binary' | 'both',
  ids: string,
])[] = [
  [8, 'both', 'no-value short-string huge-length short-array half-struct find-me-without'],
  [8, 'binary', 'half-number'],
  [7, 'both', 'two-values string-left-over long-array'],
  [4, 'both', 'unknown-value below-range above-range float-above-range low-port find-me'],
  [[0x11, 5], 'text', 'letters point'],
  [0x10, 'text', 'too-many-bits endless-number'],
  [[4, 0x10], 'text', 'negative'],
  [[4, 5], 'both', 'neither-truth no-float'],
  [0xe, 'both', 'long-string long-list'],
  [[5, 0x11], 'both', 'control-character'],
  [5, 'binary', 'not-utf8'],
];

const codes: readonly Rule[] = refused.flatMap(([code, form, ids]) =>
  wrongCode(
    code,
    ids.split(' ').map((id) => `value.${id}`),
    form,
  ),
);

/** Checks that are left out: the value is taken. */
const unchecked = [
  ...inSource(
    'packages/server/src/legacy/values.ts',
    [
      'value.two-values.* value.string-left-over.* value.long-array.*',
      "if (!values.atEnd) throw new LegacyRefusal('bufferOverflow');",
      '',
    ],
    ...codes,
  ),
  ...inSource(
    'packages/model/src/types/integer.ts',
    [
      'value.above-range.*',
      'if (json < minimum || json > maximum) {',
      'if (json < minimum || json > maximum + 1) {',
    ],
    [
      'value.below-range.* value.low-port.*',
      'if (json < minimum || json > maximum) {',
      'if (json < minimum - 1 || json > maximum) {',
    ],
  ),
  ...inSource('packages/model/src/types/string.ts', [
    'value.long-string.*',
    'if (length < minLength || length > maxLength) {',
    'if (length < minLength || length > maxLength + 1) {',
  ]),
  ...inSource('packages/model/src/types/integer-format.ts', [
    'value.too-many-bits.text',
    'if (unsigned >= 1n << BigInt(bits))',
    'if (unsigned >= 1n << BigInt(bits + 8))',
  ]),
  ...inSource('packages/model/src/types/enumeration.ts', [
    'value.neither-truth.binary',
    'if (number !== 0 && number !== 1)',
    'if (number < 0)',
  ]),
];

const events = [
  ...inSource(
    'packages/server/src/legacy/session-output.ts',
    [
      'event.pushed.*',
      'if (frame !== undefined) this.#send(frame);',
      'if (frame !== undefined) for (const one of [frame, frame]) this.#send(one);',
    ],
    ['event.ended.*', 'this.#followed.get(name)?.stop();\n    this.#followed.delete(name);', ''],
    [
      'event.twice-subscribed',
      '    this.unfollow(name);\n    const stop',
      '    const twice = this.#followed.has(name);\n    const stop',
    ],
    [
      'event.none-yet',
      '    this.#followed.set(name, { stop, event });',
      '    this.#followed.set(name, { stop, event });\n    this.#changed.add(name);\n    setTimeout(() => this.flush(), 0);',
    ],
    [
      'event.of-connection',
      'this.#isWritable = isWritable;',
      `this.#isWritable = isWritable;
    const all = (SessionEvents.all ??= []);
    all.push(this);
    this.follow = (...given) => { for (const one of all) SessionEvents.prototype.follow.apply(one, given); };`,
    ],
    [
      'event.ends-with-connection',
      'this.#isWritable = isWritable;',
      `this.#isWritable = isWritable;
    const kept = (SessionEvents.kept ??= []);
    for (const given of kept) this.follow(...given);
    this.follow = (...given) => { kept.push(given); SessionEvents.prototype.follow.apply(this, given); };`,
    ],
    ['event.behind-answer.*', 'if (!this.#isWritable()) return;', ''],
  ),
  ...inSource(
    'packages/server/src/legacy/readings.ts',
    [
      'event.by-other-name',
      "return telegramOf(framing, 'sSN', name, readable.type, readable.read());",
      "return telegramOf(framing, 'sSN', named(this.#names.find(name), name), readable.type, readable.read());\n    function named(found, other) { return found?.endpoint?.name ?? other; }",
    ],
    [
      'event.several-connections',
      "return telegramOf(framing, 'sSN', name, readable.type, readable.read());",
      "return telegramOf('text', 'sSN', name, readable.type, readable.read());",
    ],
  ),
  ...inSource('packages/server/src/legacy/calls.ts', [
    'event.kept-by-run',
    "session.level = 'Run';",
    "session.level = 'Run';\n        session.unfollow('LocationName');",
  ]),
];

const lmd = 'packages/server/src/legacy/scan-data/lmd-telegrams.ts';

const scans = [
  ...inSource(
    lmd,
    [
      'scan.counters.* scan.several-connections',
      'this.#number ??= this.#count();',
      'this.#count();\n    this.#number ??= this.#count();',
    ],
    [
      'scan.times.*',
      'scanTime: Math.round(time) + error + scanError,',
      'scanTime: Math.round(time / 1000) + error + scanError,',
    ],
    ['scan.version.*', 'const version = 1;', 'const version = 0;'],
    [
      'scan.status.*',
      '.shortState === SCdevicestate.Error ? 1 : 0, 0];',
      '.shortState === SCdevicestate.Error ? 0 : 1, 0];',
    ],
    ['scan.frequency.*', 'Math.round(geometry.frequency * 100)', 'Math.round(geometry.frequency * 1000)'],
    ['scan.reserved.*', 'measurementFrequency: 0,', 'measurementFrequency: 162,'],
    ['scan.serial', 'serialNumber: this.#serialNumber,', 'serialNumber: this.#serialNumber + 1,'],
    [
      'scan.interval.*',
      'return passesInterval(this.#device.read(LFPintervalFilter), number);',
      'return true;',
    ],
    [
      'scan.name.*',
      'content.deviceName ? device.read(LocationName) : undefined',
      "content.deviceName ? '' : undefined",
    ],
    ['scan.time.*', 'month: now.usiMonth,', 'month: now.usiMonth - 12,'],
    [
      'scan.delay.*',
      'scanTime: Math.round(time) + error + scanError,',
      'scanTime: Math.round(time + 1_000_000 / geometry.frequency) + error + scanError,',
    ],
    ['scan.inputs.*', 'inputs: bitsOf(inputs),', 'inputs: bitsOf(inputs.toReversed()),'],
    ['scan.outputs.*', 'bits |= 1 << port', 'bits |= 2 << port'],
    [
      'scan.requested.* scan.last.*',
      'for (let at = 0; at < word.length; at++) payload[at]',
      'for (let at = 0; at < 2; at++) payload[at]',
    ],
  ),
  ...inSource(
    'packages/server/src/legacy/scan-data/content.ts',
    ['scan.distances.*', 'content, scale, offset: 0, startAngle', 'content, scale, offset: 1, startAngle'],
    [
      'scan.strengths.*',
      `channelOf(content, \`RSSI\${number}\`, 1, new Uint8Array(values))`,
      `channelOf(content, \`RSSI\${number}\`, 2, new Uint8Array(values))`,
    ],
    [
      'scan.distance-range.*',
      'if (value === 0 || value > 65_535) return 0;',
      'if (value === 0 || value > 65_535) return 1;',
    ],
    ['scan.strength-range.*', 'strengthStep(rssi[from] ?? 0)', '255'],
    ['scan.no-strengths.*', 'strengths: config.RemDataConfig.bEnable,', 'strengths: true,'],
    [
      'scan.echoes.*',
      'Array.from({ length: echoes }, (_, echo) => echo + 1)',
      'Array.from({ length: Math.min(echoes, 2) }, (_, echo) => echo + 1)',
    ],
    ['scan.last-echo.*', '=== EchoFilter.ALL_ECHOS ? echoesPerBeam : 1', '!== 0 ? echoesPerBeam : 1'],
    ['scan.long-range.*', 'device.read(EnableLongRangeMode) ? 2 : 1', '1'],
    ['scan.no-blocks.*', 'time: config.bEnableTimeBlock,', 'time: true,'],
    ['scan.encoder.*', 'encoder: config.EnableEncoderBlock,', 'encoder: false,'],
    ['scan.new-content.*', '  ScanDataConfig,\n  FREchoFilter,', '  FREchoFilter,'],
    ['scan.new-echoes.*', '  FREchoFilter,\n  EnableLongRangeMode,\n]', '  EnableLongRangeMode,\n]'],
    ['scan.new-scale.*', '  FREchoFilter,\n  EnableLongRangeMode,\n]', '  FREchoFilter,\n]'],
    ['scan.profile.*', 'angularStep: beams.step, data };', 'angularStep: 3333, data };'],
  ),
  ...inSource('packages/telegrams/src/legacy/lmdscandata/text.ts', [
    'scan.long-name.text',
    'this.u16(bytes.length);\n    if (bytes.length === 0) return;',
    'this.characters(String(bytes.length));\n    if (bytes.length === 0) return;',
  ]),
  ...inSource('packages/telegrams/src/legacy/lmdscandata/binary.ts', [
    'scan.long-name.binary',
    'this.u16(bytes.length);\n    this.u8s(bytes);',
    'this.u16(Math.min(bytes.length, 9));\n    this.u8s(bytes.subarray(0, 9));',
  ]),
  ...inSource(
    'packages/server/src/legacy/readings.ts',
    ['present-value.text', 'of [this.#cache.text, this.#cache.binary])', 'of [this.#cache.binary])'],
    ['present-value.binary', 'of [this.#cache.text, this.#cache.binary])', 'of [this.#cache.text])'],
  ),
  ...inSource(
    'packages/device/src/legacy-protocols/output-range.ts',
    [
      'scan.angles.*',
      'Math.round(angleOf(geometry, beam) * 10_000) + legacyAhead',
      'Math.round(angleOf(geometry, beam) * 10_000) + (visible.first > 0 ? 0 : legacyAhead)',
    ],
    ['scan.increment.*', 'step: resolution * increment,', 'step: resolution,'],
    [
      'scan.new-angles.*',
      '  LFPangleRangeFilter,\n  PerformanceProfileNumber,\n]',
      '  PerformanceProfileNumber,\n]',
    ],
    ['relative.LMPscancfg.*', 'stop: fieldOfView.maximum + legacyAhead,', 'stop: fieldOfView.maximum,'],
    [
      'relative.LMPoutputRange.write.*',
      '[clampToView(start - legacyAhead), clampToView(stop - legacyAhead)]',
      '[clampToView(start), clampToView(stop)]',
    ],
  ),
  ...inSource(
    'packages/server/src/legacy/scan-data/scan-data.ts',
    [
      'scan.other-format.*',
      'return this.#followers.size > 0 && this.#device.read(format) === ScanDataFormat.LMDscandata;',
      'return this.#followers.size > 0;',
    ],
    [
      'scan.subscribed-twice',
      "for (const { sink } of this.#followers) sink.send(telegram.frame('sSN', sink.framing));",
      "for (const { sink } of [...this.#followers, ...this.#followers]) sink.send(telegram.frame('sSN', sink.framing));",
    ],
  ),
  ...inSource('packages/server/src/legacy/legacy-session.ts', [
    'scan.ended.*',
    'if (name === lmdName) this.#endScans();',
    'if (name === lmdName) return;',
  ]),
  ...inSource(
    'packages/device/src/legacy-protocols/legacy-variables.ts',
    ['scan.configured.*', 'time: it.bEnableTimeBlock,', 'time: false,'],
    [
      'relative.mLMPsetscancfg.*',
      'frequency === inForce.frequency ? resolution : ScanConfigStatus.wrongFrequency',
      'resolution',
    ],
  ),
  ...inSource('packages/device/src/legacy-protocols/legacy-name-table.ts', [
    'relative.field048.*',
    'Array.from({ length: 48 }',
    'Array.from({ length: 49 }',
  ]),
];

const rights = [
  ...inSource('packages/server/src/legacy/calls.ts', [
    'level.run-is-of-connection',
    'const ofSession = this.#sessionMethods.get(name);',
    `(this.all ??= new Set()).add(session);
    if (name === 'Run') for (const one of this.all) one.level = 'Run';
    const ofSession = this.#sessionMethods.get(name);`,
  ]),
  ...inSource(
    'packages/server/src/legacy/commands.ts',
    [
      'level.of-connection.* level.ends-with-connection',
      'session.level = this.#access.rights(session.level, session.password);',
      `if (name === 'SetAccessMode') this.last = session;
    const known = this.last ?? session;
    session.password = known.password;
    session.level = this.#access.rights(known.level, known.password);`,
    ],
    [
      'level.reads-need-none.*',
      "case 'sRN':\n        expectEnd(values);",
      "case 'sRN':\n        if (session.level === 'Run') throw new LegacyRefusal('writeAccessDenied');\n        expectEnd(values);",
    ],
  ),
  ...inSource('packages/model/src/groups/legacy-protocols.ts', [
    'level.authorized-client',
    "write: 'Service',",
    "write: 'AuthorizedClient',",
  ]),
  ...inSource(
    'packages/device/src/access/access.ts',
    [
      'level.maintenance',
      'if (!reaches(caller.level, level)) throw',
      "if (!reaches(caller.level, level === 'AuthorizedClient' ? 'Maintenance' : level)) throw",
    ],
    [
      'lock.not-rest',
      'this.lockout = new Lockout(clock);',
      'this.lockout = clock.lockout ??= new Lockout(clock);',
    ],
  ),
  ...inSource('packages/device/src/parameters/parameters.ts', [
    'event.unchanged',
    "return Object.is(a, b) || (typeof a === 'object' && isDeepStrictEqual(a, b));",
    'return false;',
  ]),
];

const interfaces = [
  ...inSource(
    'packages/server/src/legacy/legacy-interfaces.ts',
    [
      'port.switched-off',
      'if (this.#isEnabled) listener.reopen();\n      else listener.close();',
      'listener.reopen();',
    ],
    [
      'port.working-only',
      'device.features.network.onActivated(() => {',
      'device.follow(EtherAuxEnabled, () => this.close());\n    device.features.network.onActivated(() => {',
    ],
  ),
  ...inSource(
    'packages/device/src/legacy-protocols/legacy-interfaces.ts',
    [
      'port.distinct',
      'if (change.read(EtherAuxIPPort) !== change.read(EtherHostIPPort)) return;',
      'if (change.read(EtherAuxIPPort) > 0) return;',
    ],
    [
      'lock.check-password',
      'if (this.lockout.locked || this.#scanner.credentials.locked) return undefined;',
      'if (this.#scanner.credentials.locked) return undefined;',
    ],
    [
      'lock.logged-in',
      "return this.#isEnabled(level) && this.passwordOf(level) === password ? level : 'Run';",
      "return !this.lockout.locked && this.#isEnabled(level) && this.passwordOf(level) === password ? level : 'Run';",
    ],
  ),
];

export const sessionMutants: readonly SourceMutant[] = [
  ...unchecked,
  ...events,
  ...scans,
  ...rights,
  ...interfaces,
];
