import { type Shape, type Status, sameJson, type ValueType } from '@azimuth/model';
import type { Change, Declared } from './change.js';
import { withParts } from './parts-of-json.js';

/** The type of what clients write, or send. */
function typeOf(declared: Declared): ValueType<unknown> {
  return declared.kind === 'variable' ? declared.type : declared.request;
}

/** The scanner takes what it has to refuse with one of these statuses. */
export function accepts(...statuses: readonly Status[]): Change {
  return (declared, { Refusal }) => {
    const type = typeOf(declared);
    return {
      fromJson(json, at) {
        try {
          return type.fromJson(json, at);
        } catch (error) {
          if (error instanceof Refusal && statuses.includes(error.status)) return json;
          throw error;
        }
      },
    };
  };
}

/** A write succeeds, though its `data` is refused with one of these statuses: it has no value, or not under this name. */
export function forgives(...statuses: readonly Status[]): Change {
  return () => ({ forgives: statuses });
}

/** The scanner refuses wrong values with another status. */
export function refusesWith(others: Readonly<Partial<Record<Status, Status>>>): Change {
  return (declared, { Refusal }) => {
    const type = typeOf(declared);
    return {
      fromJson(json, at) {
        try {
          return type.fromJson(json, at);
        } catch (error) {
          const other = error instanceof Refusal ? others[error.status] : undefined;
          if (other === undefined) throw error;
          throw new Refusal(other, at, 'refused');
        }
      },
    };
  };
}

type Replacement = (shape: Shape, part: unknown) => unknown;

/** The scanner takes values also if some parts had to be replaced to make them valid. */
export function acceptsInPlaceOf(replaced: Replacement): Change {
  return (declared, { Refusal }) => {
    const type = typeOf(declared);
    return {
      fromJson(json, at) {
        try {
          return type.fromJson(json, at);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          const valid = withParts(type.shape, json, replaced);
          if (sameJson(valid, json)) throw error;
          type.fromJson(valid, at);
          return json;
        }
      },
    };
  };
}

/** The scanner refuses valid values that have a part like this. */
export function refusesParts(status: Status, isRefused: (shape: Shape, part: unknown) => boolean): Change {
  return (declared, { Refusal }) => {
    const type = typeOf(declared);
    return {
      fromJson(json, at) {
        const value = type.fromJson(json, at);
        withParts(type.shape, json, (shape, part) => {
          if (isRefused(shape, part)) throw new Refusal(status, at, 'refused');
          return part;
        });
        return value;
      },
    };
  };
}

/** The scanner takes valid values, and stores another one. */
export function storesInstead(other: (type: ValueType<unknown>, value: unknown) => unknown): Change {
  return (declared) => {
    const type = typeOf(declared);
    return { fromJson: (json, at) => other(type, type.fromJson(json, at)) };
  };
}
