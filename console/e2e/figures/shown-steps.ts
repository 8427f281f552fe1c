import type { PolicyDecision } from '@portreeve/sdk/generated/api.ts';
import type { Page } from 'playwright-core';
import { checkWords, resultWords } from '../../src/screens/host/decision.ts';

/** The steps of an explanation that is on screen, as far as one column says them. */
export async function shownSteps(page: Page, column: number): Promise<string[][]> {
  const shown: string[][] = [];
  for (const row of await page.locator('.steps-table tbody tr').all()) {
    const [step, name] = [row.locator('td').first(), row.locator('th')];
    const cell = row.locator('td').nth(column);
    shown.push([await step.innerText(), await name.innerText(), ...(await cell.innerText()).split('\n')]);
  }
  return shown;
}

/** The same, as the service answered it. */
export const expectedSteps = ({ trace }: PolicyDecision): string[][] =>
  trace.map(({ step, rank, name, result, checks }) => [
    String(step ?? ''),
    `${rank === null ? '' : `${rank}. `}${name}`,
    resultWords(result),
    ...checks.map((check) => `${check.ok ? '✓' : '✕'} ${checkWords(check)}`),
  ]);
