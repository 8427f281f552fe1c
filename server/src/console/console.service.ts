export { menuFor } from './pages.ts';
