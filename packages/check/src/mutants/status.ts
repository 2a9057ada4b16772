import { inFile, type Mutant } from './mutant.js';

/** Mutants of the area `status`. */
export const statusMutants: readonly Mutant[] = [
  ...inFile(
    'packages/model/src/envelope.ts',
    ['status.ok', "ok: { code: 0, message: 'Ok' }", "ok: { code: 0, message: 'OK' }"],
    ['status.parsing-failed', "message: 'Parsing Failed'", "message: 'Parsing failed'"],
    ['status.invalid-data', "message: 'Invalid Data'", "message: 'Invalid data'"],
    ['status.internal-server-error', "message: 'Internal Server Error'", "message: 'Internal Error'"],
    ['status.access-denied', "message: 'Access Denied'", "message: 'Access denied'"],
    [
      'status.unknown-endpoint',
      "notFound: { code: 5, message: 'Not Found' }",
      "notFound: { code: 5, message: 'Not found' }",
    ],
    ['status.out-of-range', "message: 'Out Of Range'", "message: 'Out Of Bounds'"],
    ['status.out-of-bounds', "message: 'Out Of Bounds'", "message: 'Out of Bounds'"],
    ['status.read-only', "message: 'Read Only'", "message: 'Readonly'"],
    ['status.illegal-value', "message: 'Illegal Value'", "message: 'Invalid Value'"],
    ['status.invalid-challenge', "message: 'Invalid Challenge'", "message: 'Invalid Nonce'"],
    ['status.parsing-failed', 'parsingFailed: { code: 1', 'parsingFailed: { code: 2'],
    ['status.invalid-data', 'invalidData: { code: 2', 'invalidData: { code: 1'],
    ['status.access-denied', 'accessDenied: { code: 4', 'accessDenied: { code: 10'],
    ['status.read-only', 'readOnly: { code: 8', 'readOnly: { code: 5'],
  ),
  ...inFile(
    'packages/server/src/rest/response-bodies.ts',
    [
      'status.read-members',
      `\`{"header":\${okHeader}\${members`,
      `\`{"release":1,"header":\${okHeader}\${members`,
    ],
    ['status.read-key', '{ [name]: value, ...', '{ [name.toLowerCase()]: value, ...'],
  ),
  ...inFile(
    'packages/http/src/responses.ts',
    ['status.content-type', "'Content-Type', 'application/json',", "'Content-Type', 'text/plain',"],
    ['status.content-type-of-failure', "'Content-Type', 'application/json',", "'Content-Type', 'text/html',"],
    [
      'status.no-data-on-failure',
      'JSON.stringify({ header: { status: code, message } })',
      'JSON.stringify({ header: { status: code, message }, data: {} })',
    ],
    [
      'status.no-challenge-on-failure',
      'JSON.stringify({ header: { status: code, message } })',
      'JSON.stringify({ header: { status: code, message }, challenge: null })',
    ],
    [
      'status.nothing-but-access-denied',
      'JSON.stringify({ header: { status: code, message } })',
      'JSON.stringify({ header: { status: code, message }, data: {} })',
    ],
  ),
  ...inFile(
    'packages/server/src/rest/rest-interface.ts',
    [
      'status.post-to-unknown-endpoint',
      "if (endpoint === undefined) return this.#notFound(name, 'POST', endpoint);",
      'if (endpoint === undefined) return readOnly(name);',
    ],
    [
      'status.get-on-method',
      "else if (method === 'POST') this.#post",
      "else if (method === 'POST' || endpoint?.kind === 'method') this.#post",
    ],
    [
      'status.method-without-result',
      'method.hasResponse ? responseBody(method, response) : done',
      'responseBody(method, response)',
    ],
    ['status.write', 'const done = successBody();', 'const done = successBody({ data: {} });'],
    [
      'status.write-other-key',
      `throw new Refusal('invalidData', 'data', \`expected the key \${name}, got another one\`)`,
      `throw new Refusal('parsingFailed', 'data', \`expected the key \${name}, got another one\`)`,
    ],
    [
      'status.write-other-case',
      'if (keys.length === 1)\n',
      'if (keys.length === 1 && keys[0]?.toLowerCase() === name.toLowerCase()) return Object.values(data)[0];\n    if (keys.length === 1)\n',
    ],
    ['status.write-unknown-member', 'if (keys.length > 1) throw', 'if (keys.length > 2) throw'],
    [
      'status.write-no-object',
      "throw new Refusal('invalidData', 'data', `expected an object",
      "throw new Refusal('parsingFailed', 'data', `expected an object",
    ],
    [
      'status.write-without-data',
      "throw new Refusal('parsingFailed', 'data', `expected {",
      "throw new Refusal('invalidData', 'data', `expected {",
    ],
    [
      'status.write-empty-data',
      "throw new Refusal('parsingFailed', 'data', `the key",
      "throw new Refusal('invalidData', 'data', `the key",
    ],
    [
      'status.read-only-with-login',
      'return isReadOnly ? readOnly(name) : endpoint;',
      "return isReadOnly ? this.#notFound(name, 'POST', endpoint) : endpoint;",
    ],
  ),
  ...inFile('packages/server/src/rest/method-calls.ts', [
    'status.missing-data',
    "throw new Refusal('parsingFailed', 'data'",
    "throw new Refusal('invalidData', 'data'",
  ]),
  ...inFile('packages/model/src/types/struct.ts', [
    'status.missing-member',
    "throw new Refusal('parsingFailed', join(at, name)",
    "throw new Refusal('invalidData', join(at, name)",
  ]),
  ...inFile(
    'packages/model/src/types/string.ts',
    [
      'status.write-null',
      "if (typeof json !== 'string')\n",
      "if (json === null) return '';\n    if (typeof json !== 'string')\n",
    ],
    ['status.too-long', "throw new Refusal('outOfBounds', at", "throw new Refusal('outOfRange', at"],
    ['status.too-long', 'length > maxLength', 'length > maxLength + 1'],
  ),
  ...inFile('packages/model/src/types/array.ts', [
    'status.refused-write',
    '      inBounds(json.length, at);\n',
    '      if (json.length > maxItems) inBounds(json.length, at);\n',
  ]),
  ...inFile(
    'packages/device/src/access/access.ts',
    [
      'status.write-without-header',
      "if (credentials === undefined)\n      throw new Refusal(\n        'accessDenied'",
      "if (credentials === undefined)\n      throw new Refusal(\n        'parsingFailed'",
    ],
    [
      'status.method-with-login',
      `\`\${hash1}:\${challenge.nonce}:\${hash2}\``,
      `\`\${hash1}:\${challenge.opaque}:\${hash2}\``,
    ],
  ),
];
