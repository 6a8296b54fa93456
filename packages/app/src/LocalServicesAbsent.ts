/** Takes the place of LocalServices.ts in a build, which has neither PostgreSQL nor chains of its own. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as LocalServices from "./LocalServices.ts"
import { configured } from "./Networks.ts"
import { CannotStart } from "./StartupFailure.ts"

const network = "RPC_URL_<NETWORK> or NETWORKS_FILE (the networks to serve)"
const database = "DATABASE_URL (a PostgreSQL, 14 or newer)"

const notSet = (...missing: ReadonlyArray<string>) =>
  new CannotStart({
    message: `Not set: ${missing.join(" and ")}. This is a build, which contains neither PostgreSQL nor the devnet; ` +
      "in a clone of the repository, npm start runs both."
  })

/** Fails with everything that is missing: the database is asked for first. */
export const onEmbeddedDatabase = ((settings) =>
  Layer.unwrap(
    Effect.flatMap(configured(settings), ({ length }) => length === 0 ? notSet(database, network) : notSet(database))
  )) satisfies (
    ...args: Parameters<typeof LocalServices.onEmbeddedDatabase>
  ) => Layer.Layer<never, CannotStart>

/** Does nothing: a build has the site. */
export const buildDocumentation = Effect.void satisfies typeof LocalServices.buildDocumentation

/** Fails: no network is configured. */
export const onDevnet = (() => Layer.effectDiscard(notSet(network))) satisfies (
  ...args: Parameters<typeof LocalServices.onDevnet>
) => Layer.Layer<never, CannotStart>
