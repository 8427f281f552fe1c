import { expect, test } from 'vitest';
import { pathWith } from '../world/paths.ts';
import { world } from '../world/world.ts';

const { admin, service } = await world();

test('every operation with a body refuses a request without a Content-Type', async () => {
  const takingBody = service.operations.filter(({ body, listed, uploads }) => body ?? listed ?? uploads);
  expect(takingBody.length).toBeGreaterThan(200);
  for (const operation of takingBody) {
    const reply = await service.app.inject({
      method: operation.method,
      url: pathWith(operation, 1),
      headers: { authorization: `Bearer ${admin.token}` },
      payload: Buffer.from(JSON.stringify(operation.example ?? {})),
    });
    expect(reply.statusCode, `${operation.operationId} ${reply.body}`).toBe(415);
    expect(reply.json()).toMatchObject({
      status: 'unsupported',
      errorMessage: expect.stringContaining('Content-Type'),
    });
  }
});
