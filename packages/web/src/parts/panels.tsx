import { type ComponentChildren, Fragment, type HTMLAttributes } from 'preact';

/** A page with its heading. A paragraph of the class `lead` below it says the purpose of the page. */
export function PageContent({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="content">
      <h1>{title}</h1>
      {children}
    </div>
  );
}

/** A part of a page with its heading. @param label makes it a landmark of this name */
export function Panel({
  title,
  label,
  kind = '',
  children,
}: {
  title: string;
  label?: string | undefined;
  kind?: string;
  children: ComponentChildren;
}) {
  return (
    <section class={`panel ${kind}`.trim()} aria-label={label}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export type Fact = readonly [name: string, fact: ComponentChildren];

/** Names with their values. Unknown values are left out. */
export function Facts({ of, kind = '' }: { of: readonly Fact[]; kind?: string }) {
  return (
    <dl class={`facts ${kind}`.trim()}>
      {of
        .filter(([, fact]) => fact !== undefined && fact !== false && fact !== '')
        .map(([name, fact]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </Fragment>
        ))}
    </dl>
  );
}

/** A number with its unit, or that it is not known. */
export function Quantity({ value, unit }: { value: string | number; unit: string }) {
  return (
    <>
      {value}
      <span class="unit">{unit}</span>
    </>
  );
}

/** Title, content and class of a column; `head` for the name of a row. */
export type Column<Row> = readonly [
  title: ComponentChildren,
  cell: (row: Row, index: number) => ComponentChildren,
  kind?: string,
];

/**
 * A table that scrolls by itself if it is too wide.
 * @param containerClass class of the element that scrolls
 * @param rowOf attributes of a row
 */
export function Table<Row>({
  kind,
  containerClass = 'wide',
  columns,
  rows,
  keyOf,
  rowOf,
}: {
  kind?: string;
  containerClass?: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row, index: number) => string | number;
  rowOf?: (row: Row, index: number) => Pick<HTMLAttributes, 'class' | 'aria-current'>;
}) {
  return (
    <div class={containerClass}>
      <table class={kind}>
        <thead>
          <tr>
            {columns.map(([title, , of], index) => (
              <th key={String(index)} scope="col" class={of?.startsWith('number') ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={keyOf(row, at)} {...rowOf?.(row, at)}>
              {columns.map(([, cell, of], index) =>
                of === 'head' ? (
                  <th key={String(index)} scope="row">
                    {cell(row, at)}
                  </th>
                ) : (
                  <td key={String(index)} class={of}>
                    {cell(row, at)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
