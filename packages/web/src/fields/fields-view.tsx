import { useSignalEffect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { isOfSeveral, scanner } from '../connection/current.js';
import { AimDialog } from '../live/data-route-panel.js';
import { setting } from '../parts/inputs.js';
import { linkTo, route } from '../parts/route.js';
import { ChangesBar } from './changes-bar.js';
import { CopyPanel } from './copy-panel.js';
import { groupOf } from './draft.js';
import { DrawingTools, UndoButtons, useEditorKeys } from './editor-toolbar.js';
import { EvaluationInspector } from './evaluation-inspector.js';
import { addressOf, editorOf, type FieldEditor, noFields, selectionAt } from './field-editor.js';
import { definitionsFromText, jsonText } from './field-json.js';
import { FieldList } from './field-list.js';
import { boundsOf, FieldsStage, withoutSeenArea } from './fields-stage.js';
import { GroupInspector } from './group-inspector.js';
import { JsonPanel } from './json-panel.js';
import { ReadContours } from './read-contours.js';
import { TeachInPanel } from './teach-in-panel.js';
import { PortInspector, WireInspector } from './wiring/wire-inspector.js';
import { WiringBoard } from './wiring/wiring-board.js';
import '../style/fields.css';
import '../style/field-areas.css';

const page = 'fields';
/** In the address: the page shows the wiring. */
const wiringMode = 'wiring';

export default function Fields() {
  const link = scanner();
  const editor = editorOf(link);
  const scans = useMemo(() => withoutSeenArea(link), [link]);
  useEditorKeys(editor);
  useSelectionInAddress(editor);
  const isWiring = isWiringShown(route.value);
  return (
    <div class="fields-page">
      <header class="plan-head">
        <div>
          <h1>Fields</h1>
          <p class="soft small hidden-on-phone">
            {isWiring
              ? 'Which evaluation watches which field, and which output follows it.'
              : 'Areas that the scanner watches: each tells whether something is in it.'}{' '}
            Nothing reaches the scanner before you send it.
          </p>
        </div>
        <nav class="group modes" aria-label="Views of the fields">
          <a href={linkTo(page)} aria-current={isWiring ? undefined : 'page'}>
            Plan
          </a>
          <a href={linkTo(page, wiringMode)} aria-current={isWiring ? 'page' : undefined}>
            Wiring
          </a>
        </nav>
        <div class="editor-toolbar row" role="toolbar" aria-label="Tools">
          {!isWiring && <DrawingTools editor={editor} />}
          <UndoButtons editor={editor} />
          {!isWiring && (
            <button
              type="button"
              title="Shows all fields"
              onClick={() => scans.plan.fit(boundsOf(editor.definitions.peek() ?? noFields))}
            >
              Fit
            </button>
          )}
        </div>
      </header>
      {isWiring ? (
        <div class="stage scrolling">
          <WiringBoard editor={editor} />
        </div>
      ) : (
        <FieldsStage editor={editor} scans={scans} />
      )}
      <aside class="inspector" aria-label="Inspector">
        <ChangesBar editor={editor} />
        <Inspected editor={editor} />
      </aside>
      <AimDialog state={scans} />
    </div>
  );
}

function Overview({ editor }: { editor: FieldEditor }) {
  const definable = editor.scanner.definable.value;
  if (editor.definitions.value === undefined) return <p class="empty">Reading the fields …</p>;
  return (
    <section class="panel" aria-label="Fields and groups">
      {definable === 'nothing' && (
        <p class="small soft">
          This release shows the states of fields. Their contours cannot be read or changed.
        </p>
      )}
      {definable === 'contours' && <ReadContours editor={editor} />}
      <FieldList editor={editor} />
      <div class="row">
        {definable === 'all' && (
          <>
            <button type="button" onClick={() => editor.add({ Points: firstContour })}>
              New field
            </button>
            <button type="button" onClick={() => editor.addGroup()}>
              New group
            </button>
          </>
        )}
        <button type="button" onClick={setting(editor.selection, { kind: 'teach-in' })}>
          Teach-in …
        </button>
        {definable === 'all' && isOfSeveral.value && (
          <button type="button" onClick={setting(editor.selection, { kind: 'copy' })}>
            Copy between scanners …
          </button>
        )}
      </div>
      {definable === 'all' && (
        <JsonPanel
          title="All fields as JSON"
          text={jsonText(editor.definitions.value)}
          read={definitionsFromText}
          use={(definitions) => editor.edit(() => definitions)}
        />
      )}
    </section>
  );
}

/** A square ahead of the scanner, to be moved and changed. */
const firstContour = [
  { x: 1000, y: -500 },
  { x: 2000, y: -500 },
  { x: 2000, y: 500 },
  { x: 1000, y: 500 },
];

function Inspected({ editor }: { editor: FieldEditor }) {
  const selection = editor.selection.value;
  const evaluation = editor.selected.value;
  if (evaluation !== undefined)
    return <EvaluationInspector key={evaluation.Id} editor={editor} evaluation={evaluation} />;
  if (selection?.kind === 'group' && groupOf(editor.definitions.value ?? noFields, selection.id))
    return <GroupInspector key={selection.id} editor={editor} id={selection.id} />;
  if (selection?.kind === 'teach-in') return <TeachInPanel editor={editor} />;
  if (selection?.kind === 'copy') return <CopyPanel editor={editor} />;
  if (selection?.kind === 'port') return <PortInspector editor={editor} number={selection.id} />;
  if (selection?.kind === 'wire') return <WireInspector editor={editor} wire={selection.wire} />;
  return <Overview editor={editor} />;
}

/** True if an address shows the wiring: `fields/wiring`, `fields/wiring/port-2`. */
function isWiringShown(address: string): boolean {
  return address.split('/')[1] === wiringMode;
}

/** The address names the selection, so that a link can, too. */
function useSelectionInAddress(editor: FieldEditor): void {
  useEffect(() => {
    const named = route
      .peek()
      .split('/')
      .slice(1)
      .find((part) => part !== wiringMode);
    const selection = selectionAt(named ?? '');
    if (selection !== undefined) editor.selection.value = selection;
  }, [editor]);
  useSignalEffect(() => {
    const parts = [isWiringShown(route.value) ? wiringMode : '', addressOf(editor.selection.value)];
    const address = linkTo(page, parts.filter((part) => part !== '').join('/'));
    if (route.peek().split('/')[0] === page && location.hash !== address) location.replace(address);
  });
}
