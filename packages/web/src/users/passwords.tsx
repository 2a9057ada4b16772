import { ClientError, legacyPasswordHash, ResultError } from '@azimuth/client';
import { general, type LoginLevel, levels } from '@azimuth/model';
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Act, attempt, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { levelToCall } from '../connection/declarations.js';
import { Panel } from '../parts/panels.js';
import { doubtAbout, faultOf, LevelSelect, SecretInput, useSending } from '../session/secret-form.js';

const { changePassword, EnableLegacyUserLevel, SetPassword } = general.members;
/** Service may set the password of any level; nobody else needs to. */
const needed = 'Service';

/** Sets the password of a level. Its old password is the proof, so nobody has to be logged in. */
export function PasswordForm() {
  const link = scanner();
  const level = useSignal<LoginLevel>(link.login.level ?? 'Service');
  const old = useSignal('');
  const done = useSignal('');
  const edition = link.edition.value;
  if (edition !== undefined && !changePassword.isIn(edition)) {
    return (
      <Panel title="Change a password">
        <p class="soft">This release cannot change passwords. It takes 1.5.0 or a later one.</p>
      </Panel>
    );
  }
  const change = async (next: string) => {
    await link.login.changePassword(level.value, old.value, next);
    link.history.called(changePassword.name, undefined);
    done.value = `The password of ${level.value} is changed. It counts from now on, and stays after a reboot.`;
    old.value = '';
    return true;
  };
  return (
    <NewPassword
      title="Change a password"
      act="Change the password"
      level={level}
      done={done}
      send={change}
      proof={<SecretInput label="Old password" text={old} />}
      note={
        <>
          Neither password leaves this browser as it is: the new one is encrypted with the old one. Programs
          that log in need the new one, too. The interfaces A and B have passwords of their own, below, which
          stay.
        </>
      }
    />
  );
}

/** The logins of the interfaces A and B, which have passwords and switches of their own. */
export function LegacyAccess() {
  const link = scanner();
  const level = useSignal<LoginLevel>('AuthorizedClient');
  const busy = useSignal(false);
  const done = useSignal('');
  const edition = link.edition.value;
  if (edition !== undefined && !SetPassword.isIn(edition)) return null;
  const name = level.value;
  const set = (next: string) => {
    const request = { siUserLevel: levels[name], udiNewPassword: legacyPasswordHash(next) };
    return attempt(busy, needed, async () => {
      await link.call(SetPassword.name, request);
      done.value = `The password of ${name} at the interfaces A and B is set. It counts from the next login on, and stays after a reboot.`;
    });
  };
  const turn = (isEnabled: boolean) => async () => {
    await link.call(EnableLegacyUserLevel.name, { userLevel: levels[name], isEnabled });
    done.value = `${name} is switched ${isEnabled ? 'on' : 'off'} at the interfaces A and B.`;
  };
  const switchLevel = levelToCall(EnableLegacyUserLevel);
  return (
    <NewPassword
      title="Interfaces A and B"
      act="Set the password"
      level={level}
      done={done}
      send={set}
      lead={
        <p class="soft">
          Older programs and drivers log in there. They have the same levels, with passwords and switches of
          their own. A scanner does not tell which levels are on.
        </p>
      }
      note={
        <>
          The scanner gets a hash of it. These interfaces are not encrypted, and whoever listens can use the
          hash: take another password than for the web pages.
        </>
      }
    >
      {edition !== undefined && EnableLegacyUserLevel.isIn(edition) && (
        <>
          <Act
            level={switchLevel}
            busy={busy}
            act={turn(true)}
            question={() => ({
              title: `Let ${name} log in at the interfaces A and B?`,
              text: 'If nobody has set its password there, it is the public one of the factory. The change is stored at once.',
              act: 'Switch on',
            })}
          >
            Switch on …
          </Act>
          <Act
            level={switchLevel}
            busy={busy}
            kind="danger"
            act={turn(false)}
            question={() => ({
              title: `Switch ${name} off at the interfaces A and B?`,
              text: 'Nobody can log in there at this level any more, and open connections lose it. The change is stored at once.',
              act: 'Switch off',
              danger: true,
            })}
          >
            Switch off …
          </Act>
        </>
      )}
      <NeedsLevel level={needed} />
    </NewPassword>
  );
}

interface Properties {
  readonly title: string;
  readonly act: string;
  readonly level: Signal<LoginLevel>;
  /** What was done last. */
  readonly done: Signal<string>;
  /** Sends the new password. Answers whether it was taken. */
  readonly send: (newPassword: string) => Promise<boolean>;
  readonly lead?: ComponentChildren;
  readonly proof?: ComponentChildren;
  readonly note: ComponentChildren;
  /** Further buttons. */
  readonly children?: ComponentChildren;
}

/** A form for the new password of a level, typed twice. */
function NewPassword({ title, act, level, done, send, lead, proof, note, children }: Properties) {
  const next = useSignal('');
  const again = useSignal('');
  const doubt = doubtAbout(level.value, next.value);
  const { busy, failure, submit } = useSending(async () => {
    done.value = '';
    const fault = faultOf(next.value, again.value);
    if (fault !== undefined) failure.value = fault;
    else if (await send(next.value)) {
      next.value = '';
      again.value = '';
    }
  }, wordsOf);
  return (
    <form class="panel stack" aria-label={title} onSubmit={submit}>
      <h2>{title}</h2>
      {lead}
      <LevelSelect level={level} />
      {proof}
      <SecretInput label="New password" autocomplete="new-password" text={next} />
      <SecretInput label="New password once more" autocomplete="new-password" text={again} />
      {doubt !== undefined && <p class="notice warn">{doubt}</p>}
      <p class="small soft">{note}</p>
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
          {act}
        </button>
        {children}
      </div>
    </form>
  );
}

function wordsOf(error: unknown): string | undefined {
  if (!(error instanceof ClientError)) return undefined;
  if (!(error instanceof ResultError)) return error.message;
  return `${error.detail.slice(0, 1).toUpperCase()}${error.detail.slice(1)}.`;
}
