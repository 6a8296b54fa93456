# The endpoints of the service, written by `npm run docs` from its catalogue. Do not edit.

vt_methods <- function(call) {
  list(
    # Create a gas wallet. The private key and the API key are in this response and nowhere else: back both up. A
    # wallet that is never used is purged after 30 days: its API key ends until its private key is imported again.
    createGasWallet = function(options = list()) {
      request <- list()
      call(vt_endpoint("createGasWallet", "/createGasWallet", "change", "none"), request, options)
    },
    # Issue a new API key for a wallet, revoking the old one at once, and end all other access to it, except what
    # `keep` names. Imports a wallet that the service does not know.
    getNewApiKey = function(privateKey, keep = NULL, options = list()) {
      request <- list(privateKey = privateKey, keep = keep)
      call(vt_endpoint("getNewApiKey", "/getNewApiKey", "change", "none"), request, options)
    },
    # Native gas-token balance of the wallet behind the key; `network=all` for every network, `USD` for its value.
    getGasBalance = function(network, USD = NULL, options = list()) {
      request <- list(network = network, USD = USD)
      call(vt_endpoint("getGasBalance", "/getGasBalance", "read", "required"), request, options)
    },
    # Native balances on every network, also in USD: of the key's wallet, or of every wallet in the manager's list.
    getAllGasBalance = function(manager = NULL, signature = NULL, network = NULL, options = list()) {
      request <- list(manager = manager, signature = signature, network = network)
      call(vt_endpoint("getAllGasBalance", "/getAllGasBalance", "read", "optional"), request, options)
    },
    # Link a vault to the key's wallet, which must be its trader on chain. The link is kept when the wallet gets a
    # new key.
    linkGasWallet = function(network, pool, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, protocol = protocol)
      call(vt_endpoint("linkGasWallet", "/linkGasWallet", "change", "required"), request, options)
    },
    # Unlink a vault from the key's wallet; the vault's trader on chain does not change.
    unlinkGasWallet = function(network, pool, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, protocol = protocol)
      call(vt_endpoint("unlinkGasWallet", "/unlinkGasWallet", "change", "required"), request, options)
    },
    # The vaults linked to the key's wallet, and whether it is their trader on chain now.
    getGasWalletPools = function(network = NULL, options = list()) {
      request <- list(network = network)
      call(vt_endpoint("getGasWalletPools", "/getGasWalletPools", "read", "required"), request, options)
    },
    # Stop the bots of a vault, or the threshold bot of a pair, at once, even when no node answers: nothing more is
    # signed for them. Transactions already signed continue.
    pauseBot = function(network, pool, pair = NULL, protocol = NULL, reason = NULL, options = list()) {
      request <- list(network = network, pool = pool, pair = pair, protocol = protocol, reason = reason)
      call(vt_endpoint("pauseBot", "/pauseBot", "change", "required"), request, options)
    },
    # Resume the bots of a vault, or the one of a pair, after pauseBot. The API key alone suffices for a wallet
    # without a manager; otherwise a manager's signature (subject: the wallet) or the wallet's private key is
    # needed.
    resumeBot = function(
        network,
        pool,
        pair = NULL,
        protocol = NULL,
        manager = NULL,
        signature = NULL,
        wallet = NULL,
        privateKey = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        pair = pair,
        protocol = protocol,
        manager = manager,
        signature = signature,
        wallet = wallet,
        privateKey = privateKey
      )
      call(vt_endpoint("resumeBot", "/resumeBot", "change", "optional"), request, options)
    },
    # Stop every signature of the key's wallet at once, on all networks. Transactions already signed continue.
    pauseWallet = function(reason = NULL, options = list()) {
      request <- list(reason = reason)
      call(vt_endpoint("pauseWallet", "/pauseWallet", "change", "required"), request, options)
    },
    # Let a wallet sign again after pauseWallet. The API key alone suffices for a wallet without a manager;
    # otherwise a manager's signature (subject: the wallet) or the wallet's private key is needed.
    resumeWallet = function(
        manager = NULL,
        signature = NULL,
        wallet = NULL,
        privateKey = NULL,
        options = list()
      ) {
      request <- list(manager = manager, signature = signature, wallet = wallet, privateKey = privateKey)
      call(vt_endpoint("resumeWallet", "/resumeWallet", "change", "optional"), request, options)
    },
    # Whether an address is the vault's authorised trader on chain.
    isPoolTrader = function(network, pool, trader, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, trader = trader, protocol = protocol)
      call(vt_endpoint("isPoolTrader", "/isPoolTrader", "read", "required"), request, options)
    },
    # What vaults can do on a network as the vault platform allows it now: venues, lenders, liquidity, shorts,
    # leveraged tokens and perpetual contracts. With `pool`, also which of the markets are enabled in that vault
    # (`enabled`).
    getCapabilities = function(network, pool = NULL, options = list()) {
      request <- list(network = network, pool = pool)
      call(vt_endpoint("getCapabilities", "/getCapabilities", "read", "required"), request, options)
    },
    # The vault's holdings: symbols resolved, amounts in human units, priced by the vault's own oracle.
    poolComposition = function(pool, network, protocol = NULL, options = list()) {
      request <- list(pool = pool, network = network, protocol = protocol)
      call(vt_endpoint("poolComposition", "/poolComposition", "read", "required"), request, options)
    },
    # What a vault earned in a period, by its share price: return, profit, fees, gas, slippage, risk, benchmarks,
    # attribution, bots and orders, and the value curve with its gaps.
    getPerformance = function(
        network,
        pool,
        protocol = NULL,
        range = NULL,
        from = NULL,
        to = NULL,
        benchmark = NULL,
        lots = NULL,
        points = NULL,
        format = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        protocol = protocol,
        range = range,
        from = from,
        to = to,
        benchmark = benchmark,
        lots = lots,
        points = points,
        format = format
      )
      call(vt_endpoint("getPerformance", "/getPerformance", "read", "required"), request, options)
    },
    # What a vault sold in a period, lot by lot with cost, proceeds and gain, and the lots that it still has; from
    # the receipts of this service's trades. `csv` is a table for tax software.
    getTaxLots = function(
        network,
        pool,
        protocol = NULL,
        range = NULL,
        from = NULL,
        to = NULL,
        lots = NULL,
        format = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        protocol = protocol,
        range = range,
        from = from,
        to = to,
        lots = lots,
        format = format
      )
      call(vt_endpoint("getTaxLots", "/getTaxLots", "read", "required"), request, options)
    },
    # A vault's performance as one HTML page with charts, without scripts, ready to print or to save as PDF.
    getTearsheet = function(
        network,
        pool,
        protocol = NULL,
        range = NULL,
        from = NULL,
        to = NULL,
        benchmark = NULL,
        lots = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        protocol = protocol,
        range = range,
        from = from,
        to = to,
        benchmark = benchmark,
        lots = lots
      )
      call(vt_endpoint("getTearsheet", "/getTearsheet", "read", "required"), request, options)
    },
    # Token symbol (and decimals) of a contract address, read from the chain.
    getSymbol = function(contract, network, options = list()) {
      request <- list(contract = contract, network = network)
      call(vt_endpoint("getSymbol", "/getSymbol", "read", "required"), request, options)
    },
    # Token contract address (and decimals) of a symbol in the network's token list.
    getContract = function(symbol, network, options = list()) {
      request <- list(symbol = symbol, network = network)
      call(vt_endpoint("getContract", "/getContract", "read", "required"), request, options)
    },
    # Swap one vault asset for another on the named venue, or on the first available venue of the network's
    # fallback chain; returns the amounts actually sold and bought.
    vaultTrade = function(
        pool,
        from,
        to,
        network = NULL,
        protocol = NULL,
        platform = NULL,
        slippage = NULL,
        share = NULL,
        amount = NULL,
        valid_for = NULL,
        duplicate = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        pool = pool,
        from = from,
        to = to,
        network = network,
        protocol = protocol,
        platform = platform,
        slippage = slippage,
        share = share,
        amount = amount,
        valid_for = valid_for,
        duplicate = duplicate,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("vaultTrade", "/vaultTrade", "write", "required"), request, options)
    },
    # Approve an asset of the vault for a venue or lending market; needed once per asset and spender. `amount=0`
    # revokes.
    approve = function(
        network,
        pool,
        asset,
        platform = NULL,
        protocol = NULL,
        amount = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        asset = asset,
        platform = platform,
        protocol = protocol,
        amount = amount,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("approve", "/approve", "write", "required"), request, options)
    },
    # Let the vault hold an asset that the vault platform supports: by its trader, unless its manager has disabled
    # that, or by its manager.
    enableAsset = function(
        network,
        pool,
        asset,
        protocol = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        asset = asset,
        protocol = protocol,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("enableAsset", "/enableAsset", "write", "required"), request, options)
    },
    # End that the vault may hold an asset, of which it must have none.
    disableAsset = function(
        network,
        pool,
        asset,
        protocol = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        asset = asset,
        protocol = protocol,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("disableAsset", "/disableAsset", "write", "required"), request, options)
    },
    # Name vaults that tradeGroup trades as one; the same name again replaces them. Nothing is checked on chain.
    setVaultGroup = function(group, members, options = list()) {
      request <- list(group = group, members = members)
      call(vt_endpoint("setVaultGroup", "/setVaultGroup", "change", "required"), request, options)
    },
    # The groups of the key's wallet, by name.
    getVaultGroups = function(options = list()) {
      request <- list()
      call(vt_endpoint("getVaultGroups", "/getVaultGroups", "read", "required"), request, options)
    },
    # Remove a group. Its vaults stay as they are, and trades that were accepted continue.
    removeVaultGroup = function(group, options = list()) {
      request <- list(group = group)
      call(vt_endpoint("removeVaultGroup", "/removeVaultGroup", "change", "required"), request, options)
    },
    # Make the same trade in each vault of a group, each as a vaultTrade, billed as one. Needs `idempotency_key`,
    # and `share` of each holding or an `amount` for all. Refused as a whole if the key may not trade a vault.
    tradeGroup = function(
        group,
        from,
        to,
        share = NULL,
        amount = NULL,
        split = NULL,
        platform = NULL,
        slippage = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        group = group,
        from = from,
        to = to,
        share = share,
        amount = amount,
        split = split,
        platform = platform,
        slippage = slippage,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("tradeGroup", "/tradeGroup", "write", "required"), request, options)
    },
    # Supply an asset of the vault to lenderA; approval and supply are one transaction, the approval is exact.
    lenderAV3Lend = function(
        network,
        pool,
        asset,
        protocol = NULL,
        share = NULL,
        amount = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        asset = asset,
        protocol = protocol,
        share = share,
        amount = amount,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("lenderAV3/lend", "/lenderAV3/lend", "write", "required"), request, options)
    },
    # Withdraw an asset supplied to lenderA; a share of 100 withdraws all of it, interest included. A debt below $1
    # does not prevent that: it is repaid, or a little stays supplied for it.
    lenderAV3Unlend = function(
        network,
        pool,
        asset,
        protocol = NULL,
        share = NULL,
        amount = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        asset = asset,
        protocol = protocol,
        share = share,
        amount = amount,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("lenderAV3/unlend", "/lenderAV3/unlend", "write", "required"), request, options)
    },
    # Borrow an asset against the vault's collateral, at the variable rate; refused below the health factor's
    # floor.
    lenderAV3Borrow = function(
        network,
        pool,
        asset,
        protocol = NULL,
        share = NULL,
        amount = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        asset = asset,
        protocol = protocol,
        share = share,
        amount = amount,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("lenderAV3/borrow", "/lenderAV3/borrow", "write", "required"), request, options)
    },
    # Repay the vault's debt; a share of 100 repays all of it, including interest up to the repayment, as far as
    # the vault holds the asset. `still_owed` is the rest.
    lenderAV3Repay = function(
        network,
        pool,
        asset,
        protocol = NULL,
        share = NULL,
        amount = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        asset = asset,
        protocol = protocol,
        share = share,
        amount = amount,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("lenderAV3/repay", "/lenderAV3/repay", "write", "required"), request, options)
    },
    # The vault's assets supplied to lenderA, asset by asset and in total.
    lenderAV3GetSupplied = function(network, pool, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, protocol = protocol)
      call(vt_endpoint("lenderAV3/getSupplied", "/lenderAV3/getSupplied", "read", "required"), request, options)
    },
    # The vault's debt to lenderA, asset by asset and in total.
    lenderAV3GetBorrowed = function(network, pool, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, protocol = protocol)
      call(vt_endpoint("lenderAV3/getBorrowed", "/lenderAV3/getBorrowed", "read", "required"), request, options)
    },
    # The vault's health factor with lenderA; below 1 it is liquidated, without debt it is "infinity".
    lenderAV3GetHealthFactor = function(network, pool, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, protocol = protocol)
      call(vt_endpoint("lenderAV3/getHealthFactor", "/lenderAV3/getHealthFactor", "read", "required"), request, options)
    },
    # The vault's whole position with lenderA: collateral and debt in USD, the amount it can still borrow,
    # thresholds in percent.
    lenderAV3GetPoolData = function(network, pool, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, protocol = protocol)
      call(vt_endpoint("lenderAV3/getPoolData", "/lenderAV3/getPoolData", "read", "required"), request, options)
    },
    # Supply an asset of the vault to lenderB; approval and supply are one transaction, the approval is exact.
    lenderBV3Lend = function(
        network,
        pool,
        asset,
        protocol = NULL,
        share = NULL,
        amount = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        asset = asset,
        protocol = protocol,
        share = share,
        amount = amount,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("lenderBV3/lend", "/lenderBV3/lend", "write", "required"), request, options)
    },
    # Withdraw an asset supplied to lenderB; a share of 100 withdraws all of it, interest included. A debt below $1
    # does not prevent that: it is repaid, or a little stays supplied for it.
    lenderBV3Unlend = function(
        network,
        pool,
        asset,
        protocol = NULL,
        share = NULL,
        amount = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        asset = asset,
        protocol = protocol,
        share = share,
        amount = amount,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("lenderBV3/unlend", "/lenderBV3/unlend", "write", "required"), request, options)
    },
    # Supply an asset of the vault to lenderC; approval and supply are one transaction, the approval is exact.
    lenderCLend = function(
        network,
        pool,
        asset,
        protocol = NULL,
        share = NULL,
        amount = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        asset = asset,
        protocol = protocol,
        share = share,
        amount = amount,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("lenderC/lend", "/lenderC/lend", "write", "required"), request, options)
    },
    # Withdraw an asset supplied to lenderC; a share of 100 withdraws all of it, interest included. A debt below $1
    # does not prevent that: it is repaid, or a little stays supplied for it.
    lenderCUnlend = function(
        network,
        pool,
        asset,
        protocol = NULL,
        share = NULL,
        amount = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        asset = asset,
        protocol = protocol,
        share = share,
        amount = amount,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("lenderC/unlend", "/lenderC/unlend", "write", "required"), request, options)
    },
    # Supply an asset of the vault to lenderA; approval and supply are one transaction, the approval is exact.
    lend = function(
        network,
        pool,
        asset,
        protocol = NULL,
        share = NULL,
        amount = NULL,
        valid_for = NULL,
        platform = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        asset = asset,
        protocol = protocol,
        share = share,
        amount = amount,
        valid_for = valid_for,
        platform = platform,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("lend", "/lend", "write", "required"), request, options)
    },
    # Withdraw an asset supplied to lenderA; a share of 100 withdraws all of it, interest included. A debt below $1
    # does not prevent that: it is repaid, or a little stays supplied for it.
    unlend = function(
        network,
        pool,
        asset,
        protocol = NULL,
        share = NULL,
        amount = NULL,
        valid_for = NULL,
        platform = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        asset = asset,
        protocol = protocol,
        share = share,
        amount = amount,
        valid_for = valid_for,
        platform = platform,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("unlend", "/unlend", "write", "required"), request, options)
    },
    # Borrow an asset against the vault's collateral, at the variable rate; refused below the health factor's
    # floor.
    borrow = function(
        network,
        pool,
        asset,
        protocol = NULL,
        share = NULL,
        amount = NULL,
        valid_for = NULL,
        platform = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        asset = asset,
        protocol = protocol,
        share = share,
        amount = amount,
        valid_for = valid_for,
        platform = platform,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("borrow", "/borrow", "write", "required"), request, options)
    },
    # Repay the vault's debt; a share of 100 repays all of it, including interest up to the repayment, as far as
    # the vault holds the asset. `still_owed` is the rest.
    repay = function(
        network,
        pool,
        asset,
        protocol = NULL,
        share = NULL,
        amount = NULL,
        valid_for = NULL,
        platform = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        asset = asset,
        protocol = protocol,
        share = share,
        amount = amount,
        valid_for = valid_for,
        platform = platform,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("repay", "/repay", "write", "required"), request, options)
    },
    # The current supply and borrow rates of every asset at every lender of the network, or of every configured
    # network, in percent per year.
    getAllYields = function(network = NULL, options = list()) {
      request <- list(network = network)
      call(vt_endpoint("getAllYields", "/getAllYields", "read", "required"), request, options)
    },
    # The yearly yield of the vault's positions with lenders at current rates, in percent of the vault's total
    # value.
    getEstimatedAnualYield = function(pool, network = NULL, protocol = NULL, options = list()) {
      request <- list(pool = pool, network = network, protocol = protocol)
      call(vt_endpoint("getEstimatedAnualYield", "/getEstimatedAnualYield", "read", "required"), request, options)
    },
    # The gain of the vault's token since this service first recorded it, in percent.
    getTotalYield = function(pool, network = NULL, protocol = NULL, options = list()) {
      request <- list(pool = pool, network = network, protocol = protocol)
      call(vt_endpoint("getTotalYield", "/getTotalYield", "read", "required"), request, options)
    },
    # Provide liquidity to a concentrated-liquidity pool from one asset; the required amount of the other is bought
    # first, in the same transaction.
    addLiquidity = function(
        pool,
        network,
        asset1,
        asset2,
        input_asset,
        platform = NULL,
        slippage = NULL,
        protocol = NULL,
        valid_for = NULL,
        dex = NULL,
        fee_tier = NULL,
        tick_spacing = NULL,
        lower_price = NULL,
        upper_price = NULL,
        share = NULL,
        amount = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        pool = pool,
        network = network,
        asset1 = asset1,
        asset2 = asset2,
        input_asset = input_asset,
        platform = platform,
        slippage = slippage,
        protocol = protocol,
        valid_for = valid_for,
        dex = dex,
        fee_tier = fee_tier,
        tick_spacing = tick_spacing,
        lower_price = lower_price,
        upper_price = upper_price,
        share = share,
        amount = amount,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("addLiquidity", "/addLiquidity", "write", "required"), request, options)
    },
    # Remove liquidity, including fees; all of it unless `amount` is a percentage. `output_asset` sells the other
    # asset in the same transaction.
    removeLiquidity = function(
        pool,
        network,
        asset1,
        asset2,
        token_id,
        dex = NULL,
        platform = NULL,
        slippage = NULL,
        protocol = NULL,
        valid_for = NULL,
        amount = NULL,
        output_asset = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        pool = pool,
        network = network,
        asset1 = asset1,
        asset2 = asset2,
        token_id = token_id,
        dex = dex,
        platform = platform,
        slippage = slippage,
        protocol = protocol,
        valid_for = valid_for,
        amount = amount,
        output_asset = output_asset,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("removeLiquidity", "/removeLiquidity", "write", "required"), request, options)
    },
    # Collect the fees that a position has earned; the position stays as it is. A staked one also pays its rewards,
    # and stays staked.
    collectFees = function(
        pool,
        network,
        asset1,
        asset2,
        token_id,
        dex = NULL,
        protocol = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        pool = pool,
        network = network,
        asset1 = asset1,
        asset2 = asset2,
        token_id = token_id,
        dex = dex,
        protocol = protocol,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("collectFees", "/collectFees", "write", "required"), request, options)
    },
    # Stake a position: in its pool's gauge at velodromeCl, in MasterChefV3 at pancakeCl. It then earns rewards.
    stakeLiquidity = function(
        pool,
        network,
        asset1,
        asset2,
        token_id,
        dex = NULL,
        protocol = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        pool = pool,
        network = network,
        asset1 = asset1,
        asset2 = asset2,
        token_id = token_id,
        dex = dex,
        protocol = protocol,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("stakeLiquidity", "/stakeLiquidity", "write", "required"), request, options)
    },
    # Take a staked position back, with its rewards.
    unstakeLiquidity = function(
        pool,
        network,
        asset1,
        asset2,
        token_id,
        dex = NULL,
        protocol = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        pool = pool,
        network = network,
        asset1 = asset1,
        asset2 = asset2,
        token_id = token_id,
        dex = dex,
        protocol = protocol,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("unstakeLiquidity", "/unstakeLiquidity", "write", "required"), request, options)
    },
    # Claim the rewards of a staked position, which stays staked.
    claimRewards = function(
        pool,
        network,
        asset1,
        asset2,
        token_id,
        dex = NULL,
        protocol = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        pool = pool,
        network = network,
        asset1 = asset1,
        asset2 = asset2,
        token_id = token_id,
        dex = dex,
        protocol = protocol,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("claimRewards", "/claimRewards", "write", "required"), request, options)
    },
    # Move USDC from the vault to its account at HyperCore as margin for perpetual contracts; approval and deposit
    # are one transaction.
    depositToPerpetuals = function(
        pool,
        network = NULL,
        protocol = NULL,
        share = NULL,
        amount = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        pool = pool,
        network = network,
        protocol = protocol,
        share = share,
        amount = amount,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("depositToPerpetuals", "/depositToPerpetuals", "write", "required"), request, options)
    },
    # Buy or sell a perpetual contract with the vault's margin. Success is determined by HyperCore's own state of
    # the order, never by the transaction alone.
    placePerpetualOrder = function(
        pool,
        coin,
        side,
        network = NULL,
        protocol = NULL,
        size = NULL,
        usd = NULL,
        price = NULL,
        tif = NULL,
        reduce_only = NULL,
        slippage = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        pool = pool,
        coin = coin,
        side = side,
        network = network,
        protocol = protocol,
        size = size,
        usd = usd,
        price = price,
        tif = tif,
        reduce_only = reduce_only,
        slippage = slippage,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("placePerpetualOrder", "/placePerpetualOrder", "write", "required"), request, options)
    },
    # Cancel a resting order, identified by `intent_id`, `cloid` or `oid`.
    cancelPerpetualOrder = function(
        pool,
        coin,
        network = NULL,
        protocol = NULL,
        intent_id = NULL,
        cloid = NULL,
        oid = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        pool = pool,
        coin = coin,
        network = network,
        protocol = protocol,
        intent_id = intent_id,
        cloid = cloid,
        oid = oid,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("cancelPerpetualOrder", "/cancelPerpetualOrder", "write", "required"), request, options)
    },
    # Move USDC that no position needs from the vault's account at HyperCore back into the vault.
    withdrawFromPerpetuals = function(
        pool,
        network = NULL,
        protocol = NULL,
        share = NULL,
        amount = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        pool = pool,
        network = network,
        protocol = protocol,
        share = share,
        amount = amount,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("withdrawFromPerpetuals", "/withdrawFromPerpetuals", "write", "required"), request, options)
    },
    # The vault's margin and positions at HyperCore, at HyperCore's own time.
    getPerpetualPositions = function(pool, network = NULL, protocol = NULL, options = list()) {
      request <- list(pool = pool, network = network, protocol = protocol)
      call(vt_endpoint("getPerpetualPositions", "/getPerpetualPositions", "read", "required"), request, options)
    },
    # The vault's resting orders at HyperCore, newest first.
    getPerpetualOrders = function(pool, network = NULL, protocol = NULL, options = list()) {
      request <- list(pool = pool, network = network, protocol = protocol)
      call(vt_endpoint("getPerpetualOrders", "/getPerpetualOrders", "read", "required"), request, options)
    },
    # The listed perpetual contracts, with their size decimals and current prices.
    getPerpetualMarkets = function(network = NULL, options = list()) {
      request <- list(network = network)
      call(vt_endpoint("getPerpetualMarkets", "/getPerpetualMarkets", "read", "required"), request, options)
    },
    # Mint the performance and management fee that a vault owes its manager. Any wallet may call this; it only pays
    # the gas.
    mintManagerFee = function(
        network,
        pool,
        protocol = NULL,
        valid_for = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        protocol = protocol,
        valid_for = valid_for,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("mintManagerFee", "/mintManagerFee", "write", "required"), request, options)
    },
    # Mint the managers' fees of up to 100 vaults in one transaction; vaults without a fee are skipped.
    mintManagerFeeBatch = function(
        pools,
        network,
        protocol = NULL,
        valid_for = NULL,
        allowFailure = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        pools = pools,
        network = network,
        protocol = protocol,
        valid_for = valid_for,
        allowFailure = allowFailure,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("mintManagerFeeBatch", "/mintManagerFeeBatch", "write", "required"), request, options)
    },
    # Find a manager's vaults and mint the fees of those that have one, in one transaction.
    mintAllFeesByManager = function(
        manager,
        network = NULL,
        protocol = NULL,
        valid_for = NULL,
        allowFailure = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        manager = manager,
        network = network,
        protocol = protocol,
        valid_for = valid_for,
        allowFailure = allowFailure,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("mintAllFeesByManager", "/mintAllFeesByManager", "write", "required"), request, options)
    },
    # Keep the vault on one side of a pair: sets the bot and begins a rebalance at once; trades of a bot are billed
    # as trades.
    setBot = function(
        network,
        pool,
        pair,
        side,
        threshold = NULL,
        max_usd = NULL,
        slippage = NULL,
        max_impact = NULL,
        share = NULL,
        platform = NULL,
        lending = NULL,
        auto_enable = NULL,
        protocol = NULL,
        paper = NULL,
        idempotency_key = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        pair = pair,
        side = side,
        threshold = threshold,
        max_usd = max_usd,
        slippage = slippage,
        max_impact = max_impact,
        share = share,
        platform = platform,
        lending = lending,
        auto_enable = auto_enable,
        protocol = protocol,
        paper = paper,
        idempotency_key = idempotency_key
      )
      call(vt_endpoint("setBot", "/setBot", "write", "required"), request, options)
    },
    # Delete the vault's bots, or the one of a pair, even when no node answers; a transaction that is already
    # planned continues.
    deleteBot = function(network, pool, pair = NULL, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, pair = pair, protocol = protocol)
      call(vt_endpoint("deleteBot", "/deleteBot", "change", "required"), request, options)
    },
    # Bots and index of one vault: their settings, whether they are active, and their last decisions with reasons.
    # Details are shown to the vault's own keys only.
    getBotStatus = function(network, pool, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, protocol = protocol)
      call(vt_endpoint("getBotStatus", "/getBotStatus", "read", "required"), request, options)
    },
    # All bots on all networks: of the key's wallet, or of every wallet in the manager's list.
    getAllBots = function(manager = NULL, signature = NULL, network = NULL, options = list()) {
      request <- list(manager = manager, signature = signature, network = network)
      call(vt_endpoint("getAllBots", "/getAllBots", "read", "optional"), request, options)
    },
    # Set the vault's target weights and how often they are checked; disabled unless `enabled=true`. Trades of its
    # runs are billed as trades.
    setIndexBot = function(
        network,
        pool,
        targets,
        interval,
        max_usd,
        tolerance = NULL,
        slippage = NULL,
        quote = NULL,
        platform = NULL,
        min_trade_usd = NULL,
        enabled = NULL,
        paper = NULL,
        protocol = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        targets = targets,
        interval = interval,
        max_usd = max_usd,
        tolerance = tolerance,
        slippage = slippage,
        quote = quote,
        platform = platform,
        min_trade_usd = min_trade_usd,
        enabled = enabled,
        paper = paper,
        protocol = protocol
      )
      call(vt_endpoint("setIndexBot", "/setIndexBot", "change", "required"), request, options)
    },
    # The vault's index bot: its settings, its last decision with the reason, and its last run leg by leg.
    getIndexBot = function(network, pool, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, protocol = protocol)
      call(vt_endpoint("getIndexBot", "/getIndexBot", "read", "required"), request, options)
    },
    # The targets next to the live weights: drift in percentage points, and whether each is out of its tolerance.
    getCurrentAllocations = function(network, pool, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, protocol = protocol)
      call(vt_endpoint("getCurrentAllocations", "/getCurrentAllocations", "read", "required"), request, options)
    },
    # The trades a run would make now: sells before buys, limited by the cap. Nothing is sent.
    previewIndexBot = function(
        network,
        pool,
        force = NULL,
        quote = NULL,
        protocol = NULL,
        options = list()
      ) {
      request <- list(network = network, pool = pool, force = force, quote = quote, protocol = protocol)
      call(vt_endpoint("previewIndexBot", "/previewIndexBot", "read", "required"), request, options)
    },
    # Rebalance the vault to its index; a dry run unless `execute=true`. Each trade is executed and billed like a
    # vaultTrade.
    rebalancePool = function(
        network,
        pool,
        execute = NULL,
        force = NULL,
        quote = NULL,
        protocol = NULL,
        idempotency_key = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        execute = execute,
        force = force,
        quote = quote,
        protocol = protocol,
        idempotency_key = idempotency_key
      )
      call(vt_endpoint("rebalancePool", "/rebalancePool", "write", "required"), request, options)
    },
    # Stop the index bot's scheduled checks; its settings are kept.
    disableIndexBot = function(network, pool, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, protocol = protocol)
      call(vt_endpoint("disableIndexBot", "/disableIndexBot", "change", "required"), request, options)
    },
    # Retired: checks targets in the old or new syntax, writes nothing, and answers with the setIndexBot call that
    # would set them.
    setAllocations = function(
        network,
        pool,
        targets = NULL,
        assets = NULL,
        allocations = NULL,
        lower_thresholds = NULL,
        upper_thresholds = NULL,
        slippages = NULL,
        max_usd = NULL,
        platform = NULL,
        quote = NULL,
        protocol = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        targets = targets,
        assets = assets,
        allocations = allocations,
        lower_thresholds = lower_thresholds,
        upper_thresholds = upper_thresholds,
        slippages = slippages,
        max_usd = max_usd,
        platform = platform,
        quote = quote,
        protocol = protocol
      )
      call(vt_endpoint("setAllocations", "/setAllocations", "read", "required"), request, options)
    },
    # Place an order of a vault: it is stored, and executed in slices when its price or its time comes. Each slice
    # is an intent, executed and billed like a vaultTrade.
    placeOrder = function(
        network,
        pool,
        type,
        pair,
        side,
        share = NULL,
        amount = NULL,
        limit_price = NULL,
        stop_price = NULL,
        take_profit_price = NULL,
        trail_percent = NULL,
        trail_amount = NULL,
        activation_price = NULL,
        max_impact = NULL,
        slippage = NULL,
        expires_in = NULL,
        duration = NULL,
        interval = NULL,
        slices = NULL,
        catch_up = NULL,
        platform = NULL,
        reduce_only = NULL,
        confirmations = NULL,
        paper = NULL,
        protocol = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        type = type,
        pair = pair,
        side = side,
        share = share,
        amount = amount,
        limit_price = limit_price,
        stop_price = stop_price,
        take_profit_price = take_profit_price,
        trail_percent = trail_percent,
        trail_amount = trail_amount,
        activation_price = activation_price,
        max_impact = max_impact,
        slippage = slippage,
        expires_in = expires_in,
        duration = duration,
        interval = interval,
        slices = slices,
        catch_up = catch_up,
        platform = platform,
        reduce_only = reduce_only,
        confirmations = confirmations,
        paper = paper,
        protocol = protocol,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("placeOrder", "/placeOrder", "write", "required"), request, options)
    },
    # Change terms of an order that has not ended; what is not given stays. The prices of a triggered order's
    # trigger cannot be changed.
    amendOrder = function(
        order,
        amount = NULL,
        limit_price = NULL,
        stop_price = NULL,
        take_profit_price = NULL,
        trail_percent = NULL,
        trail_amount = NULL,
        activation_price = NULL,
        max_impact = NULL,
        slippage = NULL,
        expires_in = NULL,
        options = list()
      ) {
      request <- list(
        order = order,
        amount = amount,
        limit_price = limit_price,
        stop_price = stop_price,
        take_profit_price = take_profit_price,
        trail_percent = trail_percent,
        trail_amount = trail_amount,
        activation_price = activation_price,
        max_impact = max_impact,
        slippage = slippage,
        expires_in = expires_in
      )
      call(vt_endpoint("amendOrder", "/amendOrder", "change", "required"), request, options)
    },
    # Cancel an order of the vault, or all of them, even when no node answers. After `cancelled` nothing is traded;
    # while `cancelling`, a slice in progress ends: one that is not planned is withdrawn, others count.
    cancelOrder = function(network, pool, order = NULL, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, order = order, protocol = protocol)
      call(vt_endpoint("cancelOrder", "/cancelOrder", "change", "required"), request, options)
    },
    # Orders of a vault, the newest first. Other wallets' orders are shown to the vault's own keys only.
    getOrders = function(
        network,
        pool,
        all = NULL,
        limit = NULL,
        cursor = NULL,
        protocol = NULL,
        options = list()
      ) {
      request <- list(network = network, pool = pool, all = all, limit = limit, cursor = cursor, protocol = protocol)
      call(vt_endpoint("getOrders", "/getOrders", "read", "required"), request, options)
    },
    # An order with its slices and its history, the newest first, a hundred of each at most.
    getOrder = function(order, options = list()) {
      request <- list(order = order)
      call(vt_endpoint("getOrder", "/getOrder", "read", "required"), request, options)
    },
    # Set a guardian of the vault: a rule that watches it all the time and acts, holds trades or reports. A vault
    # has one of each kind; its actions are intents, executed and billed like the wallet's own requests.
    setGuardian = function(
        network,
        pool,
        kind,
        floor = NULL,
        target = NULL,
        prefer = NULL,
        max_daily_loss = NULL,
        max_total_loss = NULL,
        close_into = NULL,
        close_positions = NULL,
        max_age = NULL,
        max_depeg = NULL,
        assets = NULL,
        min_gas = NULL,
        target_gas = NULL,
        slippage = NULL,
        confirmations = NULL,
        paper = NULL,
        protocol = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        kind = kind,
        floor = floor,
        target = target,
        prefer = prefer,
        max_daily_loss = max_daily_loss,
        max_total_loss = max_total_loss,
        close_into = close_into,
        close_positions = close_positions,
        max_age = max_age,
        max_depeg = max_depeg,
        assets = assets,
        min_gas = min_gas,
        target_gas = target_gas,
        slippage = slippage,
        confirmations = confirmations,
        paper = paper,
        protocol = protocol
      )
      call(vt_endpoint("setGuardian", "/setGuardian", "change", "required"), request, options)
    },
    # The vault's guardians with their last readings, their actions and their history, fifty of each at most.
    getGuardians = function(network, pool, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, protocol = protocol)
      call(vt_endpoint("getGuardians", "/getGuardians", "read", "required"), request, options)
    },
    # Arm a guardian again, above all a loss breaker that has tripped: losses count from now on. Bots and orders
    # that it has stopped stay stopped until resumeBot.
    resetGuardian = function(network, pool, kind, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, kind = kind, protocol = protocol)
      call(vt_endpoint("resetGuardian", "/resetGuardian", "change", "required"), request, options)
    },
    # Delete a guardian of the vault, even when no node answers. Trades that it holds go on; an action that is
    # already planned ends.
    deleteGuardian = function(network, pool, kind, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, kind = kind, protocol = protocol)
      call(vt_endpoint("deleteGuardian", "/deleteGuardian", "change", "required"), request, options)
    },
    # Make the vault follow a leader: it copies the weights of another vault, or of any address, within caps. Its
    # trades are intents, executed and billed like the wallet's own requests. A vault follows one leader.
    setFollower = function(
        network,
        pool,
        leader,
        max_usd,
        base = NULL,
        ratio = NULL,
        threshold = NULL,
        max_weight = NULL,
        max_usd_interval = NULL,
        interval = NULL,
        assets = NULL,
        without = NULL,
        delay = NULL,
        slippage = NULL,
        max_impact = NULL,
        protocol = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        leader = leader,
        max_usd = max_usd,
        base = base,
        ratio = ratio,
        threshold = threshold,
        max_weight = max_weight,
        max_usd_interval = max_usd_interval,
        interval = interval,
        assets = assets,
        without = without,
        delay = delay,
        slippage = slippage,
        max_impact = max_impact,
        protocol = protocol
      )
      call(vt_endpoint("setFollower", "/setFollower", "change", "required"), request, options)
    },
    # The leader that the vault follows, with the last reading, the trades and the history, fifty of each at most;
    # and the vaults that this key's wallet has set to follow the vault.
    getFollowers = function(network, pool, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, protocol = protocol)
      call(vt_endpoint("getFollowers", "/getFollowers", "read", "required"), request, options)
    },
    # End that the vault follows a leader, even when no node answers. It keeps what it holds; a trade that is
    # already planned ends.
    removeFollower = function(network, pool, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, protocol = protocol)
      call(vt_endpoint("removeFollower", "/removeFollower", "change", "required"), request, options)
    },
    # The strategies that a bot of the vault may run, with their inputs; of one that cannot be loaded, why.
    getStrategies = function(network, pool, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, protocol = protocol)
      call(vt_endpoint("getStrategies", "/getStrategies", "read", "required"), request, options)
    },
    # Set a bot that trades the vault by a strategy, on paper unless `mode=live`. It decides when a candle closes,
    # and runs the file as it is now: a change of the file pauses it. Trades are billed like the wallet's own.
    setStrategyBot = function(
        network,
        pool,
        strategy,
        assets,
        interval,
        max_usd,
        inputs = NULL,
        quote = NULL,
        tolerance = NULL,
        slippage = NULL,
        max_impact = NULL,
        min_trade_usd = NULL,
        platform = NULL,
        mode = NULL,
        protocol = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        pool = pool,
        strategy = strategy,
        assets = assets,
        interval = interval,
        max_usd = max_usd,
        inputs = inputs,
        quote = quote,
        tolerance = tolerance,
        slippage = slippage,
        max_impact = max_impact,
        min_trade_usd = min_trade_usd,
        platform = platform,
        mode = mode,
        protocol = protocol
      )
      call(vt_endpoint("setStrategyBot", "/setStrategyBot", "change", "required"), request, options)
    },
    # The vault's strategy bots: terms, the last fifty decisions with their trades, candles and history.
    getStrategyBots = function(network, pool, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, protocol = protocol)
      call(vt_endpoint("getStrategyBots", "/getStrategyBots", "read", "required"), request, options)
    },
    # Delete a strategy bot of the vault, even when no node answers. A trade that is already planned ends.
    deleteStrategyBot = function(network, pool, strategy, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, strategy = strategy, protocol = protocol)
      call(vt_endpoint("deleteStrategyBot", "/deleteStrategyBot", "change", "required"), request, options)
    },
    # Connect an account at an exchange to a gas wallet. Its balances are read from the exchange before anything is
    # stored; keys with withdrawal rights are refused if the exchange reports those rights.
    registerCEXSubaccount = function(
        manager,
        signature,
        exchange,
        subaccount_name,
        cex_api_key,
        cex_secret,
        cex_passphrase = NULL,
        payment_network = NULL,
        settings = NULL,
        options = list()
      ) {
      request <- list(
        manager = manager,
        signature = signature,
        exchange = exchange,
        subaccount_name = subaccount_name,
        cex_api_key = cex_api_key,
        cex_secret = cex_secret,
        cex_passphrase = cex_passphrase,
        payment_network = payment_network,
        settings = settings
      )
      call(vt_endpoint("registerCEXSubaccount", "/registerCEXSubaccount", "change", "required"), request, options)
    },
    # Keep one side of a pair on an exchange account: sets the bot and starts a turn at once; an executed order is
    # billed as an exchange trade.
    setCEXSide = function(
        subaccount_name,
        pair,
        side,
        max_usd,
        share,
        strategy = NULL,
        take_profit = NULL,
        stop_loss = NULL,
        idempotency_key = NULL,
        options = list()
      ) {
      request <- list(
        subaccount_name = subaccount_name,
        pair = pair,
        side = side,
        max_usd = max_usd,
        share = share,
        strategy = strategy,
        take_profit = take_profit,
        stop_loss = stop_loss,
        idempotency_key = idempotency_key
      )
      call(vt_endpoint("setCEXSide", "/setCEXSide", "write", "required"), request, options)
    },
    # The bots of an exchange account, or the bot of one pair: their settings and their last decision with its
    # reason.
    getCEXSide = function(subaccount_name, pair = NULL, options = list()) {
      request <- list(subaccount_name = subaccount_name, pair = pair)
      call(vt_endpoint("getCEXSide", "/getCEXSide", "read", "required"), request, options)
    },
    # Choose what sets an exchange bot's side: setCEXSide (custom) or a named strategy.
    setCEXStrategy = function(subaccount_name, pair, strategy, options = list()) {
      request <- list(subaccount_name = subaccount_name, pair = pair, strategy = strategy)
      call(vt_endpoint("setCEXStrategy", "/setCEXStrategy", "change", "required"), request, options)
    },
    # Stop an exchange bot and keep its configuration; setCEXSide reactivates it. An order in progress is tracked
    # until it is final.
    deactivateCEXBot = function(subaccount_name, pair, options = list()) {
      request <- list(subaccount_name = subaccount_name, pair = pair)
      call(vt_endpoint("deactivateCEXBot", "/deactivateCEXBot", "change", "required"), request, options)
    },
    # Remove an exchange bot. An order in progress is tracked until it is final.
    deleteCEXBot = function(subaccount_name, pair, options = list()) {
      request <- list(subaccount_name = subaccount_name, pair = pair)
      call(vt_endpoint("deleteCEXBot", "/deleteCEXBot", "change", "required"), request, options)
    },
    # Remove an exchange account, its credentials and all its bots. Signed by the manager who connected it.
    deleteCEXSubaccount = function(manager, signature, subaccount_name, options = list()) {
      request <- list(manager = manager, signature = signature, subaccount_name = subaccount_name)
      call(vt_endpoint("deleteCEXSubaccount", "/deleteCEXSubaccount", "change", "none"), request, options)
    },
    # The exchange accounts of the key's wallet, or all that the signing manager registered, with their bots.
    # Credentials are never shown.
    getAllCEXSubaccounts = function(manager = NULL, signature = NULL, options = list()) {
      request <- list(manager = manager, signature = signature)
      call(vt_endpoint("getAllCEXSubaccounts", "/getAllCEXSubaccounts", "read", "optional"), request, options)
    },
    # The turns and orders of an exchange account, newest first, in pages: decisions, orders sent and fills.
    getCEXOrders = function(subaccount_name, pair = NULL, limit = NULL, cursor = NULL, options = list()) {
      request <- list(subaccount_name = subaccount_name, pair = pair, limit = limit, cursor = cursor)
      call(vt_endpoint("getCEXOrders", "/getCEXOrders", "read", "required"), request, options)
    },
    # Closed OHLCV candles of a pair on an exchange, oldest first; stored here, so that the history is kept.
    getCandles = function(
        exchange = NULL,
        pair = NULL,
        timeframe = NULL,
        bars_back = NULL,
        before = NULL,
        options = list()
      ) {
      request <- list(
        exchange = exchange,
        pair = pair,
        timeframe = timeframe,
        bars_back = bars_back,
        before = before
      )
      call(vt_endpoint("getCandles", "/getCandles", "read", "required"), request, options)
    },
    # Latest price of a pair on an exchange.
    getTicks = function(exchange = NULL, pair = NULL, options = list()) {
      request <- list(exchange = exchange, pair = pair)
      call(vt_endpoint("getTicks", "/getTicks", "read", "required"), request, options)
    },
    # Returns the state of one accepted request, its transaction and, once final, its result or failure.
    getIntent = function(intent_id, options = list()) {
      request <- list(intent_id = intent_id)
      call(vt_endpoint("getIntent", "/getIntent", "read", "required"), request, options)
    },
    # The wallet's accepted requests and the turns of its exchange bots, newest first, in pages. With `network` or
    # `pool`, only those of that network or vault.
    getIntents = function(network = NULL, pool = NULL, limit = NULL, cursor = NULL, options = list()) {
      request <- list(network = network, pool = pool, limit = limit, cursor = cursor)
      call(vt_endpoint("getIntents", "/getIntents", "read", "required"), request, options)
    },
    # The USD price of one ether, checked against a second source.
    ethPrice = function(network = NULL, options = list()) {
      request <- list(network = network)
      call(vt_endpoint("eth-price", "/eth-price", "read", "none"), request, options)
    },
    # The USD price of one whole token of a network, by default the native one, checked against a second source.
    tokenPrice = function(network, token = NULL, asset = NULL, options = list()) {
      request <- list(network = network, token = token, asset = asset)
      call(vt_endpoint("token-price", "/token-price/:network", "read", "none"), request, options)
    },
    # The price of an action on a network, in USD and in native token now.
    calculateFee = function(action, network, options = list()) {
      request <- list(action = action, network = network)
      call(vt_endpoint("calculate-fee", "/calculate-fee/:action/:network", "read", "none"), request, options)
    },
    # The price of a trade at an exchange, in USD and in the native token of the payment network now.
    apiCexCalculateFee = function(network = NULL, options = list()) {
      request <- list(network = network)
      call(vt_endpoint("api/cex/calculateFee", "/api/cex/calculateFee", "read", "none"), request, options)
    },
    # Every action with its price class and price.
    allActions = function(options = list()) {
      request <- list()
      call(vt_endpoint("all-actions", "/all-actions", "read", "none"), request, options)
    },
    # Check that a network is served, and how fresh its newest block is.
    test = function(network, options = list()) {
      request <- list(network = network)
      call(vt_endpoint("test", "/test/:network", "read", "none"), request, options)
    },
    # Charge the wallet for a trade at an exchange, once per order; the charge is paid with the wallet's other
    # charges.
    apiCexChargeFee = function(
        network = NULL,
        action = NULL,
        order_id = NULL,
        idempotency_key = NULL,
        dryRun = NULL,
        options = list()
      ) {
      request <- list(
        network = network,
        action = action,
        order_id = order_id,
        idempotency_key = idempotency_key,
        dryRun = dryRun
      )
      call(vt_endpoint("api/cex/chargeFee", "/api/cex/chargeFee", "write", "required"), request, options)
    },
    # The wallet's charges, newest first, in pages: each with its price and payment status.
    getCharges = function(
        network = NULL,
        from = NULL,
        to = NULL,
        limit = NULL,
        cursor = NULL,
        format = NULL,
        options = list()
      ) {
      request <- list(network = network, from = from, to = to, limit = limit, cursor = cursor, format = format)
      call(vt_endpoint("getCharges", "/getCharges", "read", "required"), request, options)
    },
    # The wallet's activity on one vault, day by day: fees, gas, slippage against the oracle, and the gain of the
    # vault's token.
    getReport = function(
        network,
        pool,
        protocol = NULL,
        from = NULL,
        to = NULL,
        format = NULL,
        options = list()
      ) {
      request <- list(network = network, pool = pool, protocol = protocol, from = from, to = to, format = format)
      call(vt_endpoint("getReport", "/getReport", "read", "required"), request, options)
    },
    # Returns the EIP-712 typed data that a manager signs, and the prefix that turns the signature into a
    # `signature` parameter.
    signingPayload = function(
        action,
        manager,
        subject = NULL,
        network = NULL,
        params = NULL,
        options = list()
      ) {
      request <- list(action = action, manager = manager, subject = subject, network = network, params = params)
      call(vt_endpoint("signingPayload", "/signingPayload", "read", "none"), request, options)
    },
    # Add the key's wallet to the manager's list; the signature's subject is the wallet's address. For a new wallet
    # the key suffices; any other needs its private key, or a manager who manages every vault it trades.
    associateGasWallet = function(
        manager,
        signature,
        network = NULL,
        label = NULL,
        privateKey = NULL,
        options = list()
      ) {
      request <- list(
        manager = manager,
        signature = signature,
        network = network,
        label = label,
        privateKey = privateKey
      )
      call(vt_endpoint("associateGasWallet", "/associateGasWallet", "change", "required"), request, options)
    },
    # Remove a wallet from the manager's list; the signature's subject is the wallet's address.
    deassociateGasWallet = function(wallet, manager, signature, network = NULL, options = list()) {
      request <- list(wallet = wallet, manager = manager, signature = signature, network = network)
      call(vt_endpoint("deassociateGasWallet", "/deassociateGasWallet", "change", "none"), request, options)
    },
    # The wallets in the manager's list; the signature's subject is the manager's own address.
    getAssociatedGasWallets = function(manager, signature, network = NULL, options = list()) {
      request <- list(manager = manager, signature = signature, network = network)
      call(vt_endpoint("getAssociatedGasWallets", "/getAssociatedGasWallets", "read", "none"), request, options)
    },
    # Set the limits of a wallet's key, which rotation keeps. With the key, limits can only be lowered; with a
    # signature (subject: the wallet), the manager who set them may also raise them.
    setKeyLimits = function(
        manager = NULL,
        signature = NULL,
        network = NULL,
        wallet = NULL,
        vaults = NULL,
        max_usd_per_trade = NULL,
        max_usd_per_day = NULL,
        read_only = NULL,
        options = list()
      ) {
      request <- list(
        manager = manager,
        signature = signature,
        network = network,
        wallet = wallet,
        vaults = vaults,
        max_usd_per_trade = max_usd_per_trade,
        max_usd_per_day = max_usd_per_day,
        read_only = read_only
      )
      call(vt_endpoint("setKeyLimits", "/setKeyLimits", "change", "optional"), request, options)
    },
    # The audit log, newest first, of the key's wallet or of every wallet in the manager's list: changes of keys,
    # limits, switches, bots and managers, and signed transactions.
    getAuditLog = function(
        manager = NULL,
        signature = NULL,
        network = NULL,
        wallet = NULL,
        action = NULL,
        limit = NULL,
        cursor = NULL,
        options = list()
      ) {
      request <- list(
        manager = manager,
        signature = signature,
        network = network,
        wallet = wallet,
        action = action,
        limit = limit,
        cursor = cursor
      )
      call(vt_endpoint("getAuditLog", "/getAuditLog", "read", "optional"), request, options)
    },
    # Everything that can act for a wallet: its API key and sub-keys, managers and their sessions, chart alert
    # tokens, webhooks, channels, bots, orders, guardians, followers, exchange accounts, delegations; its limits
    # and switches; and when each was last used. For the wallet's API key, a manager of its list (subject: the
    # wallet), or its private key, for instance before rotation.
    getWalletAuthority = function(
        manager = NULL,
        signature = NULL,
        wallet = NULL,
        privateKey = NULL,
        network = NULL,
        options = list()
      ) {
      request <- list(
        manager = manager,
        signature = signature,
        wallet = wallet,
        privateKey = privateKey,
        network = network
      )
      call(vt_endpoint("getWalletAuthority", "/getWalletAuthority", "read", "optional"), request, options)
    },
    # Make a sub-key: an API key for an agent or a script that acts for the same wallet within bounds of its own,
    # and ends with the key that made it. It reads only, unless `scopes` allows changes. It is shown only once.
    createSubKey = function(
        label = NULL,
        scopes = NULL,
        endpoints = NULL,
        vaults = NULL,
        max_usd_per_trade = NULL,
        max_usd_per_day = NULL,
        sources = NULL,
        days = NULL,
        options = list()
      ) {
      request <- list(
        label = label,
        scopes = scopes,
        endpoints = endpoints,
        vaults = vaults,
        max_usd_per_trade = max_usd_per_trade,
        max_usd_per_day = max_usd_per_day,
        sources = sources,
        days = days
      )
      call(vt_endpoint("createSubKey", "/createSubKey", "change", "required"), request, options)
    },
    # The sub-keys of the key's wallet that have not ended, without the keys themselves.
    getSubKeys = function(options = list()) {
      request <- list()
      call(vt_endpoint("getSubKeys", "/getSubKeys", "read", "required"), request, options)
    },
    # End a sub-key of the key's wallet, or all of them, at once.
    revokeSubKey = function(sub_key_id, options = list()) {
      request <- list(sub_key_id = sub_key_id)
      call(vt_endpoint("revokeSubKey", "/revokeSubKey", "change", "required"), request, options)
    },
    # Changes that wait for approvals, newest first: an approver sees all of them, others those about their
    # wallets. `all` adds those that ended.
    getApprovals = function(
        manager = NULL,
        signature = NULL,
        network = NULL,
        all = NULL,
        limit = NULL,
        options = list()
      ) {
      request <- list(manager = manager, signature = signature, network = network, all = all, limit = limit)
      call(vt_endpoint("getApprovals", "/getApprovals", "read", "optional"), request, options)
    },
    # Approve a change as one of the service's approvers; the signature's subject is the change with its digest.
    approveChange = function(request, change, manager, signature, options = list()) {
      request <- list(request = request, change = change, manager = manager, signature = signature)
      call(vt_endpoint("approveChange", "/approveChange", "change", "none"), request, options)
    },
    # Veto a change as one of the service's approvers, which ends its request; nothing is changed.
    vetoChange = function(request, change, manager, signature, options = list()) {
      request <- list(request = request, change = change, manager = manager, signature = signature)
      call(vt_endpoint("vetoChange", "/vetoChange", "change", "none"), request, options)
    },
    # Create a token for a chart alert's URL: it sets the side of this vault's bot on this pair and can do nothing
    # else. It is shown only once.
    createWebhookToken = function(network, pool, pair, label = NULL, protocol = NULL, options = list()) {
      request <- list(network = network, pool = pool, pair = pair, label = label, protocol = protocol)
      call(vt_endpoint("createWebhookToken", "/createWebhookToken", "change", "required"), request, options)
    },
    # Revoke a webhook token of the key's wallet, or all of them, at once.
    revokeWebhookToken = function(token_id, options = list()) {
      request <- list(token_id = token_id)
      call(vt_endpoint("revokeWebhookToken", "/revokeWebhookToken", "change", "required"), request, options)
    },
    # The webhook tokens of the key's wallet, without the tokens themselves.
    getWebhookTokens = function(options = list()) {
      request <- list()
      call(vt_endpoint("getWebhookTokens", "/getWebhookTokens", "read", "required"), request, options)
    },
    # Set when a webhook token's alerts count, and which bots they drive; what is not given stays as it is.
    setWebhookToken = function(
        token_id,
        muted = NULL,
        quiet_hours = NULL,
        sources = NULL,
        rate = NULL,
        max_age = NULL,
        bots = NULL,
        options = list()
      ) {
      request <- list(
        token_id = token_id,
        muted = muted,
        quiet_hours = quiet_hours,
        sources = sources,
        rate = rate,
        max_age = max_age,
        bots = bots
      )
      call(vt_endpoint("setWebhookToken", "/setWebhookToken", "change", "required"), request, options)
    },
    # Receives chart alerts: sets the side of the token's bots, which keep their other settings, and begins a
    # rebalance.
    webhook = function(
        token,
        side = NULL,
        action = NULL,
        market_position = NULL,
        alert = NULL,
        percent = NULL,
        timestamp = NULL,
        max_lag = NULL,
        idempotency_key = NULL,
        options = list()
      ) {
      request <- list(
        token = token,
        side = side,
        action = action,
        market_position = market_position,
        alert = alert,
        percent = percent,
        timestamp = timestamp,
        max_lag = max_lag,
        idempotency_key = idempotency_key
      )
      call(vt_endpoint("webhook", "/webhook/:token", "write", "none"), request, options)
    },
    # Returns what an alert with this body would do; nothing is stored and nothing is traded.
    testWebhook = function(
        token,
        side = NULL,
        action = NULL,
        market_position = NULL,
        alert = NULL,
        percent = NULL,
        timestamp = NULL,
        max_lag = NULL,
        options = list()
      ) {
      request <- list(
        token = token,
        side = side,
        action = action,
        market_position = market_position,
        alert = alert,
        percent = percent,
        timestamp = timestamp,
        max_lag = max_lag
      )
      call(vt_endpoint("testWebhook", "/webhook/:token/test", "read", "none"), request, options)
    },
    # The signals that came for the wallet's bots (chart alerts, setBot and replays), newest first, in pages: body,
    # what was understood, and the result at each bot.
    getSignals = function(
        token_id = NULL,
        network = NULL,
        pool = NULL,
        state = NULL,
        since = NULL,
        until = NULL,
        limit = NULL,
        cursor = NULL,
        options = list()
      ) {
      request <- list(
        token_id = token_id,
        network = network,
        pool = pool,
        state = state,
        since = since,
        until = until,
        limit = limit,
        cursor = cursor
      )
      call(vt_endpoint("getSignals", "/getSignals", "read", "required"), request, options)
    },
    # Carry out a refused or ignored chart alert as a new signal, at most once, whatever the rules of its token
    # say; a repeat returns the first replay.
    replaySignal = function(signal_id, idempotency_key = NULL, options = list()) {
      request <- list(signal_id = signal_id, idempotency_key = idempotency_key)
      call(vt_endpoint("replaySignal", "/replaySignal", "write", "required"), request, options)
    },
    # Post events to a URL, signed per Standard Webhooks; the secret is shown only in this response. Setting the
    # same URL again creates a new secret.
    setWebhook = function(url, manager = NULL, signature = NULL, events = NULL, options = list()) {
      request <- list(url = url, manager = manager, signature = signature, events = events)
      call(vt_endpoint("setWebhook", "/setWebhook", "change", "optional"), request, options)
    },
    # Delete a webhook and its pending deliveries.
    deleteWebhook = function(webhook_id, manager = NULL, signature = NULL, options = list()) {
      request <- list(webhook_id = webhook_id, manager = manager, signature = signature)
      call(vt_endpoint("deleteWebhook", "/deleteWebhook", "change", "optional"), request, options)
    },
    # The webhooks of the key's wallet, or of the manager, without their secrets.
    getWebhooks = function(manager = NULL, signature = NULL, options = list()) {
      request <- list(manager = manager, signature = signature)
      call(vt_endpoint("getWebhooks", "/getWebhooks", "read", "optional"), request, options)
    },
    # The newest deliveries of the owner's webhooks, with the outcome of each and the time of its next attempt.
    getWebhookDeliveries = function(
        manager = NULL,
        signature = NULL,
        webhook_id = NULL,
        limit = NULL,
        options = list()
      ) {
      request <- list(manager = manager, signature = signature, webhook_id = webhook_id, limit = limit)
      call(vt_endpoint("getWebhookDeliveries", "/getWebhookDeliveries", "read", "optional"), request, options)
    },
    # Send events to Telegram, Discord, Slack, an e-mail address, an ntfy topic, a browser or a URL. Of telegram
    # the response has a one-time code that the owner sends to the bot; the chat gets nothing before.
    createChannel = function(
        kind,
        name,
        manager = NULL,
        signature = NULL,
        events = NULL,
        url = NULL,
        access_token = NULL,
        subscription = NULL,
        smtp_host = NULL,
        smtp_port = NULL,
        smtp_user = NULL,
        smtp_password = NULL,
        from = NULL,
        to = NULL,
        quiet_hours = NULL,
        digest_minutes = NULL,
        max_per_hour = NULL,
        commands = NULL,
        templates = NULL,
        enabled = NULL,
        options = list()
      ) {
      request <- list(
        kind = kind,
        name = name,
        manager = manager,
        signature = signature,
        events = events,
        url = url,
        access_token = access_token,
        subscription = subscription,
        smtp_host = smtp_host,
        smtp_port = smtp_port,
        smtp_user = smtp_user,
        smtp_password = smtp_password,
        from = from,
        to = to,
        quiet_hours = quiet_hours,
        digest_minutes = digest_minutes,
        max_per_hour = max_per_hour,
        commands = commands,
        templates = templates,
        enabled = enabled
      )
      call(vt_endpoint("createChannel", "/createChannel", "change", "optional"), request, options)
    },
    # Change a channel; what is not given stays. With another bot the chat has to be bound again.
    updateChannel = function(
        channel_id,
        manager = NULL,
        signature = NULL,
        name = NULL,
        events = NULL,
        url = NULL,
        access_token = NULL,
        subscription = NULL,
        smtp_host = NULL,
        smtp_port = NULL,
        smtp_user = NULL,
        smtp_password = NULL,
        from = NULL,
        to = NULL,
        quiet_hours = NULL,
        digest_minutes = NULL,
        max_per_hour = NULL,
        commands = NULL,
        templates = NULL,
        enabled = NULL,
        bind = NULL,
        options = list()
      ) {
      request <- list(
        channel_id = channel_id,
        manager = manager,
        signature = signature,
        name = name,
        events = events,
        url = url,
        access_token = access_token,
        subscription = subscription,
        smtp_host = smtp_host,
        smtp_port = smtp_port,
        smtp_user = smtp_user,
        smtp_password = smtp_password,
        from = from,
        to = to,
        quiet_hours = quiet_hours,
        digest_minutes = digest_minutes,
        max_per_hour = max_per_hour,
        commands = commands,
        templates = templates,
        enabled = enabled,
        bind = bind
      )
      call(vt_endpoint("updateChannel", "/updateChannel", "change", "optional"), request, options)
    },
    # Delete a channel and what it was still to receive; its chat no longer commands anything.
    deleteChannel = function(channel_id, manager = NULL, signature = NULL, options = list()) {
      request <- list(channel_id = channel_id, manager = manager, signature = signature)
      call(vt_endpoint("deleteChannel", "/deleteChannel", "change", "optional"), request, options)
    },
    # Send a test message now and report what the receiver answered; at most one in ten seconds.
    testChannel = function(channel_id, manager = NULL, signature = NULL, options = list()) {
      request <- list(channel_id = channel_id, manager = manager, signature = signature)
      call(vt_endpoint("testChannel", "/testChannel", "change", "optional"), request, options)
    },
    # The notification channels of the key's wallet, or of the manager, without their secrets.
    getChannels = function(manager = NULL, signature = NULL, options = list()) {
      request <- list(manager = manager, signature = signature)
      call(vt_endpoint("getChannels", "/getChannels", "read", "optional"), request, options)
    },
    # The newest messages of the owner's channels: sent, waiting, or dropped, with the reason.
    getChannelMessages = function(
        manager = NULL,
        signature = NULL,
        channel_id = NULL,
        limit = NULL,
        options = list()
      ) {
      request <- list(manager = manager, signature = signature, channel_id = channel_id, limit = limit)
      call(vt_endpoint("getChannelMessages", "/getChannelMessages", "read", "optional"), request, options)
    },
    # Machine-readable metadata of every endpoint: parameters, classes, charges, codes, recipes.
    llmIntrospect = function(endpoint = NULL, category = NULL, compact = NULL, options = list()) {
      request <- list(endpoint = endpoint, category = category, compact = compact)
      call(vt_endpoint("llmIntrospect", "/llmIntrospect", "read", "none"), request, options)
    }
  )
}
