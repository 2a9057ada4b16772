import { extensions, inputsAndOutputs, PortType } from '@azimuth/model';
import { Act } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { knownValue, levelToCall } from '../connection/declarations.js';
import { PageContent, Panel } from '../parts/panels.js';
import { linkTo, route } from '../parts/route.js';
import { Icon, StateMark } from '../parts/states.js';
import { PortEditor } from './port-editor.js';
import { fieldNamesIn, type LiveState, liveStateOf, type Port, portWords } from './port-words.js';
import '../style/ports.css';

const { PortConfiguration, mResetOutputCounter } = inputsAndOutputs.members;

export default function Ports() {
  const link = scanner();
  const ports = knownValue(link, PortConfiguration);
  const fields = fieldNamesIn(link.value(extensions.members.fields.name));
  const chosen = Math.min(8, Math.max(1, Number(route.value.split('/')[1]) || 1)) - 1;
  if (ports === undefined) return <p class="empty">Reading the settings of the ports …</p>;
  const states = ports.map((port, index) => liveStateOf(index, port, (name) => link.value(name)));
  return (
    <PageContent title="Ports">
      <p class="lead">
        The lines of the connector. Each one takes a signal in, puts one out, or belongs to an encoder. Which
        of the eight there are depends on the plug.
      </p>
      <nav class="connector" aria-label="Connector">
        <ol>
          {ports.map((port, index) => (
            <li key={String(index)}>
              <a
                href={linkTo('ports', String(index + 1))}
                aria-current={index === chosen ? 'true' : undefined}
              >
                <span class="small soft">{index + 1}</span>
                <Line type={port.PortType} active={isActive(states[index])} />
                <span class="name">{port.Name}</span>
                <span class="small soft">{typeWords[port.PortType]}</span>
                <StateWords state={states[index]} />
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <div class="panels broad ports">
        <PortEditor index={chosen} ports={ports} fields={fields} key={String(chosen)} />
        <Panel title="All ports" label="All ports">
          <ol class="stack port-rows">
            {ports.map((port, index) => (
              <li key={String(index)}>
                <span class="number soft">{index + 1}</span>
                <span>
                  <a href={linkTo('ports', String(index + 1))}>{port.Name}</a> <Level state={states[index]} />
                  <span class="small soft port-words">{portWords(port, fields)}</span>
                </span>
              </li>
            ))}
          </ol>
          <ResetCounters />
        </Panel>
      </div>
    </PageContent>
  );
}

const typeWords: Readonly<Record<Port['PortType'], string>> = {
  [PortType.INPUT]: 'Input',
  [PortType.OUTPUT]: 'Output',
  [PortType.ENCODER]: 'Encoder',
};

/** An arrow into the scanner, out of it, or a wheel. An active line is full, another one is an outline. */
function Line({ type, active }: { type: Port['PortType']; active: boolean }) {
  return <Icon kind={active ? 'line active' : 'line'} size={32} path={shapes[type]} />;
}

const shapes: Readonly<Record<Port['PortType'], string>> = {
  [PortType.INPUT]: 'M12 4v13H6l10 11 10-11h-6V4Z',
  [PortType.OUTPUT]: 'M12 28V15H6L16 4l10 11h-6v13Z',
  [PortType.ENCODER]: 'M16 4a12 12 0 1 0 0 24 12 12 0 1 0 0-24Zm0 8a4 4 0 1 1 0 8 4 4 0 1 1 0-8Z',
};

function isActive(state: LiveState | undefined): boolean {
  return state?.kind === 'known' && state.active;
}

function StateWords({ state }: { state: LiveState | undefined }) {
  if (state?.kind === 'missing') return <span class="small soft">Not at the plug</span>;
  if (state?.kind !== 'known') return <span class="small soft">–</span>;
  return (
    <StateMark severity={state.active ? 'good' : 'idle'}>{state.active ? 'Active' : 'Inactive'}</StateMark>
  );
}

/** The signal, and how often the port became active. */
function Level({ state }: { state: LiveState | undefined }) {
  if (state?.kind === 'missing') return <span class="small soft">not at the plug of this scanner</span>;
  const { signal, count } = state?.kind === 'known' ? state : {};
  const words = [
    ...(signal === undefined ? [] : [`signal ${signal}`]),
    ...(count === undefined ? [] : [`active ${count} ×`]),
  ];
  return <span class="small soft">{words.join(', ')}</span>;
}

function ResetCounters() {
  const link = scanner();
  const question = () => ({
    title: 'Set the counters of all outputs to zero?',
    calls: mResetOutputCounter,
    act: 'Set to zero',
    danger: true,
  });
  return (
    <div class="row">
      <Act
        level={levelToCall(mResetOutputCounter)}
        act={() => link.call(mResetOutputCounter.name)}
        question={question}
      >
        Reset the counters of outputs …
      </Act>
    </div>
  );
}
