import { listedVariables } from '../../scanner/legacy-listing.js';
import type { SourceMutant } from '../mutant.js';

/*
 * Faults of single telegrams: one value too many in text, and a byte that is missing or too much in binary; a write that
 * stores the default.
 */

const values = 'packages/server/src/legacy/values.ts';
const commands = 'packages/server/src/legacy/commands.ts';

/** The values of one telegram are not those of its layout. */
function wrongLayout(id: string, word: string, name: string): readonly SourceMutant[] {
  const isIt = `word === '${word}' && name === '${name}'`;
  const text = 'frameText(commandText(word, name, out.written()))';
  const binary = 'frameBinary(commandBinary(word, name, out.written()))';
  return [
    {
      kind: 'source',
      case: `${id}.text`,
      file: values,
      from: text,
      to: `frameText(commandText(word, name, ${isIt} ? \`\${out.written()} 0\`.trim() : out.written()))`,
    },
    {
      kind: 'source',
      case: `${id}.binary`,
      file: values,
      from: binary,
      to: `frameBinary(commandBinary(word, name, ${isIt} ? Uint8Array.of(...out.written().subarray(1), ...[0, 0].slice(0, out.written().length === 0 ? 1 : 2)) : out.written()))`,
    },
  ];
}

/** A write is acknowledged, and stores the default of the type. */
function storesDefault(id: string, name: string): readonly SourceMutant[] {
  return (['text', 'binary'] as const).map((form) => ({
    kind: 'source',
    case: `${id}.${form}`,
    file: commands,
    from: 'return value;',
    to: `return name === '${name}' && framing === '${form}' ? type.initial : value;`,
  }));
}

const calls = [
  'EnableLegacyUserLevel',
  'LMCstopmeas',
  'LMCstandby',
  'LMCstartmeas',
  'mEEwriteall',
  'LIDrstencoderinc',
  'LIDrstoutpcnt',
  'FindMe',
  'GetWebserverEnabled',
  'mEthUpdt',
  'ResetDetectionHistory',
  'StartTeachIn',
  'StopTeachIn',
  'ActivateEvaluationGroup',
  'SetFieldEvaluationContour',
  'IsSystemReady',
  'SetWebserverEnabled',
  'LSPsetdatetime',
  'GetFieldEvaluationContour',
  'mDOSetOutput',
  'mSCreboot',
];

/** Names of relatives: their answers. */
const relatives: readonly (readonly [id: string, word: string, name: string])[] = [
  ['DeviceIdent', 'sRA', 'DeviceIdent'],
  ['EIHstCola', 'sRA', 'EIHstCola'],
  ['STlms', 'sRA', 'STlms'],
  ['field000', 'sRA', 'field000'],
  ['field047', 'sRA', 'field047'],
  ['LFErec', 'sRA', 'LFErec'],
  ['LMPoutputRange', 'sRA', 'LMPoutputRange'],
  ['SetActiveApplications', 'sRA', 'SetActiveApplications'],
  ['ScanLayerFilter', 'sRA', 'ScanLayerFilter'],
  ['mCLsetscancfglist', 'sAN', 'mCLsetscancfglist'],
  ['SetActiveApplications.write', 'sWA', 'SetActiveApplications'],
  ['ScanLayerFilter.write', 'sWA', 'ScanLayerFilter'],
  ['EIHstCola.write', 'sWA', 'EIHstCola'],
  ['ECRChangeArr', 'sEA', 'ECRChangeArr'],
];

export const derivedMutants: readonly SourceMutant[] = [
  ...listedVariables.flatMap(({ name, written, event }) => [
    ...wrongLayout(`legacy.read.${name}`, 'sRA', name),
    ...(written === undefined ? [] : storesDefault(`legacy.write.${name}`, name)),
    ...(event === undefined ? [] : wrongLayout(`legacy.subscribe.${name}`, 'sEA', name)),
  ]),
  ...calls.flatMap((name) => wrongLayout(`legacy.call.${name}`, 'sAN', name)),
  ...relatives.flatMap(([id, word, name]) => wrongLayout(`legacy.relative.${id}`, word, name)),
];
