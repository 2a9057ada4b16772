import {
  backupRestore,
  cybersecurity,
  detectionHistory,
  fieldEvaluation,
  type Level,
  measurementDataOutput,
} from '@azimuth/model';
import type { ComponentType } from 'preact';
import type { Need } from './need.js';

/** A page of the GUI. Its code is loaded when it is opened first. */
export interface Page {
  /** Its name in the address. */
  readonly id: string;
  readonly title: string;
  readonly section: 'Watch' | 'Set up' | 'Maintain' | 'Simulate';
  /** The key after `g` that opens it. */
  readonly key?: string;
  /** What it cannot do without: a scanner that lacks this has no such page. */
  readonly needs?: Need;
  /** The lowest level that can do something here; everybody can look by default. */
  readonly level?: Level;
  /** Only for virtual scanners whose simulation can be controlled from here. */
  readonly ofSimulation?: boolean;
  /** Only if there is more than one scanner. */
  readonly ofSeveral?: boolean;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

export const pages: readonly Page[] = [
  {
    id: 'scanners',
    title: 'Scanners',
    section: 'Watch',
    key: 'a',
    ofSeveral: true,
    load: () => import('../pages/scanners.js'),
  },
  {
    id: 'overview',
    title: 'Overview',
    section: 'Watch',
    key: 'o',
    load: () => import('../pages/overview.js'),
  },
  { id: 'live', title: 'Live view', section: 'Watch', key: 'l', load: () => import('../pages/live.js') },
  {
    id: 'detections',
    title: 'Detections',
    section: 'Watch',
    key: 'd',
    needs: detectionHistory.members.EnableDetectionHistory,
    load: () => import('../pages/detections.js'),
  },
  {
    id: 'recording',
    title: '3D recording',
    section: 'Watch',
    key: '3',
    needs: measurementDataOutput.members.StartScanMerge,
    load: () => import('../pages/recording.js'),
  },
  {
    id: 'fields',
    title: 'Fields',
    section: 'Set up',
    key: 'f',
    needs: fieldEvaluation.members.FieldEvaluationResult,
    load: () => import('../pages/fields.js'),
  },
  {
    id: 'parameters',
    title: 'Parameters',
    section: 'Set up',
    key: 'p',
    load: () => import('../pages/parameters.js'),
  },
  {
    id: 'ports',
    title: 'Ports',
    section: 'Set up',
    key: 'i',
    load: () => import('../pages/ports.js'),
  },
  {
    id: 'network',
    title: 'Network',
    section: 'Set up',
    key: 'n',
    load: () => import('../pages/network.js'),
  },
  {
    id: 'certificates',
    title: 'Certificates',
    section: 'Set up',
    key: 'c',
    needs: cybersecurity.members.httpsStatus,
    load: () => import('../pages/certificates.js'),
  },
  {
    id: 'time',
    title: 'Time',
    section: 'Set up',
    key: 't',
    load: () => import('../pages/time.js'),
  },
  {
    id: 'users',
    title: 'Users',
    section: 'Set up',
    key: 'w',
    load: () => import('../pages/users.js'),
  },
  {
    id: 'changes',
    title: 'This visit',
    section: 'Maintain',
    key: 'h',
    load: () => import('../pages/changes.js'),
  },
  {
    id: 'log',
    title: 'Event log',
    section: 'Maintain',
    key: 'e',
    load: () => import('../pages/log.js'),
  },
  {
    id: 'diagnosis',
    title: 'Diagnosis',
    section: 'Maintain',
    key: 'x',
    load: () => import('../pages/diagnosis.js'),
  },
  {
    id: 'backup',
    title: 'Backup',
    section: 'Maintain',
    key: 'b',
    needs: backupRestore.members.CreateParameterBackup,
    level: 'Service',
    load: () => import('../pages/backup.js'),
  },
  {
    id: 'firmware',
    title: 'Firmware',
    section: 'Maintain',
    key: 'u',
    level: 'Service',
    load: () => import('../pages/firmware.js'),
  },
  {
    id: 'restart',
    title: 'Restart',
    section: 'Maintain',
    key: 'r',
    load: () => import('../pages/restart.js'),
  },
  {
    id: 'simulation',
    title: 'Simulation',
    section: 'Simulate',
    key: 's',
    ofSimulation: true,
    load: () => import('../pages/simulation.js'),
  },
];
