import { transfer } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';

/** The point cloud outside of `/api`; what is in it is another area's. */
export const cloudCases: readonly ConformanceCase[] = [
  {
    id: 'file.cloud',
    clause:
      'GET /cloud.pcd, outside of /api, answers HTTP 200 with the point cloud of the last recording, or HTTP 404 without one.',
    place: 'specification: Catalogue of further endpoints on newer firmware',
    level: 'must',
    stage: 'read',
    names: ['StartScanMerge'],
    steps: [transfer('GET', '/cloud.pcd', { http: [200, 404] })],
  },
];
