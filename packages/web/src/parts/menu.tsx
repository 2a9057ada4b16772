import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './states.js';
import '../style/menu.css';

/** A button with a list below it. A press outside, a button in it, and Escape close it. */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = () => {
      if (menu.current !== null) menu.current.open = false;
    };
    const onDown = ({ target }: PointerEvent) => {
      if (!(target instanceof Node) || !menu.current?.contains(target)) close();
    };
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('.menu-items button') !== null) close();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || menu.current?.open !== true) return;
      event.preventDefault();
      event.stopPropagation();
      close();
      menu.current.querySelector('summary')?.focus();
    };
    const { current } = menu;
    addEventListener('pointerdown', onDown);
    current?.addEventListener('click', onClick);
    current?.addEventListener('keydown', onKey);
    return () => {
      removeEventListener('pointerdown', onDown);
      current?.removeEventListener('click', onClick);
      current?.removeEventListener('keydown', onKey);
    };
  }, []);
  return (
    <details class="menu" ref={menu}>
      <summary class="button">
        {label}
        <Icon kind="chevron" path="M2 4l4 4 4-4" />
      </summary>
      <div class="menu-items">{children}</div>
    </details>
  );
}
