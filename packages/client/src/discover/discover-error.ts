import { ClientError } from '../errors.js';

/** This computer could not search, or no scanner did what it was asked for. */
export class DiscoverError extends ClientError {
  override readonly name = 'DiscoverError';
}
