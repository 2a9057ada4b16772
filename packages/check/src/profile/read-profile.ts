import { isObject, isRelease, isVariant, type ProductDefinition, releases, variants } from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { allIds, unknownIds } from '../cases/all-ids.js';
import type { DeclaredDeviation, ScannerProfile } from './scanner-profile.js';

/** A profile cannot be used. */
export class ProfileMistakes extends Error {
  override readonly name = 'ProfileMistakes';

  /** @param mistakes each with its place: `deviations[0].case: no case is named auth.noce; did you mean auth.nonce?` */
  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'));
  }
}

const members = [
  ...['azimuthProfile', 'tool', 'name', 'version', 'release', 'variant'],
  ...['groups', 'absent', 'own', 'measured', 'deviations'],
];

const ownMembers = ['groups', 'variables', 'methods', 'ranges', 'defaults'];

/** Reads a profile. What `own` contains is checked when it is used. @throws ProfileMistakes */
export function profileIn(json: unknown): ScannerProfile {
  if (!isObject(json) || json.azimuthProfile !== 1)
    throw new ProfileMistakes(['expected an object with "azimuthProfile": 1']);
  const mistakes: string[] = [];
  const { release, variant, absent = [], own = {}, deviations = [] } = json;
  unknownMembers(json, members, '', mistakes);
  if (typeof release !== 'string' || !isRelease(release))
    mistakes.push(`release: expected one of ${releases.join(', ')}`);
  if (typeof variant !== 'string' || !isVariant(variant))
    mistakes.push(`variant: expected one of ${variants.join(', ')}`);
  if (!isTexts(absent)) mistakes.push('absent: expected a list of names');
  if (!isOwn(own)) mistakes.push('own: expected an object');
  else unknownMembers(own, ownMembers, 'own.', mistakes);
  const declared = deviationsIn(deviations, mistakes);
  const isRight = mistakes.length === 0 && isTexts(absent) && isOwn(own);
  if (!isRight || typeof release !== 'string' || typeof variant !== 'string')
    throw new ProfileMistakes(mistakes);
  if (!isRelease(release) || !isVariant(variant)) throw new ProfileMistakes(mistakes);
  return { azimuthProfile: 1, release, variant, absent, own, deviations: declared };
}

function deviationsIn(json: unknown, mistakes: string[]): readonly DeclaredDeviation[] {
  if (!Array.isArray(json)) {
    mistakes.push('deviations: expected a list');
    return [];
  }
  const items: readonly unknown[] = json;
  const typed = items.flatMap((item) => (isObject(item) && typeof item.case === 'string' ? [item.case] : []));
  const unknown = new Set(unknownIds(typed));
  const ids = unknown.size === 0 ? [] : allIds();
  return items.flatMap((item, index) => {
    const at = `deviations[${index}]`;
    const { case: id, reason } = isObject(item) ? item : {};
    if (typeof id !== 'string' || typeof reason !== 'string' || reason.trim() === '') {
      mistakes.push(`${at}: expected {"case": ID, "reason": TEXT}`);
      return [];
    }
    if (!unknown.has(id)) return [{ case: id, reason }];
    const near = nearestName(id, ids);
    const question = near === undefined ? '' : `; did you mean ${near}?`;
    mistakes.push(`${at}.case: no case is named ${id}${question}`);
    return [];
  });
}

function unknownMembers(
  json: Readonly<Record<string, unknown>>,
  known: readonly string[],
  place: string,
  mistakes: string[],
): void {
  for (const name of Object.keys(json)) {
    if (known.includes(name)) continue;
    const near = nearestName(name, known);
    mistakes.push(`${place}${name}: is not known${near === undefined ? '' : `; did you mean ${near}?`}`);
  }
}

function isTexts(json: unknown): json is readonly string[] {
  return Array.isArray(json) && json.every((one) => typeof one === 'string');
}

/** The members are checked as those of a product. */
function isOwn(json: unknown): json is Record<string, unknown> & Pick<ProductDefinition, 'ranges'> {
  return isObject(json);
}
