export { ScannerCards as default } from '../scanners/scanner-cards.js';
