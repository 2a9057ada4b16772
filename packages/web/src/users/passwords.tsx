import { ClientError, legacyPasswordHash, ResultError } from '@azimuth/client';
import { general, isLoginLevel, type LoginLevel, levels, loginLevels } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt, mayNow, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { levelToCall } from '../connection/declarations.js';
import { confirmed } from '../parts/dialogs.js';
import { doubtAbout, faultOf, SecretInput } from '../session/secret-form.js';

const { changePassword } = general.members;

/** Sets the password of a level. Its old password is the proof, so nobody has to be logged in. */
export function PasswordForm() {
  const link = scanner();
  const level = useSignal<LoginLevel>(link.login.level ?? 'Service');
  const old = useSignal('');
  const next = useSignal('');
  const again = useSignal('');
  const busy = useSignal(false);
  const failure = useSignal('');
  const done = useSignal('');
  const edition = link.edition.value;
  if (edition !== undefined && !changePassword.isIn(edition)) {
    return (
      <section class="panel">
        <h2>Change a password</h2>
        <p class="soft">This release cannot change passwords. It takes 1.5.0 or a later one.</p>
      </section>
    );
  }
  const doubt = doubtAbout(level.value, next.value);
  const change = async (event: Event) => {
    event.preventDefault();
    done.value = '';
    failure.value = faultOf(next.value, again.value) ?? '';
    if (failure.value !== '' || busy.value) return;
    busy.value = true;
    try {
      await link.login.changePassword(level.value, old.value, next.value);
      link.history.called(changePassword.name, undefined);
      done.value = `The password of ${level.value} is changed. It counts from now on, and stays after a reboot.`;
      old.value = '';
      next.value = '';
      again.value = '';
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      failure.value = wordsOf(error);
    } finally {
      busy.value = false;
    }
  };
  return (
    <form class="panel stack" aria-label="Change a password" onSubmit={change}>
      <h2>Change a password</h2>
      <label>
        Level
        <select
          value={level.value}
          onChange={({ currentTarget }) => {
            if (isLoginLevel(currentTarget.value)) level.value = currentTarget.value;
          }}
        >
          {loginLevels.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <SecretInput label="Old password" autocomplete="current-password" text={old} />
      <SecretInput label="New password" autocomplete="new-password" text={next} />
      <SecretInput label="New password once more" autocomplete="new-password" text={again} />
      {doubt !== undefined && <p class="notice warn">{doubt}</p>}
      <p class="small soft">
        Neither password leaves this browser as it is: the new one is encrypted with the old one. Programs
        that log in need the new one, too. The interfaces A and B have passwords of their own, below, which
        stay.
      </p>
      {failure.value !== '' && (
        <p class="failure" role="alert">
          {failure.value}
        </p>
      )}
      {done.value !== '' && (
        <p class="notice" role="status">
          {done.value}
        </p>
      )}
      <div class="row">
        <button type="submit" class="main" disabled={busy.value}>
          Change the password
        </button>
      </div>
    </form>
  );
}

function wordsOf(error: ClientError): string {
  if (!(error instanceof ResultError)) return error.message;
  return `${error.detail.slice(0, 1).toUpperCase()}${error.detail.slice(1)}.`;
}

const { EnableLegacyUserLevel, SetPassword } = general.members;
/** Service may set the password of any level; nobody else needs to. */
const needed = 'Service';

/** The logins of the interfaces A and B, which have passwords and switches of their own. */
export function LegacyAccess() {
  const link = scanner();
  const level = useSignal<LoginLevel>('AuthorizedClient');
  const next = useSignal('');
  const again = useSignal('');
  const busy = useSignal(false);
  const failure = useSignal('');
  const done = useSignal('');
  const edition = link.edition.value;
  if (edition !== undefined && !SetPassword.isIn(edition)) return null;
  const canSwitch = edition !== undefined && EnableLegacyUserLevel.isIn(edition);
  const doubt = doubtAbout(level.value, next.value);

  const change = async (event: Event) => {
    event.preventDefault();
    done.value = '';
    failure.value = faultOf(next.value, again.value) ?? '';
    if (failure.value !== '') return;
    const request = { siUserLevel: levels[level.value], udiNewPassword: legacyPasswordHash(next.value) };
    if (!(await attempt(busy, needed, () => link.call(SetPassword.name, request)))) return;
    done.value = `The password of ${level.value} at the interfaces A and B is set. It counts from the next login on, and stays after a reboot.`;
    next.value = '';
    again.value = '';
  };
  const set = async (isEnabled: boolean) => {
    const name = level.value;
    const question = isEnabled
      ? {
          title: `Let ${name} log in at the interfaces A and B?`,
          text: 'If nobody has set its password there, it is the public one of the factory. The change is stored at once.',
          act: 'Switch on',
        }
      : {
          title: `Switch ${name} off at the interfaces A and B?`,
          text: 'Nobody can log in there at this level any more, and open connections lose it. The change is stored at once.',
          act: 'Switch off',
          danger: true,
        };
    if (!(await mayNow(levelToCall(EnableLegacyUserLevel))) || !(await confirmed(question))) return;
    const request = { userLevel: levels[name], isEnabled };
    const isDone = await attempt(busy, levelToCall(EnableLegacyUserLevel), () =>
      link.call(EnableLegacyUserLevel.name, request),
    );
    if (isDone) done.value = `${name} is switched ${isEnabled ? 'on' : 'off'} at the interfaces A and B.`;
  };

  return (
    <form class="panel stack" aria-label="Interfaces A and B" onSubmit={change}>
      <h2>Interfaces A and B</h2>
      <p class="soft">
        Older programs and drivers log in there. They have the same levels, with passwords and switches of
        their own. A scanner does not tell which levels are on.
      </p>
      <label>
        Level
        <select
          value={level.value}
          onChange={({ currentTarget }) => {
            if (isLoginLevel(currentTarget.value)) level.value = currentTarget.value;
          }}
        >
          {loginLevels.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <SecretInput label="New password" autocomplete="new-password" text={next} />
      <SecretInput label="New password once more" autocomplete="new-password" text={again} />
      {doubt !== undefined && <p class="notice warn">{doubt}</p>}
      <p class="small soft">
        The scanner gets a hash of it. These interfaces are not encrypted, and whoever listens can use the
        hash: take another password than for the web pages.
      </p>
      {failure.value !== '' && (
        <p class="failure" role="alert">
          {failure.value}
        </p>
      )}
      {done.value !== '' && (
        <p class="notice" role="status">
          {done.value}
        </p>
      )}
      <div class="row">
        <button type="submit" class="main" disabled={busy.value}>
          Set the password
        </button>
        {canSwitch && (
          <>
            <button type="button" disabled={busy.value} onClick={() => set(true)}>
              Switch on …
            </button>
            <button type="button" class="danger" disabled={busy.value} onClick={() => set(false)}>
              Switch off …
            </button>
          </>
        )}
        <NeedsLevel level={needed} />
      </div>
    </form>
  );
}
