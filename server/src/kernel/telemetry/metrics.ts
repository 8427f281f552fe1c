/**
 * Metrics for Prometheus, in its text format. Counters and histograms are updated by the code, gauges are read at each
 * scrape.
 */

type Labels = Readonly<Record<string, string>>;

interface Sample {
  labels: Labels;
  value: number;
}

interface Family {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  lines(): string[] | Promise<string[]>;
}

const seriesMax = 20_000;

/** Label values come from the code (operation names, queues), but a quote in one must not break the page. */
const labelText = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(
    ([key, value]) => `${key}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
};

export interface Counter {
  add(labels: Labels, by?: number): void;
}

export interface Histogram {
  observe(labels: Labels, value: number): void;
}

/**
 * Formatting labels costs more than counting, so their text is cached for callers that pass the same object each time.
 */
const knownTexts = new WeakMap<Labels, string>();

function textOf(labels: Labels): string {
  const cachedText = knownTexts.get(labels);
  if (cachedText !== undefined) return cachedText;
  const text = labelText(labels);
  knownTexts.set(labels, text);
  return text;
}

export class Metrics {
  readonly #families: Family[] = [];

  counter(name: string, help: string): Counter {
    const series = new Map<string, number>();
    this.#families.push({
      name,
      help,
      type: 'counter',
      lines: () => [...series].map(([labels, value]) => `${name}${labels} ${value}`),
    });
    return {
      add(labels, increment = 1) {
        const key = textOf(labels);
        // Bounds the memory, in case a label value ever comes from a caller.
        if (series.has(key) || series.size < seriesMax) series.set(key, (series.get(key) ?? 0) + increment);
      },
    };
  }

  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const series = new Map<string, { labels: Labels; counts: number[]; sum: number; count: number }>();
    const lines = () =>
      [...series.values()].flatMap(({ labels, counts, sum, count }) => [
        ...bounds.map(
          (bound, index) => `${name}_bucket${labelText({ ...labels, le: String(bound) })} ${counts[index]}`,
        ),
        `${name}_bucket${labelText({ ...labels, le: '+Inf' })} ${count}`,
        `${name}_sum${labelText(labels)} ${sum}`,
        `${name}_count${labelText(labels)} ${count}`,
      ]);
    this.#families.push({ name, help, type: 'histogram', lines });
    return {
      observe(labels, value) {
        const key = textOf(labels);
        let entry = series.get(key);
        if (!entry) {
          if (series.size >= seriesMax) return;
          entry = { labels, counts: bounds.map(() => 0), sum: 0, count: 0 };
          series.set(key, entry);
        }
        entry.sum += value;
        entry.count += 1;
        for (let index = bounds.length - 1; index >= 0 && value <= bounds[index]!; index--) entry.counts[index]! += 1;
      },
    };
  }

  /** Adds a gauge that is read at each scrape; if reading it fails, the scrape omits it. */
  gauge(
    name: string,
    help: string,
    readSamples: () => readonly Sample[] | Promise<readonly Sample[]>,
    type: 'gauge' | 'counter' = 'gauge',
  ): void {
    const lines = async () => (await readSamples()).map(({ labels, value }) => `${name}${labelText(labels)} ${value}`);
    this.#families.push({ name, help, type, lines });
  }

  async page(): Promise<string> {
    const parts = await Promise.all(
      this.#families.map(async ({ name, help, type, lines }) => {
        const samples = await Promise.resolve(lines()).catch(() => []);
        return samples.length > 0 ? `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.join('\n')}\n` : '';
      }),
    );
    return parts.join('');
  }
}
