export { menuFor, pageOfGroup } from './pages.ts';
