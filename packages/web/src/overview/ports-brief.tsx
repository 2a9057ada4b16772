import { inputsAndOutputs, PortState } from '@azimuth/model';
import { scanner } from '../connection/current.js';
import { knownValue } from '../connection/known-value.js';
import { isMissing } from '../ports/port-state.js';
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
          const port = configured?.[index];
          const [kind, state] =
            port !== undefined && isMissing(port, ePortState) ? missing : (words[ePortState] ?? ['Port', '']);
          const name = port?.Name.trim() ?? '';
          const isNamed = name !== '' && name !== deliveredNames[index];
          const isActive = ePortState === PortState.OUTPUT_ACTIVE || ePortState === PortState.INPUT_ACTIVE;
          const number = index + 1;
          return (
            <li key={number} class={isActive ? 'active' : ''}>
              <svg viewBox="0 0 12 12" aria-hidden="true">
                <circle cx="6" cy="6" r="4.5" />
              </svg>
              <span>
                {number} {isNamed ? name : kind}
              </span>
              <span class="soft small">{isNamed ? `${kind} ${state}` : state}</span>
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

const missing = ['Not at the plug', ''] as const;

/** The names of ports that nobody has named. */
const deliveredNames = PortConfiguration.type.initial.map(({ Name }) => Name);
