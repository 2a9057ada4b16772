import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentType } from 'preact';
import type { Page } from './pages.js';

const loaded = new Map<string, ComponentType>();

/** A page, or that it is on its way. */
export function LazyPage({ page }: { page: Page }) {
  const state = useSignal<'loading' | 'there' | 'failed'>(loaded.has(page.id) ? 'there' : 'loading');
  useSignalEffect(() => {
    if (state.value !== 'loading') return;
    page.load().then(
      (module) => {
        loaded.set(page.id, module.default);
        state.value = 'there';
      },
      () => {
        state.value = 'failed';
      },
    );
  });
  const Content = loaded.get(page.id);
  if (Content !== undefined) return <Content />;
  if (state.value === 'failed') {
    return (
      <div class="empty">
        <p>This page could not be loaded: the scanner does not answer.</p>
        <button
          type="button"
          onClick={() => {
            state.value = 'loading';
          }}
        >
          Try again
        </button>
      </div>
    );
  }
  return <p class="empty">Loading …</p>;
}
