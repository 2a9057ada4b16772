import { call, get, pause, type Step, write } from '../../steps/index.js';
import type { Area, ConformanceCase } from '../case.js';
import { comesTo, reads, soon } from '../value-steps.js';

const guide = 'guide: 3D recorder';
const decided = 'Azimuth: the 3D recorder';

const recording = {
  level: 'must',
  stage: 'write',
  place: guide,
  names: ['ScanMergerEnabled', 'StartScanMerge', 'StopScanMerge', 'MergeSaving'],
  cleanup: [call('StopScanMerge', undefined), soon(reads('MergeSaving', { is: false }), 30)],
} as const;

const on: readonly Step[] = [write('ScanMergerSource', 0), write('ScanMergerEnabled', true)];
const begin = call('StartScanMerge', undefined);
const end = call('StopScanMerge', undefined);

/** Waits until a recording is saved. */
const saved: readonly Step[] = [comesTo('MergeSaving', true), comesTo('MergeSaving', false, 30)];

const cases: readonly ConformanceCase[] = [
  {
    ...recording,
    id: 'merge.saves',
    clause: 'After StopScanMerge, MergeSaving is true until the recording is saved, and then false.',
    steps: [...on, begin, pause(1), reads('MergeSaving', { is: false }), end, ...saved],
  },
  {
    ...recording,
    id: 'merge.running',
    clause: 'MergeRunning is true from StartScanMerge to StopScanMerge.',
    names: [...recording.names, 'MergeRunning'],
    steps: [
      ...on,
      reads('MergeRunning', { is: false }),
      begin,
      comesTo('MergeRunning', true, 3),
      end,
      comesTo('MergeRunning', false),
    ],
  },
  {
    ...recording,
    id: 'merge.progress',
    clause: 'SaveProgress is 100 when the recording is saved, and begins again with the next one.',
    names: [...recording.names, 'SaveProgress'],
    steps: [
      ...on,
      begin,
      pause(1),
      end,
      ...saved,
      comesTo('SaveProgress', 100, 2),
      begin,
      comesTo('SaveProgress', 0, 2),
    ],
  },
  {
    ...recording,
    id: 'merge.cloud',
    clause: 'A recording that is saved is the file /cloud.pcd, outside of /api.',
    place: 'specification: Endpoints',
    steps: [
      ...on,
      begin,
      pause(1),
      end,
      ...saved,
      get('/cloud.pcd', { http: 200, text: { pattern: '^# \\.PCD|^VERSION' } }),
    ],
  },
  {
    ...recording,
    id: 'merge.reset',
    clause: 'ResetScanMergeView deletes the recorded point cloud: /cloud.pcd is not there any more.',
    place: 'specification: Endpoints',
    names: [...recording.names, 'ResetScanMergeView'],
    steps: [
      ...on,
      begin,
      pause(1),
      end,
      ...saved,
      call('ResetScanMergeView', undefined),
      get('/cloud.pcd', { http: 404 }),
    ],
  },
  {
    ...recording,
    id: 'merge.off',
    clause: 'StartScanMerge answers status 2 while ScanMergerEnabled is false.',
    level: 'should',
    place: decided,
    steps: [write('ScanMergerEnabled', false), call('StartScanMerge', undefined, { status: 2 })],
  },
  {
    ...recording,
    id: 'merge.switched-off',
    clause: 'ScanMergerEnabled false ends a recording, which is saved.',
    level: 'should',
    place: decided,
    steps: [...on, begin, pause(1), write('ScanMergerEnabled', false), ...saved],
  },
  {
    ...recording,
    id: 'merge.while-saving',
    clause: 'StartScanMerge answers status 2 while a recording is being saved.',
    level: 'should',
    place: decided,
    steps: [...on, begin, pause(1), end, comesTo('MergeSaving', true), { ...begin, expect: { status: 2 } }],
  },
  {
    ...recording,
    id: 'merge.stop-alone',
    clause: 'StopScanMerge without a recording answers status 0, and saves nothing.',
    level: 'should',
    place: decided,
    steps: [...on, end, pause(0.3), reads('MergeSaving', { is: false })],
    cleanup: [],
  },
  {
    ...recording,
    id: 'merge.ends-by-itself',
    clause: 'A recording ends after 30 s at the latest.',
    names: [...recording.names, 'MergeRunning'],
    steps: [...on, begin, comesTo('MergeRunning', true, 3), comesTo('MergeRunning', false, 31)],
  },
];

/** The recorder of point clouds. */
export const mergeArea: Area = {
  name: 'merge',
  title: '3D recorder',
  cases: () => cases,
};
