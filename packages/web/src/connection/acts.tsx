import { ClientError, PasswordMissingError } from '@azimuth/client';
import { general, type Level, type Variable } from '@azimuth/model';
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { confirmed, type Question, tellFailure } from '../parts/dialogs.js';
import { loginWanted } from '../session/login-panel.js';
import { scanner } from './current.js';
import { knownValue, levelToCall, levelToWrite } from './declarations.js';
import type { ScannerLink } from './scanner-link.js';

/**
 * Runs a command to the scanner. If the level is not reached, it asks for a login first; if the command fails, it shows
 * the reason. If the scanner no longer accepts the login, it asks for another one, and tries once again.
 * @param busy true while it is done
 * @returns true if it was done
 */
export async function attempt(
  busy: Signal<boolean>,
  level: Level,
  act: () => Promise<unknown>,
): Promise<boolean> {
  if (busy.peek() || !(await mayNow(level))) return false;
  busy.value = true;
  try {
    await actLoggedIn(level, act);
    return true;
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    tellFailure(error instanceof PasswordMissingError ? 'Log in first.' : error.message);
    return false;
  } finally {
    busy.value = false;
  }
}

async function actLoggedIn(level: Level, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (scanner().login.lost.peek() === undefined || !(await mayNow(level))) throw error;
    await act();
  }
}

/** Resolves with true if there is a login at this level or above it. If not, it asks for a login first. */
export async function mayNow(level: Level): Promise<boolean> {
  return scanner().login.mayAs(level) || loginWanted(level);
}

/** Says which level something needs, with the way to log in; nothing if the present login reaches it. */
export function NeedsLevel({ level }: { level: Level }) {
  if (scanner().login.mayAs(level)) return null;
  return (
    <button type="button" class="needs-level small" onClick={() => loginWanted(level)}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d="M3 5V4a3 3 0 0 1 6 0v1h1v6H2V5Zm1.5 0h3V4a1.5 1.5 0 0 0-3 0Z" fill="currentColor" />
      </svg>
      Needs {level}
    </button>
  );
}

interface ActProperties {
  readonly level: Level;
  readonly act: () => Promise<unknown>;
  /** Question to the person before the command. */
  readonly question?: () => Question;
  /** `main` or `danger` */
  readonly kind?: string;
  readonly disabled?: boolean;
  /** True while one of several buttons acts: they share it, so that only one acts at a time. */
  readonly busy?: Signal<boolean> | undefined;
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** A button that does something to the scanner, as `attempt` does. */
export function Act({ level, act, question, kind, disabled, busy, title, children }: ActProperties) {
  const own = useSignal(false);
  const acting = busy ?? own;
  const press = async () => {
    if (question !== undefined && !((await mayNow(level)) && (await confirmed(question())))) return;
    await attempt(acting, level, act);
  };
  return (
    <button
      type="button"
      class={kind}
      title={title}
      disabled={acting.value || disabled === true}
      onClick={press}
    >
      {children}
    </button>
  );
}

export function SaveButton({
  link,
  kind = 'main',
  busy,
  disabled = false,
  children = 'Save',
}: {
  link: ScannerLink;
  kind?: string;
  busy?: Signal<boolean>;
  disabled?: boolean;
  children?: ComponentChildren;
}) {
  return (
    <Act level={levelToSave} act={() => link.save()} kind={kind} busy={busy} disabled={disabled}>
      {children}
    </Act>
  );
}

export const levelToSave = levelToCall(general.members.WriteEeprom);

/** Says that something is switched off, with a button that switches it on. Shows nothing while it is on. */
export function SwitchOn({
  variable,
  children,
}: {
  variable: Variable<boolean>;
  children: ComponentChildren;
}) {
  const link = scanner();
  if (knownValue(link, variable) !== false) return null;
  const level = levelToWrite(variable);
  return (
    <p class="notice warn">
      {children}
      <Act kind="main" level={level} act={() => link.write(variable.name, true)}>
        Switch on
      </Act>
      <NeedsLevel level={level} />
    </p>
  );
}
