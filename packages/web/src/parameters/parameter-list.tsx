import { type Level, mentions, sameJson, type Variable } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { scanner } from '../connection/current.js';
import type { Edition } from '../connection/declarations.js';
import { factoryValueOf, variablesOf } from '../connection/declarations.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { ParameterForm } from '../forms/parameter-form.js';
import { SearchInput } from '../parts/inputs.js';
import { linkTo, route } from '../parts/route.js';
import { loginWanted } from '../session/login-panel.js';
import { AllParameters } from './all-parameters.js';
import { type Group, grouped, type Kind, savedWords, wantedBy } from './unsaved.js';
import '../style/parameters.css';

/** The level that most parameters need. */
const usualLevel: Level = 'AuthorizedClient';

export default function Parameters() {
  const edition = scanner().edition.value;
  if (edition === undefined) return <p class="empty">Asking the scanner what it has …</p>;
  return <ParameterList edition={edition} />;
}

/** All parameters of a scanner of this edition, with a filter. */
function ParameterList({ edition }: { edition: Edition }) {
  const link = scanner();
  const typed = useSignal('');
  const variables = variablesOf(edition);
  const rest = restOf(route.value);
  const { kind, target } = wantedBy(rest, variables);
  const groups = grouped(
    variables.filter((variable) => isOf(kind, variable, link, edition) && mentions(variable, typed.value)),
  );
  useEffect(() => {
    if (target === '') return;
    // A filter from before must not hide the parameter that the address names.
    typed.value = '';
    requestAnimationFrame(() => {
      const place =
        document.getElementById(`parameter-${target}`) ?? document.getElementById(groupId(target));
      place?.scrollIntoView({ block: 'start' });
      focusIn(document.getElementById(`parameter-${target}`));
    });
  }, [target]);
  return (
    <div class="content">
      <header class="page-head">
        <div>
          <h1>Parameters</h1>
          <p class="lead">
            Everything that can be set. A value that you write counts at once. Save to keep it after a reboot.
          </p>
        </div>
        <AllParameters edition={edition} />
      </header>
      <MayNotWrite link={link} />
      <div class="filters row">
        <SearchInput label="Filter parameters" placeholder="Filter by name or description" typed={typed} />
        <Kinds kind={kind} link={link} />
      </div>
      <div class="parameter-columns">
        <GroupList groups={groups} target={target} />
        <div class="parameter-groups parameters">
          {groups.length === 0 && <Nothing kind={kind} typed={typed.value} link={link} />}
          {groups.map(({ name, variables: members }) => (
            <section key={name} id={groupId(name)} aria-label={name}>
              <header class="columns-head group-head">
                <h2 class="large">{name}</h2>
                <span class="small soft">Working</span>
                <span class="small soft">{kind === 'read-only' ? '' : 'Stored'}</span>
                <span class="small soft">{kind === 'read-only' ? '' : 'Factory'}</span>
              </header>
              {members.map((variable) => (
                <ParameterForm
                  key={variable.name}
                  name={variable.name}
                  requestedLevel={usualLevel}
                  highlighted={variable.name === target}
                />
              ))}
            </section>
          ))}
        </div>
      </div>
    </div>
  );
}

function restOf(path: string): string {
  const [, ...rest] = path.split('/');
  try {
    return decodeURIComponent(rest.join('/'));
  } catch {
    return '';
  }
}

/**
 * A form that the address names takes the focus, so that a person can type at once. A form that cannot be changed takes
 * the focus as a whole.
 */
function focusIn(form: HTMLElement | null): void {
  if (form === null) return;
  const control = form.querySelector<HTMLElement>('input, select, textarea, .parameter-working button');
  if (control === null) form.tabIndex = -1;
  (control ?? form).focus({ preventScroll: true });
}

function groupId(name: string): string {
  return `group-${name.replaceAll(/\W+/g, '-')}`;
}

function isOf(kind: Kind, variable: Variable<unknown>, link: ScannerLink, edition: Edition): boolean {
  if (kind === 'read-only') return !variable.stored;
  if (!variable.stored) return false;
  if (kind === 'unsaved') return link.stored.unsaved.value?.includes(variable.name) === true;
  if (kind === 'all') return true;
  const working = link.value(variable.name);
  return working !== undefined && !sameJson(working, factoryValueOf(variable, edition));
}

function MayNotWrite({ link }: { link: ScannerLink }) {
  if (link.login.mayAs(usualLevel)) return null;
  return (
    <div class="notice">
      <span>You can look at everything. To change something, log in.</span>
      <button type="button" onClick={() => loginWanted(usualLevel)}>
        Log in
      </button>
    </div>
  );
}

const kinds: readonly (readonly [Kind, string])[] = [
  ['all', 'All'],
  ['unsaved', 'Unsaved'],
  ['changed', 'Not as from the factory'],
  ['read-only', 'States and counters'],
];

function Kinds({ kind, link }: { kind: Kind; link: ScannerLink }) {
  const unsaved = link.stored.unsaved.value;
  return (
    <nav class="segments" aria-label="Which parameters">
      {kinds.map(([one, words]) =>
        one === 'unsaved' && unsaved === undefined ? null : (
          <a
            key={one}
            class="button"
            href={linkTo('parameters', one === 'all' ? '' : one)}
            aria-current={one === kind ? 'true' : undefined}
          >
            {words}
            {one === 'unsaved' && unsaved !== undefined && <span class="count">{unsaved.length}</span>}
          </a>
        ),
      )}
    </nav>
  );
}

function GroupList({ groups, target }: { groups: readonly Group[]; target: string }) {
  return (
    <nav class="group-list" aria-label="Groups of parameters">
      <ul>
        {groups.map(({ name, variables }) => (
          <li key={name}>
            <a
              href={linkTo('parameters', encodeURIComponent(name))}
              aria-current={name === target ? 'true' : undefined}
              onClick={() => document.getElementById(groupId(name))?.scrollIntoView({ block: 'start' })}
            >
              {name} <span class="small soft">{variables.length}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Nothing({ kind, typed, link }: { kind: Kind; typed: string; link: ScannerLink }) {
  if (typed !== '') return <p class="empty">Nothing here has “{typed}” in its name or its description.</p>;
  if (kind === 'unsaved') return <p class="empty">{savedWords(link.stored)}</p>;
  return <p class="empty">Everything is as from the factory.</p>;
}
