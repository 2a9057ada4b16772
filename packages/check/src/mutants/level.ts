import { inFile, type Mutant } from './mutant.js';

const general = 'packages/model/src/groups/general.ts';
const passwords = 'packages/device/src/general/passwords.ts';
const envelope = 'packages/model/src/envelope.ts';
const struct = 'packages/model/src/types/struct.ts';
const access = 'packages/device/src/access/access.ts';
const store = 'packages/device/src/access/credential-store.ts';

const missing = [
  "throw new Refusal('parsingFailed', join(at, name)",
  "throw new Refusal('invalidData', join(at, name)",
] as const;
const noInteger = [
  "if (typeof json !== 'number' || Number.isNaN(json))\n      throw new Refusal('invalidData'",
  "if (typeof json !== 'number' || Number.isNaN(json))\n      throw new Refusal('outOfRange'",
] as const;

const serviceStays = "if (level === undefined || (level === 'Service' && !isEnabled)) return false;";
const switched = '[switches]: { ...content[switches], [level]: isEnabled }';
const loginLevelOf = 'return level !== undefined && isLoginLevel(level) ? level : undefined;';
const levelOfNumber = 'return levelNames[number];';

const ofEnabling: readonly Mutant[] = [
  ...inFile(
    passwords,
    [
      'level.enabled-maintenance',
      serviceStays,
      `if (level === 'Maintenance' && isEnabled) return false;\n    ${serviceStays}`,
    ],
    [
      'level.enabled-authorized-client',
      switched,
      "[switches]: { ...content[switches], [level]: isEnabled && level !== 'AuthorizedClient' }",
    ],
    ['level.disabled-maintenance', switched, '[switches]: { ...content[switches], [level]: true }'],
    ['level.disabled-authorized-client', switched, '[switches]: { ...content[switches], [level]: true }'],
    [
      'level.one-level-alone',
      switched,
      '[switches]: { ...content[switches], Service: isEnabled, [level]: isEnabled }',
    ],
    ['level.service-enabled', serviceStays, "if (level === undefined || level === 'Service') return false;"],
    ['level.service-stays', serviceStays, 'if (level === undefined) return false;'],
    ['level.result-of-0', loginLevelOf, 'return level;'],
    ['level.result-of-1', loginLevelOf, 'return level;'],
    [
      'level.legacy-service-enabled',
      serviceStays,
      "if (level === undefined || level === 'Service') return false;",
    ],
    ['level.legacy-service-not-disabled', serviceStays, 'if (level === undefined) return false;'],
    ['level.legacy-result-of-0', loginLevelOf, 'return level;'],
    ['level.legacy-result-of-1', loginLevelOf, 'return level;'],
    [
      'level.legacy-switched',
      'result: await enable(legacy, request, log),',
      'result: !(await enable(legacy, request, log)),',
    ],
    ['level.legacy-apart', "switches: 'legacyUserLevels',", "switches: 'userLevels',"],
  ),
  ...inFile(
    envelope,
    ['level.result-of-5', levelOfNumber, 'return levelNames[Math.min(number, 4)];'],
    ['level.result-of-255', levelOfNumber, 'return levelNames[Math.min(number, 4)];'],
    ['level.legacy-result-of-5', levelOfNumber, 'return levelNames[Math.min(number, 4)];'],
    ['level.legacy-result-of-7', levelOfNumber, 'return levelNames[Math.min(number, 4)];'],
  ),
  ...inFile(
    general,
    [
      'level.service-not-disabled',
      'LevelResult = { SUCCESS: 0, NOT_ACCEPTED: 2 }',
      'LevelResult = { SUCCESS: 0, NOT_ACCEPTED: 1 }',
    ],
    [
      'level.user-level-range',
      "request: { userLevel: integer('uint8', { names: levels }), isEnabled",
      "request: { userLevel: integer('int16', { names: levels }), isEnabled",
    ],
    [
      'level.is-enabled-missing',
      'response: { result: enumeration(LevelResult, 0) },',
      "optional: ['isEnabled'],\n    response: { result: enumeration(LevelResult, 0) },",
    ],
    [
      'level.enabling-needs-login',
      "EnableUserLevel: method({\n    level: 'Service',",
      "EnableUserLevel: method({\n    level: 'open',",
    ],
    [
      'level.enabling-needs-service',
      "EnableUserLevel: method({\n    level: 'Service',",
      "EnableUserLevel: method({\n    level: 'AuthorizedClient',",
    ],
    ['level.legacy-range', '{ maximum: 7, names: levels }', '{ maximum: 8, names: levels }'],
    [
      'level.legacy-is-enabled-missing',
      'response: { result: boolean() },',
      "optional: ['isEnabled'],\n    response: { result: boolean() },",
    ],
    [
      'level.legacy-needs-login',
      "EnableLegacyUserLevel: method({\n    level: 'Service',",
      "EnableLegacyUserLevel: method({\n    level: 'open',",
    ],
  ),
  ...inFile('packages/model/src/types/integer.ts', ['level.user-level-type', ...noInteger]),
  ...inFile('packages/model/src/types/enumeration.ts', [
    'level.is-enabled-type',
    "if (typeof json !== 'boolean') {",
    "if (json === 1) return true;\n      if (typeof json !== 'boolean') {",
  ]),
  ...inFile(struct, ['level.user-level-missing', ...missing]),
  ...inFile(access, [
    'level.no-oracle',
    "throw new Refusal('accessDenied', '', 'this user level is disabled');",
    "throw new Refusal(right ? 'accessDenied' : 'invalidChallenge', '', 'this user level is disabled');",
  ]),
  ...inFile('packages/device/src/access/challenges.ts', [
    'level.disabled-spends',
    '    this.#pending.delete(nonce);\n',
    '',
  ]),
];

const ofRights: readonly Mutant[] = [
  ...inFile(
    envelope,
    ['level.write-at-level', 'levels[held] >= levels[needed]', 'levels[held] > levels[needed]'],
    ['level.write-below-level', 'levels[held] >= levels[needed]', 'levels[held] + 1 >= levels[needed]'],
  ),
  ...inFile('packages/server/src/rest/rest-interface.ts', [
    'level.level-before-data',
    'const effect = this.#device.write(variable, () => valueOfPayload(name, payload.data), caller, name);',
    'const value = valueOfPayload(name, payload.data);\n    const effect = this.#device.write(variable, () => value, caller, name);',
  ]),
  ...inFile('packages/device/src/behaviour.ts', [
    'level.level-before-data-of-method',
    'admit(caller, neededLevel(method));',
    "const early = typeof given === 'function' ? given() : given;\n    void early;\n    admit(caller, neededLevel(method));",
  ]),
  ...inFile(
    general,
    [
      'level.save-below-level',
      "WriteEeprom: method({\n    level: 'AuthorizedClient',",
      "WriteEeprom: method({\n    level: 'Maintenance',",
    ],
    [
      'level.session-token-needs-service',
      "CreateSessionToken: method({\n    level: 'Service',",
      "CreateSessionToken: method({\n    level: 'AuthorizedClient',",
    ],
    [
      'level.factory-defaults-need-service',
      "LoadFactoryDefaults: method({\n    level: 'Service',",
      "LoadFactoryDefaults: method({\n    level: 'AuthorizedClient',",
    ],
  ),
  ...inFile(
    'packages/model/src/groups/cybersecurity.ts',
    [
      'level.certificates-need-service',
      "setCertificateBundle: method({\n    level: 'Service',",
      "setCertificateBundle: method({\n    level: 'AuthorizedClient',",
    ],
    [
      'level.certificates-are-kept',
      "removeCertificateBundle: method({\n    level: 'Service',",
      "removeCertificateBundle: method({\n    level: 'AuthorizedClient',",
    ],
  ),
  ...inFile('packages/model/src/groups/diagnostic-file.ts', [
    'level.dump-needs-service',
    "level: 'Service',",
    "level: 'AuthorizedClient',",
  ]),
];

const proof =
  'message.length === messageLength && sameSecret(message.subarray(64), hmac(old, message.subarray(0, 64)));';
const unproved = 'message.length === messageLength;';
const proved = 'const proved =';
const lengthRefused = `if (message.length !== messageLength) throw new Refusal('outOfBounds', '', '');\n  ${proved}`;

const ofPasswords: readonly Mutant[] = [
  ...inFile(
    passwords,
    ['level.password.success', 'messageLength = 96', 'messageLength = 95'],
    ['level.password.new-salt', 'salt: content.subarray(32)', 'salt: credentials.content.rest[level].salt'],
    ['level.password.voids-challenges', '  access.voidChallenges();\n', ''],
    [
      'level.password.message-once',
      'await credentials.setRest(level, { hash: content.subarray(0, 32), salt: content.subarray(32) });',
      '',
    ],
    ['level.password.wrong-old-password', proof, unproved],
    [
      'level.password.wrong-mac',
      proof,
      'message.length === messageLength && sameSecret(message.subarray(64, 95), hmac(old, message.subarray(0, 64)).subarray(0, 31));',
    ],
    [
      'level.password.wrong-mac-begin',
      proof,
      'message.length === messageLength && sameSecret(message.subarray(65), hmac(old, message.subarray(0, 64)).subarray(1));',
    ],
    ['level.password.wrong-iv', proof, unproved],
    ['level.password.wrong-text', proof, unproved],
    ['level.password.short', proved, lengthRefused],
    ['level.password.empty', proved, lengthRefused],
    ['level.password.refused-changes-nothing', proof, unproved],
    [
      'level.password.other-level',
      'const old = credentials.content.rest[level].hash;',
      'const old = credentials.content.rest.Service.hash;',
    ],
    [
      'level.password.level-without-password',
      'if (!isLoginLevel(userLevel)) return { result: PasswordResult.PWD_NOT_CHANGABLE };',
      'if (!isLoginLevel(userLevel)) return { result: PasswordResult.NOT_ACCEPTED };',
    ],
    ['level.password.disabled', 'if (!access.isEnabled(userLevel)) {', 'if (access.lockout.locked) {'],
    ['level.password.unknown-level', "'illegalValue', 'userLevel'", "'internalServerError', 'userLevel'"],
    ['level.password.level-with-blank', "'outOfBounds', 'userLevel'", "'illegalValue', 'userLevel'"],
    ['level.legacy-password.level-0', loginLevelOf, 'return level;'],
    ['level.legacy-password.level-1', loginLevelOf, 'return level;'],
    [
      'level.legacy-password.higher-level',
      'levels[caller.level] !== siUserLevel',
      'levels[caller.level] < siUserLevel',
    ],
    [
      'level.legacy-password.own-level',
      "caller.level !== 'Service' && levels[caller.level] !== siUserLevel",
      "caller.level !== 'Service'",
    ],
    [
      'level.legacy-password.success',
      'return { bSuccess: true };',
      "return { bSuccess: level === 'Service' };",
    ],
    [
      'level.legacy-password.apart',
      'credentials.setLegacy(level, udiNewPassword)',
      'credentials.setPassword(level, String(udiNewPassword))',
    ],
  ),
  ...inFile(
    store,
    [
      'level.password.other-salts',
      'rest: { ...content.rest, [level]: credential }',
      'rest: { Maintenance: credential, AuthorizedClient: credential, Service: credential }',
    ],
    ['level.password.changed', 'rest: { ...content.rest, [level]: credential }', 'rest: content.rest'],
  ),
  ...inFile(
    general,
    ['level.password.too-long', '{ maxItems: 96 }', '{ maxItems: 97 }'],
    [
      'level.password.items',
      "array(integer('uint8'), { maxItems: 96 })",
      "array(integer('uint16'), { maxItems: 96 })",
    ],
    ['level.legacy-password.level-range', "siUserLevel: integer('int8'", "siUserLevel: integer('int16'"],
    [
      'level.legacy-password.hash-range',
      "udiNewPassword: integer('uint32')",
      "udiNewPassword: integer('int32')",
    ],
    [
      'level.legacy-password.needs-login',
      "SetPassword: method({\n    level: 'login',",
      "SetPassword: method({\n    level: 'open',",
    ],
  ),
  ...inFile(
    envelope,
    ['level.legacy-password.below-levels', levelOfNumber, 'return levelNames.at(number);'],
    ['level.legacy-password.level-5', levelOfNumber, 'return levelNames[Math.min(number, 4)];'],
    ['level.legacy-password.level-127', levelOfNumber, 'return levelNames[Math.min(number, 4)];'],
  ),
  ...inFile(struct, ['level.password.missing', ...missing], ['level.legacy-password.missing', ...missing]),
  ...inFile('packages/model/src/types/integer.ts', ['level.legacy-password.hash-type', ...noInteger]),
  ...inFile('packages/model/src/types/enumeration.ts', [
    'level.password.level-of-wrong-type',
    "throw new Refusal('invalidData', at, `expected the name",
    "throw new Refusal('illegalValue', at, `expected the name",
  ]),
  ...inFile('packages/server/src/rest/rest-interface.ts', [
    'level.password.superfluous-header',
    "method.facts.level === 'open';",
    "method.facts.level === 'open' && payload.header === undefined;",
  ]),
];

/** Mutants of the area `level`. */
export const levelMutants: readonly Mutant[] = [...ofEnabling, ...ofRights, ...ofPasswords];
