import { ClientError, legacyPasswordHash, ResultError } from '@azimuth/client';
import { factoryPasswords, general, type LoginLevel, levels } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Act, attempt, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { levelToCall } from '../connection/declarations.js';
import { Panel } from '../parts/panels.js';
import { sentence } from '../parts/texts.js';
import { SecretForm, type Typed } from '../session/secret-form.js';

const { changePassword, EnableLegacyUserLevel, SetPassword } = general.members;
/** Service may set the password of any level; no other login needs to. */
const needed = 'Service';

/** A new password is typed twice. */
const newSecrets = [
  ['next', 'New password', 'new-password'],
  ['again', 'New password once more', 'new-password'],
] as const;

/** Sets the password of a level. The old password is the proof, so no login is needed. */
export function PasswordForm() {
  const link = scanner();
  const level = useSignal<LoginLevel>(link.login.level ?? 'Service');
  const edition = link.edition.value;
  if (edition !== undefined && !changePassword.isIn(edition)) {
    return (
      <Panel title="Change a password">
        <p class="soft">This release cannot change passwords. It takes 1.5.0 or a later one.</p>
      </Panel>
    );
  }
  return (
    <SecretForm
      title="Change a password"
      act="Change the password"
      level={level}
      secrets={[['old', 'Old password', 'current-password'], ...newSecrets]}
      send={async (typed) => {
        checkNew(typed);
        await link.login.changePassword(level.value, typed('old'), typed('next'));
        link.history.called(changePassword.name, undefined);
        return `The password of ${level.value} is changed. It counts from now on, and stays after a reboot.`;
      }}
      failureText={refusalText}
      below={(typed) => (
        <AboutNew level={level.value} typed={typed}>
          Neither password leaves this browser as it is: the new one is encrypted with the old one. Programs
          that log in need the new one, too. The interfaces A and B have passwords of their own, below, which
          stay.
        </AboutNew>
      )}
    />
  );
}

/** The logins of the interfaces A and B, which have passwords and switches of their own. */
export function LegacyAccess() {
  const link = scanner();
  const level = useSignal<LoginLevel>('AuthorizedClient');
  const busy = useSignal(false);
  const edition = link.edition.value;
  if (edition !== undefined && !SetPassword.isIn(edition)) return null;
  const name = level.value;
  const set = async (typed: Typed<'next' | 'again'>) => {
    checkNew(typed);
    const request = { siUserLevel: levels[name], udiNewPassword: legacyPasswordHash(typed('next')) };
    const isSet = await attempt(busy, needed, () => link.call(SetPassword.name, request));
    return isSet
      ? `The password of ${name} at the interfaces A and B is set. It counts from the next login on, and stays after a reboot.`
      : undefined;
  };
  const turn = (isEnabled: boolean, tell: (done: string) => void) => async () => {
    await link.call(EnableLegacyUserLevel.name, { userLevel: levels[name], isEnabled });
    tell(`${name} is switched ${isEnabled ? 'on' : 'off'} at the interfaces A and B.`);
  };
  const switches = { level: levelToCall(EnableLegacyUserLevel), busy };
  return (
    <SecretForm
      title="Interfaces A and B"
      act="Set the password"
      level={level}
      secrets={newSecrets}
      send={set}
      failureText={refusalText}
      lead={
        <p class="soft">
          Older programs and drivers log in there. They have the same levels, with passwords and switches of
          their own. A scanner does not tell which levels are on.
        </p>
      }
      below={(typed) => (
        <AboutNew level={name} typed={typed}>
          The scanner gets a hash of it. These interfaces are not encrypted, and whoever listens can use the
          hash: take another password than for the web pages.
        </AboutNew>
      )}
      buttons={(tell) => (
        <>
          {edition !== undefined && EnableLegacyUserLevel.isIn(edition) && (
            <>
              <Act
                {...switches}
                act={turn(true, tell)}
                question={() => ({
                  title: `Let ${name} log in at the interfaces A and B?`,
                  text: 'If nobody has set its password there, it is the public one of the factory. The change is stored at once.',
                  act: 'Switch on',
                })}
              >
                Switch on …
              </Act>
              <Act
                {...switches}
                kind="danger"
                act={turn(false, tell)}
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
        </>
      )}
    />
  );
}

/** Rules for a new password, and warnings about it. */
function AboutNew({
  level,
  typed,
  children,
}: {
  level: LoginLevel;
  typed: Typed<'next'>;
  children: ComponentChildren;
}) {
  const doubt = doubtAbout(level, typed('next'));
  return (
    <>
      {doubt !== undefined && <p class="notice warn">{doubt}</p>}
      <p class="small soft">{children}</p>
    </>
  );
}

/** A new password that cannot be sent. */
class NewPasswordError extends Error {}

/** @throws NewPasswordError if a new password cannot be sent */
function checkNew(typed: Typed<'next' | 'again'>): void {
  const problem = passwordProblem(typed('next'), typed('again'));
  if (problem !== undefined) throw new NewPasswordError(problem);
}

/** Returns the reason why a new password cannot be sent; undefined if it can be sent. */
export function passwordProblem(newPassword: string, repeated: string): string | undefined {
  if (newPassword === '') return 'The new password is empty.';
  return newPassword === repeated ? undefined : 'The two new passwords differ.';
}

/** Returns the weakness of a new password that a scanner accepts; undefined if none is known. */
export function doubtAbout(level: LoginLevel, newPassword: string): string | undefined {
  return newPassword === factoryPasswords[level]
    ? 'This is the factory password of this level. It is public.'
    : undefined;
}

function refusalText(error: unknown): string | undefined {
  if (error instanceof NewPasswordError) return error.message;
  if (!(error instanceof ClientError)) return undefined;
  if (!(error instanceof ResultError)) return error.message;
  return sentence(error.detail);
}
