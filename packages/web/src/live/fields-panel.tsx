import { FieldState } from '@azimuth/model';
import type { Severity } from '../parts/severity.js';
import { StateMark } from '../parts/state-mark.js';
import { areasOf, isInfringed } from './fields-layer.js';
import type { ScanSource } from './scan-source.js';

const words: Readonly<Record<number, readonly [Severity, string]>> = {
  [FieldState.NOT_CONFIGURED]: ['idle', 'not set up'],
  [FieldState.INACTIVE]: ['idle', 'inactive'],
  [FieldState.FREE]: ['good', 'free'],
  [FieldState.DETECTING_INFRINGED]: ['warn', 'something comes in'],
  [FieldState.INFRINGED]: ['bad', 'infringed'],
  [FieldState.DETECTING_FREE]: ['bad', 'infringed, clearing'],
};

/** The fields of a scanner with their states in words; infringed ones first. Nothing for a scanner without fields. */
export function FieldsPanel({ source: { link }, isNamed }: { source: ScanSource; isNamed: boolean }) {
  const areas = areasOf(link);
  if (areas.length === 0) return null;
  const rank = (state: number) => (isInfringed(state) ? 0 : state === FieldState.INACTIVE ? 2 : 1);
  const sorted = areas.toSorted((one, other) => rank(one.state) - rank(other.state));
  return (
    <section class="panel" aria-label="Fields">
      <h2>Fields</h2>
      {isNamed && <p class="soft">{link.title.value}</p>}
      <ul class="field-states">
        {sorted.map(({ id, name, state }) => {
          const [severity, word] = words[state] ?? ['idle', 'unknown'];
          return (
            <li key={id}>
              <span class="name">{name}</span>
              <StateMark severity={severity}>{word}</StateMark>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
