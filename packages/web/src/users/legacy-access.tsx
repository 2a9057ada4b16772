import { legacyPasswordHash } from '@azimuth/client';
import { general, isLoginLevel, type LoginLevel, levels, loginLevels } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt, mayNow } from '../connection/attempt.js';
import { scanner } from '../connection/current.js';
import { levelToCall } from '../connection/needed-level.js';
import { NeedsLevel } from '../forms/needs-level.js';
import { confirmed } from '../parts/dialogs.js';
import { doubtAbout, faultOf } from './new-password.js';
import { SecretInput } from './secret-input.js';

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
