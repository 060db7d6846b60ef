// Runs every test file in this process. `--seed N` shuffles their order.
import { readdirSync } from 'node:fs';

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.js')).sort();
const at = process.argv.indexOf('--seed');
let seed = at < 0 ? 0 : Number(process.argv[at + 1]);
for (let i = files.length - 1; at >= 0 && i > 0; i -= 1) {
  seed = (seed * 48271) % 2147483647;
  const j = seed % (i + 1);
  [files[i], files[j]] = [files[j], files[i]];
}
for (const name of files) await import(`./${name}`);
