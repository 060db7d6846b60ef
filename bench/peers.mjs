// The validators on npm that the verifier is compared with, each asked about real skill folders.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./support.mjs";

const WANTED = join(import.meta.dirname, "peers");
const CACHE = join(ROOT, ".cache/peers");
const INSTALL_TIMEOUT_MS = 120_000;
const RUN_TIMEOUT_MS = 30_000;

/**
 * Installs the pinned peers once, into .cache/peers, without running their install scripts.
 *
 * @param mayFetchAgnix lets agnix's install script load its program, which isn't in the package
 * @returns for each peer either `judge` (a folder → how many findings and errors) or `skipped` (why)
 */
export async function loadPeers({ mayFetchAgnix }) {
  const problem = install();
  const { dependencies } = JSON.parse(readFileSync(join(WANTED, "package.json"), "utf8"));
  const name = (peer) => `${peer} ${dependencies[peer]}`;
  if (problem !== null)
    return ["skills-ref", "agnix"].map((peer) => ({ name: name(peer), skipped: problem }));
  return [
    { name: name("skills-ref"), ...(await skillsRef()) },
    { name: name("agnix"), ...agnix(mayFetchAgnix) },
  ];
}

/** A folder of a skill's own, named as its frontmatter names it: the peers compare the two. */
export function writeSkillFolder(home, { label, name, text }) {
  const written = /^name:[ \t]*["']?([\w.-]{1,64})["']?[ \t]*$/m.exec(text)?.[1] ?? name;
  const folder = join(home, label, name, written);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "SKILL.md"), text);
  return folder;
}

/** Null when the cache was made from this very lock file; else it is made, or the problem is told. */
function install() {
  const [mine, wanted] = [CACHE, WANTED].map((folder) => join(folder, "package-lock.json"));
  const isThere =
    existsSync(join(CACHE, "node_modules/skills-ref/package.json")) &&
    existsSync(mine) &&
    readFileSync(mine).equals(readFileSync(wanted));
  if (isThere) return null;
  mkdirSync(CACHE, { recursive: true });
  for (const file of ["package.json", ".npmrc", "package-lock.json"])
    cpSync(join(WANTED, file), join(CACHE, file));
  const { status, error, stderr } = spawnSync("npm", ["ci"], {
    cwd: CACHE,
    encoding: "utf8",
    timeout: INSTALL_TIMEOUT_MS,
  });
  if (status === 0) return null;
  const why = error?.message ?? stderr.trim().split("\n").slice(0, 2).join(" ");
  return `npm could not install it: ${why}`;
}

async function skillsRef() {
  const entry = join(CACHE, "node_modules/skills-ref/dist/index.js");
  const { validate } = await import(pathToFileURL(entry).href);
  return {
    async judge(folder) {
      const errors = await validate(folder);
      return { findings: errors.length, errors: errors.length };
    },
  };
}

function agnix(mayFetch) {
  const home = join(CACHE, "node_modules/agnix");
  const hasProgram = () =>
    ["agnix-binary", "agnix-binary.exe"].some((file) => existsSync(join(home, "bin", file)));
  if (!hasProgram() && mayFetch)
    spawnSync(process.execPath, ["install.js"], { cwd: home, timeout: INSTALL_TIMEOUT_MS });
  if (!hasProgram()) {
    const skipped = mayFetch
      ? "its install script could not load its program from GitHub's releases"
      : "its npm package holds no program; its install script loads one from GitHub's releases (allow it with --fetch-agnix)";
    return { skipped };
  }
  const { runSync } = createRequire(import.meta.url)(home);
  return {
    judge(folder) {
      const { stdout } = runSync(["--format", "sarif", folder], { timeout: RUN_TIMEOUT_MS });
      const results = JSON.parse(stdout).runs.flatMap((run) => run.results ?? []);
      const errors = results.filter(({ level = "warning" }) => level === "error");
      return { findings: results.length, errors: errors.length };
    },
  };
}
