interface Appointment {
  readonly at: number;
  readonly callback: () => void;
}

/** Callbacks with the time at which each is due, in the order of time and, at the same time, of booking. */
export class Timetable {
  #appointments: Appointment[] = [];

  /** Books a callback; the returned function calls it off. */
  book(at: number, callback: () => void): () => void {
    const appointment = { at, callback };
    const place = this.#appointments.findIndex((other) => other.at > at);
    this.#appointments.splice(place === -1 ? this.#appointments.length : place, 0, appointment);
    return () => {
      this.#appointments = this.#appointments.filter((other) => other !== appointment);
    };
  }

  /** When the next callback is due; undefined where none is booked. */
  get next(): number | undefined {
    return this.#appointments[0]?.at;
  }

  /** Takes the next callback that is due at `now`; undefined where none is. */
  takeDue(now: number): Appointment | undefined {
    const [first] = this.#appointments;
    if (first === undefined || first.at > now) return undefined;
    this.#appointments.shift();
    return first;
  }
}
