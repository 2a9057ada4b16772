import { neverAWrongVerb, openMethod } from './file-faults.js';
import { inFile, type Mutant } from './mutant.js';

const diagnosisModel = 'packages/model/src/groups/diagnostic-file.ts';
const crown = 'packages/server/src/files/diagnostic-file.ts';

const ofDiagnosis: readonly Mutant[] = [
  ...inFile(
    'packages/device/src/diagnostic-file/diagnosis-dump.ts',
    ['file.dump', '{ Successfull: made, Successful: made }', '{ Successfull: !made, Successful: made }'],
    [
      'file.dump-both-spellings',
      '{ Successfull: made, Successful: made }',
      '{ Successfull: made, Successful: !made }',
    ],
    ['file.dump-info-of-none', 'label?.created ?? 0', 'label?.created ?? 1'],
    ['file.dump-info', 'DiagDumpExists: label !== undefined', 'DiagDumpExists: label === undefined'],
    [
      'file.dump-second-name',
      'if (name !== diagnosisDumpName && name !== (await this.label())?.output) return undefined;',
      'if (name !== diagnosisDumpName) return undefined;',
    ],
    [
      'file.dump-unsafe-name',
      "if (output !== '' && !isPlainFileName(output)) {",
      "if (output !== '' && isPlainFileName(output) === undefined) {",
    ],
    [
      'file.dump-suspends',
      "if (suspend) conditions.set('DS_SuspendedOperation', reason, false);",
      "if (!suspend) conditions.set('DS_SuspendedOperation', reason, false);",
    ],
    [
      'file.dump-after-a-boot',
      'remember(): () => void {\n    const before = this.#stored;',
      "boot(): void {\n    this.#stored = { state: 'none' };\n  }\n\n  remember(): () => void {\n    const before = this.#stored;",
    ],
  ),
  ...inFile('packages/device/src/diagnostic-file/archive.ts', [
    'file.dump-time-in-seconds',
    'Math.floor(time / 1000)',
    'Math.floor(time / 60_000)',
  ]),
  ...inFile(
    diagnosisModel,
    ['file.dump-without-members', "optional: ['DoRunlevelLoop', 'Output'],", 'optional: [],'],
    ['file.dump-without-login', ...openMethod('DoDiagnosisDump')],
  ),
  ...inFile(
    crown,
    ['file.dump-download', "type: 'application/zip'", "type: 'application/octet-stream'"],
    [
      'file.crown-without-query',
      "if (path === '') throw new Refusal('parsingFailed', parameter, 'missing');",
      "if (path === '') return path;",
    ],
    [
      'file.crown-empty-path',
      "if (path === '') throw new Refusal('parsingFailed', parameter, 'missing');",
      "if (values.length === 0) throw new Refusal('parsingFailed', parameter, 'missing');",
    ],
    ['file.crown-two-paths', 'if (more.length > 0) throw', 'if (more.length > 1) throw'],
    [
      'file.crown-refusals-are-json',
      "new Refusal('parsingFailed', parameter, 'missing')",
      "new Refusal('invalidData', parameter, 'missing')",
    ],
    ['file.crown-unknown-file', "'there is no such file'), 404)", "'there is no such file'), 400)"],
    [
      'file.crown-out-of-the-folder',
      "if (path.split(/[/\\\\]/).includes('..')) {",
      "if (path.split(/[/\\\\]/).includes('...')) {",
    ],
    ['file.crown-absolute-path', 'if (/^[/\\\\]/.test(path) || ', 'if ('],
    ['file.crown-path-with-nul', '[\\p{Cc}\\uFFFD]', '[\\uFFFD]'],
  ),
  ...inFile('packages/server/src/files/file-interface.ts', ['file.crown-by-post', ...neverAWrongVerb]),
];

const updates = 'packages/device/src/firmware-update/firmware-update.ts';
const firmwareFile = 'packages/device/src/firmware-update/firmware-file.ts';
const updateModel = 'packages/model/src/groups/firmware-update.ts';
const noError = ['this.#enter(UpdateState.Error);', 'this.#enter(UpdateState.Initial);'] as const;

const ofUpdates: readonly Mutant[] = [
  ...inFile(
    'packages/server/src/files/firmware-upload.ts',
    [
      'file.update-upload',
      'if (!response.headersSent) respond(response, successBody());',
      'refuseUnstored(transfer, undefined);',
    ],
    [
      'file.update-upload-answer',
      'if (!response.headersSent) respond(response, successBody());',
      'if (!response.headersSent) response.writeHead(200).end();',
    ],
  ),
  ...inFile(
    updateModel,
    ['file.update-over-100-mb', '100 * 1024 * 1024', '1000 * 1024 * 1024'],
    ['file.update-of-100-mb', '100 * 1024 * 1024', '64 * 1024 * 1024'],
    ['file.update-of-100-mib', '100 * 1024 * 1024', '100 * 1000 * 1000'],
    ['file.update-run-without-login', ...openMethod('RunFirmwareUpdate')],
    ['file.update-run-with-token', ...openMethod('RunFirmwareUpdate')],
  ),
  ...inFile('packages/server/src/files/file-interface.ts', ['file.update-by-get', ...neverAWrongVerb]),
  ...inFile(
    firmwareFile,
    [
      'file.update-unsigned',
      'if (signature === undefined) {\n    throw',
      "if (signature === undefined) {\n    if (runs !== '') return;\n    throw",
    ],
    ['file.update-of-another-type', 'if (deviceType !== recipient.deviceType) {', "if (deviceType === '') {"],
    [
      'file.update-changed-signature',
      'if (!isSignedBy(seal, signature, firmwareKey)) {',
      'if (signature.length === 0) {',
    ],
  ),
  ...inFile(
    'packages/device/src/firmware-record.ts',
    [
      'file.update-to-older-release',
      "return index < releases.indexOf(this.#running) ? 'older' : 'installable';",
      "return index < 0 ? 'older' : 'installable';",
    ],
    [
      'file.update-to-older-release',
      'return index < releases.indexOf(this.#running)',
      'return index + 1 < releases.indexOf(this.#running)',
    ],
  ),
  ...inFile('packages/device/src/firmware-update/firmware-container.ts', [
    'file.update-changed-firmware',
    "if (!seal.equals(hash.digest()))\n    throw new DamagedContainer('the hash does not match: the file was changed');\n  if (payload.digest('hex') !== manifest.payloadSha256) {",
    'if (seal.length === 0) {',
  ]),
  ...inFile(
    updates,
    ['file.update-no-firmware', ...noError],
    ['file.update-cut-firmware', ...noError],
    [
      'file.update-error-is-over',
      "this.#options.conditions.set('DS_ServiceMode', reason, false);\n    this.#enter(UpdateState.Error);",
      'this.#enter(UpdateState.Error);',
    ],
    ['file.update-error-until-boot', 'this.#enter(UpdateState.Initial);', ''],
    ['file.update', 'this.#enter(UpdateState.Finished);', 'this.#enter(UpdateState.Started);'],
    ['file.update-started', "this.#options.conditions.set('DS_ServiceMode', reason, true);", ''],
    [
      'file.update-takes-no-second-file',
      "if (this.#attempt !== undefined) throw new FirmwareBusy('firmware is being installed');",
      '',
    ],
  ),
  ...inFile('packages/device/src/device-context.ts', [
    'file.update-keeps-parameters',
    'state.content.parameters,\n    ({ message',
    '{},\n    ({ message',
  ]),
];

const ofClouds: readonly Mutant[] = inFile('packages/server/src/pages/point-cloud.ts', [
  'file.cloud',
  "404, 'There is no recorded point cloud",
  "500, 'There is no recorded point cloud",
]);

/** Mutants about the diagnostic archive, firmware and the point cloud. */
export const archiveMutants: readonly Mutant[] = [...ofDiagnosis, ...ofUpdates, ...ofClouds];
