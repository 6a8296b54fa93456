/** The codes of refusals and failures. Constants only, so that pages can use them without the schemas. */

/** The meaning of each validation code (spec part 7, completed in the design). */
export const validationCodes = {
  "1000": "Unrecognized network",
  "1001": "Unrecognized protocol",
  "1002": "Invalid API key",
  "1003": "Invalid pair",
  "1004": "Invalid pool address",
  "1005": "Invalid address",
  "1006": "The key's wallet is not the vault's trader",
  "1007": "Invalid share",
  "1008": "Invalid side",
  "1009": "Invalid or missing amount",
  "1010": "Missing required parameter, or one that cannot be used"
} as const
export type ValidationCode = keyof typeof validationCodes

/** The code of each execution failure; `error_type` is the key. */
export const executionCodes = {
  insufficient_gas: "2001",
  insufficient_balance: "2002",
  no_route: "2003",
  slippage_exceeded: "2004",
  transaction_reverted: "2005",
  asset_not_enabled: "2006",
  venue_not_allowed: "2007",
  slippage_budget_exceeded: "2008",
  health_factor_too_low: "2009",
  vault_paused: "2010",
  nothing_to_do: "2011",
  price_unavailable: "2012",
  limit_exceeded: "2013",
  position_not_found: "2014",
  market_not_available: "2015",
  expired: "2016",
  rpc_unavailable: "2020",
  busy: "2021",
  exchange_error: "2030",
  exchange_rejected: "2031",
  paused: "2040",
  quarantined: "2041",
  outcome_unknown: "2042",
  guardian_hold: "2043",
  internal: "2099"
} as const
export type ErrorType = keyof typeof executionCodes
