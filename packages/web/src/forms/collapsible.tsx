import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/** Something that is opened by its summary. What is inside exists only while it is open. */
export function Collapsible({
  title,
  summary,
  forced,
  children,
}: {
  title: string;
  summary: string;
  /** Open, whatever the person did: there is something to mend inside. */
  forced: boolean;
  children: () => ComponentChildren;
}) {
  const wanted = useSignal(false);
  const open = wanted.value || forced;
  return (
    <details
      class="collapsible"
      open={open}
      onToggle={({ currentTarget }) => {
        wanted.value = currentTarget.open;
      }}
    >
      <summary>
        <span class="collapsible-title">{title}</span>
        <span class="soft small">{summary}</span>
      </summary>
      {open && children()}
    </details>
  );
}
