import {
  backupRestore,
  cybersecurity,
  type Declaration,
  detectionHistory,
  fieldEvaluation,
  imuDataOutput,
  measurementDataOutput,
} from '@azimuth/model';
import type { ComponentType } from 'preact';
import type { Edition } from '../connection/declarations.js';

/** A part of the interface, as the model declares it. */
export type Need = Pick<Declaration, 'isIn'>;

/** Properties of a scanner on which pages depend. */
interface ScannerAbilities {
  /** False while none of several is open. */
  readonly isOpen: boolean;
  /** Undefined until it is known. */
  readonly edition: Edition | undefined;
  /** True if its simulation can be controlled from this page. */
  readonly simulation: boolean;
  /** True if it is one of several scanners. */
  readonly others: boolean;
  /** True if the server of the page knows what its values were. */
  readonly history: boolean;
}

/** Requirements of a page. */
interface Requirements {
  /** Declaration without which the page is useless: a scanner that lacks it has no such page. */
  readonly needs?: Need;
  /** Only for virtual scanners whose simulation can be controlled from here. */
  readonly ofSimulation?: boolean;
  /** Only if there is more than one scanner. It shows all of them, and none is open on it. */
  readonly ofSeveral?: boolean;
  /** Only if the server of the page knows what the values of the scanner were. */
  readonly ofHistory?: boolean;
  /** Also while none of several scanners is open. */
  readonly ofNone?: boolean;
}

/** True if a scanner is known to lack what a page needs. */
export function lacks(edition: Edition | undefined, { needs }: Requirements): boolean {
  return edition !== undefined && needs?.isIn(edition) === false;
}

/**
 * Returns the pages whose requirements a scanner meets. Before the edition is known, it returns those of all editions.
 */
export function availableIn<T extends Requirements>(
  pages: readonly T[],
  { isOpen, edition, simulation, others, history }: ScannerAbilities,
): readonly T[] {
  return pages.filter(
    (page) =>
      !lacks(edition, page) &&
      (isOpen || page.ofSeveral === true || page.ofNone === true) &&
      (simulation || page.ofSimulation !== true) &&
      (history || page.ofHistory !== true) &&
      (others || page.ofSeveral !== true),
  );
}

/** A page of the GUI. */
export interface Page extends Requirements {
  /** Its name in the address. */
  readonly id: string;
  readonly title: string;
  readonly section: SectionTitle;
  /** The key after `g` that opens it. */
  readonly key: string;
  /** Loads its code, when it is opened first. */
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

type Row = readonly [id: string, title: string, key: string, load: Page['load'], demands?: Requirements];

const { EnableDetectionHistory } = detectionHistory.members;
const { StartScanMerge } = measurementDataOutput.members;
const { FieldEvaluationResult } = fieldEvaluation.members;
const { InertialMeasurementUnit } = imuDataOutput.members;
const { httpsStatus } = cybersecurity.members;
const { CreateParameterBackup } = backupRestore.members;

const sections = {
  Watch: [
    ['scanners', 'Scanners', 'a', () => import('../scanners/scanners-page.js'), { ofSeveral: true }],
    ['overview', 'Overview', 'o', () => import('../overview/overview.js')],
    ['live', 'Live view', 'l', () => import('../live/live-view.js'), { ofNone: true }],
    ['history', 'History', 'z', () => import('../site-history/history-page.js'), { ofHistory: true }],
    [
      'detections',
      'Detections',
      'd',
      () => import('../detections/detections.js'),
      { needs: EnableDetectionHistory },
    ],
    [
      'recording',
      '3D recording',
      '3',
      () => import('../recording-3d/recording-3d.js'),
      { needs: StartScanMerge },
    ],
  ],
  'Set up': [
    ['fields', 'Fields', 'f', () => import('../fields/fields-view.js'), { needs: FieldEvaluationResult }],
    ['parameters', 'Parameters', 'p', () => import('../parameters/parameter-list.js')],
    ['data-output', 'Data output', 'j', () => import('../data-output/data-output.js')],
    ['mounting', 'Mounting', 'k', () => import('../imu/mounting.js'), { needs: InertialMeasurementUnit }],
    ['ports', 'Ports', 'i', () => import('../ports/ports.js')],
    ['network', 'Network', 'n', () => import('../network/network.js')],
    ['services', 'Services', 'y', () => import('../services/services.js')],
    [
      'certificates',
      'Certificates',
      'c',
      () => import('../certificates/certificates.js'),
      { needs: httpsStatus },
    ],
    ['time', 'Time', 't', () => import('../time/time.js')],
    ['users', 'Users', 'w', () => import('../users/users.js')],
  ],
  Maintain: [
    ['changes', 'This visit', 'h', () => import('../visit/visit.js')],
    ['messages', 'Messages', 'm', () => import('../messages/messages.js')],
    ['log', 'Event log', 'e', () => import('../log/log.js')],
    ['diagnosis', 'Diagnosis', 'x', () => import('../diagnosis/diagnosis.js')],
    ['backup', 'Backup', 'b', () => import('../backup/backup.js'), { needs: CreateParameterBackup }],
    ['firmware', 'Firmware', 'u', () => import('../firmware/firmware.js')],
    ['restart', 'Restart', 'r', () => import('../restart/restart.js')],
  ],
  Simulate: [
    ['simulation', 'Simulation', 's', () => import('../simulation/simulation.js'), { ofSimulation: true }],
  ],
} as const satisfies Readonly<Record<string, readonly Row[]>>;
type SectionTitle = keyof typeof sections;

const titles = ['Watch', 'Set up', 'Maintain', 'Simulate'] as const satisfies readonly SectionTitle[];

export const pages: readonly Page[] = titles.flatMap((section) =>
  sections[section].map(([id, title, key, load, demands]: Row) => ({
    id,
    title,
    section,
    key,
    load,
    ...demands,
  })),
);
