import { useEffect } from 'preact/hooks';
import type { LiveState } from './live-state.js';

/** Elements that a key belongs to, if it is pressed in them. */
const typedInto = 'input, select, textarea, dialog, [contenteditable]';
const pressable = 'button, summary, a';

/** Space freezes, `,` and `.` show the scan before and after, `m` measures, `f` shows everything, Escape drops the choice. */
export function useLiveKeys(state: LiveState): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const { target } = event;
      if (target instanceof Element) {
        if (target.closest(typedInto) !== null) return;
        if (event.key === ' ' && target.closest(pressable) !== null) return;
      }
      if (act(state, event.key)) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [state]);
}

function act(state: LiveState, key: string): boolean {
  switch (key) {
    case ' ':
      state.toggleFreeze();
      return true;
    case ',':
      state.step(-1);
      return true;
    case '.':
      state.step(1);
      return true;
    case 'm':
      state.toggleMeasuring();
      return true;
    case 'f':
      state.fit();
      return true;
    case 'Escape':
      state.drop();
      return true;
    default:
      return false;
  }
}
