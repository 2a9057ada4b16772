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
export interface Has {
  /** Undefined until it is known. */
  readonly edition: Edition | undefined;
  /** Can its simulation be controlled from here? */
  readonly simulation: boolean;
  /** Is it one of several scanners? */
  readonly others: boolean;
}

/** What a page can demand of a scanner. */
interface Demands {
  readonly needs?: Need;
  readonly ofSimulation?: boolean;
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

/** A page of the GUI. Its code is loaded when it is opened first. */
export interface Page {
  /** Its name in the address. */
  readonly id: string;
  readonly title: string;
  readonly section: SectionTitle;
  /** The key after `g` that opens it. */
  readonly key: string;
  /** What it cannot do without: a scanner that lacks this has no such page. */
  readonly needs?: Need;
  /** Only for virtual scanners whose simulation can be controlled from here. */
  readonly ofSimulation?: boolean;
  /** Only if there is more than one scanner. */
  readonly ofSeveral?: boolean;
  readonly load: () => Promise<ComponentType>;
}

const titles = ['Watch', 'Set up', 'Maintain', 'Simulate'] as const;
type SectionTitle = (typeof titles)[number];

const sections: Readonly<Record<SectionTitle, readonly Omit<Page, 'section'>[]>> = {
  Watch: [
    {
      id: 'scanners',
      title: 'Scanners',
      key: 'a',
      ofSeveral: true,
      load: async () => (await import('../scanners/scanner-cards.js')).ScannerCards,
    },
    {
      id: 'overview',
      title: 'Overview',
      key: 'o',
      load: async () => (await import('../overview/overview.js')).Overview,
    },
    {
      id: 'live',
      title: 'Live view',
      key: 'l',
      load: async () => (await import('../live/live-view.js')).Live,
    },
    {
      id: 'detections',
      title: 'Detections',
      key: 'd',
      needs: detectionHistory.members.EnableDetectionHistory,
      load: async () => (await import('../detections/detections.js')).Detections,
    },
    {
      id: 'recording',
      title: '3D recording',
      key: '3',
      needs: measurementDataOutput.members.StartScanMerge,
      load: async () => (await import('../recording-3d/recording-3d.js')).Recording3d,
    },
  ],
  'Set up': [
    {
      id: 'fields',
      title: 'Fields',
      key: 'f',
      needs: fieldEvaluation.members.FieldEvaluationResult,
      load: async () => (await import('../fields/fields-view.js')).Fields,
    },
    {
      id: 'parameters',
      title: 'Parameters',
      key: 'p',
      load: async () => (await import('../parameters/parameter-list.js')).Parameters,
    },
    { id: 'ports', title: 'Ports', key: 'i', load: async () => (await import('../ports/ports.js')).Ports },
    {
      id: 'network',
      title: 'Network',
      key: 'n',
      load: async () => (await import('../network/network.js')).Network,
    },
    {
      id: 'certificates',
      title: 'Certificates',
      key: 'c',
      needs: cybersecurity.members.httpsStatus,
      load: async () => (await import('../certificates/certificates.js')).Certificates,
    },
    { id: 'time', title: 'Time', key: 't', load: async () => (await import('../time/time.js')).Time },
    { id: 'users', title: 'Users', key: 'w', load: async () => (await import('../users/users.js')).Users },
  ],
  Maintain: [
    {
      id: 'changes',
      title: 'This visit',
      key: 'h',
      load: async () => (await import('../visit/visit.js')).Visit,
    },
    { id: 'log', title: 'Event log', key: 'e', load: async () => (await import('../log/log.js')).Log },
    {
      id: 'diagnosis',
      title: 'Diagnosis',
      key: 'x',
      load: async () => (await import('../diagnosis/diagnosis.js')).Diagnosis,
    },
    {
      id: 'backup',
      title: 'Backup',
      key: 'b',
      needs: backupRestore.members.CreateParameterBackup,
      load: async () => (await import('../backup/backup.js')).Backup,
    },
    {
      id: 'firmware',
      title: 'Firmware',
      key: 'u',
      load: async () => (await import('../firmware/firmware.js')).Firmware,
    },
    {
      id: 'restart',
      title: 'Restart',
      key: 'r',
      load: async () => (await import('../restart/restart.js')).Restart,
    },
  ],
  Simulate: [
    {
      id: 'simulation',
      title: 'Simulation',
      key: 's',
      ofSimulation: true,
      load: async () => (await import('../simulation/simulation.js')).Simulation,
    },
  ],
};

export const pages: readonly Page[] = titles.flatMap((section) =>
  sections[section].map((page) => ({ ...page, section })),
);
