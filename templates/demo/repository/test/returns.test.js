import assert from 'node:assert';
import test from 'node:test';
import { ship } from '../src/shipments.js';

test('a returned parcel gets a label of its own', () => {
  assert.strictEqual(ship(['chair'])[0].label, 'P-001');
});
