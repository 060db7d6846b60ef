/** A real Chromium without a window, for what we make for browsers. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";

/** `$CHROMIUM`, else `chromium` in the PATH; null when there is none. */
function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  const named = env["CHROMIUM"];
  if (named !== undefined) return named;
  const paths = (env["PATH"] ?? "").split(delimiter).map((dir) => join(dir, "chromium"));
  return paths.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Skipped only outside of CI: there a browser that is missing is a failure. */
export const SKIP_BROWSER = findChromium() === null && !process.env["CI"];

export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null)
    throw new Error("no chromium: install the package of that name, or set CHROMIUM to its path");
  // The sandbox of Chromium can't start as root, nor in many containers; pages here come from this test.
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

export interface OpenedPage {
  readonly page: Page;
  /** Every address but its own that the page would have reached. */
  readonly requests: readonly string[];
  /** The same with those that its policy stopped. */
  readonly tried: readonly string[];
  /** What the console said: a policy that is broken is told there. */
  readonly messages: readonly string[];
  /** Dialogs, errors of scripts, new windows: signs that something ran. */
  readonly events: readonly string[];
}

/** Opens a file with everything watched, and no network behind it. */
export async function openPage(
  browser: Browser,
  file: string,
  options: { readonly scheme?: "light" | "dark"; readonly width?: number } = {},
): Promise<OpenedPage> {
  const { scheme = "light", width = 1100 } = options;
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height: 850 },
  });
  const requests: string[] = [];
  const tried: string[] = [];
  const messages: string[] = [];
  const events: string[] = [];
  const own = `file://${file}`;
  await context.route("**/*", (route) => {
    const url = route.request().url();
    if (url.split("#")[0] === own) return route.continue();
    requests.push(url);
    return route.abort();
  });
  const page = await context.newPage();
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== own) tried.push(request.url());
  });
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => events.push(`error: ${error.message}`));
  page.on("popup", () => events.push("popup"));
  page.on("dialog", (dialog) => {
    events.push(`dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  await page.goto(own);
  return { page, requests, tried, messages, events };
}
