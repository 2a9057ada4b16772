import { element, found, shown, table, withCode } from './element.js';
import { isObject, jsonIn, read, send } from './scanner.js';

/**
 * @typedef {import('@azimuth/model/reference').CatalogueEntry} Entry
 */

/** One line of the list, which shows the rest when it is opened. @param {Entry} entry */
export function entryElement(entry) {
  const { name, text, kind, level, event, since } = entry;
  const who = level ?? (kind === 'variable' ? 'read-only' : '');
  const made = element(
    'details',
    { className: 'entry', id: name },
    element(
      'summary',
      {},
      element('span', { className: 'name' }, name),
      element('span', { className: 'mark' }, kind),
      ...(event ? [element('span', { className: 'mark' }, 'event')] : []),
      ...(since === undefined ? [] : [element('span', { className: 'mark' }, `since ${since}`)]),
      element('span', { className: 'who' }, who),
      element('span', { className: 'text' }, ...withCode(text)),
    ),
  );
  made.addEventListener('toggle', () => {
    if (made.open && made.childElementCount === 1) made.append(insideOf(entry));
  });
  return made;
}

/** @param {Entry} entry */
function insideOf(entry) {
  const { name, kind, unit, takes = [], gives = [], verbs } = entry;
  const inside = element('div', { className: 'inside' });
  if (kind === 'page') inside.append(element('p', {}, element('a', { href: entry.path }, entry.path)));
  if (kind === 'variable' || kind === 'method') inside.append(...trying(entry));
  if (takes.length > 0) {
    const value = unit === undefined ? 'Value' : `Value, in ${unit}`;
    // Of a value that is no struct only the places below its name tell anything.
    const key = name.replace(/^x\//, '');
    const rows = takes.map(([at, ...rest]) => [
      at.replace(`\`${key}\``, '').replace(`\`${key}[`, '`['),
      ...rest,
    ]);
    inside.append(table(kind === 'method' ? 'Takes' : value, ['member', 'type', 'default'], rows));
  }
  if (gives.length > 0) {
    const rows = gives.map(([at, type]) => [at, type]);
    inside.append(table('Gives', ['member', 'type'], rows));
  }
  if (verbs !== undefined) {
    inside.append(table('', ['verb', 'what it does', 'what is transferred', 'session token'], verbs));
  }
  return inside;
}

/** Reads at once what can be read, and sends what is typed. @param {Entry} entry */
function trying(entry) {
  const { name, kind, path, login, level } = entry;
  const key = name.replace(/^x\//, '');
  const isVariable = kind === 'variable';
  const isTyped = isVariable ? level !== undefined : entry.takes !== undefined;
  const answer = element('pre', { hidden: true });
  answer.setAttribute('role', 'status');
  const input = element('textarea', { spellcheck: false, ariaLabel: `JSON for ${name}` });

  /** @param {string} text @param {boolean} good */
  const tell = (text, good) => {
    answer.hidden = text === '';
    answer.className = good ? '' : 'bad';
    answer.textContent = text;
  };

  /** @param {() => Promise<void>} act */
  const doing = async (act) => {
    for (const button of buttons) button.disabled = true;
    try {
      await act();
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error), false);
    }
    for (const button of buttons) button.disabled = false;
  };

  const reading = () =>
    doing(async () => {
      const { status, detail, json } = await read(path);
      if (status !== 0) {
        tell(`${detail} (${status})`, false);
        return;
      }
      const value = shown(isObject(json.data) ? json.data[key] : undefined);
      if (isTyped) input.value = value;
      tell(isTyped ? '' : value, true);
    });

  const sending = () =>
    doing(async () => {
      const typed = isTyped ? jsonIn(input.value) : undefined;
      if (isTyped && typed === undefined) {
        tell('This is no JSON.', false);
        return;
      }
      const user = found('user', HTMLSelectElement).value;
      const password = found('password', HTMLInputElement);
      if (login && password.value === '') {
        tell('This needs a password: type it at the top of the page.', false);
        password.focus();
        return;
      }
      const data = isVariable ? { [key]: typed } : typed;
      const reply = await send(path, data, login ? { user, password: password.value } : undefined);
      const given = reply.json.data ?? reply.json.challenge;
      if (reply.status !== 0) tell(`${reply.detail} (${reply.status})`, false);
      else tell(given === undefined ? 'Done.' : shown(given), true);
    });

  const readButton = element('button', { type: 'button', onclick: reading }, 'Read');
  const sendButton = element('button', { type: 'button', onclick: sending }, isVariable ? 'Write' : 'Call');
  const buttons = isVariable ? (isTyped ? [readButton, sendButton] : [readButton]) : [sendButton];
  if (isVariable) void reading();
  else if (isTyped) input.value = shown(entry.example);
  return [...(isTyped ? [input] : []), element('div', { className: 'try' }, ...buttons), answer];
}
