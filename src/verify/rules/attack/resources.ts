import type { Attack } from "../../content/attack.ts";
import { defineAttackRule } from "../../content/attack-rule.ts";

const ATTACKS: readonly Attack[] = [
  {
    pattern:
      /\b(?:xmrig|minerd|cpuminer|ccminer|nicehash|ethminer|cgminer|bfgminer|nbminer|phoenixminer|coinhive|cryptonight|randomx)\b[^\n`]{0,100}|\bstratum(?:\+\w{2,4})?:\/\/[^\s"'`]{1,100}/g,
    needles: ["xmrig", "miner", "nicehash", "coinhive", "cryptonight", "randomx", "stratum"],
    says: "mines for somebody on the user's machine",
    level: "error",
  },
  {
    pattern:
      /\b(?:mine|mines|mining|miner)\b[^.;!?\n]{0,40}\b(?:crypto\w{0,12}|monero|xmr|bitcoin|ethereum|coins?|tokens)\b|\b(?:crypto\w{0,12}|monero|bitcoin|coin)[ -]?min(?:e|er|ers|ing)\b|\b(?:idle|spare|half|unused|all)(?: [a-z]{1,12}){0,4} (?:cpus?|gpus?|cores?|processors?|cycles|computing power)\b[^.;!?\n]{0,80}\b(?:hash\w{0,6}|background|donat\w{1,6}|comput\w{1,8}|contribut\w{1,6}|pool)\b/g,
    says: "uses the user's machine for somebody else",
    isProse: true,
  },
  {
    pattern:
      /:\(\) ?\{ ?:\|:|\bwhile (?:true|:|1|\[ 1 \]); ?do\b[^\n]{0,80}[^&]& ?(?:;|done)|\bos\.fork\(\)[^\n]{0,40}\bwhile\b|\bwhile (?:true|1):\s{1,20}os\.fork\(\)|\bcat \/dev\/(?:zero|urandom) >|\byes > \/dev\/null &/g,
    needles: [":()", "while ", "fork", "/dev/", "yes >"],
    says: "takes the machine's strength until it stands still",
  },
  {
    pattern:
      /\b(?:fill|write|allocate|use)\b[^.;!?\n]{0,60}\b(?:disk|memory|ram|swap|quota)\b[^.;!?\n]{0,60}\b(?:until|full|completely|less than|exhaust\w{0,3}|nothing is left)\b|\b(?:no matter|regardless of|however) (?:how )?(?:many|much|long|often)\b[^.;!?\n]{0,40}\b(?:calls?|tokens?|requests?|it (?:takes|costs)|time|attempts|tries)\b|\brepeat\b[^.;!?\n]{0,60}\b(?:forever|endlessly|without (?:end|limit)|indefinitely)\b/g,
    says: "uses up what the machine or its user has",
    level: "warning",
    isProse: true,
  },
  {
    pattern:
      /\b(?:retry|retries|repeat|loop|continue|keep (?:trying|going|running|searching)|call|respawn)\b[^.;!?\n]{0,60}\b(?:forever|indefinitely|infinitely|endlessly|without (?:any |a )?(?:limit|end|stopping|pause|delay)|no (?:limit|timeout|maximum|pause)|never (?:stop|give up|end))\b|\b(?:never|do not|don't) (?:stop|terminate|exit|give up)\b[^.;!?\n]{0,40}\b(?:until|even|unless|when)\b/g,
    needles: [
      "forever",
      "indefinitely",
      "infinitely",
      "endlessly",
      "without",
      "no ",
      "never",
      "not stop",
      "not term",
      "not exit",
      "not give",
      "don't",
    ],
    says: "goes on without an end",
    level: "warning",
    isProse: true,
  },
];

export const attackResourcesRule = defineAttackRule({
  id: "attack.resources",
  level: "warning",
  why: "A skill that computes for somebody else, or until nothing moves, takes the machine from its user.",
  example: "`xmrig -o pool.host:3333`",
  hint: "Remove it; the machine works for its user.",
  attacks: ATTACKS,
});
