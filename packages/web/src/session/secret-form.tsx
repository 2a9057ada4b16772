import { type Level, type LoginLevel, loginLevels } from '@azimuth/model';
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import { Modal } from '../parts/dialogs.js';
import { Choice, type ChoiceProperties, choosing } from '../parts/inputs.js';
import { Job } from '../parts/jobs.js';

/** A password that a form asks for: its name in the form, its label, and which one a browser may fill in. */
type Secret<Name> = readonly [name: Name, label: string, autocomplete: 'current-password' | 'new-password'];

/** Returns the text that was typed for a password of a form. */
export type Typed<Name> = (name: Name) => string;

interface Properties<Name extends string> {
  readonly title: string;
  /** Closes the dialog that the form is. Without it, the form is a panel. */
  readonly close?: () => void;
  /** Content above the level. */
  readonly lead?: ComponentChildren;
  readonly level: Signal<LoginLevel>;
  /** Levels to choose from, and their labels. By default, all levels that log in. */
  readonly levels?: Partial<Pick<LevelProperties<LoginLevel>, 'of' | 'disabled' | 'levelLabel'>>;
  readonly secrets: readonly Secret<Name>[];
  /** Content below the passwords. */
  readonly below: (typed: Typed<Name>) => ComponentChildren;
  /** The words on the button that sends it, and those while it is sent. */
  readonly act: string;
  readonly acting?: string;
  /** Reason why nothing can be sent now; undefined if it can be sent. */
  readonly locked?: ComponentChildren;
  /**
   * Sends the passwords. Returns a message if it was done: the form then forgets the passwords. Returns undefined if it
   * was not done, and the person knows the reason.
   */
  readonly send: (typed: Typed<Name>) => Promise<string | undefined>;
  /** Returns the text for an error; undefined for an error that is not expected. */
  readonly failureText: (error: unknown) => string | undefined;
  /** Further buttons. @param tell called with the result of one of them */
  readonly buttons?: (tell: (done: string) => void) => ComponentChildren;
}

/** A form with a level and passwords: in a dialog, or in a panel. */
export function SecretForm<Name extends string>(properties: Properties<Name>) {
  const {
    title,
    close,
    lead,
    level,
    levels,
    secrets,
    below,
    act,
    acting = act,
    locked,
    buttons,
  } = properties;
  const failureId = useId();
  const values = useSignal<ReadonlyMap<Name, string>>(new Map());
  const typed = (name: Name) => values.value.get(name) ?? '';
  const job = useMemo(() => new Job<string | undefined>(), []);
  const send = async () => {
    const done = await properties.send(typed);
    if (done !== undefined) values.value = new Map();
    return done;
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void job.run(act, send, properties.failureText);
  };
  const state = job.state.value;
  const failure = locked ?? (state.kind === 'failed' ? state.reason : '');
  const form = (
    <form
      class={close === undefined ? 'panel stack' : 'stack'}
      aria-label={close === undefined ? title : undefined}
      onSubmit={submit}
    >
      <h2>{title}</h2>
      {lead}
      <LevelSelect words="Level" {...choosing(level)} of={loginLevels} {...levels} />
      {secrets.map(([name, label, autocomplete]) => (
        <SecretInput
          key={name}
          label={label}
          autocomplete={autocomplete}
          text={typed(name)}
          type={(text) => {
            values.value = new Map(values.peek()).set(name, text);
          }}
          // If there are several passwords, it is not known which one is wrong.
          failure={secrets.length > 1 ? undefined : { id: failureId, isShown: state.kind === 'failed' }}
        />
      ))}
      {below(typed)}
      {(close !== undefined || failure !== '') && (
        <p id={failureId} class="failure" role="alert">
          {failure}
        </p>
      )}
      {state.kind === 'done' && state.result !== undefined && close === undefined && (
        <p class="notice" role="status">
          {state.result}
        </p>
      )}
      <div class="row">
        <button type="submit" class="main" disabled={job.isRunning || locked !== undefined}>
          {job.isRunning ? acting : act}
        </button>
        {close !== undefined && (
          <button type="button" onClick={close}>
            Cancel
          </button>
        )}
        {buttons?.((words) => void job.run(act, async () => words))}
      </div>
    </form>
  );
  if (close === undefined) return form;
  return (
    <Modal label={title} close={close} first="input[type=password]">
      {form}
    </Modal>
  );
}

interface LevelProperties<L extends Level> extends Omit<ChoiceProperties<L>, 'options'> {
  readonly of: readonly L[];
  /** Levels that are listed, but cannot be chosen. */
  readonly disabled?: readonly L[];
  readonly levelLabel?: (level: L) => string;
}

/** One of the user levels. */
export function LevelSelect<L extends Level>({
  of,
  disabled = [],
  levelLabel = (name) => name,
  ...choice
}: LevelProperties<L>) {
  return <Choice {...choice} options={of.map((name) => [name, levelLabel(name), disabled.includes(name)])} />;
}

/** A secret that is typed. @param failure the element with the reason of a refusal, and whether it is shown */
export function SecretInput({
  label,
  kind,
  autocomplete,
  text,
  type,
  most,
  failure,
}: {
  label: ComponentChildren;
  kind?: string;
  autocomplete: 'current-password' | 'new-password' | 'off';
  text: string;
  type: (text: string) => void;
  /** Characters at most. */
  most?: number;
  failure?: { readonly id: string; readonly isShown: boolean } | undefined;
}) {
  return (
    <label class={kind}>
      {label}
      <input
        type="password"
        autocomplete={autocomplete}
        maxLength={most}
        value={text}
        aria-invalid={failure?.isShown}
        aria-describedby={failure?.id}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    </label>
  );
}
