import { join } from "node:path";

/** `$XDG_CONFIG_HOME/skillpr/config.yml`, else `~/.config/skillpr/config.yml`. On the hook's path: built-in modules only. */
export function userConfigPath(env: NodeJS.ProcessEnv, home: string): string {
  const base = env["XDG_CONFIG_HOME"];
  return join(base?.startsWith("/") ? base : join(home, ".config"), "skillpr", "config.yml");
}
