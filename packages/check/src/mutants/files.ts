import { archiveMutants } from './diagnosis-and-firmware.js';
import { neverAWrongVerb, openMethod } from './file-faults.js';
import { inFile, type Mutant } from './mutant.js';

const tokens = 'packages/device/src/session-tokens/session-tokens.ts';
const backupFile = 'packages/device/src/backup-restore/backup-file.ts';
const restorePlan = 'packages/device/src/backup-restore/restore-plan.ts';
const backups = 'packages/device/src/backup-restore/parameter-backups.ts';
const transfers = 'packages/server/src/files/parameter-backup.ts';
const backupModel = 'packages/model/src/groups/backup-restore.ts';
const generalModel = 'packages/model/src/groups/general.ts';

const freeVerb = (verb: string) =>
  [
    'if (!file.needsToken(verb, this.#served.current.edition.release)) return undefined;',
    `if (verb === '${verb}' || !file.needsToken(verb, this.#served.current.edition.release)) return undefined;`,
  ] as const;
const anyToken = (verb: string) =>
  [
    'const level = this.levelOf(token);',
    `const level = this.levelOf(token) ?? (verb === '${verb}' && token !== undefined ? 'Service' : undefined);`,
  ] as const;

const ofTokens: readonly Mutant[] = [
  ...inFile(
    tokens,
    ['file.token-members', 'return { token: text, timeToLive };', 'return { token: text, timeToLive: 0 };'],
    [
      'file.token-new-each-time',
      'const text = uuidOf(this.#random);',
      'const text = this.#tokens[0]?.text ?? uuidOf(this.#random);',
    ],
    [
      'file.token-reused',
      'return this.#tokens.filter(({ text }) => sameText(text, token)).at(0)?.level;',
      'const used = this.#tokens.filter(({ text }) => sameText(text, token)).at(0); this.#tokens = []; return used?.level;',
    ],
    [
      'file.token-beside-a-newer-one',
      'if (this.#tokens.length >= mostTokens) this.#tokens.shift();',
      'this.#tokens = [];',
    ],
    [
      'file.token-until-its-end',
      'expires: this.#clock.monotonic() + timeToLive * 1000',
      'expires: this.#clock.monotonic() + timeToLive * 990',
    ],
    [
      'file.token-after-its-end',
      'expires: this.#clock.monotonic() + timeToLive * 1000',
      'expires: this.#clock.monotonic() + timeToLive * 60_000',
    ],
    ['file.download-without-token', ...freeVerb('GET')],
    ['file.upload-without-token', ...freeVerb('PUT')],
    ['file.upload-by-post-without-token', ...freeVerb('POST')],
    ['file.update-without-token', ...freeVerb('PUT')],
    ['file.download-with-unknown-token', ...anyToken('GET')],
    ['file.upload-with-unknown-token', ...anyToken('PUT')],
    ['file.upload-by-post-with-unknown-token', ...anyToken('POST')],
    ['file.update-with-unknown-token', ...anyToken('PUT')],
  ),
  ...inFile(
    generalModel,
    ['file.token-without-login', ...openMethod('CreateSessionToken')],
    [
      'file.token-is-no-login',
      "WriteEeprom: method({\n    level: 'AuthorizedClient'",
      "WriteEeprom: method({\n    level: 'open'",
    ],
  ),
  ...inFile(
    'packages/server/src/rest/method-calls.ts',
    ['file.token-by-basic', 'const colon = bytes.indexOf(', 'const colon = -bytes.indexOf('],
    [
      'file.token-by-wrong-basic',
      'if (basic !== undefined) return access.authenticatePassword(basic.user, basic.readings, endpoint, log);',
      "if (basic !== undefined) return { level: 'Service' };",
    ],
  ),
  ...inFile('packages/server/src/files/transfer.ts', [
    'file.token-refusal-is-json',
    'refuse(response, refusal, 403);',
    "response.writeHead(403).end('Forbidden');",
  ]),
  ...inFile(backupModel, [
    'file.download-before-tokens',
    "produces: 'application/json',\n        tokenSince: '2.3.1'",
    "produces: 'application/json',\n        tokenSince: '2.2.0'",
  ]),
  ...inFile('packages/model/src/groups/firmware-update.ts', [
    'file.update-before-tokens',
    "tokenSince: '2.3.1'",
    "tokenSince: '1.4.0'",
  ]),
];

const ofBackups: readonly Mutant[] = [
  ...inFile(
    transfers,
    [
      'file.backup-not-there',
      "fail(response, 404, 'notFound', 'there is no backup",
      "fail(response, 500, 'notFound', 'there is no backup",
    ],
    ['file.backup-created', "'application/json' : 'application/octet-stream'", "'text/plain' : 'text/plain'"],
    [
      'file.upload',
      'await device.features.backups.receive(file);',
      'await device.features.backups.receive(file.subarray(0, -1));',
    ],
    ['file.upload-answer', 'respond(response, successBody());', 'response.writeHead(200).end();'],
    ['file.upload-too-large', "fail(response, 413, 'parsingFailed'", "fail(response, 400, 'parsingFailed'"],
  ),
  ...inFile(
    backupModel,
    ['file.backup-passphrase-is-optional', "optional: ['Passphrase'],", 'optional: [],'],
    ['file.backup-without-login', ...openMethod('CreateParameterBackup')],
    ['file.upload-multipart', "part: 'datei'", "part: 'file'"],
    ['file.upload-by-post', '      POST: upload,\n', ''],
    ['file.upload-by-post-multipart', '      POST: upload,\n', ''],
    ['file.upload-too-large', '16 * 1024 * 1024', '32 * 1024 * 1024'],
    ['file.upload-of-largest-size', '16 * 1024 * 1024', '16 * 1000 * 1000'],
  ),
  ...inFile(
    backups,
    ['file.backup-result', 'return { Result: true };', 'return { Result: false };'],
    [
      'file.backup-encrypted',
      "const file = passphrase === '' ? plain",
      'const file = passphrase !== undefined ? plain',
    ],
    ['file.backup-of-working-values', "parameters.layer('working')", "parameters.layer('stored')"],
    [
      'file.backup-replaced',
      "await this.#slot.replace(file);\n      log.info('A parameter backup was made'",
      "if ((await this.#slot.read()) === undefined) await this.#slot.replace(file);\n      log.info('A parameter backup was made'",
    ],
    [
      'file.backup-after-boot',
      'boot(): void {\n    this.results.clear();',
      "boot(): void {\n    void this.#slot.replace(Buffer.from('{}'));\n    this.results.clear();",
    ],
    ['file.backup-result-after-boot', 'boot(): void {\n    this.results.clear();', 'boot(): void {'],
  ),
  ...inFile(restorePlan, [
    'file.backup-finished',
    'this.#setCreated({ Status: JobStatus.Finished, Result });',
    'this.#setCreated({ Status: JobStatus.Pending, Result });',
  ]),
  ...inFile('packages/server/src/files/file-interface.ts', ['file.backup-wrong-verb', ...neverAWrongVerb]),
  ...inFile(
    backupFile,
    ['file.backup-members', '`"device identification": $', '`"deviceIdentification": $'],
    ['file.backup-groups', '{"userlevel": $', '{"userLevel": $'],
    [
      'file.backup-entries',
      'id: parameterId(variable.name),\n        value: entryValue',
      'value: entryValue',
    ],
    [
      'file.backup-kinds-of-values',
      'value: entryValue(values[variable.name])',
      'value: values[variable.name]',
    ],
    [
      'file.backup-version',
      'version,\n    deviceIdentification: name',
      'version: version.slice(0, 5),\n    deviceIdentification: name',
    ],
    ['file.backup-device', 'deviceIdentification: name,', 'deviceIdentification: serialNumber,'],
    ['file.backup-every-parameter', 'levelNames.toReversed().map(', 'levelNames.toReversed().slice(1).map('],
    ['file.backup-levels', "return facts.write ?? 'Service';", "return 'Service';"],
  ),
  ...inFile(
    'packages/server/src/files/uploaded-file.ts',
    ['file.upload-other-parts', 'else stream.resume();', "else refuse('expected no other part');"],
    [
      'file.upload-without-datei',
      'if (name === part) parts.push(piecesOf(stream));',
      'if (name !== undefined) parts.push(piecesOf(stream));',
    ],
    ['file.upload-nothing', 'if (file.length === 0) throw', 'if (file.length < 0) throw'],
  ),
];

const ofRestores: readonly Mutant[] = [
  ...inFile(
    backupFile,
    ['file.restore-changed-file', ' || checksumOf(file, checksum) !== checksum', ''],
    ['file.restore-wrong-checksum', ' || checksumOf(file, checksum) !== checksum', ''],
    [
      'file.restore-without-checksum',
      "const checksum = text(json, 'checksum', 'the file');",
      "if (json.checksum === undefined) return { version: String(json.version), deviceIdentification: String(json['device identification']), parameters: list(json.parameters, 'parameters').map(groupOf) };\n  const checksum = text(json, 'checksum', 'the file');",
    ],
    [
      'file.restore-cut-file',
      "'ParseError', 'the file is not valid JSON'",
      "'IoError', 'the file is not valid JSON'",
    ],
    [
      'file.restore-no-json',
      "'ParseError', 'the file is not valid JSON'",
      "'ChecksumError', 'the file is not valid JSON'",
    ],
    [
      'file.restore-wrong-passphrase',
      "'DecryptionError', 'wrong passphrase",
      "'ChecksumError', 'wrong passphrase",
    ],
    [
      'file.restore-changed-encrypted-file',
      'headerLength + length)), gcm.final()]);',
      'headerLength + length))]);',
    ],
    [
      'file.restore-cut-encrypted-file',
      'if (bytes.length !== shortest + length) {',
      'if (bytes.length > shortest + length) {',
    ],
    [
      'file.restore-encrypted',
      'setAuthTag(bytes.subarray(headerLength + length));',
      'setAuthTag(bytes.subarray(headerLength, headerLength + tagLength));',
    ],
  ),
  ...inFile('packages/device/src/firmware-record.ts', [
    'file.restore-of-next-release',
    'releases.slice(0, until + 1).find',
    'releases.slice(0, until + 2).find',
  ]),
  ...inFile(
    restorePlan,
    [
      'file.restore-of-another-type',
      'if (backup.deviceIdentification !== deviceIdentification) {',
      "if (backup.deviceIdentification === '') {",
    ],
    [
      'file.restore-of-newer-release',
      'if (from !== undefined) return from;',
      "if (version !== '') return from ?? '2.4.4';",
    ],
    [
      'file.restore-of-older-release',
      'if (from !== undefined) return from;',
      'if (from === firmware.release) return from;',
    ],
    [
      'file.restore-unknown-parameter',
      "if (variable === undefined) refusals.set(name, 'no parameter has this name');",
      'if (variable === undefined) continue;',
    ],
    [
      'file.restore-refused-value',
      'refusals.set(variable.name, error.message);\n    return undefined;',
      'return variable.type.initial;',
    ],
    [
      'file.restore-wrong-id',
      'if (entry.id !== parameterId(entry.name))',
      'if (entry.id.length !== parameterId(entry.name).length)',
    ],
    ['file.restore-unknown-filter', 'if (filter > everyRestorePart) {', 'if (filter > 2 ** 32) {'],
    [
      'file.restore-finished',
      'this.#setRestored({ Status: JobStatus.Finished, ...outcome });',
      'this.#setRestored({ Status: JobStatus.Pending, ...outcome });',
    ],
  ),
  ...inFile(
    backups,
    ['file.restore-names-failed', 'failed.slice(0, mostFailed)', 'failed.slice(1, mostFailed)'],
    [
      'file.restore-without-passphrase',
      "if (passphrase === '' && !isContainer(file)) return file;",
      "if (passphrase === '') return file;",
    ],
    [
      'file.restore-needless-passphrase',
      "if (passphrase === '' && !isContainer(file)) return file;",
      'if (!isContainer(file)) return file;',
    ],
    [
      'file.restore-uploaded',
      'return this.#mutex.run(() => this.#slot.replace(file));',
      'return this.#mutex.run(async () => void file);',
    ],
    [
      'file.restore-result',
      'outcome.RestoreResult === RestoreResult.Ok',
      'outcome.RestoreResult !== RestoreResult.Ok',
    ],
  ),
  ...inFile(
    'packages/device/src/parameters/saving.ts',
    ['file.restore', 'parameters.setStored(({ name }) => Object.hasOwn(values, name));', ''],
    [
      'file.restore-is-stored',
      "await this.#save({ ...parameters.layer('stored'), ...values }, (foreign) => foreign, beside);",
      'parameters.markStored(values);',
    ],
  ),
  ...inFile(backupFile, [
    'file.restore-every-parameter',
    'value: entryValue(values[variable.name])',
    "value: typeof values[variable.name] === 'boolean' ? true : entryValue(values[variable.name])",
  ]),
  ...inFile(backupModel, ['file.restore-without-login', ...openMethod('RestoreParameterBackup')]),
  ...inFile(
    'packages/model/src/restore-parts.ts',
    [
      'file.restore-filter-0',
      'return filter === 0 || (filter & restoreParts[part]) !== 0;',
      'return (filter & restoreParts[part]) !== 0;',
    ],
    ['file.restore-filter-2', 'network: 2,', 'network: 4,'],
    [
      'file.restore-filter-4',
      "return networkGroups.includes(group) ? 'network' : 'device';",
      "return networkGroups.includes(group) ? 'device' : 'device';",
    ],
    [
      'file.restore-bare-arrays',
      'return hasOneMember && Array.isArray(entry.items) ? entry.items : entry;',
      'return hasOneMember && Array.isArray(entry.items) ? entry.items : Array.isArray(entry) ? undefined : entry;',
    ],
  ),
];

/** Mutants of the area `file`. */
export const fileMutants: readonly Mutant[] = [...ofTokens, ...ofBackups, ...ofRestores, ...archiveMutants];
