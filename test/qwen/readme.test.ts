/** The terminal session of the README, with the real Qwen Code: installed, worked, quit, decided. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { queueOf } from "../support/queue.ts";
import {
  agentTurn,
  asShown,
  putProject,
  recordedSession,
  reviewerTurn,
  typed,
} from "../support/recorded-session.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { temporaryRepository } from "../support/temp-repository.ts";
import {
  asker,
  closeTerminals,
  hasTmux,
  qwenInTerminal,
  requireQwenCode,
  until,
  userSettings,
} from "./qwen-code.ts";

beforeAll(requireQwenCode);
afterEach(closeTerminals);

describe.skipIf(!hasTmux)("the README's terminal session", () => {
  test("is what happens, with nothing set up but Qwen Code", async () => {
    await using repository = await temporaryRepository({ name: "parcels" });
    await putProject(repository);
    await using model = await scriptedModel((request) => {
      const who = asker(request);
      if (who === "session") return agentTurn(request, repository.dir);
      return who === "skillpr" ? reviewerTurn(request) : "Nothing to save.";
    });
    const auth = { selectedType: "openai", apiKey: "local", baseUrl: model.url };
    userSettings(repository, { security: { auth }, model: { name: "qwen3-coder-plus" } });
    const queue = queueOf(join(repository.dir, ".git"));
    const commands = recordedSession();
    expect(commands.map(({ command }) => command.split(" ").slice(0, 2).join(" "))).toEqual([
      "skillpr install",
      "qwen",
      "skillpr status",
      "skillpr show",
      "skillpr accept",
    ]);
    for (const line of commands) {
      if (line.command === "qwen") {
        await using terminal = await qwenInTerminal(repository, model, { SKILLPR_WORKER: "" });
        for (const said of line.shown) {
          if (said.startsWith("> ")) await terminal.say(said.slice(2));
          else if (said !== "…") await terminal.shows(said.slice(2));
        }
        await terminal.ended();
        // The worker that the hook started is nobody's child: the list is the last that it writes.
        const lists = () => existsSync(queue.waiting) && readFileSync(queue.waiting, "utf8");
        await until("the worker is done", () => /shared-test-state/.test(lists() || ""));
      } else {
        const { shown, printed } = asShown(line, await typed(repository, line.command));
        expect(printed).toEqual(shown);
      }
    }
  });
});
