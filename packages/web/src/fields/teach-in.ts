import { ClientError } from '@azimuth/client';
import type { Level } from '@azimuth/model';
import { type Signal, signal } from '@preact/signals';
import { ofEachScanner } from '../connection/scanner-link.js';
import { tellFailure } from '../parts/dialogs.js';
import { type DraftChange, groupsOf, withMembership, withNewEvaluation } from './draft.js';
import { type FieldEditor, noFields } from './field-editor.js';

/** Choices beside the settings of the scanner. They stay while other pages are shown. */
export interface TeachInOptions {
  /** True for a band around what is there, which has to stay there. */
  readonly asReference: boolean;
  /** Number of the group of a new field; 0 for one that is always active. */
  readonly group: number;
  /** s until it stops; 0 to stop it by hand. */
  readonly seconds: number;
}

/** The level that starts and stops a teach-in. */
export const teachInLevel: Level = 'AuthorizedClient';

/** A teach-in that is started here. It goes on, and stops after its time, whichever page is shown. */
export class TeachIn {
  readonly options: Signal<TeachInOptions> = signal({ asReference: false, group: 0, seconds: 0 });
  /** True while the scanner starts or stops it. */
  readonly busy: Signal<boolean> = signal(false);
  /** Changes by the last one; undefined if there was none, or while one goes on. */
  readonly made: Signal<readonly DraftChange[] | undefined> = signal(undefined);
  readonly #editor: FieldEditor;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(editor: FieldEditor) {
    this.#editor = editor;
  }

  /** Starts it, or starts it anew. @throws ClientError */
  async start(): Promise<void> {
    const { link, teachingSince } = this.#editor;
    this.made.value = undefined;
    if (teachingSince.peek() === undefined) await prepare(this.#editor, this.options.peek());
    await link.call('StartTeachIn');
    teachingSince.value = performance.now();
    clearTimeout(this.#timer);
    const { seconds } = this.options.peek();
    if (seconds > 0) this.#timer = setTimeout(() => void this.#stopByItself(), 1000 * seconds);
  }

  /** Stops it: the scanner makes the field. @throws ClientError */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    // The scanner has stopped recording, whatever the result is.
    this.#editor.teachingSince.value = undefined;
    this.made.value = await this.#editor.changedByScanner(() => this.#editor.link.call('StopTeachIn'));
  }

  async #stopByItself(): Promise<void> {
    if (this.busy.peek() || this.#editor.teachingSince.peek() === undefined) return;
    if (!this.#editor.link.login.mayAs(teachInLevel)) {
      tellFailure('The teach-in goes on: log in, and stop it on the page of the fields.');
      return;
    }
    this.busy.value = true;
    try {
      await this.stop();
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      tellFailure(error.message);
    } finally {
      this.busy.value = false;
    }
  }
}

export const teachInOf = ofEachScanner<TeachIn, FieldEditor>((editor) => new TeachIn(editor));

/** The fields that a teach-in gives a contour. */
export function fieldsWithoutContour(editor: FieldEditor) {
  return (editor.definitions.value ?? noFields).evaluations.filter(({ Points }) => Points.length === 0);
}

/** Makes the field that teach-in fills, if the one that the scanner would make itself is not the wanted one. */
async function prepare(editor: FieldEditor, { asReference, group }: TeachInOptions): Promise<void> {
  if (editor.scanner.definable.peek() !== 'all' || fieldsWithoutContour(editor).length > 0) return;
  if (!asReference && group === 0) return;
  editor.edit((now) => {
    const added = withNewEvaluation(now, { Name: 'TeachIn', ContourAsReference: asReference });
    if (added === undefined) return now;
    if (group === 0) return added.definitions;
    const inNone = groupsOf(added.definitions, added.id).reduce(
      (definitions, { Id }) => withMembership(definitions, Id, added.id, false),
      added.definitions,
    );
    return withMembership(inNone, group, added.id, true);
  });
  await editor.send();
}
