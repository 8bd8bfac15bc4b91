/** Cloudflare's published prices of the Workers Paid plan, in US dollars, with what is included per month. */

/** Where they stand, and when they were read. */
export const SOURCE = {
  pages: ["https://developers.cloudflare.com/durable-objects/platform/pricing/", "https://developers.cloudflare.com/workers/platform/pricing/"],
  date: "2026-11-22",
};

const MILLION = 1e6;

/** Per unit: dollars, and how many units of a month are included. */
export const PRICES = {
  workerRequests: { dollars: 0.3 / MILLION, included: 10 * MILLION },
  workerCpuMs: { dollars: 0.02 / MILLION, included: 30 * MILLION },
  objectRequests: { dollars: 0.15 / MILLION, included: MILLION },
  gbSeconds: { dollars: 12.5 / MILLION, included: 400_000 },
  rowsRead: { dollars: 0.001 / MILLION, included: 25_000 * MILLION },
  rowsWritten: { dollars: 1 / MILLION, included: 50 * MILLION },
  storedGb: { dollars: 0.2, included: 5 },
};

/** What an account pays for the plan. */
export const PLAN_DOLLARS = 5;

/** What an awake object is billed for, whatever it uses. */
export const OBJECT_GB = 0.128;

/** The costs of a month's use, by kind and in all. */
export function monthly(use) {
  const byKind = Object.fromEntries(
    Object.entries(PRICES).map(([kind, { dollars, included }]) => [kind, Math.max(0, use[kind] - included) * dollars]),
  );
  return { ...byKind, total: Object.values(byKind).reduce((sum, dollars) => sum + dollars, PLAN_DOLLARS) };
}
