/** The manager's own wallet in this browser (EIP-1193), for what only the manager may sign. Nodes are asked through it and through nobody else. */
import { facts, type Network, names } from "@vault-trader/core/chain/Network"
import { arbitrum, base, type Chain, hyperEvm, mainnet, optimism, polygon } from "viem/chains"
import { wallets } from "./Wallets.ts"

type Hex = `0x${string}`

export interface Provider {
  readonly request: (asked: { readonly method: string; readonly params?: ReadonlyArray<unknown> }) => Promise<unknown>
  readonly on?: (event: string, listener: (value: unknown) => void) => void
  readonly removeListener?: (event: string, listener: (value: unknown) => void) => void
}

export interface OwnWallet {
  readonly provider: Provider
  /** As the wallet calls itself. */
  readonly name: string
  /** The manager's address, lower-case. */
  readonly account: Hex
}

export interface OwnTransaction {
  readonly to: Hex
  readonly data?: Hex
  /** Wei. */
  readonly value?: bigint
}

export interface OwnReceipt {
  readonly hash: Hex
  readonly logs: ReadonlyArray<{ readonly address: Hex; readonly topics: ReadonlyArray<Hex>; readonly data: Hex }>
}

/** A wallet's own errors are often no `Error`s. */
export const sentenceOf = (error: unknown): string => {
  const { message } = (typeof error === "object" && error !== null ? error : {}) as { readonly message?: unknown }
  return typeof message === "string" && message !== "" ? message : "The wallet failed without saying why."
}

const codeOf = (error: unknown): unknown => (typeof error === "object" && error !== null ? error as { readonly code?: unknown } : {}).code

/** EIP-1193's code for a person who said no. */
export const isRefusal = (error: unknown): boolean => {
  const { cause } = (typeof error === "object" && error !== null ? error : {}) as { readonly cause?: unknown }
  return codeOf(error) === 4001 || (cause !== undefined && cause !== error && isRefusal(cause))
}

export const accountsOf = async (provider: Provider, method: "eth_accounts" | "eth_requestAccounts" = "eth_accounts"): Promise<ReadonlyArray<Hex>> => {
  const accounts = await provider.request({ method }) as ReadonlyArray<string>
  return accounts.map((account) => account.toLowerCase() as Hex)
}

/** The wallets that announced themselves, the one that signed in last first. */
export const announced = async () => {
  const recent = await wallets.storage?.getItem("recentConnectorId")
  const found = wallets.connectors.filter(({ id }) => id !== "injected")
  const sorted = [...found].sort((one, other) => Number(other.id === recent) - Number(one.id === recent))
  return Promise.all(sorted.map(async ({ getProvider, id, name }) => ({ name, recent: id === recent, provider: await getProvider() as Provider })))
}

/**
 * The wallet that holds the manager's account. With `ask` the wallet may open and ask to be unlocked, so only after a click.
 * Rejects with a sentence where no wallet offers the account.
 */
export const findOwn = async (manager: string, ask = false): Promise<OwnWallet> => {
  const all = await announced()
  for (const { name, provider } of all) {
    if ((await accountsOf(provider).catch((): ReadonlyArray<Hex> => [])).includes(manager as Hex)) return { name, provider, account: manager as Hex }
  }
  const [first] = all
  if (ask && first !== undefined && (await accountsOf(first.provider, "eth_requestAccounts")).includes(manager as Hex)) {
    return { name: first.name, provider: first.provider, account: manager as Hex }
  }
  throw new Error(first === undefined ? "No wallet announces itself in this browser." : `No wallet in this browser offers the account ${manager}. Unlock it, and choose that account.`)
}

/** The number of the network the wallet is on. */
export const chainIdOf = async ({ provider }: OwnWallet): Promise<number> => Number(await provider.request({ method: "eth_chainId" }))

/** Rejects unless the wallet is on the network: what it reads is read there and nowhere else. */
export const mustBeOn = async (own: OwnWallet, network: Network): Promise<void> => {
  if (await chainIdOf(own) !== facts[network].chainId) throw new Error(`Your wallet is on another network than ${network}.`)
}

/** A network's name where it is one of ours. */
export const networkOf = (chainId: number): Network | undefined => names.find((name) => facts[name].chainId === chainId)

const described: Readonly<Record<Network, Chain>> = { arbitrum, base, ethereum: mainnet, hyperliquid: hyperEvm, optimism, polygon }

const toHex = (value: bigint | number): Hex => `0x${value.toString(16)}`

/** Takes the wallet to a network; one it does not know is offered to it. */
export const switchTo = async (own: OwnWallet, network: Network): Promise<void> => {
  const { chainId } = facts[network]
  if (await chainIdOf(own) === chainId) return
  const turn = () => own.provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId: toHex(chainId) }] })
  await turn().catch(async (error: unknown) => {
    // 4902: the wallet has never heard of it.
    if (codeOf(error) !== 4902) throw error
    const { blockExplorers, name, nativeCurrency, rpcUrls } = described[network]
    const explorers = blockExplorers === undefined ? {} : { blockExplorerUrls: [blockExplorers.default.url] }
    await own.provider.request({ method: "wallet_addEthereumChain", params: [{ chainId: toHex(chainId), chainName: name, nativeCurrency, rpcUrls: rpcUrls.default.http, ...explorers }] })
    await turn()
  })
  if (await chainIdOf(own) !== chainId) throw new Error(`The wallet stayed on another network than ${network}. Nothing was sent.`)
}

const quantity = async ({ provider }: OwnWallet, method: string, params: ReadonlyArray<unknown>): Promise<bigint> =>
  BigInt(await provider.request({ method, params }) as string)

/** Wei, on the network the wallet is on. */
export const balanceOf = (own: OwnWallet): Promise<bigint> => quantity(own, "eth_getBalance", [own.account, "latest"])

export const gasPriceOf = (own: OwnWallet): Promise<bigint> => quantity(own, "eth_gasPrice", [])

const wire = ({ account }: OwnWallet, { data, to, value }: OwnTransaction) =>
  ({ from: account, to, ...(data === undefined ? {} : { data }), ...(value === undefined ? {} : { value: toHex(value) }) })

/** Gas units. */
export const gasOf = (own: OwnWallet, transaction: OwnTransaction): Promise<bigint> => quantity(own, "eth_estimateGas", [wire(own, transaction)])

/** What a contract answers. */
export const read = async (own: OwnWallet, to: Hex, data: Hex): Promise<Hex> =>
  await own.provider.request({ method: "eth_call", params: [{ to, data }, "latest"] }) as Hex

/** Asks the wallet to sign and send; its hash. The account is looked at again, because people change it. */
export const send = async (own: OwnWallet, transaction: OwnTransaction): Promise<Hex> => {
  const [selected] = await accountsOf(own.provider)
  if (selected !== own.account) throw new Error(`Your wallet is on another account than ${own.account}. Choose that one in the wallet. Nothing was sent.`)
  return await own.provider.request({ method: "eth_sendTransaction", params: [wire(own, transaction)] }) as Hex
}

interface WireReceipt {
  readonly status: string
  readonly logs: OwnReceipt["logs"]
}

/** The receipt, once it is mined. A reverted one rejects. */
export const receiptOf = async ({ provider }: OwnWallet, hash: Hex): Promise<OwnReceipt | undefined> => {
  const receipt = await provider.request({ method: "eth_getTransactionReceipt", params: [hash] }) as WireReceipt | null
  if (receipt === null) return undefined
  if (BigInt(receipt.status) !== 1n) throw new Error("The transaction was mined and reverted: nothing of it happened, its gas is spent.")
  return { hash, logs: receipt.logs }
}

const pause = () => new Promise((resolve) => { setTimeout(resolve, 1_000) })

/** Waits for the receipt, also while the person takes the wallet elsewhere meanwhile. */
export const mined = async (own: OwnWallet, network: Network, hash: Hex): Promise<OwnReceipt> => {
  for (let look = 0; look < 900; look++) {
    const receipt = await chainIdOf(own) === facts[network].chainId ? await receiptOf(own, hash) : undefined
    if (receipt !== undefined) return receipt
    await pause()
  }
  throw new Error("It is not in a block after fifteen minutes. Your wallet shows what becomes of it; do not send it twice.")
}
