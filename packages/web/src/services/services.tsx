import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { attempt, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { levelToWrite } from '../connection/declarations.js';
import {
  levelToSwitchWebServer,
  useWebServerSwitch,
  webServerQuestion,
} from '../network/web-server-switch.js';
import { confirmed } from '../parts/dialogs.js';
import { type Column, PageContent, Table } from '../parts/panels.js';
import { linkTo } from '../parts/route.js';
import { StateMark } from '../parts/states.js';
import { isServiceOn, type Reached, type Service, type ServiceSwitch, servicesOf } from './service-rows.js';
import { appliesNow, questionOf, switchService } from './switching.js';
import '../style/services.css';

export default function Services() {
  const link = scanner();
  const rows = servicesOf(link.edition.value);
  return (
    <PageContent title="Services">
      <p class="lead">
        Every port and protocol of the scanner, and who may switch it. What is not needed should be off. See
        also who may log in (<a href={linkTo('users')}>Users</a>) and how to encrypt (
        <a href={linkTo('certificates')}>Certificates</a>).
      </p>
      {rows.length === 0 ? (
        <p class="empty">Reading what this scanner has …</p>
      ) : (
        <section class="panel" aria-label="Services">
          <NeedsLevel level={levelToSwitchWebServer} />
          <Table kind="services" rows={rows} keyOf={({ id }) => id} columns={columns} />
        </section>
      )}
      <p class="small soft">
        The ports are those of the settings, or of the protocol. A virtual scanner can have others, which its
        command line sets. A scanner can have more services that its interface does not show.
        {link.edition.value !== undefined &&
          !appliesNow(link) &&
          ' This release puts switches of the interfaces and of the search into force at the next reboot, if they are saved.'}
      </p>
    </PageContent>
  );
}

function reachedNow(): Reached {
  const link = scanner();
  return { url: link.isOfFleet ? undefined : link.shownUrl, value: (name) => link.value(name) };
}

const columns: readonly Column<Service>[] = [
  [
    'Service',
    ({ name, purpose, page: [id, words] }) => (
      <>
        {name}
        <br />
        <span class="small soft purpose">
          {purpose}. <a href={linkTo(id)}>{words}</a>
        </span>
      </>
    ),
    'head',
  ],
  ['Port', ({ port }) => port(reachedNow()), 'port'],
  [
    'On its way',
    ({ isEncrypted }) => (isEncrypted ? 'Encrypted' : <span class="soft">Not encrypted</span>),
    'way',
  ],
  ['State', (service) => <State service={service} />, 'now'],
  ['Switch', (service) => <SwitchCell service={service} />, 'switching'],
];

function State({ service }: { service: Service }) {
  const reached = reachedNow();
  const on = isServiceOn(service, reached);
  const more = service.detail?.(reached);
  return (
    <>
      {on === undefined ? (
        <StateMark severity="idle">Not known</StateMark>
      ) : (
        <StateMark severity={on ? 'good' : 'idle'}>{on ? 'On' : 'Off'}</StateMark>
      )}
      {more !== undefined && <span class="small soft"> {more}</span>}
    </>
  );
}

function SwitchCell({ service }: { service: Service }) {
  if (service.id === 'http') return <WebServerSwitch name={service.name} />;
  if (service.switch === undefined) return <span class="soft">–</span>;
  return <VariableSwitch service={service} way={service.switch} />;
}

function VariableSwitch({ service, way }: { service: Service; way: ServiceSwitch }) {
  const link = scanner();
  const busy = useSignal(false);
  const level = levelToWrite(way.variable);
  const isOn = isServiceOn(service, reachedNow()) === true;
  const change = async (on: boolean) => {
    const question = questionOf(link, service, on);
    if (question !== undefined && !(await confirmed(question))) return;
    await attempt(busy, level, () => switchService(link, way, on));
  };
  return (
    <Toggle name={service.name} isOn={isOn} busy={busy.value} change={change}>
      <span class="small soft">{level}</span>
    </Toggle>
  );
}

function WebServerSwitch({ name }: { name: string }) {
  const link = scanner();
  const busy = useSignal(false);
  const { isOn, failure, set } = useWebServerSwitch(link);
  if (isOn.value === undefined) return <span class="small soft">{failure.value || '…'}</span>;
  const change = async (on: boolean) => {
    if (!on && !(await confirmed(webServerQuestion()))) return;
    await attempt(busy, levelToSwitchWebServer, () => set(on));
  };
  return (
    <Toggle name={name} isOn={isOn.value} busy={busy.value} change={change}>
      <span class="small soft">
        {levelToSwitchWebServer}
        {!isOn.value && ', off after the next reboot'}
      </span>
    </Toggle>
  );
}

function Toggle({
  name,
  isOn,
  busy,
  change,
  children,
}: {
  name: string;
  isOn: boolean;
  busy: boolean;
  change: (on: boolean) => Promise<void>;
  children: ComponentChildren;
}) {
  return (
    <div class="row">
      <input
        type="checkbox"
        role="switch"
        class="toggle"
        aria-checked={isOn}
        aria-label={`${name} on`}
        checked={isOn}
        disabled={busy}
        onChange={async ({ currentTarget }) => {
          const on = currentTarget.checked;
          // What the scanner says counts, not what was pressed.
          currentTarget.checked = !on;
          await change(on);
        }}
      />
      {children}
    </div>
  );
}
