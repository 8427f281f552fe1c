import type { CDPSession, Page } from 'playwright-core';
import { type Figure, share } from './figure.ts';

/** A signed-in page of the console that is measured. */
export interface Watched {
  page: Page;
  cdp: CDPSession;
  url: string;
  hosts: number;
  /** Returns the name of a host by its number. */
  nameOf(host: number): string;
  /** CPU slowdown of the browser. */
  slowdown: number;
}

/** Goals without CPU slowdown, and with a slowdown of 4. */
const goals = {
  rowsMs: [1_500, 3_000],
  inputMs: [100, 200],
  typingMs: [50, 100],
  jumpMs: [500, 500],
  filterMs: [400, 400],
  searchMs: [300, 300],
  wheelFps: [50, 30],
} as const;

const goalOf = (name: keyof typeof goals, { slowdown }: Watched): number => goals[name][slowdown === 1 ? 0 : 1];

/** Selector of the first loaded cell. */
const firstCell = '.grid-rows .grid-row [role="gridcell"]:not(.waiting)';

export async function pageFigures(watched: Watched): Promise<Figure[]> {
  const label = (name: string) => `${name}, ${watched.slowdown === 1 ? 'CPU ×1' : `CPU ${watched.slowdown}× slower`}`;
  const figures = [
    await opening(watched),
    await keys(watched),
    await jumps(watched),
    await wheel(watched),
    await filters(watched),
    await searches(watched),
    await typing(watched),
  ];
  return figures.map((figure) => ({ ...figure, name: label(figure.name) }));
}

const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const startMs = performance.now();
  await act();
  return performance.now() - startMs;
};

const medianOf = (times: readonly number[]): string => `median ${share(times, 0.5).toFixed(0)} ms`;

const rounds = 5;

/** Measures the time from navigation to the first rows, compared with an empty page. */
async function opening(watched: Watched): Promise<Figure> {
  const { page, url } = watched;
  const times: number[] = [];
  const bare: number[] = [];
  for (let n = 0; n < rounds; n++) {
    bare.push(await timed(() => page.goto(`${url}/healthz`)));
    times.push(
      await timed(async () => {
        await page.goto(`${url}/console/hosts`, { waitUntil: 'commit' });
        await page.locator(firstCell).first().waitFor();
      }),
    );
  }
  const note = `bare page ${share(bare, 0.5).toFixed(0)} ms, ${medianOf(times)}`;
  return { name: 'rows on screen', value: share(times, 0.95), goal: goalOf('rowsMs', watched), unit: 'ms', note };
}

/** Returns the times from key press or click to the next paint, as the browser measures them; the shortest reported one is 16 ms. */
async function inputsDuring(page: Page, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate(`
    window.inputs = [];
    window.inputObserver?.disconnect();
    window.inputObserver = new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown' || name === 'click') window.inputs.push(duration);
    });
    window.inputObserver.observe({ type: 'event', durationThreshold: 16 });
  `);
  await act();
  await page.waitForTimeout(500);
  return page.evaluate('window.inputs') as Promise<number[]>;
}

async function keys(watched: Watched): Promise<Figure> {
  const { page } = watched;
  await page.getByRole('grid').focus();
  const presses = 60;
  const durations = await inputsDuring(page, async () => {
    for (let n = 0; n < presses; n++) await page.keyboard.press('j', { delay: 30 });
    await page.keyboard.press('Enter');
    await page.getByRole('complementary').locator('dl').first().waitFor();
    await page.keyboard.press('Escape');
  });
  // Events that the browser does not report were faster and count as 16 ms.
  const all = [...durations, ...Array<number>(Math.max(0, presses + 2 - durations.length)).fill(16)];
  return { name: 'key to paint p95', value: share(all, 0.95), goal: goalOf('inputMs', watched), unit: 'ms' };
}

const jumpCount = 30;

/** Measures the time from a jump of the scroll bar until the rows are loaded. */
async function jumps(watched: Watched): Promise<Figure> {
  const { page } = watched;
  const times: number[] = [];
  for (let n = 1; n <= jumpCount; n++) {
    const part = ((n * 0.618_034) % 1).toFixed(6);
    times.push(
      (await page.evaluate(`new Promise((done) => {
        const grid = document.querySelector('.grid');
        const begun = performance.now();
        grid.scrollTop = ${part} * (grid.scrollHeight - grid.clientHeight);
        const look = () => {
          const rows = [...grid.querySelectorAll('.grid-rows .grid-row')];
          const box = grid.getBoundingClientRect();
          const shown = rows.filter((row) => { const at = row.getBoundingClientRect(); return at.bottom > box.top + 28 && at.top < box.bottom; });
          const isThere = shown.length > 5 && shown.every((row) => !row.querySelector('.waiting'));
          if (isThere && performance.now() - begun > 20) done(performance.now() - begun);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      })`)) as number,
    );
    await page.waitForTimeout(100);
  }
  return {
    name: 'jump anywhere to rows p95',
    value: share(times, 0.95),
    goal: goalOf('jumpMs', watched),
    unit: 'ms',
    note: medianOf(times),
  };
}

const wheelMs = 3_000;

async function wheel(watched: Watched): Promise<Figure> {
  const { page } = watched;
  await page.locator('.grid').hover();
  await page.evaluate(`
    window.frames_ = 0;
    window.isWheeling = true;
    (function count() { window.frames_++; if (window.isWheeling) requestAnimationFrame(count); })();
  `);
  const startMs = performance.now();
  while (performance.now() - startMs < wheelMs) await page.mouse.wheel(0, 100);
  const seconds = (performance.now() - startMs) / 1_000;
  const frames = (await page.evaluate('window.isWheeling = false; window.frames_')) as number;
  return { name: 'wheel', value: frames / seconds, goal: goalOf('wheelFps', watched), unit: 'fps', isFloor: true };
}

/** Measures the time from an event until a condition is true, checked at every animation frame. */
async function shownAfter(page: Page, event: 'input' | 'keydown', isThere: string, act: () => Promise<unknown>) {
  await page.evaluate(`void (window.shown = new Promise((done) => {
    const begin = () => {
      const begun = performance.now();
      const look = () => ((${isThere}) ? done(performance.now() - begun) : requestAnimationFrame(look));
      requestAnimationFrame(look);
    };
    addEventListener('${event}', begin, { once: true, capture: true });
  }))`);
  await act();
  return page.evaluate('window.shown') as Promise<number>;
}

const askCount = 15;
const hostOf = (n: number, hosts: number): number => 1 + ((n * 7_919_317) % hosts);

/** Measures the time of an indexed filter until its row is shown. */
async function filters(watched: Watched): Promise<Figure> {
  const { page, hosts, nameOf } = watched;
  const times: number[] = [];
  const field = page.getByRole('textbox', { name: 'Filter' });
  for (let n = 1; n <= askCount; n++) {
    const name = nameOf(hostOf(n, hosts));
    await field.fill(`hostName==${name}`);
    times.push(
      await shownAfter(page, 'keydown', `document.querySelector('.grid-rows .name')?.textContent === '${name}'`, () =>
        page.keyboard.press('Enter'),
      ),
    );
  }
  await field.fill('');
  await page.keyboard.press('Enter');
  return {
    name: 'indexed filter to rows p95',
    value: share(times, 0.95),
    goal: goalOf('filterMs', watched),
    unit: 'ms',
    note: medianOf(times),
  };
}

/** Measures the time from typing a name in the palette until it is listed. */
async function searches(watched: Watched): Promise<Figure> {
  const { page, hosts, nameOf } = watched;
  const times: number[] = [];
  for (let n = 1; n <= askCount; n++) {
    const name = nameOf(hostOf(n + askCount, hosts));
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox');
    await field.waitFor();
    times.push(
      await shownAfter(
        page,
        'input',
        `document.querySelector('[role="option"]')?.textContent.includes('${name}')`,
        () => field.fill(name),
      ),
    );
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  return {
    name: 'search p95',
    value: share(times, 0.95),
    goal: goalOf('searchMs', watched),
    unit: 'ms',
    note: medianOf(times),
  };
}

const typed = 'A switch in the second cabinet of the east wing, next to the stairs';

/** Measures typing in the largest form. */
async function typing(watched: Watched): Promise<Figure> {
  const { page, url } = watched;
  await page.goto(`${url}/console/devices?group=network-device&form=network-device.create-snmp`);
  const field = page.getByRole('form').getByRole('textbox').first();
  await field.waitFor();
  await field.focus();
  const durations = await inputsDuring(page, () => page.keyboard.type(typed, { delay: 40 }));
  const all = [...durations, ...Array<number>(Math.max(0, typed.length - durations.length)).fill(16)];
  await page.goto(`${url}/console/hosts`);
  await page.locator(firstCell).first().waitFor();
  return {
    name: 'typing in the device form p95',
    value: share(all, 0.95),
    goal: goalOf('typingMs', watched),
    unit: 'ms',
  };
}

/** Returns the busy time of the page and its heap size. */
export async function busyOf(cdp: CDPSession): Promise<{ busyMs: number; heapBytes: number }> {
  const { metrics } = (await cdp.send('Performance.getMetrics')) as { metrics: { name: string; value: number }[] };
  const value = (name: string) => metrics.find((metric) => metric.name === name)!.value;
  return { busyMs: value('TaskDuration') * 1_000, heapBytes: value('JSHeapUsedSize') };
}
