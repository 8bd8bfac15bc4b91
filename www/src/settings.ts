/** Which model the user has connected, what it may do, and whether to be asked. Kept in this browser only. */
import { keepOnDevice, readDevice } from "./page/device";

const KEY = "mnemic-demo-settings";

export interface Endpoint {
  readonly kind: "endpoint";
  /** The address that `/chat/completions` is appended to, such as `http://localhost:11434/v1`. */
  readonly url: string;
  /** Empty when the endpoint asks for none. */
  readonly key: string;
  readonly model: string;
}

export type ModelChoice = { readonly kind: "none" } | { readonly kind: "built-in" } | Endpoint;

export interface Settings {
  readonly model: ModelChoice;
  /** Whether what is learned waits until the user says yes. */
  readonly review: boolean;
  /** Whether the model may look into the memory and change it by itself. */
  readonly tools: boolean;
  /** How many tokens the model's window is taken to have; one of `WINDOWS`. */
  readonly window: number;
}

export const WINDOWS = [2000, 4000, 8000, 32_000];

export const NO_MODEL: ModelChoice = { kind: "none" };

const DEFAULTS: Settings = { model: NO_MODEL, review: false, tools: true, window: 8000 };

/** The kept settings; the defaults when nothing readable is kept. */
export function loadSettings(): Settings {
  try {
    return readSettings(JSON.parse(readDevice(KEY) ?? "null"));
  } catch {
    return DEFAULTS;
  }
}

/** Whether the settings will be there after a reload. */
export function saveSettings(settings: Settings): boolean {
  return keepOnDevice(KEY, JSON.stringify(settings));
}

/** What is wrong with an endpoint, by form field; empty when nothing is. */
export function endpointProblems(endpoint: Endpoint): Partial<Record<"url" | "model", string>> {
  const problems: Partial<Record<"url" | "model", string>> = {};
  if (!isWebAddress(endpoint.url)) problems.url = "Enter a full address that starts with http:// or https://.";
  if (endpoint.model === "") problems.model = "Enter the name of a model that the endpoint offers.";
  return problems;
}

function readSettings(kept: unknown): Settings {
  if (typeof kept !== "object" || kept === null) return DEFAULTS;
  const { model, review, tools, window } = kept as Record<string, unknown>;
  return {
    model: readModel(model), review: review === true, tools: tools !== false,
    window: WINDOWS.find((size) => size === window) ?? DEFAULTS.window,
  };
}

function readModel(kept: unknown): ModelChoice {
  if (typeof kept !== "object" || kept === null || !("kind" in kept)) return NO_MODEL;
  if (kept.kind === "built-in") return { kind: "built-in" };
  if (kept.kind !== "endpoint") return NO_MODEL;
  const { url, key, model } = kept as Record<string, unknown>;
  if (typeof url !== "string" || typeof key !== "string" || typeof model !== "string") return NO_MODEL;
  return { kind: "endpoint", url, key, model };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
