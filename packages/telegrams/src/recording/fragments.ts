/** Datagrams that may be incomplete at the same time; one more, and the oldest is given up. */
const mostDatagrams = 64;
/** Fragments of a datagram: 64 KiB in the shortest that networks make of it, and more. */
const mostFragments = 1024;
const mostBytes = 65_535;

interface Fragment {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

interface Incomplete {
  readonly fragments: Fragment[];
  /** Bytes of all fragments. */
  bytes: number;
  /** Bytes of the whole; Infinity as long as the last fragment is missing. */
  whole: number;
}

/** Puts datagrams together that came in fragments, in whichever order. */
export class Fragments {
  readonly #incomplete = new Map<string, Incomplete>();

  /**
   * Takes a fragment of the datagram of this name.
   * @param more says whether others come behind it.
   * @returns the datagram, where it is whole now.
   */
  add(name: string, offset: number, more: boolean, bytes: Uint8Array): Uint8Array | undefined {
    const incomplete = this.#incomplete.get(name) ?? this.#begin(name);
    if (!more) incomplete.whole = offset + bytes.length;
    if (incomplete.fragments.some((other) => other.offset === offset)) return undefined;
    incomplete.fragments.push({ offset, bytes });
    incomplete.bytes += bytes.length;
    if (incomplete.fragments.length > mostFragments || offset + bytes.length > mostBytes) {
      this.#incomplete.delete(name);
      return undefined;
    }
    if (incomplete.bytes < incomplete.whole) return undefined;
    this.#incomplete.delete(name);
    return joined(incomplete);
  }

  #begin(name: string): Incomplete {
    const oldest = this.#incomplete.keys().next();
    if (this.#incomplete.size >= mostDatagrams && !oldest.done) this.#incomplete.delete(oldest.value);
    const incomplete: Incomplete = { fragments: [], bytes: 0, whole: Number.POSITIVE_INFINITY };
    this.#incomplete.set(name, incomplete);
    return incomplete;
  }
}

/** The whole, where the fragments follow one another without gap or overlap. */
function joined({ fragments, whole }: Incomplete): Uint8Array | undefined {
  const bytes = new Uint8Array(whole);
  let at = 0;
  for (const fragment of fragments.sort((one, other) => one.offset - other.offset)) {
    if (fragment.offset !== at || at + fragment.bytes.length > whole) return undefined;
    bytes.set(fragment.bytes, at);
    at += fragment.bytes.length;
  }
  return at === whole ? bytes : undefined;
}
