import {
  backupRestore,
  cybersecurity,
  type Declaration,
  detectionHistory,
  type Edition,
  fieldEvaluation,
  measurementDataOutput,
} from '@azimuth/model';
import type { ComponentType } from 'preact';

/** A part of the interface, as the model declares it. */
export type Need = Pick<Declaration, 'isIn'>;

/** What a scanner has of what pages need. */
interface Has {
  /** Undefined until it is known. */
  readonly edition: Edition | undefined;
  /** Can its simulation be controlled from here? */
  readonly simulation: boolean;
  /** Is it one of several scanners? */
  readonly others: boolean;
}

/** What a page can demand of a scanner. */
interface Demands {
  /** What it cannot do without: a scanner that lacks this has no such page. */
  readonly needs?: Need;
  /** Only for virtual scanners whose simulation can be controlled from here. */
  readonly ofSimulation?: boolean;
  /** Only if there is more than one scanner. */
  readonly ofSeveral?: boolean;
}

/** Is a scanner known to lack what a page needs? */
export function lacks(edition: Edition | undefined, { needs }: Demands): boolean {
  return edition !== undefined && needs?.isIn(edition) === false;
}

/** Those whose demands a scanner meets. Before the edition is known, those of all editions. */
export function availableIn<T extends Demands>(
  pages: readonly T[],
  { edition, simulation, others }: Has,
): readonly T[] {
  return pages.filter(
    (page) =>
      !lacks(edition, page) &&
      (simulation || page.ofSimulation !== true) &&
      (others || page.ofSeveral !== true),
  );
}

/** A page of the GUI. */
export interface Page extends Demands {
  /** Its name in the address. */
  readonly id: string;
  readonly title: string;
  readonly section: SectionTitle;
  /** The key after `g` that opens it. */
  readonly key: string;
  /** Loads its code, when it is opened first. */
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

type Row = readonly [id: string, title: string, key: string, load: Page['load'], demands?: Demands];

const { EnableDetectionHistory } = detectionHistory.members;
const { StartScanMerge } = measurementDataOutput.members;
const { FieldEvaluationResult } = fieldEvaluation.members;
const { httpsStatus } = cybersecurity.members;
const { CreateParameterBackup } = backupRestore.members;

const sections = {
  Watch: [
    ['scanners', 'Scanners', 'a', () => import('../scanners/scanner-cards.js'), { ofSeveral: true }],
    ['overview', 'Overview', 'o', () => import('../overview/overview.js')],
    ['live', 'Live view', 'l', () => import('../live/live-view.js')],
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
    ['ports', 'Ports', 'i', () => import('../ports/ports.js')],
    ['network', 'Network', 'n', () => import('../network/network.js')],
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
