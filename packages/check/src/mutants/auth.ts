import { inFile, type Mutant } from './mutant.js';

const access = 'packages/device/src/access/access.ts';
const challenges = 'packages/device/src/access/challenges.ts';
const nonces = 'packages/device/src/access/nonces.ts';
const rest = 'packages/server/src/rest/rest-interface.ts';
const envelope = 'packages/model/src/envelope.ts';

const ofChallenges: readonly Mutant[] = [
  ...inFile('packages/model/src/groups/general.ts', [
    'auth.challenge.beside-header',
    "responseMember: 'challenge',",
    "responseMember: 'data',",
  ]),
  ...inFile('packages/server/src/rest/response-bodies.ts', [
    'auth.challenge.members',
    `"opaque":"\${opaque}",`,
    `"opaque":"\${opaque}","qop":"auth",`,
  ]),
  ...inFile(
    nonces,
    ['auth.challenge.new-nonce', 'this.#next++ * hexLength', 'this.#next * hexLength'],
    ['auth.challenge.new-opaque', 'this.#opaques.slice(start, end)', 'this.#opaques.slice(0, hexLength)'],
    ['auth.challenge.hex-nonce', "nonces.toString('hex')", "nonces.toString('hex').toUpperCase()"],
    [
      'auth.challenge.hex-opaque',
      "opaqueBytes)).toString('hex')",
      "opaqueBytes)).toString('hex').toUpperCase()",
    ],
  ),
  ...inFile(
    access,
    [
      'auth.challenge.each-level',
      'if (!isLoginLevel(user)) throw notALogin(user);',
      "if (!isLoginLevel(user) || !this.isEnabled(user)) throw new Refusal('accessDenied', '', '');",
    ],
    [
      'auth.challenge.same-realm',
      'return new IssuedChallenge(this.#realm,',
      `return new IssuedChallenge(\`\${this.#realm} \${user}\`,`,
    ],
    [
      'auth.challenge.case-of-user',
      'if (!isLoginLevel(user)) throw notALogin(user);',
      "if (user.toLowerCase() === 'service') user = 'Service';\n    if (!isLoginLevel(user)) throw notALogin(user);",
    ],
    [
      'auth.challenge.same-salt',
      'const salt = this.#saltOf(this.#credentials.content.rest[user]);',
      'const salt = this.#saltOf(this.#credentials.content.rest[user]).map((byte) => 1 + ((byte + this.pending) % 255));',
    ],
    [
      'auth.challenge.salt-of-level',
      'this.#credentials.content.rest[user]);',
      'this.#credentials.content.rest.Service);',
    ],
    [
      'auth.challenge.unknown-user',
      "new Refusal('internalServerError', 'user'",
      "new Refusal('accessDenied', 'user'",
    ],
    [
      'auth.challenge.user-without-login',
      "new Refusal('internalServerError', 'user'",
      "new Refusal(user === 'Run' || user === 'Operator' ? 'accessDenied' : 'internalServerError', 'user'",
    ],
  ),
  ...inFile('packages/device/src/access/credentials.ts', [
    'auth.challenge.salt',
    'const salt = random.bytes(16).map((byte) => byte || 1);',
    'const salt = random.bytes(16).map((byte, index) => (index < 15 ? byte || 1 : 0));',
  ]),
  ...inFile(
    envelope,
    ['auth.challenge.realm', "realm = 'SICK Sensor'", "realm = 'SICK sensor'"],
    ['auth.challenge.user-with-blank', 'return isLevel(joined) ? joined : undefined;', 'return undefined;'],
    [
      'auth.challenge.user-with-blank-elsewhere',
      "name.replaceAll(/\\s/g, '')",
      "name.replaceAll(/(?<=\\w)\\s(?=\\w)/g, '')",
    ],
  ),
  ...inFile(
    'packages/model/src/types/struct.ts',
    [
      'auth.challenge.no-user',
      "throw new Refusal('parsingFailed', join(at, name)",
      "throw new Refusal('invalidData', join(at, name)",
    ],
    [
      'auth.challenge.unknown-member',
      "throw new Refusal('invalidData', at, `unknown member",
      "throw new Refusal('parsingFailed', at, `unknown member",
    ],
  ),
  ...inFile('packages/model/src/types/enumeration.ts', [
    'auth.challenge.user-of-wrong-type',
    "throw new Refusal('invalidData', at, `expected the name",
    "throw new Refusal('parsingFailed', at, `expected the name",
  ]),
  ...inFile(rest, [
    'auth.challenge.superfluous-header',
    "method.facts.level === 'open';",
    "method.facts.level === 'open' && payload.header === undefined;",
  ]),
];

const authenticate = 'const credentials = credentialsOf(header);';
const noCredentials = "if (credentials === undefined)\n      throw new Refusal(\n        'accessDenied'";

/** Another status for a header that fulfils a condition. */
function otherStatus(condition: string, status: string): readonly [from: string, to: string] {
  return [
    noCredentials,
    `if (credentials === undefined)\n      throw new Refusal(\n        isObject(header) && ${condition} ? '${status}' : 'accessDenied'`,
  ];
}

const comparison = `this.#given.write(given.opaque + given.response, 'latin1');
    this.#right.write(opaque + response, 'latin1');
    if (!timingSafeEqual(this.#given, this.#right)) return false;
    // Of a character above 255, only the lowest byte was compared.
    return given.opaque === opaque && given.response === response;`;
const sameUser = 'credentials.user === challenge.level';
const sameRealm = 'credentials.realm === this.#realm';
const lengths = 'if (given.opaque.length !== hexLength || given.response.length !== hexLength) return false;';

const ofLogins: readonly Mutant[] = [
  ...inFile(
    challenges,
    ['auth.login.empty-password', comparison, 'return true;'],
    ['auth.login.wrong-response', comparison, 'return true;'],
    ['auth.login.refused-write', comparison, 'return true;'],
    [
      'auth.login.empty-response',
      lengths,
      'if (given.opaque.length !== hexLength) return false;\n    if (given.response.length !== hexLength) return response.startsWith(given.response);',
    ],
    ['auth.login.wrong-opaque', comparison, 'return given.response === response;'],
    [
      'auth.login.capitals-in-response',
      comparison,
      'return given.opaque === opaque && given.response.toLowerCase() === response;',
    ],
    [
      'auth.login.capitals-in-opaque',
      comparison,
      'return given.opaque.toLowerCase() === opaque && given.response === response;',
    ],
  ),
  ...inFile(
    access,
    ['auth.login.right', sameUser, 'credentials.user !== challenge.level'],
    [
      'auth.login.no-header',
      authenticate,
      `if (header === undefined) return { level: 'Service' };\n    ${authenticate}`,
    ],
    [
      'auth.login.header-of-text',
      authenticate,
      `if (typeof header === 'string') return { level: 'Service' };\n    ${authenticate}`,
    ],
    ['auth.login.header-of-null', 'if (!isObject(header)) return undefined;', ''],
    [
      'auth.login.header-of-array',
      authenticate,
      `if (Array.isArray(header)) return { level: 'Service' };\n    ${authenticate}`,
    ],
    ['auth.login.no-user', 'const { user, realm, nonce', "const { user = 'Service', realm, nonce"],
    ['auth.login.no-realm', 'const { user, realm, nonce', "const { user, realm = 'SICK Sensor', nonce"],
    ['auth.login.no-nonce', ...otherStatus('header.nonce === undefined', 'invalidChallenge')],
    ['auth.login.no-opaque', ...otherStatus('header.opaque === undefined', 'parsingFailed')],
    ['auth.login.no-response', ...otherStatus('header.response === undefined', 'parsingFailed')],
    ['auth.login.user-of-wrong-type', ...otherStatus("typeof header.user === 'number'", 'invalidData')],
    ['auth.login.nonce-of-wrong-type', ...otherStatus("typeof header.nonce === 'object'", 'invalidData')],
    [
      'auth.login.wrong-password',
      "throw new Refusal('accessDenied', '', 'wrong credentials')",
      "throw new Refusal('invalidChallenge', '', 'wrong credentials')",
    ],
    ['auth.login.wrong-realm', ` && ${sameRealm}`, ''],
    ['auth.login.wrong-user', `${sameUser} && `, ''],
    ['auth.login.user-without-login', `${sameUser} && `, ''],
    [
      'auth.login.other-endpoint',
      'const hash2 = this.#hash2(endpoint);',
      "const hash2 = this.#hash2(endpoint === 'checkCredentials' ? 'WriteEeprom' : endpoint);",
    ],
    ['auth.login.endpoint-in-small-letters', `\`POST:\${endpoint}\``, `\`POST:\${endpoint.toLowerCase()}\``],
    ['auth.login.endpoint-with-path', `\`POST:\${endpoint}\``, `\`POST:/api/\${endpoint}\``],
    [
      'auth.login.capitals-in-realm',
      sameRealm,
      'credentials.realm.toLowerCase() === this.#realm.toLowerCase()',
    ],
    [
      'auth.login.capitals-in-user',
      sameUser,
      'credentials.user.toLowerCase() === challenge.level.toLowerCase()',
    ],
    [
      'auth.login.foreign-nonce',
      "throw new Refusal('accessDenied', 'header', 'this scanner did not issue this nonce')",
      "throw new Refusal('invalidChallenge', 'header', 'this scanner did not issue this nonce')",
    ],
    [
      'auth.login.members-beside',
      'const { user, realm, nonce',
      'if (Object.keys(header).length !== 5) return undefined;\n  const { user, realm, nonce',
    ],
  ),
  ...inFile('packages/device/src/access/credentials.ts', [
    'auth.login.unsalted',
    `\`\${user}:\${realm}:\${password}:\`, 'latin1').update(salt)`,
    `\`\${user}:\${realm}:\${password}\`, 'latin1')`,
  ]),
  ...inFile(
    nonces,
    ['auth.login.capitals-in-nonce', '/^[0-9a-f]{64}$/', '/^[0-9a-f]{64}$/i'],
    ['auth.login.empty-nonce', '/^[0-9a-f]{64}$/', '/^([0-9a-f]{64})?$/'],
  ),
  ...inFile(
    rest,
    ['auth.login.right-write', 'return data[name];', 'return data;'],
    [
      'auth.login.ignored-where-open',
      "method.facts.level === 'open';",
      "method.facts.level === 'open' && payload.header === undefined;",
    ],
    [
      'auth.login.alias',
      'authenticate(payload.header, endpoint, exchange);\n    exchange.note?.admitted(caller.level);\n    const effect',
      'authenticate(payload.header, variable.name, exchange);\n    exchange.note?.admitted(caller.level);\n    const effect',
    ],
  ),
  ...inFile(
    'packages/http/src/admission.ts',
    ['auth.login.query', 'query < 0 ? path : path.slice(0, query)', 'path'],
    [
      'auth.login.percent-encoding',
      "withoutQuery.indexOf('%') < 0 ? withoutQuery : decoded(withoutQuery)",
      'withoutQuery',
    ],
  ),
];

const refusals =
  'if (endpoint instanceof Refusal) throw endpoint;\n    if (payload instanceof Refusal) throw payload;';
const writeBegin = 'const { endpoint, name } = exchange;';

const ofOrder: readonly Mutant[] = [
  ...inFile(
    rest,
    [
      'auth.order.name-before-body',
      refusals,
      'if (payload instanceof Refusal) throw payload;\n    if (endpoint instanceof Refusal) throw endpoint;',
    ],
    [
      'auth.order.read-only-before-body',
      refusals,
      'if (payload instanceof Refusal) throw payload;\n    if (endpoint instanceof Refusal) throw endpoint;',
    ],
    [
      'auth.order.read-only-before-login',
      refusals,
      'if (payload instanceof Refusal) throw payload;\n    if (payload.header !== undefined) this.#device.access.authenticate(payload.header, exchange.endpoint);\n    if (endpoint instanceof Refusal) throw endpoint;',
    ],
    [
      'auth.order.body-before-login',
      'if (payload instanceof Refusal) throw payload;',
      "if (payload instanceof Refusal) throw new Refusal('accessDenied', '', '');",
    ],
    ['auth.order.login-before-data', writeBegin, `${writeBegin}\n    valueOfPayload(name, payload.data);`],
    [
      'auth.order.wrong-login-before-data',
      writeBegin,
      `${writeBegin}\n    variable.type.fromJson(valueOfPayload(name, payload.data), name);`,
    ],
    [
      'auth.order.challenge-before-data',
      writeBegin,
      `${writeBegin}\n    variable.type.fromJson(valueOfPayload(name, payload.data), name);`,
    ],
  ),
  ...inFile('packages/model/src/types/struct.ts', [
    'auth.order.missing-before-unknown',
    'for (const [name] of entries) {\n      if (!Object.hasOwn(json, name) && !optional',
    "for (const name of Object.keys(json)) if (!Object.hasOwn(members, name)) throw new Refusal('invalidData', at, name);\n    for (const [name] of entries) {\n      if (!Object.hasOwn(json, name) && !optional",
  ]),
];

const spent = '    this.#pending.delete(nonce);\n';
const otherLevel = 'if (level !== this.#level) this.#pending.clear();';

const ofPending: readonly Mutant[] = [
  ...inFile(
    challenges,
    ['auth.pending.single-use', spent, ''],
    ['auth.pending.spent-for-other-endpoint', spent, ''],
    ['auth.pending.spent-by-wrong-login', spent, ''],
    ['auth.pending.spent-by-refused-data', spent, ''],
    ['auth.pending.other-level', otherLevel, ''],
    ['auth.pending.other-level-and-back', otherLevel, ''],
    ['auth.pending.same-level', otherLevel, 'this.#pending.clear();'],
    ['auth.pending.sixty-four', 'mostPending = 64', 'mostPending = 63'],
    ['auth.pending.sixty-five', 'mostPending = 64', 'mostPending = 65'],
    ['auth.pending.before-expiry', 'lifetimeMilliseconds = 60_000', 'lifetimeMilliseconds = 59_000'],
    ['auth.pending.expired', 'lifetimeMilliseconds = 60_000', 'lifetimeMilliseconds = 61_000'],
  ),
  ...inFile(
    access,
    [
      'auth.pending.spent',
      "throw new Refusal('invalidChallenge', 'header', 'fetch a new challenge')",
      "throw new Refusal('accessDenied', 'header', 'fetch a new challenge')",
    ],
    [
      'auth.pending.refused-challenge',
      'if (!isLoginLevel(user)) throw notALogin(user);',
      'if (!isLoginLevel(user)) this.voidChallenges();\n    if (!isLoginLevel(user)) throw notALogin(user);',
    ],
  ),
];

const lockedOrFlooded = 'if (this.lockout.locked || this.#flood.refuses)';

const ofFloods: readonly Mutant[] = [
  ...inFile(
    challenges,
    ['auth.flood.burst', 'unusedAllowed = 50', 'unusedAllowed = 51'],
    ['auth.flood.below', 'unusedAllowed = 50', 'unusedAllowed = 49'],
    ['auth.flood.slow', 'windowMilliseconds = 2000', 'windowMilliseconds = 3000'],
    ['auth.flood.still-refused', 'refusalMilliseconds = 3000', 'refusalMilliseconds = 2000'],
    ['auth.flood.over', 'refusalMilliseconds = 3000', 'refusalMilliseconds = 4000'],
    ['auth.flood.used', '    this.#unused.delete(nonce);\n', ''],
  ),
  ...inFile(
    access,
    [
      'auth.flood.all-levels',
      lockedOrFlooded,
      "if (this.lockout.locked || (this.#flood.refuses && user === 'Service'))",
    ],
    [
      'auth.flood.login',
      "if (this.lockout.locked) throw new Refusal('accessDenied', '', 'authentication is locked');\n    const credentials",
      "if (this.lockout.locked || this.#flood.refuses) throw new Refusal('accessDenied', '', '');\n    const credentials",
    ],
    [
      'auth.flood.no-failure',
      lockedOrFlooded,
      `if (this.#flood.refuses) this.lockout.failed('Service');\n    ${lockedOrFlooded}`,
    ],
  ),
];

const basicOnly = 'if (method === CreateSessionToken && header === undefined) {';

const ofBasic: readonly Mutant[] = [
  ...inFile(
    'packages/server/src/rest/method-calls.ts',
    ['auth.basic.right', '/^basic +', '/^bearer +'],
    ['auth.basic.other-methods', basicOnly, 'if (header === undefined) {'],
    ['auth.basic.header-first', basicOnly, 'if (method === CreateSessionToken) {'],
    ['auth.basic.password-with-colon', "bytes.indexOf(':')", "bytes.lastIndexOf(':')"],
    [
      'auth.basic.password-in-latin-1',
      "readings: [password.toString('latin1'), password.toString('utf8')]",
      "readings: [password.toString('utf8')]",
    ],
  ),
  ...inFile(
    access,
    ['auth.basic.wrong', 'right.includes(true)', 'right.length > 0'],
    [
      'auth.basic.unknown-user',
      "throw new Refusal('accessDenied', '', 'expected the name",
      "throw new Refusal('internalServerError', '', 'expected the name",
    ],
  ),
];

/** Mutants of the area `auth`. */
export const authMutants: readonly Mutant[] = [
  ...ofChallenges,
  ...ofLogins,
  ...ofOrder,
  ...ofPending,
  ...ofFloods,
  ...ofBasic,
];
