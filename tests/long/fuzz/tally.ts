/** What came back, counted by the category of what was sent. */
export class Tally {
  readonly #cases = new Map<string, number>();
  readonly #statuses = new Map<string, Map<string, number>>();

  /** One case of a category, with what it was answered: statuses, `page` for what has none, `closed`. */
  count(category: string, outcomes: readonly (number | 'page' | 'closed')[]): void {
    this.#cases.set(category, this.cases(category) + 1);
    const statuses = this.#statuses.get(category) ?? new Map<string, number>();
    for (const outcome of outcomes) statuses.set(String(outcome), (statuses.get(String(outcome)) ?? 0) + 1);
    this.#statuses.set(category, statuses);
  }

  cases(category: string): number {
    return this.#cases.get(category) ?? 0;
  }

  /** How often a status came, in one category or in all. */
  status(status: number, category?: string): number {
    const of = category === undefined ? [...this.#statuses.keys()] : [category];
    return of.reduce((sum, name) => sum + (this.#statuses.get(name)?.get(String(status)) ?? 0), 0);
  }

  get total(): number {
    return [...this.#cases.values()].reduce((sum, count) => sum + count, 0);
  }

  toString(): string {
    const rows = [...this.#cases].map(([category, cases]) => {
      const statuses = [...(this.#statuses.get(category) ?? [])]
        .toSorted()
        .map(([name, n]) => `${name}:${n}`);
      return `${category.padEnd(22)}${String(cases).padStart(8)}  ${statuses.join(' ')}`;
    });
    return rows.join('\n');
  }
}
