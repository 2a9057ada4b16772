import { ClientError, ScannerError } from '@azimuth/client';
import { type Level, type LoginLevel, loginLevels, reaches } from '@azimuth/model';
import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Tick, ticking } from '../parts/inputs.js';
import { Counting, useNow } from '../parts/texts.js';
import type { Login } from './login.js';
import { SecretForm } from './secret-form.js';

interface Wanted {
  /** The level that is needed; undefined if any will do. */
  readonly level: Level | undefined;
  readonly done: (entered: boolean) => void;
}

/** The login that an action on a page waits for. */
export const wanted: Signal<Wanted | undefined> = signal(undefined);

/** Requests a login of at least this level, or of any. Resolves with true if there is one. */
export function loginWanted(level?: Level): Promise<boolean> {
  return new Promise((resolve) => {
    wanted.value = {
      level,
      done: (entered) => {
        wanted.value = undefined;
        resolve(entered);
      },
    };
  });
}

/** The purpose of each level, in a few words. */
export const purposes: Readonly<Record<LoginLevel, string>> = {
  Maintenance: 'switches outputs and groups of fields, and lets the lamps blink',
  AuthorizedClient: 'changes settings and fields',
  Service: 'everything, files and firmware too',
};

interface Properties {
  readonly login: Login;
  /** The level that an action waits for. */
  readonly needed: Level | undefined;
  /** Levels that are known to be switched off. */
  readonly off: readonly LoginLevel[];
  readonly close: (entered: boolean) => void;
}

/** Logs in and out. The password never leaves the browser: the scanner gets a proof of it. */
export function LoginPanel({ login, needed, off, close }: Properties) {
  const enough = loginLevels.filter((level) => needed === undefined || reaches(level, needed));
  // The highest level: from the factory, no other level is enabled.
  const level = useSignal<LoginLevel>(enough.at(-1) ?? 'Service');
  const keep = useSignal(false);
  const seconds = useLock(login);
  const locked = login.locked.value;
  const lost = login.lost.value;
  const lead = (
    <>
      {lost !== undefined && (
        <p class="notice warn">
          The scanner does not accept the login of {lost} any more. Somebody has changed the password, or
          switched the level off.
        </p>
      )}
      {needed !== undefined && <p>This needs the level {needed} or one above it.</p>}
      {login.level !== undefined && <p>You are logged in as {login.level}.</p>}
    </>
  );
  const logOut = () => {
    login.leave();
    close(false);
  };
  return (
    <SecretForm
      title="Log in"
      close={() => close(false)}
      lead={lead}
      level={level}
      levels={{
        disabled: loginLevels.filter((name) => !enough.includes(name)),
        levelLabel: (name) => `${name}: ${off.includes(name) ? 'switched off' : purposes[name]}`,
      }}
      secrets={[['password', 'Password', 'current-password']]}
      below={() => <Tick {...ticking(keep)}>Stay logged in when this tab is reloaded</Tick>}
      act="Log in"
      locked={locked && lockWords(seconds, locked.byThisPage)}
      send={async (typed) => {
        await login.enter(level.value, typed('password'), keep.value);
        close(true);
        return 'Logged in.';
      }}
      failureText={failureText}
      buttons={() =>
        login.level !== undefined && (
          <button type="button" onClick={logOut}>
            Log out
          </button>
        )
      }
    />
  );
}

function failureText(error: unknown): string | undefined {
  if (!(error instanceof ClientError)) return undefined;
  if (error instanceof ScannerError && error.statusName === 'accessDenied') {
    return 'The scanner does not accept this password for this level. Or the level is switched off.';
  }
  return error.message;
}

/** A scanner shows that logins are locked, but not for how long: the lock may come from somebody else. */
function lockWords(seconds: number, byThisPage: boolean) {
  const rest = <Counting>{seconds > 0 ? `${seconds} s` : 'a moment'}</Counting>;
  return byThisPage ? (
    <>Logins are locked for {rest} after five wrong passwords.</>
  ) : (
    <>
      Logins are locked, for at most {rest}: somebody else has typed wrong passwords, or asks for logins all
      the time.
    </>
  );
}

/** Seconds until the scanner accepts logins again, at most; 0 if it accepts them, or if they are over. */
function useLock(login: Login): number {
  const until = login.locked.value?.until;
  const now = useNow(until === undefined ? undefined : 500, until);
  useEffect(() => void login.checkLock(), [login]);
  return until === undefined ? 0 : Math.max(0, Math.ceil((until - now) / 1000));
}
