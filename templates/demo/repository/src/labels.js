let count = 0;

export function nextLabel() {
  count += 1;
  return `P-${String(count).padStart(3, '0')}`;
}
