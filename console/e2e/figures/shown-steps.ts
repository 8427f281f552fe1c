import type { PolicyDecision } from '@portreeve/sdk/generated/api.ts';
import type { Page } from 'playwright-core';
import { checkWords, resultWords } from '../../src/screens/host/decision.ts';

/** Returns the shown steps of an explanation with the results of one column. */
export const shownSteps = (page: Page, column: number): Promise<string[][]> =>
  page.evaluate(`[...document.querySelectorAll('.steps-table tbody tr')].map((row) => {
    const cells = [...row.querySelectorAll('td')];
    return [cells[0].innerText, row.querySelector('th').innerText, ...cells[${column}].innerText.split('\\n')];
  })`);

/** Returns the steps as they should be shown for a decision. */
export const expectedSteps = ({ trace }: PolicyDecision): string[][] =>
  trace.map(({ step, rank, name, result, checks }) => [
    String(step ?? ''),
    `${rank === null ? '' : `${rank}. `}${name}`,
    resultWords(result),
    ...checks.map((check) => `${check.ok ? '✓' : '✕'} ${checkWords(check)}`),
  ]);
