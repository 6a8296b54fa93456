/**
 * The script that makes the Devnet Wallet visible to a page: a provider that announces itself (EIP-6963) and asks the
 * user before it signs.
 */

const icon = "data:image/svg+xml," + encodeURIComponent(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><rect width='24' height='24' rx='6' " +
    "fill='#2f6f4f'/><path d='M6 8h12v9H6zM14 11.5h4v2.5h-4z' fill='none' stroke='#fff' stroke-width='1.6'/></svg>"
)

/** Returns the script for a page that talks to a wallet at `path` of its own origin. */
export const walletScript = (path: string, chainId: number): string =>
  `// The wallet of a devnet: play money, and a key that is worth nothing elsewhere.
(() => {
  let chainId = ${chainId}
  const listeners = new Map()
  const emit = (name, value) => { for (const listener of listeners.get(name) ?? []) listener(value) }
  const refused = (code, message) => Object.assign(new Error(message), { code })
  const decodeText = (hex) => {
    try {
      const bytes = hex.slice(2).match(/../g) ?? []
      return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes, (byte) => parseInt(byte, 16)))
    } catch {
      return hex
    }
  }
  const confirmations = {
    personal_sign: ([message]) => "Sign this message?\\n\\n" + decodeText(message),
    eth_signTypedData_v4: ([, data]) => "Sign this?\\n\\n" + JSON.stringify(typeof data === "string" ? JSON.parse(data) : data, null, 2),
    eth_sendTransaction: ([{ data = "0x", to = "a new contract", value = "0x0" }]) =>
      "Send this transaction on chain " + chainId + "?\\n\\nTo: " + to + "\\nValue: " + Number(BigInt(value)) / 1e18 +
      "\\nData: " + (data.length > 74 ? data.slice(0, 74) + "… (" + (data.length - 2) / 2 + " bytes)" : data)
  }
  const request = async ({ method, params = [] }) => {
    if (method === "eth_chainId") return "0x" + chainId.toString(16)
    if (method === "wallet_requestPermissions" || method === "wallet_getPermissions") return [{ parentCapability: "eth_accounts" }]
    if (method === "wallet_revokePermissions") return null
    if (confirmations[method] !== undefined && !confirm("Devnet Wallet\\n\\n" + confirmations[method](params))) {
      throw refused(4001, "User rejected the request.")
    }
    const response = await fetch(${
    JSON.stringify(path)
  }, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ chainId, method, params }) })
    const { error, result } = await response.json()
    if (error !== undefined) throw refused(error.code, error.message)
    if (method === "wallet_switchEthereumChain" || method === "wallet_addEthereumChain") {
      chainId = Number(params[0].chainId)
      emit("chainChanged", "0x" + chainId.toString(16))
    }
    return result
  }
  const provider = {
    request,
    on: (name, listener) => { listeners.set(name, [...listeners.get(name) ?? [], listener]) },
    removeListener: (name, listener) => { listeners.set(name, (listeners.get(name) ?? []).filter((each) => each !== listener)) }
  }
  const info = { uuid: crypto.randomUUID(), name: "Devnet Wallet", icon: ${
    JSON.stringify(icon)
  }, rdns: "org.vault-trader.devnet" }
  const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }))
  addEventListener("eip6963:requestProvider", announce)
  announce()
})()
`
