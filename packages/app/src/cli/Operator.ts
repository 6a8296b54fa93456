/** The operator at a shell, as the audit log names the actor of a command. */
import * as Audit from "@vault-trader/core/audit/Audit"
import type { Actor } from "@vault-trader/core/audit/AuditEntry"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Os from "node:os"

/** Returns the name of the operating-system user; its number when it has no name. */
const userName = Effect.orElseSucceed(
  Effect.try(() => Os.userInfo().username),
  () => `user ${process.getuid?.() ?? "unknown"}`
)

export const operator: Effect.Effect<Actor> = Effect.map(userName, (id): Actor => ({
  kind: "operator",
  id,
  from: Os.hostname(),
  credential: "shell"
}))

/** Makes the changes of a command those of the operator. */
export const Operator = Layer.effect(Audit.Actor, operator)
