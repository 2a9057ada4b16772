import { PageContent, Panel, Table } from '../parts/panels.js';
import { sentence } from '../parts/texts.js';
import { LegacyAccess, PasswordForm } from './passwords.js';
import '../style/forms.css';
import { counted, general, type LoginLevel, levels, loginLevels } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { Act, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { levelToCall } from '../connection/declarations.js';
import { StateMark } from '../parts/states.js';
import { loginWanted, purposes } from '../session/login-panel.js';
import { isOn, rightsOf } from './level-rights.js';

export default function Users() {
  return (
    <PageContent title="Users">
      <p class="lead">
        Who may change the scanner. Everybody who reaches it can look; to change something, people log in at
        one of three levels, each with its password.
      </p>
      <div class="panels broad">
        <WhoAmI />
        <PasswordForm />
      </div>
      <LevelTable />
      <LegacyAccess />
    </PageContent>
  );
}

function WhoAmI() {
  const { login } = scanner();
  const { level } = login;
  return (
    <Panel title="You">
      {level === undefined ? (
        <>
          <StateMark severity="idle">Not logged in</StateMark>
          <p class="soft">You can look at everything, and change nothing.</p>
        </>
      ) : (
        <>
          <StateMark severity="good">{`Logged in as ${level}`}</StateMark>
          <p class="soft">This level: {purposes[level]}.</p>
        </>
      )}
      {login.hasFactoryPassword && (
        <p class="notice warn" role="status">
          You logged in with the factory password. It is public: change it.
        </p>
      )}
      <div class="row">
        <button type="button" class={level === undefined ? 'main' : ''} onClick={() => loginWanted()}>
          {level === undefined ? 'Log in …' : 'Log in at another level …'}
        </button>
        {level !== undefined && (
          <button type="button" onClick={() => login.leave()}>
            Log out
          </button>
        )}
      </div>
    </Panel>
  );
}

const { EnableUserLevel } = general.members;
const levelToSwitch = levelToCall(EnableUserLevel);

function LevelTable() {
  const edition = scanner().edition.value;
  const canSwitch = edition !== undefined && EnableUserLevel.isIn(edition);
  return (
    <Panel title="The levels">
      <p class="soft">
        Each level may do what those above it in this list may, and more.{' '}
        {canSwitch &&
          'A scanner does not tell which levels are on. From the factory, Service alone is on from release 2.1.0; a scanner of an older release that was updated may have all of them on.'}
      </p>
      <Table
        rows={['Run', ...loginLevels] as const}
        keyOf={(level) => level}
        columns={[
          ['Level', (level) => level],
          [
            'What it may do',
            (level) =>
              level === 'Run' ? (
                'Everybody, without a login: read all values and events.'
              ) : (
                <Purpose level={level} />
              ),
          ],
          [
            'Logins',
            (level) =>
              level === 'Run' ? (
                <StateMark severity="good">Always on</StateMark>
              ) : (
                <Logins level={level} canSwitch={canSwitch} />
              ),
          ],
        ]}
      />
      {canSwitch && (
        <div class="row">
          <NeedsLevel level={levelToSwitch} />
        </div>
      )}
    </Panel>
  );
}

function Logins({ level, canSwitch }: { level: LoginLevel; canSwitch: boolean }) {
  const link = scanner();
  const busy = useSignal(false);
  const on = isOn(level, { canSwitch, loggedIn: link.login.level, changes: link.history.changes.value });
  const set = (isEnabled: boolean) => () =>
    link.call(EnableUserLevel.name, { userLevel: levels[level], isEnabled });
  return (
    <>
      {on === undefined ? (
        <StateMark severity="idle">Not told</StateMark>
      ) : (
        <StateMark severity={on ? 'good' : 'idle'}>
          {level === 'Service' || !canSwitch ? 'Always on' : on ? 'On' : 'Off'}
        </StateMark>
      )}
      {canSwitch && level !== 'Service' && link.login.mayAs(levelToSwitch) && (
        <div class="row">
          {on !== true && (
            <Act
              level={levelToSwitch}
              busy={busy}
              act={set(true)}
              question={() => ({
                title: `Let ${level} log in?`,
                text: 'If nobody has changed its password, it is the public one of the factory. Change it at once: it can be changed only while the level is on. The change is stored at once.',
                act: 'Switch on',
              })}
            >
              Switch on …<span class="hidden-text"> {level}</span>
            </Act>
          )}
          {on !== false && (
            <Act
              level={levelToSwitch}
              busy={busy}
              kind="danger"
              act={set(false)}
              question={() => ({
                title: `Switch ${level} off?`,
                text: 'Nobody can log in at this level any more, with any password. The change is stored at once.',
                act: 'Switch off',
                danger: true,
              })}
            >
              Switch off …<span class="hidden-text"> {level}</span>
            </Act>
          )}
        </div>
      )}
    </>
  );
}

function Purpose({ level }: { level: LoginLevel }) {
  const edition = scanner().edition.value;
  const words = sentence(purposes[level]);
  if (edition === undefined) return <>{words}</>;
  const { writes, calls } = rightsOf(level, edition);
  return (
    <>
      {words}
      {writes.length > 0 && <Names title={`${counted(writes.length, 'value')} to change`} names={writes} />}
      {calls.length > 0 && <Names title={`${counted(calls.length, 'method')} to call`} names={calls} />}
    </>
  );
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  return (
    <details>
      <summary>{title}</summary>
      <p class="small soft">{names.join(', ')}</p>
    </details>
  );
}
