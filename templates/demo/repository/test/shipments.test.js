import assert from 'node:assert';
import test from 'node:test';
import { ship } from '../src/shipments.js';

test('a shipment is numbered from one', () => {
  const labels = ship(['book', 'lamp']).map((each) => each.label);
  assert.deepStrictEqual(labels.join(' '), 'P-001 P-002');
});
