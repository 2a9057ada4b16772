import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A dialog above the page; Escape closes it. */
export function Modal({
  label,
  close,
  children,
}: {
  label: string;
  close: () => void;
  children: ComponentChildren;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  // Before the next key: what is typed behind the one that opens it belongs to it.
  useLayoutEffect(() => {
    ref.current?.showModal();
  }, []);
  return (
    <dialog ref={ref} aria-label={label} onClose={close}>
      <div class="modal">{children}</div>
    </dialog>
  );
}
