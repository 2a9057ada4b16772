import { useEffect } from 'preact/hooks';
import { canClose, withoutLastPoint } from './drawing.js';
import type { FieldEditor } from './field-editor.js';

/** The keys of the page: undo and redo, and those of a drawing. Inputs that are typed into keep theirs. */
export function useEditorKeys(editor: FieldEditor): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyped(event.target) || !(undoOrRedo(editor, event) || drawingKey(editor, event))) return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [editor]);
}

function undoOrRedo(editor: FieldEditor, { ctrlKey, metaKey, shiftKey, key }: KeyboardEvent): boolean {
  if (!ctrlKey && !metaKey) return false;
  const letter = key.toLowerCase();
  if (letter === 'y' || (letter === 'z' && shiftKey)) editor.redo();
  else if (letter === 'z') editor.undo();
  else return false;
  return true;
}

function drawingKey(editor: FieldEditor, { key, target }: KeyboardEvent): boolean {
  const drawing = editor.drawing.peek();
  if (drawing === undefined) return false;
  const isOnButton = target instanceof Element && target.closest('button, a') !== null;
  if (key === 'Escape') editor.draw(undefined);
  else if (key === 'Backspace') editor.drawing.value = withoutLastPoint(drawing);
  else if (key === 'Enter' && !isOnButton && canClose(drawing)) editor.finishDrawing();
  else return false;
  return true;
}

function isTyped(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input, select, textarea, dialog, [contenteditable]') !== null
  );
}
