import type { Edition, Level, Variable } from '@azimuth/model';
import type { ComponentChildren } from 'preact';
import { ParameterForm } from './parameter-form.js';
import { variableNamed } from './variables.js';
import '../style/forms.css';

/** Some variables that belong together, with what a person calls them. */
export type Labelled = readonly (readonly [Variable<unknown>, string])[];

/** The forms of variables in a panel, with a heading above their columns. Nothing if the scanner has none of them. */
export function ParameterGroup({
  title,
  variables,
  edition,
  toldLevel,
  children,
}: {
  title: string;
  variables: Labelled;
  edition: Edition | undefined;
  /** A level that the page has asked for already. */
  toldLevel?: Level;
  /** What stands above the forms. */
  children?: ComponentChildren;
}) {
  const present = variables.filter(([{ name }]) => variableNamed(name, edition) !== undefined);
  if (present.length === 0) return null;
  return (
    <section class="panel parameters parameter-panel" aria-label={title}>
      <header class="parameter-panel-head">
        <h2>{title}</h2>
        <span class="small soft">Working</span>
        <span class="small soft">Stored</span>
        <span class="small soft">Factory</span>
      </header>
      {children}
      <div>
        {present.map(([{ name }, label]) => (
          <ParameterForm
            key={name}
            name={name}
            label={label}
            {...(toldLevel === undefined ? {} : { toldLevel })}
          />
        ))}
      </div>
    </section>
  );
}
