import { describe, expect, it } from "vitest";
import { shellWrites } from "../../src/transcript/shell-writes.ts";

describe("shellWrites", () => {
  it.each([
    ["echo hi > out.txt", ["out.txt"]],
    ["echo hi >> 'a b.txt'", ["a b.txt"]],
    ["make >build.log 2>&1", ["build.log"]],
    ["make &> all.log; make 2> err.log", ["all.log", "err.log"]],
    ["echo x >| forced", ["forced"]],
    [
      "cat <<'EOF' > doc.md\n> a quote, not a redirection\nrm -r everything\nEOF\ntouch after",
      ["doc.md", "after"],
    ],
    ["cat > doc.md << EOF\nx > y\nEOF", ["doc.md"]],
    ["printf x | tee -a one two", ["one", "two"]],
    ["mkdir -p a/b && touch a/b/c", ["a/b", "a/b/c"]],
    ["cp -r src/lib target", ["target", "target/lib"]],
    ["cp -t folder a b", ["folder"]],
    ["mv notes.md docs/notes.md", ["notes.md", "docs/notes.md"]],
    ["mv .qwen old", [".qwen/**", "old", "old/"].slice(0, 2)],
    ["rm -rf build", ["build/**"]],
    ["rm one.txt", ["one.txt"]],
    ["ln -s /elsewhere link", ["link"]],
    ["sed -i 's/a/b/' one.md two.md", ["one.md", "two.md"]],
    ["sed -i.bak -e 's/a/b/' one.md", ["one.md"]],
    ["perl -pi -e 's/a/b/' one.md", ["s/a/b/", "one.md"]],
    ["dd if=a of=b", ["b"]],
    ["curl -o page.html https://example.com", ["page.html"]],
    ["tar -xf a.tar -C folder", ["folder"]],
    ["find docs -name '*.md' -delete", ["docs/**"]],
    ["find docs -name '*.md' -exec rm {} +", ["docs/**"]],
    ["git checkout main -- docs/a.md", ["docs/a.md"]],
    ["git -C sub restore a.md", ["sub/a.md"]],
    ["git apply <<'EOF'\n--- a/x.md\n+++ b/x.md\n@@ -1 +1 @@\n-a\n+b\nEOF", ["x.md"]],
    [
      "apply_patch <<'PATCH'\n*** Begin Patch\n*** Add File: docs/n.md\n+x\n*** Move to: docs/m.md\n*** End Patch\nPATCH",
      ["docs/n.md", "docs/m.md"],
    ],
    ["cd docs && echo x > a.md && cd .. && touch b", ["docs/a.md", "docs/../b"]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's own variable
    ['F=docs/a.md; echo x > "$F"; touch ${F}.bak', ["docs/a.md", "docs/a.md.bak"]],
    ["echo x > $PWD/a.md", ["./a.md"]],
    ["bash -lc \"echo x > 'a b'\"", ["a b"]],
    ["sudo env A=1 tee /etc/x", ["/etc/x"]],
    ["for f in a b; do rm $f.txt; done", ["a.txt", "b.txt"]],
    ["for d in .qwen/skills; do touch $d/a; done", [".qwen/skills/a"]],
    ["for f in $(find docs -name x); do rm $f; done", ["docs/**", "x/**"]],
    ["cp -r /tmp/x/. .qwen/", [".qwen/**"]],
    ["cp -r /tmp/.qwen .", [".", "./.qwen/**"]],
    ["git checkout HEAD .qwen/skills/a", [".qwen/skills/a/**"]],
    ["git clone https://example.com/x.git .qwen/skills/x", [".qwen/skills/x/**"]],
    ["cd .qwen/skills && git clone https://example.com/x.git", [".qwen/skills/x/**"]],
    ["timeout -s KILL 5 touch .qwen/skills/a", [".qwen/skills/a"]],
    ["timeout -k 1 2.5s touch a", ["a"]],
    ["sudo -u me tee .qwen/skills/a", [".qwen/skills/a"]],
    ["env -C .qwen/skills touch a; touch b", [".qwen/skills/a", "b"]],
    ["busybox touch .qwen/skills/a", [".qwen/skills/a"]],
    ['echo "$(touch .qwen/skills/a)"', [".qwen/skills/a"]],
    ["echo $(cd .qwen && touch skills/a) > b", [".qwen/skills/a", "b"]],
    ["echo `touch .qwen/skills/a`", [".qwen/skills/a"]],
    ['echo "now `touch .qwen/skills/a` done"', [".qwen/skills/a"]],
    ["wget -O.qwen/skills/a https://example.com", [".qwen/skills/a"]],
    ["wget -qO a https://example.com", ["a"]],
    ["curl -so.qwen/skills/a https://example.com", [".qwen/skills/a"]],
    ["patch .qwen/skills/a x.patch", [".qwen/skills/a"]],
    ["sort -o .qwen/skills/a f", [".qwen/skills/a"]],
    ["split f .qwen/skills/a", [".qwen/skills/a"]],
    ["awk '{print > \".qwen/skills/a\"}' f", [".qwen/skills/a"]],
    ["ls .qwen/skills | xargs rm", [".qwen/skills/**"]],
    ["find .qwen -name '*.md' | grep skills | xargs -n 1 rm -f", [".qwen/**", "*.md", "skills/**"]],
    [
      "python - <<'EOF'\nwith open(os.path.join('a', 'b.md'), 'w') as f: pass\nEOF",
      ["b.md", "a/b.md"],
    ],
    ["if true; then touch x; fi", ["x"]],
    ["python3 -c \"open('docs/a.md', 'w').write('x')\"", ["docs/a.md"]],
    [
      "python - <<'EOF'\nfrom pathlib import Path\nPath('docs/a.md').write_text('x')\nEOF",
      ["docs/a.md"],
    ],
    [
      "python -c \"import os; os.makedirs(os.path.join('.qwen', 'skills', 'x'))\"",
      [".qwen/skills/x"],
    ],
    ["node -e \"require('fs').writeFileSync('docs/a.md', 'x')\"", ["docs/a.md"]],
    ["Set-Content -Path docs\\a.md -Value 'x'", ["docs\\a.md"]],
    ["'x' | Out-File -FilePath \"C:\\work\\a.md\"", ["C:\\work\\a.md"]],
    ["@'\nit's\n'@ | Set-Content a.md", ["a.md"]],
    ["New-Item -ItemType Directory -Path docs; Remove-Item -Recurse docs", ["docs", "docs/**"]],
    ["[IO.File]::WriteAllText(\"docs/a.md\", 'x')", ["docs/a.md"]],
    ['powershell -Command "Copy-Item a.md -Destination docs"', ["docs"]],
  ])("finds what %j writes", (command, paths) => {
    expect(shellWrites(command)).toEqual(paths);
  });

  it.each([
    "cat .qwen/skills/a/SKILL.md",
    "ls -la .qwen/skills",
    "grep -rn 'x > y' .qwen/skills | head",
    "sed -n 1,20p .qwen/skills/a/SKILL.md",
    "find .qwen/skills -name SKILL.md",
    "diff .qwen/skills/a b 2>/dev/null",
    "git diff -- .qwen/skills",
    "git checkout main",
    "python -c \"print(open('.qwen/skills/a/SKILL.md').read())\"",
    "node -e \"console.log(require('fs').readFileSync('.qwen/skills/a'))\"",
    "echo '> .qwen/skills/a'",
    "echo '$(touch .qwen/skills/a)'",
    "echo $((1 > 0))",
    "ls .qwen/skills | xargs cat",
    "sort .qwen/skills/a",
    "awk '$1 > 3' .qwen/skills/a",
    "git checkout -b feature",
    "echo a # > .qwen/skills/a",
    "npm test 2>&1",
    "wc -l < .qwen/skills/a/SKILL.md",
    "",
  ])("takes %j for a read", (command) => {
    expect(shellWrites(command)).toEqual([]);
  });

  it("ends in bounded time on hostile commands", () => {
    for (const piece of [
      "'",
      '"',
      "$(",
      "`",
      "<<A\n",
      "\\",
      "> ",
      "a=b ",
      "bash -c '",
      "((",
      "{ ",
    ]) {
      const started = performance.now();
      shellWrites(piece.repeat(50_000));
      expect(performance.now() - started).toBeLessThan(5000);
    }
  });
});
