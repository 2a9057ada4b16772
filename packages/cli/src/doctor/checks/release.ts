import { device, isFrom, newestRelease, type Release, releases } from '@azimuth/model';
import { type Check, note, type Severity, type Verdict, verdictFrom, warning } from '../check.js';
import { releaseInVersion, versionIn } from '../metrics-page.js';
import type { Observation } from '../observation.js';

const { DeviceIdent } = device.members;

/** Known problem of releases. */
interface ReleaseProblem {
  /** The first release without it. */
  readonly until: Release;
  readonly severity: Severity;
  readonly text: string;
  /** Advice in addition to an update. */
  readonly advice: string;
}

/** Problems of releases that the operator of a scanner should know. */
const releaseProblems: readonly ReleaseProblem[] = [
  {
    until: '1.5.0',
    severity: 'warning',
    text: 'REST passwords cannot be changed, so everybody who knows the factory passwords can log in',
    advice: 'keep the scanner in a network of its own',
  },
  {
    until: '2.1.0',
    severity: 'warning',
    text: 'the levels Maintenance and AuthorizedClient cannot be switched off, and there is no HTTPS',
    advice: 'keep the scanner in a network of its own',
  },
  {
    until: '2.2.0',
    severity: 'note',
    text: 'it makes no backups, and installs firmware without checking a signature',
    advice: '',
  },
  {
    until: '2.3.1',
    severity: 'note',
    text: 'it has no events, so "azimuth watch" does not work, and IMU and encoder data cannot go to a multicast group',
    advice: '',
  },
];

export const releaseChecks: readonly Check[] = [
  {
    name: 'release',
    about: 'whether the release has known faults',
    reads: [DeviceIdent],
    judge: knownProblems,
  },
];

function knownProblems(observation: Observation): Verdict {
  const version = observation.value(DeviceIdent)?.Version;
  if (version === undefined) return { unseen: observation.unknownReason(DeviceIdent) };
  const { described } = observation.facts;
  if (described !== undefined) return { fine: `${described.product} ${versionIn(version)}` };
  const release = releaseInVersion(version);
  if (release === undefined) {
    return note(
      `release ${versionIn(version)} is newer or older than those that azimuth knows (${releases[0]} to ${newestRelease})`,
      'names and values may differ from what azimuth expects',
    );
  }
  const update = `update the firmware to ${newestRelease}`;
  return verdictFrom(
    releaseProblems
      .filter(({ until }) => !isFrom(release, until))
      .map(({ severity, text, advice }) => ({
        severity,
        text: `release ${release}: ${text}`,
        advice: advice === '' ? update : `${update}, or ${advice}`,
      })),
    release,
  );
}

export const parameterChecks: readonly Check[] = [
  { name: 'unsaved', about: 'whether changes are not saved', reads: [], judge: unsaved },
];

/** Number of names in the line. */
const maxNames = 3;

function unsaved(observation: Observation): Verdict {
  const { unsaved: names } = observation.facts;
  if (names === undefined) return { unseen: 'this scanner does not tell what it has stored' };
  const some = names.slice(0, maxNames).join(', ');
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return names.length === 0
    ? { fine: 'everything is saved' }
    : warning(
        `${names.length === 1 ? 'a change is not saved, and a reboot or a power cut discards it' : `${names.length} changes are not saved, and a reboot or a power cut discards them`}: ${some}${more}`,
        observation.command('save'),
      );
}
