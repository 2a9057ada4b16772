import { ClientError, Scanner } from '@azimuth/client';
import type { SiteScanner } from '@azimuth/http/site';
import { builtInInterface, type Variable } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { urlAt } from '../connection/current.js';
import { wireName } from '../connection/scanner-link.js';
import type { RefusedValue } from '../forms/refusal.js';
import { refusalBy } from '../forms/refusal.js';
import { ValueControl } from '../forms/value-control.js';
import { type SiteAct, writeAct } from './site-acts.js';

const writable = [...builtInInterface.variables, ...builtInInterface.extensions].filter(
  ({ facts }) => facts.write !== undefined,
);

interface Properties {
  /** The scanner whose value the form begins with. */
  readonly first: SiteScanner;
  /** Gets the act; undefined while none can be done. */
  readonly prepare: (act: SiteAct | undefined) => void;
}

/** A variable, and the value that all chosen scanners will get. */
export function WriteForm({ first, prepare }: Properties) {
  const listId = useId();
  const typed = useSignal('');
  const value = useSignal<unknown>(undefined);
  const refusal = useSignal<RefusedValue | undefined>(undefined);
  const failure = useSignal('');
  const variable = writable.find(({ name }) => name === typed.value);
  const edit = (of: Variable<unknown>, json: unknown) => {
    value.value = json;
    refusal.value = refusalBy(of, json);
    prepare(refusal.value === undefined ? writeAct(of, json) : undefined);
  };
  const choose = async (name: string) => {
    typed.value = name;
    value.value = undefined;
    failure.value = '';
    prepare(undefined);
    const chosen = writable.find((one) => one.name === name);
    if (chosen === undefined) return;
    try {
      const json = await new Scanner({ url: urlAt(first.path) }).readAny(wireName(name));
      if (typed.peek() === name) edit(chosen, json);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      failure.value = `${first.name} does not tell its value.`;
      edit(chosen, chosen.type.initial);
    }
  };
  return (
    <>
      <label>
        Variable
        <input
          type="text"
          list={listId}
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onInput={({ currentTarget }) => void choose(currentTarget.value)}
        />
      </label>
      <datalist id={listId}>
        {writable.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {variable !== undefined && <p class="soft small">{variable.facts.text}</p>}
      {failure.value !== '' && <p class="notice warn">{failure.value}</p>}
      {variable !== undefined && value.value !== undefined && (
        <ValueControl
          shape={variable.type.shape}
          value={value.value}
          onChange={(json) => edit(variable, json)}
          label={variable.name}
          refusal={refusal.value}
          withRange
          unitOf={(member) => variable.unitOf(member)}
        />
      )}
    </>
  );
}
