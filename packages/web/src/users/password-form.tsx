import { ClientError, ResultError } from '@azimuth/client';
import { general, isLoginLevel, type LoginLevel, loginLevels } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { scanner } from '../connection/current.js';
import { doubtAbout, faultOf } from './new-password.js';
import { SecretInput } from './secret-input.js';

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
