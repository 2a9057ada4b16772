import type { Json, Matcher } from '../../match/matcher.js';
import { call, get, pause, post, rebooted, type Step, transfer, until } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';

const place = 'specification: Diagnostic file';
const errors = 'specification: Errors, HTTP 400, 404, 500';
const ours = 'Azimuth: diagnosis';

const common = {
  level: 'must',
  stage: 'write',
  names: ['DoDiagnosisDump', 'GetDiagnosisDumpInfo', 'crown/file'],
} as const;
const reading = { ...common, stage: 'read', names: ['crown/file'] } as const;

const order = (data: Json, expect: Matcher): Step =>
  call('DoDiagnosisDump', data, { status: 0, data: expect });
const dump = order({ DoRunlevelLoop: false, Output: '' }, { has: { Successfull: { is: true } } });
const info = (expect: Matcher, save?: Readonly<Record<string, string>>): Step =>
  post('GetDiagnosisDumpInfo', { status: 0, data: expect }, save === undefined ? {} : { save });
const file = (query: string, http: number | readonly number[], method: 'GET' | 'POST' = 'GET'): Step =>
  transfer(method, `crown/file${query}`, { http });

const dumps: readonly ConformanceCase[] = [
  {
    ...common,
    id: 'file.dump',
    clause: 'DoDiagnosisDump answers Successfull true, spelled with two l, when the archive is made.',
    place,
    steps: [dump],
  },
  {
    ...common,
    id: 'file.dump-both-spellings',
    clause: 'DoDiagnosisDump answers Successful beside Successfull: one description spells it so.',
    place: 'guide: REST',
    level: 'should',
    steps: [order({ DoRunlevelLoop: false, Output: '' }, { has: { Successful: { is: true } } })],
  },
  {
    ...common,
    id: 'file.dump-without-members',
    clause: 'DoDiagnosisDump works without DoRunlevelLoop and Output.',
    place: ours,
    level: 'should',
    steps: [order({}, { has: { Successfull: { is: true } } })],
  },
  {
    ...common,
    id: 'file.dump-without-login',
    clause: 'DoDiagnosisDump without a login answers status 4.',
    place: 'specification: Errors, status 4',
    steps: [post('DoDiagnosisDump', { status: 4 }, { data: { DoRunlevelLoop: false, Output: '' } })],
  },
  {
    ...common,
    id: 'file.dump-info',
    clause:
      'After DoDiagnosisDump, GetDiagnosisDumpInfo answers DiagDumpExists true and a timestamp, without a login.',
    place,
    steps: [
      dump,
      info({ has: { DiagDumpExists: { is: true }, DiagDumpTimestamp: { from: 1, to: 2 ** 32 - 1 } } }),
    ],
  },
  {
    ...common,
    id: 'file.dump-time-in-seconds',
    clause: 'DiagDumpTimestamp counts seconds: an archive that is made 10 s later has 10 more.',
    place: ours,
    level: 'should',
    steps: [
      dump,
      info({ present: true }, { first: 'data.DiagDumpTimestamp' }),
      pause(10),
      dump,
      info({ has: { DiagDumpTimestamp: { minusSaved: 'first', from: 9, to: 40 } } }),
    ],
  },
  {
    ...common,
    id: 'file.dump-download',
    clause: 'GET /crown/file answers HTTP 200 with the archive as application/zip, without a login.',
    place,
    steps: [
      dump,
      transfer('GET', 'crown/file?filePath=diagnosisDump.zip', {
        http: 200,
        headers: { 'content-type': { pattern: '^application/zip' } },
        text: { pattern: '^PK\\u0003\\u0004' },
      }),
    ],
  },
  {
    ...common,
    id: 'file.dump-second-name',
    clause: 'The archive can be fetched under the name in Output, until the next one is made.',
    place: ours,
    level: 'should',
    steps: [
      order({ DoRunlevelLoop: false, Output: 'conformance.zip' }, { has: { Successfull: { is: true } } }),
      file('?filePath=conformance.zip', 200),
      dump,
      file('?filePath=conformance.zip', 404),
      file('?filePath=diagnosisDump.zip', 200),
    ],
  },
  {
    ...common,
    id: 'file.dump-unsafe-name',
    clause: 'With an Output that leads out of the folder of the scanner, Successfull is false.',
    place: ours,
    level: 'should',
    steps: [
      order({ DoRunlevelLoop: false, Output: '../escaped.zip' }, { has: { Successfull: { is: false } } }),
    ],
  },
  {
    ...common,
    id: 'file.dump-suspends',
    clause: 'After a DoDiagnosisDump that suspends measuring, DeviceStatus is the same as before.',
    place: ours,
    level: 'should',
    steps: [
      get('DeviceStatus', { status: 0 }, { save: { before: 'data.DeviceStatus' } }),
      order({ DoRunlevelLoop: true, Output: '' }, { has: { Successfull: { is: true } } }),
      until(get('DeviceStatus', { status: 0, data: { has: { DeviceStatus: { isSaved: 'before' } } } }), 10),
    ],
  },
  {
    ...common,
    id: 'file.dump-after-a-boot',
    clause: 'The archive is kept over a reboot.',
    place: ours,
    level: 'should',
    stage: 'reboot',
    steps: [
      dump,
      info({ present: true }, { made: 'data.DiagDumpTimestamp' }),
      ...rebooted(call('SoftReset', { ProcessorNbr: 0 })),
      info({ has: { DiagDumpExists: { is: true }, DiagDumpTimestamp: { isSaved: 'made' } } }),
      file('?filePath=diagnosisDump.zip', 200),
    ],
  },
];

const requests: readonly ConformanceCase[] = [
  {
    ...reading,
    id: 'file.dump-info-of-none',
    clause:
      'GetDiagnosisDumpInfo answers DiagDumpTimestamp 0 if DiagDumpExists is false, and another one if it is true.',
    place: ours,
    level: 'should',
    names: ['GetDiagnosisDumpInfo'],
    steps: [
      info({
        any: [
          { exactly: { DiagDumpExists: { is: false }, DiagDumpTimestamp: { is: 0 } } },
          { exactly: { DiagDumpExists: { is: true }, DiagDumpTimestamp: { from: 1, to: 2 ** 32 - 1 } } },
        ],
      }),
    ],
  },
  {
    ...reading,
    id: 'file.crown-refusals-are-json',
    clause:
      'The body of an error of GET /crown/file is JSON: header.status 1 if filePath is missing, 2 for a forbidden path, 5 for an unknown file.',
    place: ours,
    level: 'should',
    steps: [
      transfer('GET', 'crown/file', { http: 400, status: 1 }),
      transfer('GET', 'crown/file?filePath=../x', { http: 400, status: 2 }),
      transfer('GET', 'crown/file?filePath=there-is-no-such-file.zip', { http: 404, status: 5 }),
    ],
  },
  {
    ...reading,
    id: 'file.crown-without-query',
    clause: 'GET /crown/file without filePath answers HTTP 400.',
    place: errors,
    steps: [file('', 400)],
  },
  {
    ...reading,
    id: 'file.crown-empty-path',
    clause: 'GET /crown/file with an empty filePath answers HTTP 400.',
    place: errors,
    level: 'should',
    steps: [file('?filePath=', 400)],
  },
  {
    ...reading,
    id: 'file.crown-two-paths',
    clause: 'GET /crown/file with two values of filePath answers HTTP 400.',
    place: ours,
    level: 'should',
    steps: [file('?filePath=a.zip&filePath=b.zip', 400)],
  },
  {
    ...reading,
    id: 'file.crown-unknown-file',
    clause: 'GET /crown/file with the name of a file that is not there answers HTTP 404.',
    place: errors,
    steps: [file('?filePath=there-is-no-such-file.zip', 404)],
  },
  {
    ...reading,
    id: 'file.crown-out-of-the-folder',
    clause: 'GET /crown/file sends no file outside of its folder: a path with .. answers HTTP 400.',
    place: ours,
    level: 'should',
    steps: [
      file('?filePath=../../../../etc/passwd', 400),
      file('?filePath=%2e%2e%2f%2e%2e%2fetc%2fpasswd', 400),
      file('?filePath=a/../../etc/passwd', 400),
    ],
  },
  {
    ...reading,
    id: 'file.crown-absolute-path',
    clause: 'GET /crown/file sends no file outside of its folder: an absolute path answers HTTP 400.',
    place: ours,
    level: 'should',
    steps: [file('?filePath=/etc/passwd', 400)],
  },
  {
    ...reading,
    id: 'file.crown-path-with-nul',
    clause: 'GET /crown/file with a control character in filePath answers HTTP 400.',
    place: ours,
    level: 'should',
    steps: [file('?filePath=diagnosisDump.zip%00.txt', 400)],
  },
  {
    ...reading,
    id: 'file.crown-by-post',
    clause: 'POST /crown/file answers status 5: the method of HTTP is wrong.',
    place: 'specification: Errors, status 5',
    steps: [post('crown/file?filePath=diagnosisDump.zip', { status: 5 }, { body: {} })],
  },
];

export const diagnosisCases: readonly ConformanceCase[] = [...requests, ...dumps];
