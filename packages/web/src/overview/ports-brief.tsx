import { inputsAndOutputs, PortState } from '@azimuth/model';
import { scanner } from '../connection/current.js';
import { knownValue } from '../connection/known-value.js';
import { linkTo } from '../routing/route.js';

const { PortConfiguration, PortState: portState } = inputsAndOutputs.members;

/** What a port is now, in words. */
const words: Readonly<Record<number, readonly [kind: string, state: string]>> = {
  [PortState.OUTPUT_NOT_ACTIVE]: ['Output', 'off'],
  [PortState.OUTPUT_ACTIVE]: ['Output', 'on'],
  [PortState.TRISTATE]: ['Not used', ''],
  [PortState.INPUT_ACTIVE]: ['Input', 'active'],
  [PortState.INPUT_NOT_ACTIVE]: ['Input', 'inactive'],
};

/** All I/O ports in brief: what each is, and whether it is active. */
export function PortsBrief() {
  const link = scanner();
  const states = knownValue(link, portState);
  const configured = knownValue(link, PortConfiguration);
  if (states === undefined) return null;
  return (
    <section class="panel" aria-labelledby="ports-title">
      <h2 id="ports-title">Inputs and outputs</h2>
      <ul class="ports-brief">
        {states.aInternalPorts.map(({ ePortState }, index) => {
          const [kind, state] = words[ePortState] ?? ['Port', ''];
          const name = configured?.[index]?.Name.trim() ?? '';
          const isActive = ePortState === PortState.OUTPUT_ACTIVE || ePortState === PortState.INPUT_ACTIVE;
          const number = index + 1;
          return (
            <li key={number} class={isActive ? 'active' : ''}>
              <svg viewBox="0 0 12 12" aria-hidden="true">
                <circle cx="6" cy="6" r="4.5" />
              </svg>
              <span>
                {number} {name !== '' && name !== unnamed ? name : kind}
              </span>
              <span class="soft small">{name !== '' && name !== unnamed ? `${kind} ${state}` : state}</span>
            </li>
          );
        })}
      </ul>
      <p class="small">
        <a href={linkTo('parameters', PortConfiguration.name)}>Set up the ports</a>
      </p>
    </section>
  );
}

/** The name of a port that nobody has named. */
const unnamed = PortConfiguration.type.initial[0]?.Name;
