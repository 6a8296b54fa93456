/** Generates sequences of requests of every actor. */
import * as FastCheck from "fast-check"
import * as Model from "../../src/authority/AuthorityCommand.ts"

const { constant, constantFrom, oneof, option, record, shuffledSubarray, subarray } = FastCheck

const wallet = oneof(
  { weight: 4, arbitrary: constant<Model.WalletName>("first") },
  constant<Model.WalletName>("second")
)
const network = constantFrom(...Model.networkNames)
const manager = oneof(
  { weight: 3, arbitrary: constant<Model.ManagerName>("owner") },
  constantFrom(...Model.managerNames)
)
const key = oneof(
  { weight: 4, arbitrary: constant<Model.KeyName>("current") },
  constantFrom<Model.KeyName>("revoked", "random")
)

/** A manager and the key that signs for it: mostly the manager's own. */
const signed = manager.chain((name) =>
  record({ manager: constant(name), signer: oneof({ weight: 5, arbitrary: constant(name) }, manager) })
)
const signature = signed.chain(({ manager: name, signer }) =>
  record({
    _tag: constant("signature" as const),
    manager: constant(name),
    signer: constant(signer),
    // Accounts name no network; contract wallets name their own, mostly.
    network: name === "contract"
      ? oneof({ weight: 3, arbitrary: constant<Model.NetworkName | null>("polygon") }, option(network))
      : constant(null)
  })
)
const inConsole = signed.chain((both) =>
  record({
    _tag: constant("console" as const),
    manager: constant(both.manager),
    signer: constant(both.signer),
    freshness: oneof(
      { weight: 4, arbitrary: constant<Model.Freshness>("fresh") },
      constantFrom<Model.Freshness>("none", "otherAction")
    )
  })
)
const byKey = record({ _tag: constant("key" as const), key })
const bySubKey = record({ _tag: constant("subKey" as const) })
const bySession = record({ _tag: constant("session" as const), manager })
const by: FastCheck.Arbitrary<Model.By> = oneof(
  { weight: 3, arbitrary: byKey },
  { weight: 3, arbitrary: bySession },
  { weight: 1, arbitrary: record({ _tag: constant("token" as const) }) },
  { weight: 1, arbitrary: bySubKey }
)
const byPrivateKey = record({
  _tag: constant("privateKey" as const),
  isOwn: oneof({ weight: 3, arbitrary: constant(true) }, constant(false))
})
const byOperator = record({ _tag: constant("operator" as const) })
const limits: FastCheck.Arbitrary<Model.Limits> = record({
  vaults: oneof(
    { weight: 3, arbitrary: constant(null) },
    network.map((name): ReadonlyArray<Model.NetworkName> => [name])
  ),
  usdPerDay: constantFrom(null, 10, 500),
  readOnly: oneof({ weight: 5, arbitrary: constant(false) }, constant(true))
})
const bounds: FastCheck.Arbitrary<Model.SubKeyBounds> = record({
  vaults: oneof(
    { weight: 2, arbitrary: constant(null) },
    network.map((name): ReadonlyArray<Model.NetworkName> => [name])
  ),
  usdPerDay: constantFrom(150, 150, 1_000, null)
})
const scope = oneof(constant("wallet" as const), network)

const command: FastCheck.Arbitrary<Model.Command> = oneof(
  { weight: 2, arbitrary: record({ _tag: constant("create" as const), wallet, by: option(manager) }) },
  {
    weight: 4,
    arbitrary: signed.chain((both) => record({ _tag: constant("signIn" as const), ...values(both), chain: network }))
  },
  {
    weight: 6,
    arbitrary: record({
      _tag: constant("associate" as const),
      wallet,
      key,
      privateKey: constantFrom("none", "none", "own", "other"),
      by: oneof(signature, inConsole)
    })
  },
  {
    weight: 1,
    arbitrary: record({
      _tag: constant("rotate" as const),
      wallet,
      keep: oneof(constant([]), subarray([...Model.accessKinds]))
    })
  },
  { weight: 3, arbitrary: record({ _tag: constant("rotateInConsole" as const), wallet, by: inConsole }) },
  {
    weight: 4,
    arbitrary: record({
      _tag: constant("limit" as const),
      wallet,
      limits,
      by: oneof(byKey, { weight: 3, arbitrary: signature }, byOperator)
    })
  },
  {
    weight: 6,
    arbitrary: record({ _tag: constantFrom("trade", "link", "createToken", "setBot"), wallet, network, by })
  },
  { weight: 4, arbitrary: record({ _tag: constant("trade" as const), wallet, network, by: bySubKey }) },
  {
    weight: 2,
    arbitrary: record({
      _tag: constant("makeSubKey" as const),
      wallet,
      by: oneof({ weight: 5, arbitrary: byKey }, bySubKey),
      bounds
    })
  },
  {
    weight: 1,
    arbitrary: record({ _tag: constant("endSubKeys" as const), wallet, by: oneof(byKey, bySubKey) })
  },
  { weight: 1, arbitrary: record({ _tag: constant("expireSubKeys" as const), wallet }) },
  { weight: 2, arbitrary: record({ _tag: constant("alert" as const), wallet, network }) },
  {
    weight: 3,
    arbitrary: record({
      _tag: constant("stop" as const),
      wallet,
      scope,
      by: oneof({ weight: 4, arbitrary: by }, byOperator)
    })
  },
  {
    weight: 5,
    arbitrary: record({
      _tag: constant("resume" as const),
      wallet,
      scope,
      by: oneof(byKey, signature, byPrivateKey, inConsole, { weight: 1, arbitrary: byOperator })
    })
  },
  { weight: 3, arbitrary: record({ _tag: constant("remove" as const), wallet, by: oneof(signature, bySession) }) },
  {
    weight: 3,
    arbitrary: record({
      _tag: constant("setTrader" as const),
      network,
      trader: oneof({ weight: 5, arbitrary: wallet }, constant(null))
    })
  },
  {
    weight: 2,
    arbitrary: record({ _tag: constant("read" as const), wallet, by: oneof(byKey, signature, byPrivateKey) })
  }
)

/** Returns an object of constants. */
function values<A extends object>(of: A): { readonly [K in keyof A]: FastCheck.Arbitrary<A[K]> } {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, constant(value)])) as {
    readonly [K in keyof A]: FastCheck.Arbitrary<A[K]>
  }
}

/** Managers who signed in, the first of whom may have created the wallet, and the vaults it trades. */
const opening = record({
  managers: shuffledSubarray([...Model.managerNames], { minLength: 1 }),
  isManaged: oneof({ weight: 3, arbitrary: constant(true) }, constant(false)),
  tradesPolygon: FastCheck.boolean(),
  // A token and a bot make the wallet a used one.
  isUsed: FastCheck.boolean(),
  hasSubKey: FastCheck.boolean()
}).map(({ hasSubKey, isManaged, isUsed, managers, tradesPolygon }): ReadonlyArray<Model.Command> => {
  const about = { wallet: "first", network: "base", by: { _tag: "key", key: "current" } } as const
  return [
    ...managers.map((name) => ({ _tag: "signIn", manager: name, signer: name, chain: "polygon" }) as const),
    { _tag: "create", wallet: "first", by: isManaged ? managers[0] ?? null : null },
    { _tag: "setTrader", network: "base", trader: "first" },
    ...(tradesPolygon ? [{ _tag: "setTrader", network: "polygon", trader: "first" }] as const : []),
    ...(hasSubKey
      ? [{ _tag: "makeSubKey", wallet: "first", by: about.by, bounds: { vaults: null, usdPerDay: 150 } }] as const
      : []),
    ...(isUsed ? [{ _tag: "createToken", ...about }, { _tag: "setBot", ...about }] as const : [])
  ]
})

/** A scene, and requests of everyone. */
export const sequences: FastCheck.Arbitrary<ReadonlyArray<Model.Command>> = FastCheck.tuple(
  opening,
  FastCheck.array(command, { minLength: 4, maxLength: 14 })
).map(([first, commands]) => [...first, ...commands])
