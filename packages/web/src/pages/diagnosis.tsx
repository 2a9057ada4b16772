import { Diagnosis } from '../diagnosis/diagnosis.js';

/** How the scanner is, and its diagnostic archive. */
export default function DiagnosisPage() {
  return <Diagnosis />;
}
