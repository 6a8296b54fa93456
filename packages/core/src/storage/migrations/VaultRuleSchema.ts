/** A view of everything that acts on a vault by itself. A new kind of rule adds its table in a migration of its own. */
const tables = [
  { kind: "threshold_bot", table: "threshold_bots", endedAt: "null::timestamptz" },
  { kind: "index_bot", table: "index_bots", endedAt: "null::timestamptz" },
  ...["vault_orders", "strategy_bots", "vault_guardians", "vault_followers"].map((table) => ({
    kind: table.replace(/^vault_/, "").replace(/s$/, ""),
    table,
    endedAt: "ended_at"
  }))
]

/** With columns of the same types the planner searches each table by its own index. */
const rows = tables.map(({ endedAt, kind, table }) =>
  `select '${kind}'::text as kind, network::text as network, pool::text as pool, wallet::text as wallet,
    ${endedAt} as ended_at from ${table}`
)

export const vaultRuleSchema: ReadonlyArray<string> = [
  `create view vault_rules as ${rows.join("\n  union all ")}`
]
