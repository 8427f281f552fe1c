import { expect, test } from 'vitest';
import { Metrics } from './metrics.ts';

test('a page contains counters, histograms and gauges in the text format', async () => {
  const metrics = new Metrics();
  const requests = metrics.counter('requests_total', 'Requests.');
  const seconds = metrics.histogram('request_seconds', 'Time of a request.', [0.1, 1]);
  metrics.gauge('rows', 'Rows.', () => [{ labels: { table: 'a"b' }, value: 3 }]);
  metrics.gauge('broken', 'Cannot be read.', () => Promise.reject(new Error('no')));
  requests.add({ operation: 'list', status: 'success' });
  requests.add({ operation: 'list', status: 'success' }, 2);
  for (const value of [0.05, 0.5, 5]) seconds.observe({}, value);
  expect(await metrics.page()).toBe(`# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{operation="list",status="success"} 3
# HELP request_seconds Time of a request.
# TYPE request_seconds histogram
request_seconds_bucket{le="0.1"} 1
request_seconds_bucket{le="1"} 2
request_seconds_bucket{le="+Inf"} 3
request_seconds_sum 5.55
request_seconds_count 3
# HELP rows Rows.
# TYPE rows gauge
rows{table="a\\"b"} 3
`);
});
