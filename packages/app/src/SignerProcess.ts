/** The signer as a process of its own: the wallets' keys, the policy and the signing record, and no actors. */
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import { actions } from "@vault-trader/workers/ActionTable"
import { ApprovedSettingsLive } from "@vault-trader/workers/change-approval/ApprovedSettings"
import { SignerLive } from "@vault-trader/workers/gas-wallet/SigningLive"
import * as SignerServer from "@vault-trader/workers/signer/SignerServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Path from "node:path"
import { SharedDatabase } from "./Database.ts"
import { Metrics } from "./MetricsServer.ts"
import { type Networks, required, withDevnetKey } from "./Networks.ts"
import { PepperedDigest } from "./PepperedDigest.ts"
import { PlannerKey } from "./PlannerKey.ts"
import { ready } from "./ReadyLine.ts"
import { configured, Nodes, stateOf } from "./Runner.ts"
import type { Settings } from "./Settings.ts"
import { SigningRecordFolder } from "./SigningRecordFolder.ts"
import { CannotStart } from "./StartupFailure.ts"
import * as WalletKeys from "./WalletKeys.ts"

const socketOf = ({ service, workers }: Settings) =>
  workers.signerSocket ?? Path.join(service.dataDir, "signer", "socket")

/** The approvals of settings that move money, which the signer checks by itself; they need the pepper. */
const Approvals = (settings: Settings) =>
  settings.approvals.needed === 0 ? Layer.empty : Layer.provide(ApprovedSettingsLive, PepperedDigest(settings))

/** Serves the signer. The record is locked before the socket is taken: a second signer gets neither. */
const served = (settings: Settings, networks: Networks, nodes = Nodes(settings, networks)) =>
  SignerServer.layer(socketOf(settings)).pipe(
    Layer.catch(({ message }) => Layer.effectDiscard(new CannotStart({ message }))),
    Layer.provide(Layer.unwrap(Effect.map(WalletKeys.ofSigner(settings), (kek) => SignerLive(kek, actions)))),
    Layer.provide(Approvals(settings)),
    Layer.provide(SubmissionStore.layer),
    Layer.provide([configured(settings, networks), PlannerKey(settings), nodes])
  )

const announced = (settings: Settings, networks: Networks) => {
  const names = networks.books.map(({ network }) => network)
  const nodes = Nodes(settings, networks)
  return ready(Effect.succeed(`signer at ${socketOf(settings)} · networks ${names.join(", ")}`)).pipe(
    Layer.provide(served(settings, networks, nodes)),
    Layer.provide(Layer.provide(Metrics(settings, names, stateOf), nodes)),
    Layer.provide(SigningRecordFolder(settings))
  )
}

/** One signer, ready when built; the runners of its host share it. */
export const SignerProcess = (settings: Settings) =>
  Layer.unwrap(
    Effect.map(
      Effect.flatMap(required(settings), (books) => withDevnetKey(settings, books)),
      (networks) => announced(settings, networks)
    )
  ).pipe(Layer.provide(SharedDatabase(settings)))
