export { landingPageOf, menuFor, pageOfGroup } from './pages.ts';
