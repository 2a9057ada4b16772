import { CommandFailure } from '../command-failure.js';
import type { Target } from '../scanners/target.js';
import type { JournalContent } from './journal.js';
import type { RolloutSubject } from './subject.js';

/**
 * Refuses the journal of another command line: scanners could get what nobody meant for them.
 * @throws CommandFailure that says what differs
 */
export function requireSameRun(
  { path, head }: JournalContent,
  { command, facts }: RolloutSubject,
  targets: readonly Pick<Target, 'label' | 'url'>[],
): void {
  const differs = (what: string, journal: string, now: string) =>
    new CommandFailure(
      `${path} is the journal of another run: it has ${what} ${journal}, and this command line ${now}. Nothing was done`,
    );
  if (head.command !== command) {
    throw differs('the command', `azimuth ${head.command}`, `azimuth ${command}`);
  }
  for (const name of new Set([...Object.keys(head.facts), ...Object.keys(facts)])) {
    const [journal = 'none', now = 'none'] = [head.facts[name], facts[name]];
    if (journal !== now) throw differs(name, journal, now);
  }
  const urls = new Map(head.scanners.map(({ scanner, url }) => [scanner, url]));
  const added = targets.find(({ label }) => !urls.has(label));
  if (added !== undefined) throw differs('the scanners', labelsText([...urls.keys()]), `also ${added.label}`);
  const moved = targets.find(({ label, url }) => urls.get(label) !== url);
  if (moved !== undefined) {
    throw differs(`for ${moved.label}`, urls.get(moved.label) ?? '', moved.url);
  }
  const named = new Set(targets.map(({ label }) => label));
  const missing = [...urls.keys()].filter((label) => !named.has(label));
  if (missing.length > 0) throw differs('the scanners', labelsText(missing), 'lacks them');
}

function labelsText(labels: readonly string[]): string {
  return labels.length <= 5 ? labels.join(', ') : `${labels.slice(0, 5).join(', ')}, …`;
}
