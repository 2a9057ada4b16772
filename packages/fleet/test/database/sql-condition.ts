import type { Statement } from '../../src/database/database.js';

/** A value of a column, of a parameter, or of several columns side by side. */
type Value = string | number | boolean | null | readonly Value[];

/** Columns as the condition names them, parameters as `$1`, and the time as `clock_timestamp()`. */
export type Facts = Readonly<Record<string, Value>>;

/**
 * True if a row fulfils a condition of a statement. No database is needed: the conditions compare columns, parameters and the
 * time. Reads AND, OR, NOT, IS NULL, comparisons (also of rows), `= ANY (…)`, `greatest(…)`, `right(…)`, `length(…)` and
 * `clock_timestamp()`. A comparison with NULL is false.
 * @param behind the text before the condition: its first occurrence
 */
export function fulfils(statement: Statement | string, behind: string, facts: Facts): boolean {
  const text = typeof statement === 'string' ? statement : statement.text;
  const at = text.indexOf(behind);
  if (at < 0) throw new Error(`expected ${behind} in: ${text}`);
  return new Condition(text.slice(at + behind.length), facts).any() === true;
}

const word = /'[^']*'|<>|<=|>=|[<>=(),]|\$\d+|[\w.]+/g;

class Condition {
  readonly #words: readonly string[];
  readonly #facts: Facts;
  #at = 0;

  constructor(text: string, facts: Facts) {
    this.#words = text.replaceAll(/::\w+(\[\])?/g, '').match(word) ?? [];
    this.#facts = facts;
  }

  any(): Value {
    let found = this.#all();
    while (this.#has('OR')) found = [this.#all(), found].includes(true);
    return found;
  }

  #all(): Value {
    let found = this.#one();
    while (this.#has('AND')) found = ![this.#one(), found].includes(false);
    return found;
  }

  #one(): Value {
    if (this.#has('NOT')) return this.#one() === false;
    const left = this.#value();
    if (this.#has('IS')) {
      const isNot = this.#has('NOT');
      this.#expect('NULL');
      return (left === null) !== isNot;
    }
    const sign = this.#words[this.#at] ?? '';
    if (!['=', '<>', '<', '<=', '>', '>='].includes(sign)) return left;
    this.#at++;
    if (this.#has('ANY')) {
      const list = this.#value();
      return Array.isArray(list) && list.includes(left);
    }
    const right = this.#value();
    if (left === null || right === null) return false;
    const order = orderOf(left, right);
    if (sign === '=') return order === 0;
    if (sign === '<>') return order !== 0;
    return sign.startsWith('<') ? order < 0 || (sign === '<=' && order === 0) : this.#isAfter(order, sign);
  }

  #isAfter(order: number, sign: string): boolean {
    return order > 0 || (sign === '>=' && order === 0);
  }

  #value(): Value {
    const name = this.#words[this.#at++] ?? 'nothing';
    if (name === '(') return this.#list();
    if (name === 'clock_timestamp') {
      this.#expect('(').#expect(')');
      return this.#fact('clock_timestamp()');
    }
    if (name === 'greatest') {
      const values = this.#expect('(').#list();
      return Math.max(...[values].flat(9).map(Number));
    }
    if (name === 'length') return String(this.#expect('(').#list()).length;
    if (name === 'right') {
      const [text, count] = [this.#expect('(').#list()].flat(1);
      return String(text).slice(-Number(count));
    }
    return /^\d+$/.test(name) ? Number(name) : this.#fact(name);
  }

  /** One value in parentheses, or several. */
  #list(): Value {
    const values = [this.any()];
    while (this.#has(',')) values.push(this.any());
    this.#expect(')');
    return values.length === 1 ? (values[0] ?? null) : values;
  }

  #fact(name: string): Value {
    const fact = this.#facts[name];
    if (fact === undefined) throw new Error(`expected a fact named ${name}`);
    return fact;
  }

  #has(wanted: string): boolean {
    if (this.#words[this.#at] !== wanted) return false;
    this.#at++;
    return true;
  }

  #expect(wanted: string): this {
    if (!this.#has(wanted)) throw new Error(`expected ${wanted}, not ${this.#words[this.#at]}`);
    return this;
  }
}

/** Negative if one is less than the other. Rows are compared like words, from their first column on. */
function orderOf(one: Value, other: Value): number {
  if (!Array.isArray(one) || !Array.isArray(other))
    return one === other ? 0 : Number(one) < Number(other) ? -1 : 1;
  for (const [index, left] of one.entries()) {
    const order = orderOf(left, other[index] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}
