import { BadFleetRequest } from './fleet-requests.js';
import { partOf } from './list-part.js';
import type { ScannerSummary } from './scanner-summary.js';

/** States in which a scanner cannot be used. */
const troubled: ReadonlySet<ScannerSummary['state']> = new Set([
  ...(['failed', 'silent', 'waiting'] as const),
  ...(['unreachable', 'wrong-serial', 'locked-out'] as const),
]);

/**
 * Returns a list as `?sort=` asks for it: in the order of the fleet, or with `trouble` the scanners first that need
 * somebody.
 * @param list returns the selected scanners, all of them or the part of the query
 * @throws BadFleetRequest
 */
export async function sortedList(
  query: URLSearchParams,
  list: (query: URLSearchParams) => Promise<readonly ScannerSummary[]>,
): Promise<readonly ScannerSummary[]> {
  const sort = query.get('sort');
  if (sort === null) return list(query);
  if (sort !== 'trouble') throw new BadFleetRequest(`sort: expected trouble, got "${sort}"`);
  const selection = new URLSearchParams(
    [...query].filter(([name]) => !['sort', 'from', 'limit'].includes(name)),
  );
  const selected = await list(selection);
  const [first, others]: [ScannerSummary[], ScannerSummary[]] = [[], []];
  for (const one of selected) (isInTrouble(one) ? first : others).push(one);
  return partOf([...first, ...others], query);
}

function isInTrouble({ state, trouble }: ScannerSummary): boolean {
  return troubled.has(state) || trouble !== undefined;
}
