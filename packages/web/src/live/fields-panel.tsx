import { StateMark } from '../parts/state-mark.js';
import { isInfringed, stateWord } from './field-words.js';
import { type Area, areasOf, fieldText, isWatched } from './fields-layer.js';
import type { ScanSource } from './scan-source.js';

/** The fields of a scanner with their states in words; infringed ones first. Nothing for a scanner without fields. */
export function FieldsPanel({ source: { link }, isNamed }: { source: ScanSource; isNamed: boolean }) {
  const areas = areasOf(link);
  if (areas.length === 0) return null;
  const rank = (area: Area) => (isInfringed(area.state) ? 0 : isWatched(area) ? 1 : 2);
  const sorted = areas.toSorted((one, other) => rank(one) - rank(other));
  return (
    <section class="panel" aria-label="Fields">
      <h2>Fields</h2>
      {isNamed && <p class="soft">{link.title.value}</p>}
      <ul class="field-states">
        {sorted.map(({ id, name, state }) => {
          const { severity, word } = stateWord(state);
          return (
            <li key={id}>
              <span class="name">{fieldText(id, name)}</span>
              <StateMark severity={severity}>{word}</StateMark>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
