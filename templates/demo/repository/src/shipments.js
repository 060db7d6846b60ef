import { nextLabel } from './labels.js';

export function ship(parcels) {
  return parcels.map((parcel) => ({ parcel, label: nextLabel() }));
}
