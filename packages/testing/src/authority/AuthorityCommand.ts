/** The requests of the authority model: who asks for what, with which proof. */

/** The wallets, managers and networks of a sequence. `contract` is a contract wallet on polygon. */
export type WalletName = "first" | "second"
export type ManagerName = "owner" | "thief" | "contract"
export type NetworkName = "base" | "polygon"
export const walletNames: ReadonlyArray<WalletName> = ["first", "second"]
export const managerNames: ReadonlyArray<ManagerName> = ["owner", "thief", "contract"]
export const networkNames: ReadonlyArray<NetworkName> = ["base", "polygon"]
export const accessKinds = ["managers", "sessions", "tokens", "webhooks"] as const
export type AccessKind = typeof accessKinds[number]

/** Limits of a wallet's key; null is no limit. */
export interface Limits {
  readonly vaults: ReadonlyArray<NetworkName> | null
  readonly usdPerDay: number | null
  readonly readOnly: boolean
}

/** Bounds of a sub-key; `usdPerDay` null: it only reads. */
export interface SubKeyBounds {
  readonly vaults: ReadonlyArray<NetworkName> | null
  readonly usdPerDay: number | null
}

/** The USD that a trade of a sub-key sells. */
export const usdPerTrade = 100

/** An API key: the wallet's current one (also when it was leaked), a revoked one, or a random one. */
export type KeyName = "current" | "revoked" | "random"
/** A manager's signature over a request: `signer` made it, and the request names `network`. */
export interface Signature {
  readonly manager: ManagerName
  readonly signer: ManagerName
  readonly network: NetworkName | null
}
/** How a console request is signed: freshly, not at all, or with a signature for another action. */
export type Freshness = "fresh" | "none" | "otherAction"

export type By =
  | { readonly _tag: "key"; readonly key: KeyName }
  | { readonly _tag: "session"; readonly manager: ManagerName }
  | { readonly _tag: "token" }
  | { readonly _tag: "subKey" }
export type Proof =
  | { readonly _tag: "key"; readonly key: KeyName }
  | ({ readonly _tag: "signature" } & Signature)
  | { readonly _tag: "privateKey"; readonly isOwn: boolean }
export type ConsoleSignature = {
  readonly _tag: "console"
  readonly manager: ManagerName
  readonly signer: ManagerName
  readonly freshness: Freshness
}

/** A request of an actor, or a change of the world. */
export type Command =
  | { readonly _tag: "create"; readonly wallet: WalletName; readonly by: ManagerName | null }
  | {
    readonly _tag: "signIn"
    readonly manager: ManagerName
    readonly signer: ManagerName
    readonly chain: NetworkName
  }
  | {
    readonly _tag: "associate"
    readonly wallet: WalletName
    readonly key: KeyName
    readonly privateKey: "none" | "own" | "other"
    readonly by: ({ readonly _tag: "signature" } & Signature) | ConsoleSignature
  }
  | { readonly _tag: "rotate"; readonly wallet: WalletName; readonly keep: ReadonlyArray<AccessKind> }
  | { readonly _tag: "rotateInConsole"; readonly wallet: WalletName; readonly by: ConsoleSignature }
  | {
    readonly _tag: "limit"
    readonly wallet: WalletName
    readonly limits: Limits
    readonly by: Exclude<Proof, { readonly _tag: "privateKey" }> | { readonly _tag: "operator" }
  }
  | {
    readonly _tag: "trade" | "link" | "createToken" | "setBot"
    readonly wallet: WalletName
    readonly network: NetworkName
    readonly by: By
  }
  | { readonly _tag: "alert"; readonly wallet: WalletName; readonly network: NetworkName }
  | {
    readonly _tag: "stop"
    readonly wallet: WalletName
    readonly scope: "wallet" | NetworkName
    readonly by: By | { readonly _tag: "operator" }
  }
  | {
    readonly _tag: "resume"
    readonly wallet: WalletName
    readonly scope: "wallet" | NetworkName
    readonly by: Proof | ConsoleSignature | { readonly _tag: "operator" }
  }
  | {
    readonly _tag: "remove"
    readonly wallet: WalletName
    readonly by: ({ readonly _tag: "signature" } & Signature) | {
      readonly _tag: "session"
      readonly manager: ManagerName
    }
  }
  | {
    readonly _tag: "makeSubKey"
    readonly wallet: WalletName
    readonly by: { readonly _tag: "key"; readonly key: KeyName } | { readonly _tag: "subKey" }
    readonly bounds: SubKeyBounds
  }
  | { readonly _tag: "endSubKeys"; readonly wallet: WalletName; readonly by: By }
  | { readonly _tag: "expireSubKeys"; readonly wallet: WalletName }
  | { readonly _tag: "setTrader"; readonly network: NetworkName; readonly trader: WalletName | null }
  | { readonly _tag: "read"; readonly wallet: WalletName; readonly by: Proof }

/** The commands of one kind. */
export type Of<Tag extends Command["_tag"]> = Extract<Command, { readonly _tag: Tag }>
