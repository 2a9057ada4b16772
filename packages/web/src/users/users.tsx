import { LegacyAccess, PasswordForm } from './passwords.js';
import '../style/forms.css';
import '../style/maintain.css';
import { counted, general, type LoginLevel, levels, loginLevels } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt, mayNow, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { levelToCall } from '../connection/declarations.js';
import { confirmed } from '../parts/dialogs.js';
import { StateMark } from '../parts/states.js';
import { loginWanted, purposes } from '../session/login-panel.js';
import { isOn, rightsOf } from './level-rights.js';

/** Who may log in, what they may do, and their passwords. */
export function Users() {
  return (
    <div class="content">
      <header class="lead">
        <h1>Users</h1>
        <p class="soft">
          Who may change the scanner. Everybody who reaches it can look; to change something, people log in at
          one of three levels, each with its password.
        </p>
      </header>
      <div class="panels broad">
        <WhoAmI />
        <PasswordForm />
      </div>
      <LevelTable />
      <LegacyAccess />
    </div>
  );
}

/** The present login of this browser. */
function WhoAmI() {
  const { login } = scanner();
  const { level } = login;
  return (
    <section class="panel">
      <h2>You</h2>
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
    </section>
  );
}

const { EnableUserLevel } = general.members;

/** The levels from low to high, what each adds, and whether somebody can log in with it. */
function LevelTable() {
  const edition = scanner().edition.value;
  const canSwitch = edition !== undefined && EnableUserLevel.isIn(edition);
  return (
    <section class="panel">
      <h2>The levels</h2>
      <p class="soft">
        Each level may do what those above it in this list may, and more.{' '}
        {canSwitch &&
          'A scanner does not tell which levels are on. From the factory, Service alone is on from release 2.1.0; a scanner of an older release that was updated may have all of them on.'}
      </p>
      <div class="wide">
        <table>
          <thead>
            <tr>
              <th>Level</th>
              <th>What it may do</th>
              <th>Logins</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td>Run</td>
              <td>Everybody, without a login: read all values and events.</td>
              <td>
                <StateMark severity="good">Always on</StateMark>
              </td>
            </tr>
            {loginLevels.map((level) => (
              <LevelRow key={level} level={level} canSwitch={canSwitch} />
            ))}
          </tbody>
        </table>
      </div>
      {canSwitch && (
        <div class="row">
          <NeedsLevel level={levelToCall(EnableUserLevel)} />
        </div>
      )}
    </section>
  );
}

function LevelRow({ level, canSwitch }: { level: LoginLevel; canSwitch: boolean }) {
  const link = scanner();
  const busy = useSignal(false);
  const on = isOn(level, { canSwitch, loggedIn: link.login.level, changes: link.history.changes.value });
  const needed = levelToCall(EnableUserLevel);
  const set = async (isEnabled: boolean) => {
    const question = isEnabled
      ? {
          title: `Let ${level} log in?`,
          text: `If nobody has changed its password, it is the public one of the factory. Change it at once: it can be changed only while the level is on. The change is stored at once.`,
          act: 'Switch on',
        }
      : {
          title: `Switch ${level} off?`,
          text: 'Nobody can log in at this level any more, with any password. The change is stored at once.',
          act: 'Switch off',
          danger: true,
        };
    if (!(await mayNow(needed)) || !(await confirmed(question))) return;
    await attempt(busy, needed, () =>
      link.call(EnableUserLevel.name, { userLevel: levels[level], isEnabled }),
    );
  };
  return (
    <tr>
      <td>{level}</td>
      <td>
        <Purpose level={level} />
      </td>
      <td>
        {on === undefined ? (
          <StateMark severity="idle">Not told</StateMark>
        ) : (
          <StateMark severity={on ? 'good' : 'idle'}>
            {level === 'Service' || !canSwitch ? 'Always on' : on ? 'On' : 'Off'}
          </StateMark>
        )}
        {canSwitch && level !== 'Service' && link.login.mayAs(needed) && (
          <div class="row">
            {on !== true && (
              <button type="button" disabled={busy.value} onClick={() => set(true)}>
                Switch on …<span class="hidden-text"> {level}</span>
              </button>
            )}
            {on !== false && (
              <button type="button" class="danger" disabled={busy.value} onClick={() => set(false)}>
                Switch off …<span class="hidden-text"> {level}</span>
              </button>
            )}
          </div>
        )}
      </td>
    </tr>
  );
}

function Purpose({ level }: { level: LoginLevel }) {
  const edition = scanner().edition.value;
  const words = `${purposes[level].slice(0, 1).toUpperCase()}${purposes[level].slice(1)}.`;
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
