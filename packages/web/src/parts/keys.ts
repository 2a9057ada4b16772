import { useEffect, useRef } from 'preact/hooks';

/**
 * Follows the keys that are pressed anywhere on the page, but for those that are typed into an element.
 * @param act answers whether it was its key, which then does nothing else
 * @param isFirst whether it comes before what the elements of the page do with keys
 */
export function useKeys(act: (event: KeyboardEvent) => boolean, isFirst = false): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isTyped(event.target) && latest.current(event)) event.preventDefault();
    };
    addEventListener('keydown', onKey, { capture: isFirst });
    return () => removeEventListener('keydown', onKey, { capture: isFirst });
  }, [isFirst]);
}

/** Does a key belong to an element that is typed into? */
function isTyped(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input, select, textarea, dialog, [contenteditable]') !== null
  );
}
