/**
 * The manager's wallet in this browser (EIP-1193), which signs what only the manager may. The page reaches nodes only
 * through it.
 */
import type { Network } from "@vault-trader/core/chain/Network"
import { facts, names } from "@vault-trader/core/chain/NetworkFacts"
import { descriptionOf } from "./KnownNetworks.ts"
import { codeOf, isRefusal, sentenceOf } from "./WalletError.ts"
import { announcedWallets, isRecent, type Provider } from "./Wallets.ts"
import { t } from "../text/Text.ts"

export { isRefusal, sentenceOf }

type Hex = `0x${string}`

export interface ManagerWallet {
  readonly provider: Provider
  /** The wallet's announced name. */
  readonly name: string
  /** The manager's address, lower-case. */
  readonly account: Hex
}

export interface TransactionRequest {
  readonly to: Hex
  readonly data?: Hex
  /** Wei. */
  readonly value?: bigint
}

export interface TransactionReceipt {
  readonly hash: Hex
  readonly logs: ReadonlyArray<{ readonly address: Hex; readonly topics: ReadonlyArray<Hex>; readonly data: Hex }>
}

export const accountsOf = async (
  provider: Provider,
  method: "eth_accounts" | "eth_requestAccounts" = "eth_accounts"
): Promise<ReadonlyArray<Hex>> => {
  const accounts = await provider.request({ method }) as ReadonlyArray<string>
  return accounts.map((account) => account.toLowerCase() as Hex)
}

/** Returns the announced wallets; the one that signed in last comes first. */
export const discoverWallets = () =>
  announcedWallets()
    .map((wallet) => ({ name: wallet.info.name, recent: isRecent(wallet), provider: wallet.provider }))
    .sort((one, other) => Number(other.recent) - Number(one.recent))

/**
 * Finds the wallet with the manager's account. With `ask` the wallet may open a prompt to unlock it, so use it only
 * after a click. Rejects with a message if no wallet offers the account.
 */
export const findManagerWallet = async (manager: string, ask = false): Promise<ManagerWallet> => {
  const all = discoverWallets()
  for (const { name, provider } of all) {
    if ((await accountsOf(provider).catch((): ReadonlyArray<Hex> => [])).includes(manager as Hex)) {
      return { name, provider, account: manager as Hex }
    }
  }
  const [first] = all
  if (
    ask && first !== undefined && (await accountsOf(first.provider, "eth_requestAccounts")).includes(manager as Hex)
  ) {
    return { name: first.name, provider: first.provider, account: manager as Hex }
  }
  throw new Error(
    first === undefined
      ? t("No wallet was found in this browser.")
      : t("No wallet in this browser offers the account {manager}. Unlock the wallet and select that account.", {
        manager
      })
  )
}

/** Returns the chain id of the wallet's current network. */
export const chainIdOf = async ({ provider }: ManagerWallet): Promise<number> =>
  Number(await provider.request({ method: "eth_chainId" }))

/** Rejects unless the wallet is on the network, because it reads only from its current network. */
export const mustBeOn = async (wallet: ManagerWallet, network: Network): Promise<void> => {
  if (await chainIdOf(wallet) !== facts[network].chainId) {
    throw new Error(t("Your wallet is on another network than {network}.", { network }))
  }
}

/** Returns the name of a served network, or undefined. */
export const networkOf = (chainId: number): Network | undefined => names.find((name) => facts[name].chainId === chainId)

const toHex = (value: bigint | number): Hex => `0x${value.toString(16)}`

/** Switches the wallet to a network, and adds the network first if the wallet does not know it. */
export const switchTo = async (wallet: ManagerWallet, network: Network): Promise<void> => {
  const { chainId } = facts[network]
  if (await chainIdOf(wallet) === chainId) return
  const switchChain = () =>
    wallet.provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId: toHex(chainId) }] })
  await switchChain().catch(async (error: unknown) => {
    // 4902: the wallet does not know the network.
    if (codeOf(error) !== 4902) throw error
    await wallet.provider.request({
      method: "wallet_addEthereumChain",
      params: [{ chainId: toHex(chainId), ...descriptionOf(network) }]
    })
    await switchChain()
  })
  if (await chainIdOf(wallet) !== chainId) {
    throw new Error(t("The wallet stayed on another network than {network}. Nothing was sent.", { network }))
  }
}

const quantity = async ({ provider }: ManagerWallet, method: string, params: ReadonlyArray<unknown>): Promise<bigint> =>
  BigInt(await provider.request({ method, params }) as string)

/** Reads the balance in wei on the wallet's current network. */
export const balanceOf = (wallet: ManagerWallet): Promise<bigint> =>
  quantity(wallet, "eth_getBalance", [wallet.account, "latest"])

export const gasPriceOf = (wallet: ManagerWallet): Promise<bigint> => quantity(wallet, "eth_gasPrice", [])

const rpcParams = ({ account }: ManagerWallet, { data, to, value }: TransactionRequest) => ({
  from: account,
  to,
  ...(data === undefined ? {} : { data }),
  ...(value === undefined ? {} : { value: toHex(value) })
})

/** Estimates a transaction in gas units. */
export const gasOf = (wallet: ManagerWallet, transaction: TransactionRequest): Promise<bigint> =>
  quantity(wallet, "eth_estimateGas", [rpcParams(wallet, transaction)])

/** Calls a contract and returns the result. */
export const read = async (wallet: ManagerWallet, to: Hex, data: Hex): Promise<Hex> =>
  await wallet.provider.request({ method: "eth_call", params: [{ to, data }, "latest"] }) as Hex

/** Has the wallet sign and send; returns the hash. Checks the account first, because the user may have changed it. */
export const send = async (wallet: ManagerWallet, transaction: TransactionRequest): Promise<Hex> => {
  const [selected] = await accountsOf(wallet.provider)
  if (selected !== wallet.account) {
    throw new Error(
      t("Your wallet is on another account than {account}. Select that account in the wallet. Nothing was sent.", {
        account: wallet.account
      })
    )
  }
  return await wallet.provider.request({
    method: "eth_sendTransaction",
    params: [rpcParams(wallet, transaction)]
  }) as Hex
}

interface WireReceipt {
  readonly status: string
  readonly logs: TransactionReceipt["logs"]
}

/** Returns the receipt once mined, otherwise undefined. Rejects if the transaction reverted. */
export const receiptOf = async ({ provider }: ManagerWallet, hash: Hex): Promise<TransactionReceipt | undefined> => {
  const receipt = await provider.request({ method: "eth_getTransactionReceipt", params: [hash] }) as WireReceipt | null
  if (receipt === null) return undefined
  if (BigInt(receipt.status) !== 1n) {
    throw new Error(t("The transaction was mined but reverted: only its gas was spent."))
  }
  return { hash, logs: receipt.logs }
}

const pause = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 1_000)
  })

/** Waits for the receipt, even if the user switches the wallet's network meanwhile. */
export const waitForReceipt = async (
  wallet: ManagerWallet,
  network: Network,
  hash: Hex
): Promise<TransactionReceipt> => {
  for (let attempt = 0; attempt < 900; attempt++) {
    const receipt = await chainIdOf(wallet) === facts[network].chainId ? await receiptOf(wallet, hash) : undefined
    if (receipt !== undefined) return receipt
    await pause()
  }
  throw new Error(
    t("The transaction is not in a block after fifteen minutes. Check it in your wallet; do not send it again.")
  )
}
