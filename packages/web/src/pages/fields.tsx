import { scanner } from '../connection/current.js';
import { FieldsView } from '../fields/fields-view.js';

/** The fields of the scanner. */
export default function Fields() {
  return <FieldsView link={scanner()} />;
}
