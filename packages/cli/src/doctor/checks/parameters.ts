import { type Check, type Verdict, verdictOf, warning } from '../check.js';
import type { Observation } from '../observation.js';

export const parameterChecks: readonly Check[] = [
  { name: 'unsaved', about: 'whether changes are not saved', reads: [], look: unsaved },
];

/** So many names are in the line. */
const fewNames = 3;

function unsaved(seen: Observation): Verdict {
  const { unsaved: names } = seen.facts;
  if (names === undefined) return { unseen: 'this scanner does not tell what it has stored' };
  const some = names.slice(0, fewNames).join(', ');
  const more = names.length > fewNames ? ` and ${names.length - fewNames} more` : '';
  return verdictOf(
    names.length === 0
      ? []
      : [
          warning(
            `${names.length === 1 ? 'a change is not saved, and a reboot or a power cut discards it' : `${names.length} changes are not saved, and a reboot or a power cut discards them`}: ${some}${more}`,
            seen.command('save'),
          ),
        ],
    'everything is saved',
  );
}
