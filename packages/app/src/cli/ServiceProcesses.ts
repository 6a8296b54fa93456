/**
 * The processes of the service as commands. Each one's modules are loaded when it runs: the other commands need none of
 * them and start faster.
 */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"

export const start = Command.make(
  "start",
  {},
  () =>
    Effect.promise(() => Promise.all([import("../Main.ts"), import("../SingleProcess.ts")])).pipe(
      Effect.flatMap(([{ main }, { SingleProcess }]) => main(SingleProcess, "vault-trader"))
    )
).pipe(
  Command.withDescription(
    "Runs the whole service in one process: on the configured networks, or on a devnet when none is configured."
  )
)

export const server = Command.make(
  "server",
  {},
  () =>
    Effect.promise(() => Promise.all([import("../Main.ts"), import("../Gateway.ts")])).pipe(
      Effect.flatMap(([{ main }, { GatewayProcess }]) => main(GatewayProcess, "vault-trader-server"))
    )
).pipe(
  Command.withDescription("Runs the HTTP gateway alone, any number of them on one PostgreSQL. It holds no keys.")
)

export const workers = Command.make(
  "workers",
  {},
  () =>
    Effect.promise(() => Promise.all([import("../Main.ts"), import("../Runner.ts")])).pipe(
      Effect.flatMap(([{ main }, { RunnerProcess }]) => main(RunnerProcess, "vault-trader-workers"))
    )
).pipe(
  Command.withDescription("Runs one runner of actors, which signs; any number of them on one PostgreSQL.")
)

export const signer = Command.make(
  "signer",
  {},
  () =>
    Effect.promise(() => Promise.all([import("../Main.ts"), import("../SignerProcess.ts")])).pipe(
      Effect.flatMap(([{ main }, { SignerProcess }]) => main(SignerProcess, "vault-trader-signer"))
    )
).pipe(
  Command.withDescription(
    "Runs the signer as a process of its own, for the runners of this host with its SIGNER_SOCKET."
  )
)
