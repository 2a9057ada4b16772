import type { SiteScanner, SiteSeverity } from '@azimuth/http';
import { counted, device, deviceState } from '@azimuth/model';
import { notAsked } from '../adopted/real-state.js';
import type { ListedState, ScannerSummary } from './scanner-summary.js';

/** The part of a row that says how a scanner is. */
type Condition = Pick<SiteScanner, 'state' | 'severity' | 'trouble'>;

/** States without more to say. For the others, see {@link conditionOf}. */
const plainStates: Readonly<Record<ListedState, readonly [SiteSeverity, string]>> = {
  off: ['idle', 'Off'],
  idle: ['good', 'On, not used'],
  running: ['good', 'Running'],
  failed: ['bad', 'Failed'],
  online: ['good', 'Online'],
  unreachable: ['bad', 'Gone'],
  'wrong-serial': ['bad', 'Another scanner'],
  'locked-out': ['bad', 'Login refused'],
  waiting: ['bad', 'No worker'],
  silent: ['bad', 'Worker silent'],
};

/** Trouble of scanners of which no process says any. */
const troubleOfState: Partial<Readonly<Record<ListedState, string>>> = {
  waiting: 'no worker runs it now',
  silent: 'its worker does not respond',
};

/** The LocationName of scanners to which nobody has given one. */
const { initial: unnamed } = device.members.LocationName.type;

/** Returns the row of a scanner in the list of the site. One literal with all members: ten thousand are made each second. */
export function siteRow(summary: ScannerSummary): SiteScanner {
  const { serialNumber, group, path, url, release, unsaved, isReal, running } = summary;
  const location = locationIn(isReal === true ? summary.location : running?.location);
  const { state, severity, trouble } = conditionOf(summary);
  return {
    path,
    url,
    // A fleet file gives no names: people tell scanners apart by their locations.
    name: location ?? serialNumber,
    group,
    serialNumber,
    location,
    firmware: release === '' ? undefined : release,
    state,
    severity,
    trouble,
    unsaved: isReal === true ? undefined : unsaved,
  };
}

function locationIn(text: string | undefined): string | undefined {
  return text === '' || text === unnamed ? undefined : text;
}

function conditionOf({ state, trouble, failure, faults, running, deviceStatus }: ScannerSummary): Condition {
  if (state === 'unreachable' && trouble === notAsked.trouble)
    return { state: 'Connecting', severity: 'idle', trouble: [] };
  const status = state === 'running' ? running?.deviceStatus : deviceStatus;
  const [plainSeverity, plainWord] = plainStates[state];
  const isAnswering = status !== undefined && (state === 'running' || state === 'online');
  const { severity, word } = isAnswering ? deviceState(status) : { severity: plainSeverity, word: plainWord };
  const isPlanned = faults > 0 && state !== 'off';
  return {
    state: word,
    severity: isPlanned && severity === 'good' ? 'warn' : severity,
    trouble: troubleIn(failure ?? trouble ?? troubleOfState[state], isPlanned ? faults : 0),
  };
}

const noTrouble: readonly string[] = [];

function troubleIn(reason: string | undefined, faults: number): readonly string[] {
  if (faults === 0) return reason === undefined ? noTrouble : [reason];
  const planned = counted(faults, 'planned fault');
  return reason === undefined ? [planned] : [reason, planned];
}
