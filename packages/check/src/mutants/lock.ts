import { inFile, type Mutant } from './mutant.js';

const access = 'packages/device/src/access/access.ts';
const passwords = 'packages/device/src/general/passwords.ts';
const rest = 'packages/server/src/rest/rest-interface.ts';

const lockedLine =
  "if (this.lockout.locked) throw new Refusal('accessDenied', '', 'authentication is locked');\n";
const atLogin = `${lockedLine}    const credentials`;
const atBasic = `${lockedLine}    if (!isLoginLevel(user))`;
const lockedOrFlooded = 'if (this.lockout.locked || this.#flood.refuses)';
const unknownUser = 'if (!isLoginLevel(user)) throw notALogin(user);';
const lockedNow = 'return this.#locks > 0 && this.#clock.monotonic() < this.#lockedUntil;';
const counted = 'const atLevel = (this.#atLevel.get(level) ?? 0) + 1;';
const failed = '      this.loginFailed(level, log, fields);\n';
const succeeded = 'succeeded(level: LoginLevel): void {\n    this.#inARow = 0;';
const noCredentials = 'if (credentials === undefined)\n      throw new Refusal(\n';
const tooMany = 'if (this.#inARow < failuresAllowed && atLevel < failuresAllowed) return;';
const isOpen = "const isOpen = method.facts.level === 'open';";
const alsoChecked =
  "const isOpen = method.facts.level === 'open';\n    try {\n      if (isOpen && payload.header !== undefined) this.#device.access.authenticate(payload.header, endpoint);\n    } catch {}";
const foreign = 'if (challenge === undefined && !this.#challenges.wasIssued(nonce)) {';
const spent = "if (challenge === undefined) throw new Refusal('invalidChallenge'";
const disabled = 'this.triedDisabled(level, log, fields);\n      throw';

const ofLogins: readonly Mutant[] = [
  ...inFile(
    access,
    ['lock.five', 'failuresAllowed = 5', 'failuresAllowed = 6'],
    ['lock.four', 'failuresAllowed = 5', 'failuresAllowed = 4'],
    ['lock.right-login', atLogin, 'const credentials'],
    ['lock.writes', atLogin, 'const credentials'],
    [
      'lock.all-levels',
      lockedOrFlooded,
      "if ((this.lockout.locked && user === 'Service') || this.#flood.refuses)",
    ],
    ['lock.after-29-s', 'lockMilliseconds = 30_000', 'lockMilliseconds = 29_000'],
    ['lock.after-30-s', 'lockMilliseconds = 30_000', 'lockMilliseconds = 31_000'],
    [
      'lock.not-prolonged',
      lockedNow,
      'const now = this.#clock.monotonic();\n    if (now >= this.#lockedUntil) return false;\n    this.#lockedUntil = now + lockMilliseconds;\n    return true;',
    ],
    ['lock.not-counted', atLogin, `if (this.lockout.locked) this.lockout.failed('Service');\n    ${atLogin}`],
    [
      'lock.challenge-survives',
      atLogin,
      `if (this.lockout.locked && isObject(header)) this.#challenges.spend(String(header.nonce));\n    ${atLogin}`,
    ],
    ['lock.ended-by-success', succeeded, 'succeeded(level: LoginLevel): void {'],
    [
      'lock.ended-by-write',
      '    this.loginSucceeded(level);\n',
      "    if (fields.endpoint === 'checkCredentials') this.loginSucceeded(level);\n",
    ],
    [
      'lock.counts-anew',
      '    this.#inARow = 0;\n    this.#atLevel.clear();\n    this.#locks++;',
      '    this.#locks++;',
    ],
    [
      'lock.again',
      'this.#lockedUntil = this.#clock.monotonic() + lockMilliseconds;',
      'this.#lockedUntil = this.#clock.monotonic() + lockMilliseconds / this.#locks;',
    ],
    [
      'lock.no-time-limit',
      counted,
      `if (this.#clock.monotonic() - this.#lockedUntil > 60_000) {\n      this.#inARow = 0;\n      this.#atLevel.clear();\n    }\n    this.#lockedUntil = this.#clock.monotonic();\n    ${counted}`,
    ],
    ['lock.challenge-data', lockedOrFlooded, `${unknownUser}\n    ${lockedOrFlooded}`],
    ['lock.other-endpoint-counts', failed, ''],
    ['lock.wrong-user-counts', failed, ''],
    [
      'lock.any-endpoint-counts',
      failed,
      `      if (fields.endpoint === 'checkCredentials') this.loginFailed(level, log, fields);\n`,
    ],
    [
      'lock.missing-header',
      noCredentials,
      `if (credentials === undefined) this.lockout.failed('Service');\n    ${noCredentials}`,
    ],
    [
      'lock.missing-member',
      noCredentials,
      `if (credentials === undefined) this.lockout.failed('Service');\n    ${noCredentials}`,
    ],
    ['lock.foreign-nonce', foreign, `${foreign}\n      this.lockout.failed('Service');`],
    [
      'lock.spent-challenge',
      spent,
      `if (challenge === undefined) this.lockout.failed('Service');\n    ${spent}`,
    ],
    [
      'lock.unknown-users',
      unknownUser,
      `if (!isLoginLevel(user)) this.lockout.failed('Service');\n    ${unknownUser}`,
    ],
  ),
  ...inFile(
    rest,
    [
      'lock.reads',
      "if (method === 'GET' && endpoint?.kind === 'variable') {",
      "if (method === 'GET' && endpoint?.kind === 'variable' && !this.#device.access.lockout.locked) {",
    ],
    [
      'lock.open-methods',
      isOpen,
      "const isOpen = method.facts.level === 'open' && !this.#device.access.lockout.locked;",
    ],
    [
      'lock.name-and-body',
      'if (endpoint instanceof Refusal) throw endpoint;',
      "if (this.#device.access.lockout.locked) throw new Refusal('accessDenied', '', '');\n    if (endpoint instanceof Refusal) throw endpoint;",
    ],
    ['lock.open-methods-do-not-count', isOpen, alsoChecked],
    ['lock.open-methods-do-not-clear', isOpen, alsoChecked],
  ),
];

const ofLevels: readonly Mutant[] = inFile(
  access,
  ['lock.level.common-count', tooMany, 'if (atLevel < failuresAllowed) return;'],
  ['lock.level.own-count', tooMany, 'if (this.#inARow < failuresAllowed) return;'],
  [
    'lock.level.own-count-below-five',
    tooMany,
    'if (this.#inARow < failuresAllowed && atLevel < failuresAllowed - 1) return;',
  ],
  ['lock.level.own-count-ended', '    this.#atLevel.delete(level);\n', ''],
  [
    'lock.level.own-count-anew',
    '    this.#atLevel.clear();\n    this.#locks++;',
    '    this.#atLevel.delete(level);\n    this.#locks++;',
  ],
  [
    'lock.level.row-ended-by-lower-level',
    succeeded,
    "succeeded(level: LoginLevel): void {\n    if (level === 'Service') this.#inARow = 0;",
  ],
  [
    'lock.level.disabled-not-counted',
    disabled,
    'this.triedDisabled(level, log, fields);\n      this.lockout.failed(level);\n      throw',
  ],
  [
    'lock.level.disabled-does-not-clear',
    disabled,
    'this.triedDisabled(level, log, fields);\n      if (right) this.lockout.succeeded(level);\n      throw',
  ],
);

const messageFailed = "    access.loginFailed(level, log, { endpoint: 'changePassword' });\n";
const timeLock = 'if (access.lockout.locked) return { result: PasswordResult.TIMELOCK_ACTIVE };';
const noPassword = 'if (!isLoginLevel(userLevel)) return';

const ofOtherLogins: readonly Mutant[] = [
  ...inFile(
    passwords,
    ['lock.password.five', messageFailed, ''],
    ['lock.password.together', messageFailed, ''],
    [
      'lock.password.short-message',
      messageFailed,
      "    if (message.length === messageLength) access.loginFailed(level, log, { endpoint: 'changePassword' });\n",
    ],
    ['lock.password.time-lock', timeLock, ''],
    [
      'lock.password.time-lock-over',
      timeLock,
      'if (access.lockout.locks > 0) return { result: PasswordResult.TIMELOCK_ACTIVE };',
    ],
    ['lock.password.success-clears', '  access.loginSucceeded(level);\n', ''],
    [
      'lock.password.level-without-password',
      noPassword,
      `if (!isLoginLevel(userLevel)) access.lockout.failed('Service');\n        ${noPassword}`,
    ],
  ),
  ...inFile(
    access,
    [
      'lock.basic.five',
      'return this.#admit(user, right.includes(true), log, { endpoint });',
      "if (!right.includes(true)) throw new Refusal('accessDenied', '', '');\n    return this.#admit(user, true, log, { endpoint });",
    ],
    [
      'lock.basic.together',
      'return this.#admit(user, right.includes(true), log, { endpoint });',
      "if (!right.includes(true)) throw new Refusal('accessDenied', '', '');\n    return this.#admit(user, true, log, { endpoint });",
    ],
    ['lock.basic.right', atBasic, 'if (!isLoginLevel(user))'],
    [
      'lock.basic.unknown-user',
      atBasic,
      `if (!isLoginLevel(user)) this.lockout.failed('Service');\n    ${atBasic}`,
    ],
  ),
];

/** Mutants of the area `lock`. */
export const lockMutants: readonly Mutant[] = [...ofLogins, ...ofLevels, ...ofOtherLogins];
