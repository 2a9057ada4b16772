import type { SourceMutant } from '../mutant.js';

/** A fault, and the cases that find it: without the area, and `*` for both forms. */
type Rule = readonly [ids: string, from: string, to: string];

/** Makes the mutants of one file. Several ids are separated by blanks. */
function inSource(file: string, ...rules: readonly Rule[]): readonly SourceMutant[] {
  return rules.flatMap(([ids, from, to]) =>
    ids
      .split(' ')
      .flatMap((id) => (id.endsWith('.*') ? [id.replace('*', 'text'), id.replace('*', 'binary')] : [id]))
      .map((id) => ({ kind: 'source', case: `legacy.${id}`, file, from, to })),
  );
}

const framing = [
  ...inSource(
    'packages/telegrams/src/legacy/framing.ts',
    ['frame.text', 'frame[0] = textStart;', 'frame[0] = 0x01;'],
    ['frame.binary', 'let xor = 0;', 'let xor = 2;'],
  ),
  ...inSource(
    'packages/server/src/legacy/sessions.ts',
    [
      'frame.binary-at-A',
      'this.#sessions.add(session);',
      "this.#sessions.add(session); if (letter === 'A') socket.prependListener('data', (piece) => { if (piece[1] === 2) socket.destroy(); });",
    ],
    [
      'frame.text-at-B',
      'this.#sessions.add(session);',
      "this.#sessions.add(session); if (letter === 'B') socket.prependListener('data', (piece) => { if (piece[1] !== 2) socket.destroy(); });",
    ],
    ['port.eight-connections', 'if (!this.#makeRoom(address)) {', 'if (this.#sessions.size >= 7) {'],
  ),
  ...inSource('packages/server/src/legacy/commands.ts', [
    'frame.mixed',
    'const { framing } = telegram;',
    'const framing = (session.framing ??= telegram.framing);',
  ]),
  ...inSource(
    'packages/telegrams/src/legacy/legacy-splitter.ts',
    [
      'stream.split.text',
      'this.#searched = end;\n      return false;',
      'this.#skip(end);\n      return true;',
    ],
    [
      'stream.split.binary',
      'if (window.length < frame) return false;',
      "if (window.length < frame) return this.#breakOff('damaged', frame, telegrams);",
    ],
    ['stream.garbage.*', 'this.#skip(next === -1 ? window.length : next);', 'this.#skip(window.length);'],
    [
      'stream.text-without-end',
      'if (window.at(end) === marker) {\n      this.#skip(end);',
      'if (window.at(end) === marker) {\n      this.#skip(end + 1);',
    ],
    [
      'stream.wrong-check-byte stream.length-too-small',
      "if (window.xor(head, end) !== window.at(end)) return this.#breakOff('damaged', frame, telegrams);",
      '',
    ],
  ),
  ...inSource(
    'packages/server/src/legacy/session-input.ts',
    [
      'stream.joined.*',
      'this.#telegrams = telegrams;\n    this.#next = 0;',
      'this.#telegrams = telegrams;\n    this.#next = Math.max(0, telegrams.length - 1);',
    ],
    [
      'stream.http',
      "if (knownMethod.test(this.#start)) return 'http';",
      "if (knownMethod.test(this.#start)) return 'telegrams';",
    ],
    [
      'stream.http-post',
      "if (knownMethod.test(this.#start)) return 'http';",
      "if (/^POST /.test(this.#start)) return 'telegrams';",
    ],
    ['stream.tls', "if (this.#start.startsWith(tls)) return 'tls';", ''],
  ),
  ...inSource(
    'packages/server/src/legacy/limits.ts',
    ['stream.length-too-large', 'longestFrameTime = 2000', 'longestFrameTime = 4000'],
    ['stream.patience', 'longestFrameTime = 2000', 'longestFrameTime = 1000'],
    ['stream.announced-too-long', 'largestRequest = 64 * 1024', 'largestRequest = 65 * 1024'],
  ),
  ...inSource('packages/server/src/legacy/legacy-session.ts', [
    'stream.half-closed.*',
    "if (this.#hasEnded && this.#input.isEmpty && this.#activity === 'ready') this.#socket.end();",
    '',
  ]),
  ...inSource(
    'packages/telegrams/src/legacy/command.ts',
    ['stream.empty.*', 'unknownCommand: 0xc,', 'unknownCommand: 0xb,'],
    ['words.blanks', "while (framing === 'text' && payload[start] === blank) start++;", ''],
    [
      'words.blank-behind-name.*',
      'const end = payload.indexOf(blank, start);',
      'const found = payload.indexOf(blank, start);\n  const end = found === payload.length - 1 ? -1 : found;',
    ],
    ['refused.code.text', 'code.toString(16).toUpperCase()', 'code.toString(10)'],
    [
      'refused.code.binary',
      'return Uint8Array.of(0x73, 0x46, 0x41, code >> 8, code);',
      'return Uint8Array.of(0x73, 0x46, 0x41, 0x20, code >> 8, code);',
    ],
  ),
];

const notations = [
  ...inSource(
    'packages/model/src/types/integer-format.ts',
    [
      'text.hex text.leading-zeros',
      `BigInt(\`0x\${token}\`)`,
      `BigInt(/^\\d+$/.test(token) ? token : \`0x\${token}\`)`,
    ],
    ['text.decimal', 'return Number(token);', 'return Number.parseInt(token, 16);'],
    ['text.decimal-zeros', '/^[+-]\\d{1,20}$/', '/^[+-][1-9]\\d{0,19}$/'],
    ['text.lower-case', '/^[0-9a-f]+$/i', '/^[0-9A-F]+$/'],
    [
      'text.answer-hex',
      'out.token(unsigned.toString(16).toUpperCase());',
      'out.token(unsigned.toString(16));',
    ],
    ['text.widest', '/^[0-9a-f]+$/i', '/^[0-9a-f]{1,8}$/i'],
    ['text.negative', 'Number(minimum < 0 ? BigInt.asIntN(bits, unsigned) : unsigned)', 'Number(unsigned)'],
    [
      'text.negative-byte',
      'BigInt.asUintN(widths[format].bits, BigInt(value))',
      'BigInt.asUintN(32, BigInt(value))',
    ],
  ),
  ...inSource(
    'packages/model/src/types/float.ts',
    ['text.float-hex', ".toString(16).toUpperCase().padStart(8, '0')", ".toString(16).padStart(8, '0')"],
    [
      'text.float-decimal',
      'if (/^([+-]\\d{1,40}(\\.\\d{1,40})?|\\d{1,40}\\.\\d{1,40})$/.test(token)) return Number(token);',
      '',
    ],
    ['text.float-point', '(/^([+-]\\d{1,40}(\\.\\d{1,40})?|', '(/^([+-]\\d{1,40}|'],
  ),
  ...inSource(
    'packages/model/src/types/string.ts',
    [
      'text.string text.string-empty',
      "if (counted) integerToText('uint16', bytes.length, out);",
      "if (counted && bytes.length > 0) integerToText('uint16', bytes.length + 1, out);",
    ],
    [
      'text.string-longest',
      'if (length < minLength || length > maxLength) {',
      'if (length < minLength || length > maxLength || (minLength === 0 && maxLength === 32 && length === 32)) {',
    ],
    [
      'text.string-utf8',
      "if (counted) integerToText('uint16', bytes.length, out);",
      "if (counted) integerToText('uint16', value.length, out);",
    ],
    ['binary.string', 'if (counted) out.uint16(bytes.length);', 'if (counted) out.uint8(bytes.length);'],
  ),
  ...inSource('packages/model/src/types/array.ts', [
    'text.array',
    "const counted = inTelegrams === 'none' || (inTelegrams === undefined && !fixed);",
    "const counted = inTelegrams === 'none' || inTelegrams === undefined;",
  ]),
  ...inSource(
    'packages/model/src/binary.ts',
    [
      'binary.numbers',
      'this.#bytes[at] = value >> 24;\n    this.#bytes[at + 1] = value >> 16;\n    this.#bytes[at + 2] = value >> 8;\n    this.#bytes[at + 3] = value;',
      'this.#bytes[at + 3] = value >> 24;\n    this.#bytes[at + 2] = value >> 16;\n    this.#bytes[at + 1] = value >> 8;\n    this.#bytes[at] = value;',
    ],
    ['binary.float', 'scratch.setFloat32(0, value);', 'scratch.setFloat32(0, value, true);'],
  ),
  ...inSource(
    'packages/server/src/legacy/commands.ts',
    [
      'text.acknowledgement',
      "const frame = hasBlank ? telegramOf(framing, 'sWA', name) : bareTelegram(framing, 'sWA', name);",
      "const frame = telegramOf(framing, 'sWA', name.concat(' '));",
    ],
    [
      'binary.acknowledgement',
      "const frame = hasBlank ? telegramOf(framing, 'sWA', name) : bareTelegram(framing, 'sWA', name);",
      "const frame = bareTelegram(framing, 'sWA', name);",
    ],
    [
      'binary.acknowledgement-bare',
      "const frame = hasBlank ? telegramOf(framing, 'sWA', name) : bareTelegram(framing, 'sWA', name);",
      "const frame = telegramOf(framing, 'sWA', name);",
    ],
  ),
];

const levels = [
  ...inSource(
    'packages/server/src/legacy/calls.ts',
    [
      'level.login.*',
      'session.level = level;',
      "session.level = level === 'Service' ? 'Maintenance' : level;",
    ],
    ['level.run.*', "session.level = 'Run';", ''],
    [
      'level.wrong-password-keeps.*',
      'if (level === undefined) return false;',
      "if (level === undefined) {\n          session.level = 'Run';\n          return false;\n        }",
    ],
    [
      'level.check-password.*',
      'CheckPassword: (values, { log }) => login(values, log) !== undefined,',
      'CheckPassword: (values, session) => { const level = login(values, session.log); if (level !== undefined) { session.level = level; session.password = access.passwordOf(level); } return level !== undefined; },',
    ],
    [
      'level.number-with-zero',
      "const { level, password } = values.read(loginRequest, '');",
      "const { level: given, password } = values.read(loginRequest, '');\n    const level = given || 9;",
    ],
  ),
  ...inSource(
    'packages/device/src/legacy-protocols/legacy-interfaces.ts',
    ['level.wrong-password.*', 'if (!right) {', 'if (!right && hash === 0) {'],
    ['level.zero.*', "if (level === 'Run') return level;", "if (level === 'Run') return undefined;"],
    [
      'level.unknown.*',
      'if (level === undefined || !isLoginLevel(level)) return undefined;',
      'if (level === undefined || !isLoginLevel(level)) return level === undefined ? undefined : level;',
    ],
    ['level.switched-off.*', 'if (!this.#isEnabled(level)) {', 'if (false) {'],
    ['level.switched-on.*', 'if (!this.#isEnabled(level)) {', "if (level !== 'Service') {"],
    [
      'level.switched-off-in-use',
      "return this.#isEnabled(level) && this.passwordOf(level) === password ? level : 'Run';",
      "return this.passwordOf(level) === password ? level : 'Run';",
    ],
    [
      'level.set-password',
      "return this.#isEnabled(level) && this.passwordOf(level) === password ? level : 'Run';",
      "return this.#isEnabled(level) ? level : 'Run';",
    ],
    [
      'level.other-password',
      'const right = this.#scanner.credentials.isLegacy(level, hash);',
      "const right = this.#scanner.credentials.isLegacy(level, hash) || this.#scanner.credentials.isLegacy('Maintenance', hash);",
    ],
    [
      'lock.five',
      'if (this.lockout.locked || this.#scanner.credentials.locked) return undefined;',
      'if (this.#scanner.credentials.locked) return undefined;',
    ],
    [
      'lock.switched-off-level',
      'if (!this.#isEnabled(level)) {',
      'if (!this.#isEnabled(level)) {\n      this.loginFailed(level, log);',
    ],
  ),
  ...inSource(
    'packages/device/src/access/access.ts',
    ['lock.four', 'const failuresAllowed = 5;', 'const failuresAllowed = 4;'],
    ['lock.thirty-seconds', 'const lockMilliseconds = 30_000;', 'const lockMilliseconds = 28_000;'],
  ),
  ...inSource(
    'packages/device/src/legacy-protocols/legacy-names.ts',
    ['relative.below-level', 'if (level !== undefined) admit(caller, level);', ''],
    [
      'relative.level-three',
      'admit(caller, level);\n    return { effect',
      "admit(caller, 'Service');\n    return { effect",
    ],
    [
      'write.PortConfiguration.leading',
      'written.over(read(written.type), this.#device.read(variable))',
      'written.over(read(written.type), variable.type.initial)',
    ],
  ),
];

const errors = [...inSource('packages/server/src/legacy/values.ts', ...refusals())];

/** A wrong code of each error, in text and in binary. */
function refusals(): readonly Rule[] {
  const codes: readonly (readonly [code: number | readonly number[], ids: readonly string[]])[] = [
    [
      1,
      [
        'call-below-level',
        'call-below-level.rest-name',
        'start-below-level',
        'stop-below-level',
        'reboot-below-level',
        'soft-reset-below-level',
        'factory-below-level',
        'application-below-level',
        'password-below-level',
        'rest-login',
      ],
    ],
    [2, ['unknown-method', 'method-case', 'call-variable']],
    [3, ['unknown-variable', 'name-case', 'name-of-object', 'read-method', 'write-unknown', 'write-method']],
    [10, ['write-below-level', 'write-read-only', 'write-scan']],
    [11, ['by-index.read', 'by-index.write', 'by-index.call', 'by-index.event']],
    [12, ['unknown-word', 'answer-as-request', 'word-case']],
    [15, ['unknown-event', 'event-of-method']],
    [7, ['values-behind-read']],
    [[4, 5], ['wrong-switch']],
    [8, ['half-login']],
  ];
  return codes.flatMap(([code, ids]) =>
    wrongCode(
      code,
      ids.map((id) => `refused.${id}`),
      'both',
    ),
  );
}

export function wrongCode(
  code: number | readonly number[],
  ids: readonly string[],
  form: 'text' | 'binary' | 'both',
): readonly Rule[] {
  const isIt = `[${[code].flat().join(', ')}].includes(code)`;
  const rules: Rule[] = [];
  if (form !== 'binary')
    rules.push([
      ids.map((id) => `${id}.text`).join(' '),
      'frameText(errorText(code))',
      `frameText(errorText(${isIt} ? 6 : code))`,
    ]);
  if (form !== 'text')
    rules.push([
      ids.map((id) => `${id}.binary`).join(' '),
      'frameBinary(errorBinary(code))',
      `frameBinary(errorBinary(${isIt} ? 6 : code))`,
    ]);
  return rules;
}

export const ruleMutants: readonly SourceMutant[] = [...framing, ...notations, ...levels, ...errors];
export { inSource, type Rule };
