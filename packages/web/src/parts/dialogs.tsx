import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { setting } from './inputs.js';

/**
 * A dialog above the page; Escape closes it.
 * @param first selects the control that has the focus at the beginning; by default, the first one of all
 */
export function Modal({
  label,
  close,
  first,
  children,
}: {
  label: string;
  close: () => void;
  first?: string;
  children: ComponentChildren;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  // Focuses the dialog before the next key, so that later keys go to the dialog.
  useLayoutEffect(() => {
    ref.current?.showModal();
    if (first !== undefined) ref.current?.querySelector<HTMLElement>(first)?.focus();
  }, []);
  return (
    <dialog ref={ref} aria-label={label} onClose={close}>
      <div class="modal">{children}</div>
    </dialog>
  );
}

/** A question before an act that cannot be undone, with the changes that follow. */
export interface Question {
  readonly title: string;
  /** A sentence about the consequences. */
  readonly text?: string;
  /** The method that is called after the question. The question names what it loses for good. */
  readonly calls?: { readonly loss: string | undefined } | undefined;
  /** Changes that will follow, a line each. */
  readonly lines?: readonly string[];
  /** The word on the button that does it. */
  readonly act: string;
  readonly danger?: boolean;
}

interface Shown extends Question {
  readonly onAnswer: (yes: boolean) => void;
}

const shown: Signal<Shown | undefined> = signal(undefined);
const failure: Signal<string | undefined> = signal(undefined);

/** Shows a question. Resolves with true if the person agrees. */
export function confirmed(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    shown.value = {
      ...question,
      onAnswer: (yes) => {
        shown.value = undefined;
        resolve(yes);
      },
    };
  });
}

/** Takes the question back, as if the person had not agreed: its scanner is not shown any more. */
export function dismissQuestion(): void {
  shown.peek()?.onAnswer(false);
}

/** Shows an error message until it is closed. */
export function tellFailure(text: string): void {
  failure.value = text;
}

/** The place of all questions and messages. */
export function Dialogs() {
  return (
    <>
      {shown.value !== undefined && <Confirmation question={shown.value} />}
      {failure.value !== undefined && <Failure text={failure.value} />}
    </>
  );
}

function Confirmation({ question }: { question: Shown }) {
  const { title, text, calls, lines = [], act, danger = false, onAnswer } = question;
  return (
    <Modal label={title} close={() => onAnswer(false)}>
      <h2>{title}</h2>
      {text !== undefined && <p>{text}</p>}
      {calls?.loss !== undefined && <p>{calls.loss}</p>}
      {lines.length > 0 && <pre class="lines">{lines.join('\n')}</pre>}
      <div class="row">
        <button type="button" class={danger ? 'danger' : 'main'} onClick={() => onAnswer(true)}>
          {act}
        </button>
        <button type="button" onClick={() => onAnswer(false)}>
          Cancel
        </button>
      </div>
    </Modal>
  );
}

function Failure({ text }: { text: string }) {
  const close = setting(failure, undefined);
  return (
    <Modal label="Not done" close={close}>
      <h2>Not done</h2>
      <p>{text}</p>
      <CloseRow close={close} />
    </Modal>
  );
}

/** The only button of a dialog with a message. */
export function CloseRow({ close }: { close: () => void }) {
  return (
    <div class="row">
      <button type="button" class="main" onClick={close}>
        Close
      </button>
    </div>
  );
}
