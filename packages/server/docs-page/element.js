/**
 * An element with what it has and holds; text stays text.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Partial<HTMLElementTagNameMap[T]>} has
 * @param {...(Node | string)} inside
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, has = {}, ...inside) {
  const made = Object.assign(document.createElement(tag), has);
  made.append(...inside);
  return made;
}

/** A text whose parts in backticks are code. @param {string} text */
export function withCode(text) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part));
}

/**
 * @param {string} caption
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
export function table(caption, head, rows) {
  const line = (/** @type {readonly string[]} */ cells, /** @type {'th' | 'td'} */ tag) =>
    element(
      'tr',
      {},
      ...cells.map((cell, index) => headed(element(tag, {}, ...withCode(cell)), head[index])),
    );
  const made = element(
    'table',
    {},
    ...(caption === '' ? [] : [element('caption', {}, ...withCode(caption))]),
    element('thead', {}, line(head, 'th')),
    element('tbody', {}, ...rows.map((row) => line(row, 'td'))),
  );
  return element('div', { className: 'scroll' }, made);
}

/** Where there is no room for columns, each cell says what it is. @param {HTMLElement} cell @param {string} [head] */
function headed(cell, head = '') {
  cell.dataset.head = head;
  return cell;
}

/**
 * The element of this id.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function found(id, kind) {
  const there = document.getElementById(id);
  if (there instanceof kind) return there;
  throw new Error(`the page has no ${id}`);
}

/**
 * JSON for reading: a list of numbers or words takes one line.
 * @param {unknown} value
 * @returns {string}
 */
export function shown(value, indent = '') {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    if (!value.some((item) => typeof item === 'object' && item !== null))
      return `[${value.map((item) => shown(item)).join(', ')}]`;
    return `[\n${value.map((item) => deeper + shown(item, deeper)).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value);
  if (members.length === 0) return '{}';
  return `{\n${members.map(([name, item]) => `${deeper}${JSON.stringify(name)}: ${shown(item, deeper)}`).join(',\n')}\n${indent}}`;
}
