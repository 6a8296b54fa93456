"""The endpoints of the service, written by `npm run docs` from its catalogue. Do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict, cast

from ._transport import CallOptions, Endpoint
from ._write import AsyncWrite, Write

_CREATE_GAS_WALLET = Endpoint("createGasWallet", "/createGasWallet", "change", "none")
_GET_NEW_API_KEY = Endpoint("getNewApiKey", "/getNewApiKey", "change", "none")
_GET_GAS_BALANCE = Endpoint("getGasBalance", "/getGasBalance", "read", "required")
_GET_ALL_GAS_BALANCE = Endpoint("getAllGasBalance", "/getAllGasBalance", "read", "optional")
_LINK_GAS_WALLET = Endpoint("linkGasWallet", "/linkGasWallet", "change", "required")
_UNLINK_GAS_WALLET = Endpoint("unlinkGasWallet", "/unlinkGasWallet", "change", "required")
_GET_GAS_WALLET_POOLS = Endpoint("getGasWalletPools", "/getGasWalletPools", "read", "required")
_PAUSE_BOT = Endpoint("pauseBot", "/pauseBot", "change", "required")
_RESUME_BOT = Endpoint("resumeBot", "/resumeBot", "change", "optional")
_PAUSE_WALLET = Endpoint("pauseWallet", "/pauseWallet", "change", "required")
_RESUME_WALLET = Endpoint("resumeWallet", "/resumeWallet", "change", "optional")
_IS_POOL_TRADER = Endpoint("isPoolTrader", "/isPoolTrader", "read", "required")
_GET_CAPABILITIES = Endpoint("getCapabilities", "/getCapabilities", "read", "required")
_POOL_COMPOSITION = Endpoint("poolComposition", "/poolComposition", "read", "required")
_GET_PERFORMANCE = Endpoint("getPerformance", "/getPerformance", "read", "required")
_GET_TAX_LOTS = Endpoint("getTaxLots", "/getTaxLots", "read", "required")
_GET_TEARSHEET = Endpoint("getTearsheet", "/getTearsheet", "read", "required")
_GET_SYMBOL = Endpoint("getSymbol", "/getSymbol", "read", "required")
_GET_CONTRACT = Endpoint("getContract", "/getContract", "read", "required")
_VAULT_TRADE = Endpoint("vaultTrade", "/vaultTrade", "write", "required")
_APPROVE = Endpoint("approve", "/approve", "write", "required")
_ENABLE_ASSET = Endpoint("enableAsset", "/enableAsset", "write", "required")
_DISABLE_ASSET = Endpoint("disableAsset", "/disableAsset", "write", "required")
_SET_VAULT_GROUP = Endpoint("setVaultGroup", "/setVaultGroup", "change", "required")
_GET_VAULT_GROUPS = Endpoint("getVaultGroups", "/getVaultGroups", "read", "required")
_REMOVE_VAULT_GROUP = Endpoint("removeVaultGroup", "/removeVaultGroup", "change", "required")
_TRADE_GROUP = Endpoint("tradeGroup", "/tradeGroup", "write", "required")
_LENDER_AV3_LEND = Endpoint("lenderAV3/lend", "/lenderAV3/lend", "write", "required")
_LENDER_AV3_UNLEND = Endpoint("lenderAV3/unlend", "/lenderAV3/unlend", "write", "required")
_LENDER_AV3_BORROW = Endpoint("lenderAV3/borrow", "/lenderAV3/borrow", "write", "required")
_LENDER_AV3_REPAY = Endpoint("lenderAV3/repay", "/lenderAV3/repay", "write", "required")
_LENDER_AV3_GET_SUPPLIED = Endpoint("lenderAV3/getSupplied", "/lenderAV3/getSupplied", "read", "required")
_LENDER_AV3_GET_BORROWED = Endpoint("lenderAV3/getBorrowed", "/lenderAV3/getBorrowed", "read", "required")
_LENDER_AV3_GET_HEALTH_FACTOR = Endpoint("lenderAV3/getHealthFactor", "/lenderAV3/getHealthFactor", "read", "required")
_LENDER_AV3_GET_POOL_DATA = Endpoint("lenderAV3/getPoolData", "/lenderAV3/getPoolData", "read", "required")
_LENDER_BV3_LEND = Endpoint("lenderBV3/lend", "/lenderBV3/lend", "write", "required")
_LENDER_BV3_UNLEND = Endpoint("lenderBV3/unlend", "/lenderBV3/unlend", "write", "required")
_LENDER_C_LEND = Endpoint("lenderC/lend", "/lenderC/lend", "write", "required")
_LENDER_C_UNLEND = Endpoint("lenderC/unlend", "/lenderC/unlend", "write", "required")
_LEND = Endpoint("lend", "/lend", "write", "required")
_UNLEND = Endpoint("unlend", "/unlend", "write", "required")
_BORROW = Endpoint("borrow", "/borrow", "write", "required")
_REPAY = Endpoint("repay", "/repay", "write", "required")
_GET_ALL_YIELDS = Endpoint("getAllYields", "/getAllYields", "read", "required")
_GET_ESTIMATED_ANUAL_YIELD = Endpoint("getEstimatedAnualYield", "/getEstimatedAnualYield", "read", "required")
_GET_TOTAL_YIELD = Endpoint("getTotalYield", "/getTotalYield", "read", "required")
_ADD_LIQUIDITY = Endpoint("addLiquidity", "/addLiquidity", "write", "required")
_REMOVE_LIQUIDITY = Endpoint("removeLiquidity", "/removeLiquidity", "write", "required")
_COLLECT_FEES = Endpoint("collectFees", "/collectFees", "write", "required")
_STAKE_LIQUIDITY = Endpoint("stakeLiquidity", "/stakeLiquidity", "write", "required")
_UNSTAKE_LIQUIDITY = Endpoint("unstakeLiquidity", "/unstakeLiquidity", "write", "required")
_CLAIM_REWARDS = Endpoint("claimRewards", "/claimRewards", "write", "required")
_DEPOSIT_TO_PERPETUALS = Endpoint("depositToPerpetuals", "/depositToPerpetuals", "write", "required")
_PLACE_PERPETUAL_ORDER = Endpoint("placePerpetualOrder", "/placePerpetualOrder", "write", "required")
_CANCEL_PERPETUAL_ORDER = Endpoint("cancelPerpetualOrder", "/cancelPerpetualOrder", "write", "required")
_WITHDRAW_FROM_PERPETUALS = Endpoint("withdrawFromPerpetuals", "/withdrawFromPerpetuals", "write", "required")
_GET_PERPETUAL_POSITIONS = Endpoint("getPerpetualPositions", "/getPerpetualPositions", "read", "required")
_GET_PERPETUAL_ORDERS = Endpoint("getPerpetualOrders", "/getPerpetualOrders", "read", "required")
_GET_PERPETUAL_MARKETS = Endpoint("getPerpetualMarkets", "/getPerpetualMarkets", "read", "required")
_MINT_MANAGER_FEE = Endpoint("mintManagerFee", "/mintManagerFee", "write", "required")
_MINT_MANAGER_FEE_BATCH = Endpoint("mintManagerFeeBatch", "/mintManagerFeeBatch", "write", "required")
_MINT_ALL_FEES_BY_MANAGER = Endpoint("mintAllFeesByManager", "/mintAllFeesByManager", "write", "required")
_SET_BOT = Endpoint("setBot", "/setBot", "write", "required")
_DELETE_BOT = Endpoint("deleteBot", "/deleteBot", "change", "required")
_GET_BOT_STATUS = Endpoint("getBotStatus", "/getBotStatus", "read", "required")
_GET_ALL_BOTS = Endpoint("getAllBots", "/getAllBots", "read", "optional")
_SET_INDEX_BOT = Endpoint("setIndexBot", "/setIndexBot", "change", "required")
_GET_INDEX_BOT = Endpoint("getIndexBot", "/getIndexBot", "read", "required")
_GET_CURRENT_ALLOCATIONS = Endpoint("getCurrentAllocations", "/getCurrentAllocations", "read", "required")
_PREVIEW_INDEX_BOT = Endpoint("previewIndexBot", "/previewIndexBot", "read", "required")
_REBALANCE_POOL = Endpoint("rebalancePool", "/rebalancePool", "write", "required")
_DISABLE_INDEX_BOT = Endpoint("disableIndexBot", "/disableIndexBot", "change", "required")
_SET_ALLOCATIONS = Endpoint("setAllocations", "/setAllocations", "read", "required")
_PLACE_ORDER = Endpoint("placeOrder", "/placeOrder", "write", "required")
_AMEND_ORDER = Endpoint("amendOrder", "/amendOrder", "change", "required")
_CANCEL_ORDER = Endpoint("cancelOrder", "/cancelOrder", "change", "required")
_GET_ORDERS = Endpoint("getOrders", "/getOrders", "read", "required")
_GET_ORDER = Endpoint("getOrder", "/getOrder", "read", "required")
_SET_GUARDIAN = Endpoint("setGuardian", "/setGuardian", "change", "required")
_GET_GUARDIANS = Endpoint("getGuardians", "/getGuardians", "read", "required")
_RESET_GUARDIAN = Endpoint("resetGuardian", "/resetGuardian", "change", "required")
_DELETE_GUARDIAN = Endpoint("deleteGuardian", "/deleteGuardian", "change", "required")
_SET_FOLLOWER = Endpoint("setFollower", "/setFollower", "change", "required")
_GET_FOLLOWERS = Endpoint("getFollowers", "/getFollowers", "read", "required")
_REMOVE_FOLLOWER = Endpoint("removeFollower", "/removeFollower", "change", "required")
_GET_STRATEGIES = Endpoint("getStrategies", "/getStrategies", "read", "required")
_SET_STRATEGY_BOT = Endpoint("setStrategyBot", "/setStrategyBot", "change", "required")
_GET_STRATEGY_BOTS = Endpoint("getStrategyBots", "/getStrategyBots", "read", "required")
_DELETE_STRATEGY_BOT = Endpoint("deleteStrategyBot", "/deleteStrategyBot", "change", "required")
_REGISTER_CEX_SUBACCOUNT = Endpoint("registerCEXSubaccount", "/registerCEXSubaccount", "change", "required")
_SET_CEX_SIDE = Endpoint("setCEXSide", "/setCEXSide", "write", "required")
_GET_CEX_SIDE = Endpoint("getCEXSide", "/getCEXSide", "read", "required")
_SET_CEX_STRATEGY = Endpoint("setCEXStrategy", "/setCEXStrategy", "change", "required")
_DEACTIVATE_CEX_BOT = Endpoint("deactivateCEXBot", "/deactivateCEXBot", "change", "required")
_DELETE_CEX_BOT = Endpoint("deleteCEXBot", "/deleteCEXBot", "change", "required")
_DELETE_CEX_SUBACCOUNT = Endpoint("deleteCEXSubaccount", "/deleteCEXSubaccount", "change", "none")
_GET_ALL_CEX_SUBACCOUNTS = Endpoint("getAllCEXSubaccounts", "/getAllCEXSubaccounts", "read", "optional")
_GET_CEX_ORDERS = Endpoint("getCEXOrders", "/getCEXOrders", "read", "required")
_GET_CANDLES = Endpoint("getCandles", "/getCandles", "read", "required")
_GET_TICKS = Endpoint("getTicks", "/getTicks", "read", "required")
_GET_INTENT = Endpoint("getIntent", "/getIntent", "read", "required")
_GET_INTENTS = Endpoint("getIntents", "/getIntents", "read", "required")
_ETH_PRICE = Endpoint("eth-price", "/eth-price", "read", "none")
_TOKEN_PRICE = Endpoint("token-price", "/token-price/:network", "read", "none")
_CALCULATE_FEE = Endpoint("calculate-fee", "/calculate-fee/:action/:network", "read", "none")
_API_CEX_CALCULATE_FEE = Endpoint("api/cex/calculateFee", "/api/cex/calculateFee", "read", "none")
_ALL_ACTIONS = Endpoint("all-actions", "/all-actions", "read", "none")
_TEST = Endpoint("test", "/test/:network", "read", "none")
_API_CEX_CHARGE_FEE = Endpoint("api/cex/chargeFee", "/api/cex/chargeFee", "write", "required")
_GET_CHARGES = Endpoint("getCharges", "/getCharges", "read", "required")
_GET_REPORT = Endpoint("getReport", "/getReport", "read", "required")
_SIGNING_PAYLOAD = Endpoint("signingPayload", "/signingPayload", "read", "none")
_ASSOCIATE_GAS_WALLET = Endpoint("associateGasWallet", "/associateGasWallet", "change", "required")
_DEASSOCIATE_GAS_WALLET = Endpoint("deassociateGasWallet", "/deassociateGasWallet", "change", "none")
_GET_ASSOCIATED_GAS_WALLETS = Endpoint("getAssociatedGasWallets", "/getAssociatedGasWallets", "read", "none")
_SET_KEY_LIMITS = Endpoint("setKeyLimits", "/setKeyLimits", "change", "optional")
_GET_AUDIT_LOG = Endpoint("getAuditLog", "/getAuditLog", "read", "optional")
_GET_WALLET_AUTHORITY = Endpoint("getWalletAuthority", "/getWalletAuthority", "read", "optional")
_CREATE_SUB_KEY = Endpoint("createSubKey", "/createSubKey", "change", "required")
_GET_SUB_KEYS = Endpoint("getSubKeys", "/getSubKeys", "read", "required")
_REVOKE_SUB_KEY = Endpoint("revokeSubKey", "/revokeSubKey", "change", "required")
_GET_APPROVALS = Endpoint("getApprovals", "/getApprovals", "read", "optional")
_APPROVE_CHANGE = Endpoint("approveChange", "/approveChange", "change", "none")
_VETO_CHANGE = Endpoint("vetoChange", "/vetoChange", "change", "none")
_CREATE_WEBHOOK_TOKEN = Endpoint("createWebhookToken", "/createWebhookToken", "change", "required")
_REVOKE_WEBHOOK_TOKEN = Endpoint("revokeWebhookToken", "/revokeWebhookToken", "change", "required")
_GET_WEBHOOK_TOKENS = Endpoint("getWebhookTokens", "/getWebhookTokens", "read", "required")
_SET_WEBHOOK_TOKEN = Endpoint("setWebhookToken", "/setWebhookToken", "change", "required")
_WEBHOOK = Endpoint("webhook", "/webhook/:token", "write", "none")
_TEST_WEBHOOK = Endpoint("testWebhook", "/webhook/:token/test", "read", "none")
_GET_SIGNALS = Endpoint("getSignals", "/getSignals", "read", "required")
_REPLAY_SIGNAL = Endpoint("replaySignal", "/replaySignal", "write", "required")
_SET_WEBHOOK = Endpoint("setWebhook", "/setWebhook", "change", "optional")
_DELETE_WEBHOOK = Endpoint("deleteWebhook", "/deleteWebhook", "change", "optional")
_GET_WEBHOOKS = Endpoint("getWebhooks", "/getWebhooks", "read", "optional")
_GET_WEBHOOK_DELIVERIES = Endpoint("getWebhookDeliveries", "/getWebhookDeliveries", "read", "optional")
_CREATE_CHANNEL = Endpoint("createChannel", "/createChannel", "change", "optional")
_UPDATE_CHANNEL = Endpoint("updateChannel", "/updateChannel", "change", "optional")
_DELETE_CHANNEL = Endpoint("deleteChannel", "/deleteChannel", "change", "optional")
_TEST_CHANNEL = Endpoint("testChannel", "/testChannel", "change", "optional")
_GET_CHANNELS = Endpoint("getChannels", "/getChannels", "read", "optional")
_GET_CHANNEL_MESSAGES = Endpoint("getChannelMessages", "/getChannelMessages", "read", "optional")
_LLM_INTROSPECT = Endpoint("llmIntrospect", "/llmIntrospect", "read", "none")


class CreateGasWalletResult(TypedDict):
    address: str
    private_key: str
    apiKey: str


class GetNewApiKeyResultEndedWebhooksItem(TypedDict):
    webhook_id: str
    url: str


class GetNewApiKeyResultEndedChannelsItem(TypedDict):
    channel_id: str
    name: str


class GetNewApiKeyResultEnded(TypedDict):
    managers: list[str]
    sessions: int
    webhook_tokens: list[str]
    webhooks: list[GetNewApiKeyResultEndedWebhooksItem]
    channels: list[GetNewApiKeyResultEndedChannelsItem]


class GetNewApiKeyResultKeptWebhooksItem(TypedDict):
    webhook_id: str
    url: str


class GetNewApiKeyResultKeptChannelsItem(TypedDict):
    channel_id: str
    name: str


class GetNewApiKeyResultKept(TypedDict):
    managers: list[str]
    sessions: int
    webhook_tokens: list[str]
    webhooks: list[GetNewApiKeyResultKeptWebhooksItem]
    channels: list[GetNewApiKeyResultKeptChannelsItem]


class GetNewApiKeyResult(TypedDict):
    address: str
    apiKey: str
    message: str
    ended: GetNewApiKeyResultEnded
    kept: GetNewApiKeyResultKept


class GetGasBalanceResultBalancesItem(TypedDict):
    network: str
    address: str
    token: str
    balance: str | None
    balance_usd: NotRequired[float | None]
    error: NotRequired[str]


class GetGasBalanceResult(TypedDict):
    address: str
    balance: NotRequired[str]
    token: NotRequired[str]
    balance_usd: NotRequired[float | None]
    balances: NotRequired[list[GetGasBalanceResultBalancesItem]]


class GetAllGasBalanceResultBalancesItem(TypedDict):
    network: str
    address: str
    token: str
    balance: str | None
    balance_usd: NotRequired[float | None]
    error: NotRequired[str]
    label: str | None


class GetAllGasBalanceResult(TypedDict):
    balances: list[GetAllGasBalanceResultBalancesItem]
    total_usd: float


class LinkGasWalletResult(TypedDict):
    address: str
    message: str


class UnlinkGasWalletResult(TypedDict):
    address: str
    message: str


class GetGasWalletPoolsResultPoolsItem(TypedDict):
    network: str
    pool: str
    protocol: str
    is_trader: bool | None
    linked_at: str


class GetGasWalletPoolsResult(TypedDict):
    address: str
    pools: list[GetGasWalletPoolsResultPoolsItem]


class PauseBotResultSwitchesItem(TypedDict):
    scope: str
    reason: str
    by: Literal["operator", "owner", "guardian"]


class PauseBotResult(TypedDict):
    message: str
    switches: list[PauseBotResultSwitchesItem]


class ResumeBotResultSwitchesItem(TypedDict):
    scope: str
    reason: str
    by: Literal["operator", "owner", "guardian"]


class ResumeBotResult(TypedDict):
    message: str
    switches: list[ResumeBotResultSwitchesItem]


class PauseWalletResultSwitchesItem(TypedDict):
    scope: str
    reason: str
    by: Literal["operator", "owner", "guardian"]


class PauseWalletResult(TypedDict):
    message: str
    switches: list[PauseWalletResultSwitchesItem]


class ResumeWalletResultSwitchesItem(TypedDict):
    scope: str
    reason: str
    by: Literal["operator", "owner", "guardian"]


class ResumeWalletResult(TypedDict):
    message: str
    switches: list[ResumeWalletResultSwitchesItem]


class IsPoolTraderResultData(TypedDict):
    network: str
    pool: str
    trader: str
    poolTrader: str | None
    manager: str
    isTrader: bool


class IsPoolTraderResult(TypedDict):
    data: IsPoolTraderResultData
    message: str


class GetCapabilitiesResultVenuesItem(TypedDict):
    platform: str
    router: str
    allowed: bool


class GetCapabilitiesResultLendersItem(TypedDict):
    lender: str
    market: str
    allowed: bool
    enabled: bool | None


class GetCapabilitiesResultLiquidityItem(TypedDict):
    protocol: str
    position_manager: str
    allowed: bool
    enabled: bool | None
    staking: list[str]


class GetCapabilitiesResultShortsItemRedeemedBy(TypedDict):
    contract: str
    allowed: bool
    enabled: bool | None


class GetCapabilitiesResultShortsItem(TypedDict):
    asset: str
    token: str
    allowed: bool
    enabled: bool | None
    redeemed_by: GetCapabilitiesResultShortsItemRedeemedBy | None


class GetCapabilitiesResultLeveragedItemRedeemedBy(TypedDict):
    contract: str
    allowed: bool
    enabled: bool | None


class GetCapabilitiesResultLeveragedItem(TypedDict):
    asset: str
    leverage: float
    symbol: str
    token: str
    allowed: bool
    enabled: bool | None
    redeemed_by: GetCapabilitiesResultLeveragedItemRedeemedBy


class GetCapabilitiesResultPerpetuals(TypedDict):
    target: str
    allowed: bool
    enabled: bool | None


class GetCapabilitiesResult(TypedDict):
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]
    pool: str | None
    venues: list[GetCapabilitiesResultVenuesItem]
    lenders: list[GetCapabilitiesResultLendersItem]
    liquidity: list[GetCapabilitiesResultLiquidityItem]
    shorts: list[GetCapabilitiesResultShortsItem]
    leveraged: list[GetCapabilitiesResultLeveragedItem]
    perpetuals: GetCapabilitiesResultPerpetuals | None


class PoolCompositionResultCompositionItemPositionsItem(TypedDict):
    token_id: str
    label: str
    token0: str
    token1: str
    fee: float | None
    tick_spacing: int | None
    tick_lower: int
    tick_upper: int
    lower_price: float | None
    upper_price: float | None
    liquidity: str
    staked: bool


class PoolCompositionResultCompositionItem(TypedDict):
    asset: str
    symbol: str
    assetPair: str
    isDeposit: bool
    amount: str | None
    price: float | None
    value_usd: float | None
    kind: Literal["token", "position"]
    reason: str | None
    asset_type: int | None
    label: str
    positions: list[PoolCompositionResultCompositionItemPositionsItem]


class PoolCompositionResult(TypedDict):
    composition: list[PoolCompositionResultCompositionItem]
    total_value_usd: float | None
    block: int


GetPerformanceResultDataCoverageGapsItem = TypedDict(
    "GetPerformanceResultDataCoverageGapsItem",
    {
        "from": str,
        "to": str,
        "reason": str,
    },
)


class GetPerformanceResultDataCoverage(TypedDict):
    samples: int
    interval_seconds: int
    covered_percent: float
    gaps: list[GetPerformanceResultDataCoverageGapsItem]


class GetPerformanceResultDataDay(TypedDict):
    pnl_usd: str | None
    return_percent: float | None


class GetPerformanceResultDataWeek(TypedDict):
    pnl_usd: str | None
    return_percent: float | None


class GetPerformanceResultDataAll(TypedDict):
    pnl_usd: str | None
    return_percent: float | None


class GetPerformanceResultDataFees(TypedDict):
    minted_shares: str
    minted_usd: str | None
    accrued_usd: str | None
    owed_shares: str | None
    owed_usd: str | None


class GetPerformanceResultDataTrading(TypedDict):
    trades: int
    failed: int
    turnover_usd: str
    slippage_oracle_usd: str
    slippage_oracle_percent: float | None
    slippage_quote_percent: float | None
    gas_native: str
    gas_usd: str | None
    charges_usd: str
    realised_usd: str | None


class GetPerformanceResultDataExposure(TypedDict):
    average_percent: float | None
    end_percent: float | None


GetPerformanceResultDataDrawdown = TypedDict(
    "GetPerformanceResultDataDrawdown",
    {
        "percent": float,
        "from": str,
        "to": str,
    },
)


class GetPerformanceResultDataStatistics(TypedDict):
    period_seconds: int
    returns: int
    annualisation: float | None
    risk_free: float
    volatility_percent: float | None
    sharpe: float | None
    sortino: float | None
    reason: str | None


class GetPerformanceResultDataBenchmarksItemCurveItem(TypedDict):
    time: str
    return_percent: float | None


class GetPerformanceResultDataBenchmarksItem(TypedDict):
    name: str
    return_percent: float | None
    excess_percent: float | None
    reason: str | None
    curve: list[GetPerformanceResultDataBenchmarksItemCurveItem]


class GetPerformanceResultDataAllocationItemWeightsItem(TypedDict):
    asset: str
    symbol: str
    percent: float


class GetPerformanceResultDataAllocationItem(TypedDict):
    time: str
    weights: list[GetPerformanceResultDataAllocationItemWeightsItem]
    gap: str | None


class GetPerformanceResultDataAttributionItem(TypedDict):
    asset: str | None
    symbol: str
    pnl_usd: str
    contribution_percent: float
    average_weight_percent: float
    end_weight_percent: float


class GetPerformanceResultDataSourcesItem(TypedDict):
    kind: Literal[
            "caller",
            "threshold_bot",
            "index_bot",
            "order",
            "strategy_bot",
            "follower",
            "guardian",
        ]
    id: str | None
    name: str
    trades: int
    failed: int
    turnover_usd: str
    slippage_oracle_usd: str
    slippage_oracle_percent: float | None
    slippage_quote_percent: float | None
    gas_native: str
    gas_usd: str | None
    charges_usd: str
    realised_usd: str | None


class GetPerformanceResultDataCurveItem(TypedDict):
    time: str
    block: int
    value_usd: str
    share_price: str | None
    share_price_before_fees: str | None
    supply: str
    gap: str | None


GetPerformanceResultData = TypedDict(
    "GetPerformanceResultData",
    {
        "network": Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ],
        "pool": str,
        "from": str | None,
        "to": str | None,
        "reason": str | None,
        "coverage": GetPerformanceResultDataCoverage,
        "start_value_usd": str | None,
        "end_value_usd": str | None,
        "net_flows_usd": str | None,
        "start_share_price": str | None,
        "end_share_price": str | None,
        "return_percent": float | None,
        "return_before_fees_percent": float | None,
        "return_after_gas_percent": float | None,
        "pnl_usd": str | None,
        "pnl_after_gas_usd": str | None,
        "realised_usd": str | None,
        "unrealised_usd": str | None,
        "day": GetPerformanceResultDataDay,
        "week": GetPerformanceResultDataWeek,
        "all": GetPerformanceResultDataAll,
        "fees": GetPerformanceResultDataFees,
        "trading": GetPerformanceResultDataTrading,
        "turnover_percent": float | None,
        "exposure": GetPerformanceResultDataExposure,
        "drawdown": GetPerformanceResultDataDrawdown | None,
        "statistics": GetPerformanceResultDataStatistics,
        "benchmarks": list[GetPerformanceResultDataBenchmarksItem],
        "allocation": list[GetPerformanceResultDataAllocationItem],
        "attribution": list[GetPerformanceResultDataAttributionItem],
        "sources": list[GetPerformanceResultDataSourcesItem],
        "curve": list[GetPerformanceResultDataCurveItem],
    },
)


class GetPerformanceResult(TypedDict):
    data: GetPerformanceResultData
    csv: str | None


class GetTaxLotsResultDisposalsItem(TypedDict):
    asset: str
    symbol: str
    quantity: str
    acquired_at: str | None
    disposed_at: str
    proceeds_usd: str | None
    cost_usd: str | None
    gain_usd: str | None
    holding_days: int | None
    acquired_tx: str | None
    disposed_tx: str | None
    disposed_by: str


class GetTaxLotsResultOpenItem(TypedDict):
    asset: str
    symbol: str
    quantity: str
    acquired_at: str
    cost_usd: str | None
    value_usd: str | None
    unrealised_usd: str | None
    acquired_tx: str | None


class GetTaxLotsResult(TypedDict):
    method: Literal["fifo", "lifo", "hifo"]
    disposals: list[GetTaxLotsResultDisposalsItem]
    open: list[GetTaxLotsResultOpenItem]
    realised_usd: str | None
    unrealised_usd: str | None
    notes: list[str]
    csv: str | None


class GetTearsheetResult(TypedDict):
    html: str


class GetSymbolResult(TypedDict):
    symbol: str
    contract: str
    decimals: int


class GetContractResult(TypedDict):
    symbol: str
    contract: str
    decimals: int


class VaultTradeResultSold(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class VaultTradeResultBought(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class VaultTradeResultMinOut(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class VaultTradeResultPassedOverItem(TypedDict):
    venue: str
    reason: str


class VaultTradeResultOracle(TypedDict):
    sold_usd: float
    bought_usd: float
    slippage_percent: float | None


class VaultTradeResultRedemptionPaidOutItem(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class VaultTradeResultRedemption(TypedDict):
    init_tx_hash: str | None
    paid_by: NotRequired[str | None]
    paid_out: list[VaultTradeResultRedemptionPaidOutItem]


class VaultTradeResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]
    venue: str
    route: list[str]
    sold: VaultTradeResultSold
    bought: VaultTradeResultBought
    min_out: VaultTradeResultMinOut
    passed_over: list[VaultTradeResultPassedOverItem]
    oracle: NotRequired[VaultTradeResultOracle | None]
    redemption: NotRequired[VaultTradeResultRedemption]
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float


class VaultTradeDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]


class ApproveResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    venue: str
    spender: str
    asset: str
    symbol: str
    allowance: str
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float


class ApproveDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class EnableAssetResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    asset: str
    symbol: str | None
    enabled: bool
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float


class EnableAssetDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class DisableAssetResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    asset: str
    symbol: str | None
    enabled: bool
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float


class DisableAssetDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class SetVaultGroupResultDataMembersItem(TypedDict):
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]
    pool: str
    weight: float | None


class SetVaultGroupResultData(TypedDict):
    group: str
    members: list[SetVaultGroupResultDataMembersItem]
    created_at: str
    updated_at: str


class SetVaultGroupResult(TypedDict):
    data: SetVaultGroupResultData
    message: str


class GetVaultGroupsResultGroupsItemMembersItem(TypedDict):
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]
    pool: str
    weight: float | None


class GetVaultGroupsResultGroupsItem(TypedDict):
    group: str
    members: list[GetVaultGroupsResultGroupsItemMembersItem]
    created_at: str
    updated_at: str


class GetVaultGroupsResult(TypedDict):
    groups: list[GetVaultGroupsResultGroupsItem]


class RemoveVaultGroupResultDataMembersItem(TypedDict):
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]
    pool: str
    weight: float | None


class RemoveVaultGroupResultData(TypedDict):
    group: str
    members: list[RemoveVaultGroupResultDataMembersItem]
    created_at: str
    updated_at: str


class RemoveVaultGroupResult(TypedDict):
    data: RemoveVaultGroupResultData | None
    message: str


class TradeGroupResultResultsItemSold(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class TradeGroupResultResultsItemBought(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class TradeGroupResultResultsItem(TypedDict):
    network: str
    pool: str
    state: Literal["success", "pending", "fail", "skipped", "refused", "unknown"]
    message: str
    intent_id: str | None
    tx_hash: str | None
    share: float | None
    amount: str | None
    sold: TradeGroupResultResultsItemSold | None
    bought: TradeGroupResultResultsItemBought | None


class TradeGroupResult(TypedDict):
    intent_id: str | None
    tx_hash: str | None
    message: str
    group: str
    results: list[TradeGroupResultResultsItem]


class TradeGroupDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class LenderAV3LendResultSupplied(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class LenderAV3LendResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    lender: str
    market: str
    projected_health_factor: str | None
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float
    supplied: LenderAV3LendResultSupplied


class LenderAV3LendDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class LenderAV3UnlendResultWithdrawn(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class LenderAV3UnlendResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    lender: str
    market: str
    projected_health_factor: str | None
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float
    withdrawn: LenderAV3UnlendResultWithdrawn


class LenderAV3UnlendDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class LenderAV3BorrowResultBorrowed(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class LenderAV3BorrowResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    lender: str
    market: str
    projected_health_factor: str | None
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float
    borrowed: LenderAV3BorrowResultBorrowed


class LenderAV3BorrowDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class LenderAV3RepayResultRepaid(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class LenderAV3RepayResultStillOwed(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class LenderAV3RepayResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    lender: str
    market: str
    projected_health_factor: str | None
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float
    repaid: LenderAV3RepayResultRepaid
    still_owed: NotRequired[LenderAV3RepayResultStillOwed | None]


class LenderAV3RepayDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class LenderAV3GetSuppliedResultDataAssetsItem(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str
    usd: str
    used_as_collateral: bool


class LenderAV3GetSuppliedResultData(TypedDict):
    totalSupplied: str
    assets: list[LenderAV3GetSuppliedResultDataAssetsItem]


class LenderAV3GetSuppliedResult(TypedDict):
    data: LenderAV3GetSuppliedResultData


class LenderAV3GetBorrowedResultDataAssetsItem(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str
    usd: str
    used_as_collateral: bool


class LenderAV3GetBorrowedResultData(TypedDict):
    totalBorrowed: str
    assets: list[LenderAV3GetBorrowedResultDataAssetsItem]


class LenderAV3GetBorrowedResult(TypedDict):
    data: LenderAV3GetBorrowedResultData


class LenderAV3GetHealthFactorResultData(TypedDict):
    healthFactor: str


class LenderAV3GetHealthFactorResult(TypedDict):
    data: LenderAV3GetHealthFactorResultData
    message: str


class LenderAV3GetPoolDataResultData(TypedDict):
    totalCollateralBase: str
    totalDebtBase: str
    availableBorrowsBase: str
    currentLiquidationThreshold: str
    ltv: str
    healthFactor: str


class LenderAV3GetPoolDataResult(TypedDict):
    data: LenderAV3GetPoolDataResultData


class LenderBV3LendResultSupplied(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class LenderBV3LendResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    lender: str
    market: str
    projected_health_factor: str | None
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float
    supplied: LenderBV3LendResultSupplied


class LenderBV3LendDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class LenderBV3UnlendResultWithdrawn(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class LenderBV3UnlendResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    lender: str
    market: str
    projected_health_factor: str | None
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float
    withdrawn: LenderBV3UnlendResultWithdrawn


class LenderBV3UnlendDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class LenderCLendResultSupplied(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class LenderCLendResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    lender: str
    market: str
    projected_health_factor: str | None
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float
    supplied: LenderCLendResultSupplied


class LenderCLendDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class LenderCUnlendResultWithdrawn(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class LenderCUnlendResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    lender: str
    market: str
    projected_health_factor: str | None
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float
    withdrawn: LenderCUnlendResultWithdrawn


class LenderCUnlendDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class LendResultSupplied(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class LendResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    lender: str
    market: str
    projected_health_factor: str | None
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float
    supplied: LendResultSupplied


class LendDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class UnlendResultWithdrawn(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class UnlendResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    lender: str
    market: str
    projected_health_factor: str | None
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float
    withdrawn: UnlendResultWithdrawn


class UnlendDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class BorrowResultBorrowed(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class BorrowResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    lender: str
    market: str
    projected_health_factor: str | None
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float
    borrowed: BorrowResultBorrowed


class BorrowDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class RepayResultRepaid(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class RepayResultStillOwed(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class RepayResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    lender: str
    market: str
    projected_health_factor: str | None
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float
    repaid: RepayResultRepaid
    still_owed: NotRequired[RepayResultStillOwed | None]


class RepayDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class GetAllYieldsResultYieldsItem(TypedDict):
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]
    lender: Literal["lenderA", "lenderB", "lenderC"]
    market: str
    asset: str
    symbol: str
    supply_apr: float | None
    supply_apy: float | None
    borrow_apr: float | None
    borrow_apy: float | None
    note: str | None


class GetAllYieldsResultUnreadItem(TypedDict):
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]
    reason: str


class GetAllYieldsResult(TypedDict):
    yields: list[GetAllYieldsResultYieldsItem]
    unread: list[GetAllYieldsResultUnreadItem]


class GetEstimatedAnualYieldResultDataPositionsItem(TypedDict):
    lender: Literal["lenderA", "lenderB", "lenderC"]
    market: str
    asset: str
    symbol: str
    side: Literal["supplied", "borrowed"]
    amount: str
    value_usd: float | None
    apy: float | None


class GetEstimatedAnualYieldResultData(TypedDict):
    apy: float | None
    total_value_usd: float | None
    annual_usd: float | None
    positions: list[GetEstimatedAnualYieldResultDataPositionsItem]


class GetEstimatedAnualYieldResult(TypedDict):
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]
    data: GetEstimatedAnualYieldResultData
    message: str


class GetTotalYieldResultData(TypedDict):
    total: float
    token_price: str
    first_token_price: str
    since: int
    days: float
    annualised: float | None


class GetTotalYieldResult(TypedDict):
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]
    data: GetTotalYieldResultData
    message: str


class AddLiquidityResultAddedItem(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class AddLiquidityResultSwapped(TypedDict):
    venue: str
    sold: str
    bought: str


class AddLiquidityResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    token_id: str
    dex: Literal["uniswapV3", "velodromeCl", "pancakeCl"]
    position_manager: str
    fee_tier: int | None
    tick_spacing: int | None
    lower_price: str | None
    upper_price: str | None
    staked: bool
    is_new: bool
    liquidity: str
    added: list[AddLiquidityResultAddedItem]
    swapped: AddLiquidityResultSwapped | None
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float


class AddLiquidityDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class RemoveLiquidityResultRemovedItem(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class RemoveLiquidityResultFeesItem(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class RemoveLiquidityResultRewardsItem(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class RemoveLiquidityResultSwapped(TypedDict):
    venue: str
    sold: str
    bought: str


class RemoveLiquidityResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    token_id: str
    dex: Literal["uniswapV3", "velodromeCl", "pancakeCl"]
    position_manager: str
    fee_tier: int | None
    tick_spacing: int | None
    lower_price: str | None
    upper_price: str | None
    staked: bool
    removed: list[RemoveLiquidityResultRemovedItem]
    fees: list[RemoveLiquidityResultFeesItem]
    burnt: bool
    rewards: list[RemoveLiquidityResultRewardsItem]
    swapped: RemoveLiquidityResultSwapped | None
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float


class RemoveLiquidityDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class CollectFeesResultFeesItem(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class CollectFeesResultRewardsItem(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class CollectFeesResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    token_id: str
    dex: Literal["uniswapV3", "velodromeCl", "pancakeCl"]
    position_manager: str
    fee_tier: int | None
    tick_spacing: int | None
    lower_price: str | None
    upper_price: str | None
    staked: bool
    fees: list[CollectFeesResultFeesItem]
    rewards: list[CollectFeesResultRewardsItem]
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float


class CollectFeesDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class StakeLiquidityResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    token_id: str
    dex: Literal["uniswapV3", "velodromeCl", "pancakeCl"]
    position_manager: str
    fee_tier: int | None
    tick_spacing: int | None
    lower_price: str | None
    upper_price: str | None
    staked: bool
    staking_contract: str
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float


class StakeLiquidityDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class UnstakeLiquidityResultRewardsItem(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class UnstakeLiquidityResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    token_id: str
    dex: Literal["uniswapV3", "velodromeCl", "pancakeCl"]
    position_manager: str
    fee_tier: int | None
    tick_spacing: int | None
    lower_price: str | None
    upper_price: str | None
    staked: bool
    rewards: list[UnstakeLiquidityResultRewardsItem]
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float


class UnstakeLiquidityDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class ClaimRewardsResultRewardsItem(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class ClaimRewardsResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    token_id: str
    dex: Literal["uniswapV3", "velodromeCl", "pancakeCl"]
    position_manager: str
    fee_tier: int | None
    tick_spacing: int | None
    lower_price: str | None
    upper_price: str | None
    staked: bool
    rewards: list[ClaimRewardsResultRewardsItem]
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float


class ClaimRewardsDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class DepositToPerpetualsResultDeposited(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class DepositToPerpetualsResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    deposited: DepositToPerpetualsResultDeposited
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float


class DepositToPerpetualsDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class PlacePerpetualOrderResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    coin: str
    side: Literal["buy", "sell"]
    cloid: str
    oid: str | None
    order_status: str
    size: str
    limit_price: str
    filled: str
    average_price: str | None
    tif: str
    reduce_only: bool
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float


class PlacePerpetualOrderDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class CancelPerpetualOrderResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    coin: str
    side: Literal["buy", "sell"]
    cloid: str | None
    oid: str | None
    order_status: str
    size: str
    limit_price: str
    filled: str
    average_price: str | None
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float


class CancelPerpetualOrderDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class WithdrawFromPerpetualsResultWithdrawn(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class WithdrawFromPerpetualsResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    withdrawn: WithdrawFromPerpetualsResultWithdrawn
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float


class WithdrawFromPerpetualsDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class GetPerpetualPositionsResultDataMargin(TypedDict):
    accountValue: str
    totalPositionValue: str
    totalMarginUsed: str
    withdrawable: str
    spotUsdc: str


class GetPerpetualPositionsResultDataPositionsItem(TypedDict):
    coin: str
    side: Literal["long", "short"]
    size: str
    entryPrice: str | None
    markPrice: str | None
    positionValue: str
    unrealizedPnl: str
    marginUsed: str
    leverage: float
    liquidationPrice: str | None


class GetPerpetualPositionsResultData(TypedDict):
    margin: GetPerpetualPositionsResultDataMargin
    positions: list[GetPerpetualPositionsResultDataPositionsItem]
    time: float


class GetPerpetualPositionsResult(TypedDict):
    data: GetPerpetualPositionsResultData


class GetPerpetualOrdersResultOrdersItem(TypedDict):
    oid: str
    cloid: str | None
    intent_id: str | None
    coin: str
    side: Literal["buy", "sell"]
    price: str
    size: str
    remaining: str
    reduce_only: bool
    tif: str | None
    placed_at: float


class GetPerpetualOrdersResult(TypedDict):
    orders: list[GetPerpetualOrdersResultOrdersItem]


class GetPerpetualMarketsResultMarketsItem(TypedDict):
    coin: str
    asset_id: int
    size_decimals: int
    max_leverage: float
    isolated_only: bool
    mark_price: str
    mid_price: str | None
    oracle_price: str
    funding: str
    open_interest: str


class GetPerpetualMarketsResult(TypedDict):
    markets: list[GetPerpetualMarketsResultMarketsItem]


class MintManagerFeeResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    dryRun: Literal[False]
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]
    pool: str
    manager: str
    availableManagerFee: str
    hasFee: bool
    managerFee: str | None
    daoFee: str | None
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float


class MintManagerFeeDryRunCharge(TypedDict):
    usd: float
    native_wei: str | None


class MintManagerFeeDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]
    pool: str
    manager: str
    availableManagerFee: str
    hasFee: bool
    charge: MintManagerFeeDryRunCharge


class MintManagerFeeBatchResultResultsItem(TypedDict):
    pool: str
    availableManagerFee: str | None
    hasFee: bool | None
    willSucceed: bool
    managerFee: str | None
    daoFee: str | None


class MintManagerFeeBatchResultSkippedItem(TypedDict):
    pool: str
    reason: str


class MintManagerFeeBatchResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    dryRun: Literal[False]
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]
    scanned: int
    matched: int
    eligible: int
    count: int
    wouldSucceed: int
    minted: int
    results: list[MintManagerFeeBatchResultResultsItem]
    skipped: list[MintManagerFeeBatchResultSkippedItem]
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float


class MintManagerFeeBatchDryRunResultsItem(TypedDict):
    pool: str
    availableManagerFee: str | None
    hasFee: bool | None
    willSucceed: bool
    managerFee: str | None
    daoFee: str | None


class MintManagerFeeBatchDryRunSkippedItem(TypedDict):
    pool: str
    reason: str


class MintManagerFeeBatchDryRunCharge(TypedDict):
    usd: float
    native_wei: str | None


class MintManagerFeeBatchDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]
    scanned: int
    matched: int
    eligible: int
    count: int
    wouldSucceed: int
    minted: int
    results: list[MintManagerFeeBatchDryRunResultsItem]
    skipped: list[MintManagerFeeBatchDryRunSkippedItem]
    charge: MintManagerFeeBatchDryRunCharge


class MintAllFeesByManagerResultResultsItem(TypedDict):
    pool: str
    availableManagerFee: str | None
    hasFee: bool | None
    willSucceed: bool
    managerFee: str | None
    daoFee: str | None


class MintAllFeesByManagerResultSkippedItem(TypedDict):
    pool: str
    reason: str


class MintAllFeesByManagerResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    dryRun: Literal[False]
    manager: str
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]
    scanned: int
    matched: int
    eligible: int
    count: int
    wouldSucceed: int
    minted: int
    results: list[MintAllFeesByManagerResultResultsItem]
    skipped: list[MintAllFeesByManagerResultSkippedItem]
    gas_used: str | None
    gas_cost: str | None
    charge_usd: float


class MintAllFeesByManagerDryRunResultsItem(TypedDict):
    pool: str
    availableManagerFee: str | None
    hasFee: bool | None
    willSucceed: bool
    managerFee: str | None
    daoFee: str | None


class MintAllFeesByManagerDryRunSkippedItem(TypedDict):
    pool: str
    reason: str


class MintAllFeesByManagerDryRunCharge(TypedDict):
    usd: float
    native_wei: str | None


class MintAllFeesByManagerDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str
    manager: str
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]
    scanned: int
    matched: int
    eligible: int
    count: int
    wouldSucceed: int
    minted: int
    results: list[MintAllFeesByManagerDryRunResultsItem]
    skipped: list[MintAllFeesByManagerDryRunSkippedItem]
    charge: MintAllFeesByManagerDryRunCharge


class SetBotResultDataLastDecision(TypedDict):
    action: Literal["hold", "trade", "park", "failed"]
    code: NotRequired[Literal[
            "told_to_hold",
            "no_inverse",
            "balance_unknown",
            "price_unavailable",
            "nothing_there",
            "within_threshold",
            "too_small",
        ]]
    reason: str
    at: str


class SetBotResultData(TypedDict):
    pair: str
    base: str
    quote: str
    side: Literal["long", "neutral", "short", "hold"]
    threshold: float
    max_usd: float
    share: float
    slippage: float
    max_impact: float | None
    platform: str
    lending: bool
    auto_enable: bool
    active: bool
    paper: bool
    paused_reason: str | None
    kill_switch: str | None
    last_decision: SetBotResultDataLastDecision | None
    last_intent_id: str | None
    next_check: str | None


class SetBotResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    data: SetBotResultData


class DeleteBotResult(TypedDict):
    removed: list[str]
    message: str


class GetBotStatusResultDataBotsItemLastDecision(TypedDict):
    action: Literal["hold", "trade", "park", "failed"]
    code: NotRequired[Literal[
            "told_to_hold",
            "no_inverse",
            "balance_unknown",
            "price_unavailable",
            "nothing_there",
            "within_threshold",
            "too_small",
        ]]
    reason: str
    at: str


class GetBotStatusResultDataBotsItem(TypedDict):
    pair: str
    base: str
    quote: str
    side: Literal["long", "neutral", "short", "hold"]
    threshold: float
    max_usd: float
    share: float
    slippage: float
    max_impact: float | None
    platform: str
    lending: bool
    auto_enable: bool
    active: bool
    paper: bool
    paused_reason: str | None
    kill_switch: str | None
    last_decision: GetBotStatusResultDataBotsItemLastDecision | None
    last_intent_id: str | None
    next_check: str | None


class GetBotStatusResultDataWaitingItem(TypedDict):
    pair: str
    side: Literal["long", "neutral", "short", "hold"]
    since: str
    refused: str | None


class GetBotStatusResultDataAllocationsItem(TypedDict):
    asset: str
    contract: str
    weight: float
    tolerance: float


class GetBotStatusResultDataIndexTargetsItem(TypedDict):
    asset: str
    contract: str
    weight: float
    tolerance: float


GetBotStatusResultDataIndexLastRunPlanItem = TypedDict(
    "GetBotStatusResultDataIndexLastRunPlanItem",
    {
        "asset": str,
        "side": Literal["sell", "buy"],
        "from": str,
        "to": str,
        "amountUsd": float,
        "amount": str,
        "minOut": str,
        "slippage": float,
    },
)


class GetBotStatusResultDataIndexLastRunTradesItemSold(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class GetBotStatusResultDataIndexLastRunTradesItemBought(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


GetBotStatusResultDataIndexLastRunTradesItem = TypedDict(
    "GetBotStatusResultDataIndexLastRunTradesItem",
    {
        "asset": str,
        "side": Literal["sell", "buy"],
        "from": str,
        "to": str,
        "amountUsd": float,
        "amount": str,
        "minOut": str,
        "slippage": float,
        "status": Literal["pending", "success", "fail", "paper"],
        "intent_id": str | None,
        "tx_hash": str | None,
        "sold": GetBotStatusResultDataIndexLastRunTradesItemSold | None,
        "bought": GetBotStatusResultDataIndexLastRunTradesItemBought | None,
        "message": str | None,
    },
)


class GetBotStatusResultDataIndexLastRun(TypedDict):
    id: str
    reason: Literal["scheduled", "asked"]
    state: Literal["running", "done", "failed"]
    paper: bool
    traded_usd: float
    plan: list[GetBotStatusResultDataIndexLastRunPlanItem]
    trades: list[GetBotStatusResultDataIndexLastRunTradesItem]
    message: str | None
    started_at: str
    ended_at: str | None


class GetBotStatusResultDataIndex(TypedDict):
    network: str
    pool: str
    gasWallet: str
    active: bool
    enabled: bool
    paper: bool
    paused_reason: str | None
    kill_switch: str | None
    targets: list[GetBotStatusResultDataIndexTargetsItem]
    interval: int
    max_usd: float
    min_trade_usd: float
    tolerance: float
    slippage: float
    quote: str
    platform: str
    last_decision: str | None
    last_decided_at: str | None
    next_run_at: str | None
    last_run: GetBotStatusResultDataIndexLastRun | None


class GetBotStatusResultData(TypedDict):
    network: str
    pool: str
    gasWallet: str | None
    active: bool
    hasBot: bool
    bots: list[GetBotStatusResultDataBotsItem]
    waiting: list[GetBotStatusResultDataWaitingItem]
    hasAllocations: bool
    allocations: list[GetBotStatusResultDataAllocationsItem]
    index: GetBotStatusResultDataIndex | None


class GetBotStatusResult(TypedDict):
    message: str | None
    data: GetBotStatusResultData


class GetAllBotsResultBotsItemLastDecision(TypedDict):
    action: Literal["hold", "trade", "park", "failed"]
    code: NotRequired[Literal[
            "told_to_hold",
            "no_inverse",
            "balance_unknown",
            "price_unavailable",
            "nothing_there",
            "within_threshold",
            "too_small",
        ]]
    reason: str
    at: str


class GetAllBotsResultBotsItem(TypedDict):
    network: str
    pool: str
    gasWallet: str
    pair: str
    base: str
    quote: str
    side: Literal["long", "neutral", "short", "hold"]
    threshold: float
    max_usd: float
    share: float
    slippage: float
    max_impact: float | None
    platform: str
    lending: bool
    auto_enable: bool
    active: bool
    paper: bool
    paused_reason: str | None
    kill_switch: str | None
    last_decision: GetAllBotsResultBotsItemLastDecision | None
    last_intent_id: str | None
    next_check: str | None


class GetAllBotsResultIndexBotsItemTargetsItem(TypedDict):
    asset: str
    contract: str
    weight: float
    tolerance: float


GetAllBotsResultIndexBotsItemLastRunPlanItem = TypedDict(
    "GetAllBotsResultIndexBotsItemLastRunPlanItem",
    {
        "asset": str,
        "side": Literal["sell", "buy"],
        "from": str,
        "to": str,
        "amountUsd": float,
        "amount": str,
        "minOut": str,
        "slippage": float,
    },
)


class GetAllBotsResultIndexBotsItemLastRunTradesItemSold(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class GetAllBotsResultIndexBotsItemLastRunTradesItemBought(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


GetAllBotsResultIndexBotsItemLastRunTradesItem = TypedDict(
    "GetAllBotsResultIndexBotsItemLastRunTradesItem",
    {
        "asset": str,
        "side": Literal["sell", "buy"],
        "from": str,
        "to": str,
        "amountUsd": float,
        "amount": str,
        "minOut": str,
        "slippage": float,
        "status": Literal["pending", "success", "fail", "paper"],
        "intent_id": str | None,
        "tx_hash": str | None,
        "sold": GetAllBotsResultIndexBotsItemLastRunTradesItemSold | None,
        "bought": GetAllBotsResultIndexBotsItemLastRunTradesItemBought | None,
        "message": str | None,
    },
)


class GetAllBotsResultIndexBotsItemLastRun(TypedDict):
    id: str
    reason: Literal["scheduled", "asked"]
    state: Literal["running", "done", "failed"]
    paper: bool
    traded_usd: float
    plan: list[GetAllBotsResultIndexBotsItemLastRunPlanItem]
    trades: list[GetAllBotsResultIndexBotsItemLastRunTradesItem]
    message: str | None
    started_at: str
    ended_at: str | None


class GetAllBotsResultIndexBotsItem(TypedDict):
    network: str
    pool: str
    gasWallet: str
    active: bool
    enabled: bool
    paper: bool
    paused_reason: str | None
    kill_switch: str | None
    targets: list[GetAllBotsResultIndexBotsItemTargetsItem]
    interval: int
    max_usd: float
    min_trade_usd: float
    tolerance: float
    slippage: float
    quote: str
    platform: str
    last_decision: str | None
    last_decided_at: str | None
    next_run_at: str | None
    last_run: GetAllBotsResultIndexBotsItemLastRun | None


class GetAllBotsResult(TypedDict):
    bots: list[GetAllBotsResultBotsItem]
    index_bots: list[GetAllBotsResultIndexBotsItem]


class SetIndexBotResultDataTargetsItem(TypedDict):
    asset: str
    contract: str
    weight: float
    tolerance: float


SetIndexBotResultDataLastRunPlanItem = TypedDict(
    "SetIndexBotResultDataLastRunPlanItem",
    {
        "asset": str,
        "side": Literal["sell", "buy"],
        "from": str,
        "to": str,
        "amountUsd": float,
        "amount": str,
        "minOut": str,
        "slippage": float,
    },
)


class SetIndexBotResultDataLastRunTradesItemSold(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class SetIndexBotResultDataLastRunTradesItemBought(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


SetIndexBotResultDataLastRunTradesItem = TypedDict(
    "SetIndexBotResultDataLastRunTradesItem",
    {
        "asset": str,
        "side": Literal["sell", "buy"],
        "from": str,
        "to": str,
        "amountUsd": float,
        "amount": str,
        "minOut": str,
        "slippage": float,
        "status": Literal["pending", "success", "fail", "paper"],
        "intent_id": str | None,
        "tx_hash": str | None,
        "sold": SetIndexBotResultDataLastRunTradesItemSold | None,
        "bought": SetIndexBotResultDataLastRunTradesItemBought | None,
        "message": str | None,
    },
)


class SetIndexBotResultDataLastRun(TypedDict):
    id: str
    reason: Literal["scheduled", "asked"]
    state: Literal["running", "done", "failed"]
    paper: bool
    traded_usd: float
    plan: list[SetIndexBotResultDataLastRunPlanItem]
    trades: list[SetIndexBotResultDataLastRunTradesItem]
    message: str | None
    started_at: str
    ended_at: str | None


class SetIndexBotResultData(TypedDict):
    network: str
    pool: str
    gasWallet: str
    active: bool
    enabled: bool
    paper: bool
    paused_reason: str | None
    kill_switch: str | None
    targets: list[SetIndexBotResultDataTargetsItem]
    interval: int
    max_usd: float
    min_trade_usd: float
    tolerance: float
    slippage: float
    quote: str
    platform: str
    last_decision: str | None
    last_decided_at: str | None
    next_run_at: str | None
    last_run: SetIndexBotResultDataLastRun | None


class SetIndexBotResult(TypedDict):
    data: SetIndexBotResultData
    message: str


class SetIndexBotTargetsItem(TypedDict):
    asset: str
    weight: float
    tolerance: NotRequired[float]


class GetIndexBotResultDataTargetsItem(TypedDict):
    asset: str
    contract: str
    weight: float
    tolerance: float


GetIndexBotResultDataLastRunPlanItem = TypedDict(
    "GetIndexBotResultDataLastRunPlanItem",
    {
        "asset": str,
        "side": Literal["sell", "buy"],
        "from": str,
        "to": str,
        "amountUsd": float,
        "amount": str,
        "minOut": str,
        "slippage": float,
    },
)


class GetIndexBotResultDataLastRunTradesItemSold(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class GetIndexBotResultDataLastRunTradesItemBought(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


GetIndexBotResultDataLastRunTradesItem = TypedDict(
    "GetIndexBotResultDataLastRunTradesItem",
    {
        "asset": str,
        "side": Literal["sell", "buy"],
        "from": str,
        "to": str,
        "amountUsd": float,
        "amount": str,
        "minOut": str,
        "slippage": float,
        "status": Literal["pending", "success", "fail", "paper"],
        "intent_id": str | None,
        "tx_hash": str | None,
        "sold": GetIndexBotResultDataLastRunTradesItemSold | None,
        "bought": GetIndexBotResultDataLastRunTradesItemBought | None,
        "message": str | None,
    },
)


class GetIndexBotResultDataLastRun(TypedDict):
    id: str
    reason: Literal["scheduled", "asked"]
    state: Literal["running", "done", "failed"]
    paper: bool
    traded_usd: float
    plan: list[GetIndexBotResultDataLastRunPlanItem]
    trades: list[GetIndexBotResultDataLastRunTradesItem]
    message: str | None
    started_at: str
    ended_at: str | None


class GetIndexBotResultData(TypedDict):
    network: str
    pool: str
    gasWallet: str
    active: bool
    enabled: bool
    paper: bool
    paused_reason: str | None
    kill_switch: str | None
    targets: list[GetIndexBotResultDataTargetsItem]
    interval: int
    max_usd: float
    min_trade_usd: float
    tolerance: float
    slippage: float
    quote: str
    platform: str
    last_decision: str | None
    last_decided_at: str | None
    next_run_at: str | None
    last_run: GetIndexBotResultDataLastRun | None


class GetIndexBotResult(TypedDict):
    data: GetIndexBotResultData


class GetCurrentAllocationsResultDataAllocationsItem(TypedDict):
    asset: str
    contract: str
    targetPct: float
    currentPct: float | None
    driftPct: float | None
    valueUsd: float | None
    targetUsd: float | None
    tolerance: float
    outOfBand: bool | None
    inVault: bool


class GetCurrentAllocationsResultDataUnmanagedAssetsItem(TypedDict):
    asset: str
    label: str
    contract: str
    currentPct: float | None
    valueUsd: float | None


class GetCurrentAllocationsResultData(TypedDict):
    totalValueUsd: float | None
    needsRebalance: bool | None
    reason: str | None
    max_usd: float
    platform: str
    allocations: list[GetCurrentAllocationsResultDataAllocationsItem]
    unmanagedAssets: list[GetCurrentAllocationsResultDataUnmanagedAssetsItem]


class GetCurrentAllocationsResult(TypedDict):
    data: GetCurrentAllocationsResultData


PreviewIndexBotResultDataPlanItem = TypedDict(
    "PreviewIndexBotResultDataPlanItem",
    {
        "asset": str,
        "side": Literal["sell", "buy"],
        "from": str,
        "to": str,
        "amountUsd": float,
        "amount": str,
        "minOut": str,
        "slippage": float,
    },
)


class PreviewIndexBotResultDataTradesItemSold(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class PreviewIndexBotResultDataTradesItemBought(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


PreviewIndexBotResultDataTradesItem = TypedDict(
    "PreviewIndexBotResultDataTradesItem",
    {
        "asset": str,
        "side": Literal["sell", "buy"],
        "from": str,
        "to": str,
        "amountUsd": float,
        "amount": str,
        "minOut": str,
        "slippage": float,
        "status": Literal["pending", "success", "fail", "paper"],
        "intent_id": str | None,
        "tx_hash": str | None,
        "sold": PreviewIndexBotResultDataTradesItemSold | None,
        "bought": PreviewIndexBotResultDataTradesItemBought | None,
        "message": str | None,
    },
)


class PreviewIndexBotResultData(TypedDict):
    executed: bool
    totalValueUsd: float | None
    plan: list[PreviewIndexBotResultDataPlanItem]
    trades: list[PreviewIndexBotResultDataTradesItem]


class PreviewIndexBotResult(TypedDict):
    data: PreviewIndexBotResultData
    message: str


RebalancePoolResultDataPlanItem = TypedDict(
    "RebalancePoolResultDataPlanItem",
    {
        "asset": str,
        "side": Literal["sell", "buy"],
        "from": str,
        "to": str,
        "amountUsd": float,
        "amount": str,
        "minOut": str,
        "slippage": float,
    },
)


class RebalancePoolResultDataTradesItemSold(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class RebalancePoolResultDataTradesItemBought(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


RebalancePoolResultDataTradesItem = TypedDict(
    "RebalancePoolResultDataTradesItem",
    {
        "asset": str,
        "side": Literal["sell", "buy"],
        "from": str,
        "to": str,
        "amountUsd": float,
        "amount": str,
        "minOut": str,
        "slippage": float,
        "status": Literal["pending", "success", "fail", "paper"],
        "intent_id": str | None,
        "tx_hash": str | None,
        "sold": RebalancePoolResultDataTradesItemSold | None,
        "bought": RebalancePoolResultDataTradesItemBought | None,
        "message": str | None,
    },
)


class RebalancePoolResultData(TypedDict):
    executed: bool
    totalValueUsd: float | None
    plan: list[RebalancePoolResultDataPlanItem]
    trades: list[RebalancePoolResultDataTradesItem]


class RebalancePoolResult(TypedDict):
    intent_id: str | None
    tx_hash: str | None
    message: str
    data: RebalancePoolResultData


class DisableIndexBotResultDataTargetsItem(TypedDict):
    asset: str
    contract: str
    weight: float
    tolerance: float


DisableIndexBotResultDataLastRunPlanItem = TypedDict(
    "DisableIndexBotResultDataLastRunPlanItem",
    {
        "asset": str,
        "side": Literal["sell", "buy"],
        "from": str,
        "to": str,
        "amountUsd": float,
        "amount": str,
        "minOut": str,
        "slippage": float,
    },
)


class DisableIndexBotResultDataLastRunTradesItemSold(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class DisableIndexBotResultDataLastRunTradesItemBought(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


DisableIndexBotResultDataLastRunTradesItem = TypedDict(
    "DisableIndexBotResultDataLastRunTradesItem",
    {
        "asset": str,
        "side": Literal["sell", "buy"],
        "from": str,
        "to": str,
        "amountUsd": float,
        "amount": str,
        "minOut": str,
        "slippage": float,
        "status": Literal["pending", "success", "fail", "paper"],
        "intent_id": str | None,
        "tx_hash": str | None,
        "sold": DisableIndexBotResultDataLastRunTradesItemSold | None,
        "bought": DisableIndexBotResultDataLastRunTradesItemBought | None,
        "message": str | None,
    },
)


class DisableIndexBotResultDataLastRun(TypedDict):
    id: str
    reason: Literal["scheduled", "asked"]
    state: Literal["running", "done", "failed"]
    paper: bool
    traded_usd: float
    plan: list[DisableIndexBotResultDataLastRunPlanItem]
    trades: list[DisableIndexBotResultDataLastRunTradesItem]
    message: str | None
    started_at: str
    ended_at: str | None


class DisableIndexBotResultData(TypedDict):
    network: str
    pool: str
    gasWallet: str
    active: bool
    enabled: bool
    paper: bool
    paused_reason: str | None
    kill_switch: str | None
    targets: list[DisableIndexBotResultDataTargetsItem]
    interval: int
    max_usd: float
    min_trade_usd: float
    tolerance: float
    slippage: float
    quote: str
    platform: str
    last_decision: str | None
    last_decided_at: str | None
    next_run_at: str | None
    last_run: DisableIndexBotResultDataLastRun | None


class DisableIndexBotResult(TypedDict):
    data: DisableIndexBotResultData
    message: str


class SetAllocationsResultDataBodyTargetsItem(TypedDict):
    asset: str
    weight: float
    tolerance: float | None


class SetAllocationsResultDataBody(TypedDict):
    network: str
    pool: str
    targets: list[SetAllocationsResultDataBodyTargetsItem]
    interval: str
    max_usd: str
    quote: str
    slippage: NotRequired[float]
    platform: NotRequired[str]
    enabled: bool


class SetAllocationsResultData(TypedDict):
    method: Literal["POST"]
    path: str
    body: SetAllocationsResultDataBody


class SetAllocationsResult(TypedDict):
    data: SetAllocationsResultData
    message: str


class SetAllocationsTargetsItem(TypedDict):
    asset: str
    weight: float
    tolerance: NotRequired[float]


class PlaceOrderResultDataSold(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class PlaceOrderResultDataBought(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class PlaceOrderResultDataTrigger(TypedDict):
    condition: str
    price: str
    at: str


class PlaceOrderResultData(TypedDict):
    id: str
    network: str
    pool: str
    gasWallet: str
    type: Literal[
            "limit",
            "stop_loss",
            "take_profit",
            "bracket",
            "trailing_stop",
            "twap",
            "dca",
            "iceberg",
        ]
    side: Literal["buy", "sell"]
    pair: str
    state: Literal["open", "triggered", "cancelling", "done", "cancelled", "expired"]
    paper: bool
    amount: str | None
    share: float | None
    limit_price: str | None
    stop_price: str | None
    take_profit_price: str | None
    trail_percent: float | None
    trail_amount: str | None
    activation_price: str | None
    slices: int | None
    interval: int | None
    catch_up: bool
    max_impact: float | None
    slippage: float
    platform: str
    reduce_only: bool
    confirmations: int
    sold: PlaceOrderResultDataSold
    bought: PlaceOrderResultDataBought
    remaining: str | None
    average_price: str | None
    peak_price: str | None
    trigger: PlaceOrderResultDataTrigger | None
    slices_made: int
    open_intent_id: str | None
    failures: int
    reason: str
    kill_switch: str | None
    created_at: str
    expires_at: str
    ended_at: str | None


class PlaceOrderResult(TypedDict):
    intent_id: str | None
    tx_hash: str | None
    message: str
    data: PlaceOrderResultData


class PlaceOrderDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class AmendOrderResultDataSold(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class AmendOrderResultDataBought(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class AmendOrderResultDataTrigger(TypedDict):
    condition: str
    price: str
    at: str


class AmendOrderResultData(TypedDict):
    id: str
    network: str
    pool: str
    gasWallet: str
    type: Literal[
            "limit",
            "stop_loss",
            "take_profit",
            "bracket",
            "trailing_stop",
            "twap",
            "dca",
            "iceberg",
        ]
    side: Literal["buy", "sell"]
    pair: str
    state: Literal["open", "triggered", "cancelling", "done", "cancelled", "expired"]
    paper: bool
    amount: str | None
    share: float | None
    limit_price: str | None
    stop_price: str | None
    take_profit_price: str | None
    trail_percent: float | None
    trail_amount: str | None
    activation_price: str | None
    slices: int | None
    interval: int | None
    catch_up: bool
    max_impact: float | None
    slippage: float
    platform: str
    reduce_only: bool
    confirmations: int
    sold: AmendOrderResultDataSold
    bought: AmendOrderResultDataBought
    remaining: str | None
    average_price: str | None
    peak_price: str | None
    trigger: AmendOrderResultDataTrigger | None
    slices_made: int
    open_intent_id: str | None
    failures: int
    reason: str
    kill_switch: str | None
    created_at: str
    expires_at: str
    ended_at: str | None


class AmendOrderResult(TypedDict):
    data: AmendOrderResultData
    message: str


class CancelOrderResultOrdersItemSold(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class CancelOrderResultOrdersItemBought(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class CancelOrderResultOrdersItemTrigger(TypedDict):
    condition: str
    price: str
    at: str


class CancelOrderResultOrdersItem(TypedDict):
    id: str
    network: str
    pool: str
    gasWallet: str
    type: Literal[
            "limit",
            "stop_loss",
            "take_profit",
            "bracket",
            "trailing_stop",
            "twap",
            "dca",
            "iceberg",
        ]
    side: Literal["buy", "sell"]
    pair: str
    state: Literal["open", "triggered", "cancelling", "done", "cancelled", "expired"]
    paper: bool
    amount: str | None
    share: float | None
    limit_price: str | None
    stop_price: str | None
    take_profit_price: str | None
    trail_percent: float | None
    trail_amount: str | None
    activation_price: str | None
    slices: int | None
    interval: int | None
    catch_up: bool
    max_impact: float | None
    slippage: float
    platform: str
    reduce_only: bool
    confirmations: int
    sold: CancelOrderResultOrdersItemSold
    bought: CancelOrderResultOrdersItemBought
    remaining: str | None
    average_price: str | None
    peak_price: str | None
    trigger: CancelOrderResultOrdersItemTrigger | None
    slices_made: int
    open_intent_id: str | None
    failures: int
    reason: str
    kill_switch: str | None
    created_at: str
    expires_at: str
    ended_at: str | None


class CancelOrderResult(TypedDict):
    orders: list[CancelOrderResultOrdersItem]
    message: str


class GetOrdersResultOrdersItemSold(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class GetOrdersResultOrdersItemBought(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class GetOrdersResultOrdersItemTrigger(TypedDict):
    condition: str
    price: str
    at: str


class GetOrdersResultOrdersItem(TypedDict):
    id: str
    network: str
    pool: str
    gasWallet: str
    type: Literal[
            "limit",
            "stop_loss",
            "take_profit",
            "bracket",
            "trailing_stop",
            "twap",
            "dca",
            "iceberg",
        ]
    side: Literal["buy", "sell"]
    pair: str
    state: Literal["open", "triggered", "cancelling", "done", "cancelled", "expired"]
    paper: bool
    amount: str | None
    share: float | None
    limit_price: str | None
    stop_price: str | None
    take_profit_price: str | None
    trail_percent: float | None
    trail_amount: str | None
    activation_price: str | None
    slices: int | None
    interval: int | None
    catch_up: bool
    max_impact: float | None
    slippage: float
    platform: str
    reduce_only: bool
    confirmations: int
    sold: GetOrdersResultOrdersItemSold
    bought: GetOrdersResultOrdersItemBought
    remaining: str | None
    average_price: str | None
    peak_price: str | None
    trigger: GetOrdersResultOrdersItemTrigger | None
    slices_made: int
    open_intent_id: str | None
    failures: int
    reason: str
    kill_switch: str | None
    created_at: str
    expires_at: str
    ended_at: str | None


class GetOrdersResult(TypedDict):
    orders: list[GetOrdersResultOrdersItem]
    cursor: str | None
    message: str | None


class GetOrderResultDataSold(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class GetOrderResultDataBought(TypedDict):
    asset: str
    symbol: str
    amount: str
    raw: str


class GetOrderResultDataTrigger(TypedDict):
    condition: str
    price: str
    at: str


class GetOrderResultData(TypedDict):
    id: str
    network: str
    pool: str
    gasWallet: str
    type: Literal[
            "limit",
            "stop_loss",
            "take_profit",
            "bracket",
            "trailing_stop",
            "twap",
            "dca",
            "iceberg",
        ]
    side: Literal["buy", "sell"]
    pair: str
    state: Literal["open", "triggered", "cancelling", "done", "cancelled", "expired"]
    paper: bool
    amount: str | None
    share: float | None
    limit_price: str | None
    stop_price: str | None
    take_profit_price: str | None
    trail_percent: float | None
    trail_amount: str | None
    activation_price: str | None
    slices: int | None
    interval: int | None
    catch_up: bool
    max_impact: float | None
    slippage: float
    platform: str
    reduce_only: bool
    confirmations: int
    sold: GetOrderResultDataSold
    bought: GetOrderResultDataBought
    remaining: str | None
    average_price: str | None
    peak_price: str | None
    trigger: GetOrderResultDataTrigger | None
    slices_made: int
    open_intent_id: str | None
    failures: int
    reason: str
    kill_switch: str | None
    created_at: str
    expires_at: str
    ended_at: str | None


class GetOrderResultSlicesItem(TypedDict):
    slice: int
    intent_id: str
    amount: str
    state: Literal["in_progress", "succeeded", "failed"]
    sold: str | None
    bought: str | None
    tx_hash: str | None
    message: str | None
    begun_at: str
    ended_at: str | None


class GetOrderResultEventsItem(TypedDict):
    at: str
    kind: Literal[
            "placed",
            "amended",
            "triggered",
            "slice_begun",
            "slice_succeeded",
            "slice_failed",
            "cancelling",
            "cancelled",
            "done",
            "expired",
        ]
    reason: str


class GetOrderResult(TypedDict):
    data: GetOrderResultData
    slices: list[GetOrderResultSlicesItem]
    events: list[GetOrderResultEventsItem]


class SetGuardianResultDataProposedRefill(TypedDict):
    to: str
    chain_id: int
    amount: str
    value: str
    token: str


class SetGuardianResultData(TypedDict):
    id: str
    network: str
    pool: str
    gasWallet: str
    kind: Literal["health_factor", "loss_breaker", "oracle", "gas"]
    state: Literal["armed", "acting", "tripped"]
    paper: bool
    floor: str | None
    target: str | None
    prefer: list[Literal["repay", "unlend", "sell", "deleverage"]] | None
    max_daily_loss: float | None
    max_total_loss: float | None
    close_into: str | None
    close_positions: bool | None
    max_age: int | None
    max_depeg: float | None
    assets: list[str] | None
    min_gas: str | None
    target_gas: str | None
    slippage: float | None
    confirmations: int
    reading: str | None
    reason: str
    holds: bool
    open_intent_id: str | None
    failures: int
    skipped: list[str]
    proposed_refill: SetGuardianResultDataProposedRefill | None
    kill_switch: str | None
    tripped_at: str | None
    checked_at: str | None
    created_at: str


class SetGuardianResultPlan(TypedDict):
    step: str
    reading: str
    reason: str
    action: str | None


class SetGuardianResult(TypedDict):
    data: SetGuardianResultData | None
    plan: SetGuardianResultPlan | None
    message: str


class GetGuardiansResultGuardiansItemDataProposedRefill(TypedDict):
    to: str
    chain_id: int
    amount: str
    value: str
    token: str


class GetGuardiansResultGuardiansItemData(TypedDict):
    id: str
    network: str
    pool: str
    gasWallet: str
    kind: Literal["health_factor", "loss_breaker", "oracle", "gas"]
    state: Literal["armed", "acting", "tripped"]
    paper: bool
    floor: str | None
    target: str | None
    prefer: list[Literal["repay", "unlend", "sell", "deleverage"]] | None
    max_daily_loss: float | None
    max_total_loss: float | None
    close_into: str | None
    close_positions: bool | None
    max_age: int | None
    max_depeg: float | None
    assets: list[str] | None
    min_gas: str | None
    target_gas: str | None
    slippage: float | None
    confirmations: int
    reading: str | None
    reason: str
    holds: bool
    open_intent_id: str | None
    failures: int
    skipped: list[str]
    proposed_refill: GetGuardiansResultGuardiansItemDataProposedRefill | None
    kill_switch: str | None
    tripped_at: str | None
    checked_at: str | None
    created_at: str


class GetGuardiansResultGuardiansItemActionsItem(TypedDict):
    step: int
    intent_id: str
    action: str
    asset: str
    state: str
    tx_hash: str | None
    message: str | None
    begun_at: str
    ended_at: str | None


class GetGuardiansResultGuardiansItemEventsItem(TypedDict):
    at: str
    kind: Literal[
            "set",
            "tripped",
            "action_begun",
            "action_succeeded",
            "action_failed",
            "cleared",
            "done",
            "failed",
            "reset",
            "deleted",
        ]
    reason: str


class GetGuardiansResultGuardiansItem(TypedDict):
    data: GetGuardiansResultGuardiansItemData
    actions: list[GetGuardiansResultGuardiansItemActionsItem]
    events: list[GetGuardiansResultGuardiansItemEventsItem]


class GetGuardiansResult(TypedDict):
    guardians: list[GetGuardiansResultGuardiansItem]
    message: str | None


class ResetGuardianResultDataProposedRefill(TypedDict):
    to: str
    chain_id: int
    amount: str
    value: str
    token: str


class ResetGuardianResultData(TypedDict):
    id: str
    network: str
    pool: str
    gasWallet: str
    kind: Literal["health_factor", "loss_breaker", "oracle", "gas"]
    state: Literal["armed", "acting", "tripped"]
    paper: bool
    floor: str | None
    target: str | None
    prefer: list[Literal["repay", "unlend", "sell", "deleverage"]] | None
    max_daily_loss: float | None
    max_total_loss: float | None
    close_into: str | None
    close_positions: bool | None
    max_age: int | None
    max_depeg: float | None
    assets: list[str] | None
    min_gas: str | None
    target_gas: str | None
    slippage: float | None
    confirmations: int
    reading: str | None
    reason: str
    holds: bool
    open_intent_id: str | None
    failures: int
    skipped: list[str]
    proposed_refill: ResetGuardianResultDataProposedRefill | None
    kill_switch: str | None
    tripped_at: str | None
    checked_at: str | None
    created_at: str


class ResetGuardianResult(TypedDict):
    data: ResetGuardianResultData
    message: str


class DeleteGuardianResultDataProposedRefill(TypedDict):
    to: str
    chain_id: int
    amount: str
    value: str
    token: str


class DeleteGuardianResultData(TypedDict):
    id: str
    network: str
    pool: str
    gasWallet: str
    kind: Literal["health_factor", "loss_breaker", "oracle", "gas"]
    state: Literal["armed", "acting", "tripped"]
    paper: bool
    floor: str | None
    target: str | None
    prefer: list[Literal["repay", "unlend", "sell", "deleverage"]] | None
    max_daily_loss: float | None
    max_total_loss: float | None
    close_into: str | None
    close_positions: bool | None
    max_age: int | None
    max_depeg: float | None
    assets: list[str] | None
    min_gas: str | None
    target_gas: str | None
    slippage: float | None
    confirmations: int
    reading: str | None
    reason: str
    holds: bool
    open_intent_id: str | None
    failures: int
    skipped: list[str]
    proposed_refill: DeleteGuardianResultDataProposedRefill | None
    kill_switch: str | None
    tripped_at: str | None
    checked_at: str | None
    created_at: str


class DeleteGuardianResult(TypedDict):
    data: DeleteGuardianResultData | None
    message: str


class SetFollowerResultDataWeightsItem(TypedDict):
    asset: str
    symbol: str
    weight: float
    target: float
    reason: str | None


class SetFollowerResultData(TypedDict):
    id: str
    network: str
    pool: str
    leader: str
    leader_kind: Literal["vault", "wallet"]
    gasWallet: str
    state: Literal["following", "stopped"]
    base: str
    ratio: float
    threshold: float
    max_weight: float | None
    max_usd: str
    max_usd_interval: str | None
    interval: int
    assets: list[str] | None
    without: list[str]
    delay: int
    slippage: float
    max_impact: float
    leader_usd: float | None
    weights: list[SetFollowerResultDataWeightsItem]
    reading: str | None
    reason: str
    open_intent_id: str | None
    failures: int
    kill_switch: str | None
    stopped_at: str | None
    checked_at: str | None
    created_at: str


class SetFollowerResultPlanWeightsItem(TypedDict):
    asset: str
    symbol: str
    weight: float
    target: float
    reason: str | None


class SetFollowerResultPlan(TypedDict):
    step: str
    reading: str
    reason: str
    weights: list[SetFollowerResultPlanWeightsItem]
    trades: list[str]


class SetFollowerResult(TypedDict):
    data: SetFollowerResultData | None
    plan: SetFollowerResultPlan | None
    message: str


class GetFollowersResultFollowersItemDataWeightsItem(TypedDict):
    asset: str
    symbol: str
    weight: float
    target: float
    reason: str | None


class GetFollowersResultFollowersItemData(TypedDict):
    id: str
    network: str
    pool: str
    leader: str
    leader_kind: Literal["vault", "wallet"]
    gasWallet: str
    state: Literal["following", "stopped"]
    base: str
    ratio: float
    threshold: float
    max_weight: float | None
    max_usd: str
    max_usd_interval: str | None
    interval: int
    assets: list[str] | None
    without: list[str]
    delay: int
    slippage: float
    max_impact: float
    leader_usd: float | None
    weights: list[GetFollowersResultFollowersItemDataWeightsItem]
    reading: str | None
    reason: str
    open_intent_id: str | None
    failures: int
    kill_switch: str | None
    stopped_at: str | None
    checked_at: str | None
    created_at: str


GetFollowersResultFollowersItemTradesItem = TypedDict(
    "GetFollowersResultFollowersItemTradesItem",
    {
        "step": int,
        "intent_id": str,
        "side": str,
        "from": str,
        "to": str,
        "amount": str,
        "usd": float,
        "state": str,
        "tx_hash": str | None,
        "message": str | None,
        "begun_at": str,
        "ended_at": str | None,
    },
)


class GetFollowersResultFollowersItemEventsItem(TypedDict):
    at: str
    kind: Literal[
            "set",
            "trade_begun",
            "trade_succeeded",
            "trade_failed",
            "stopped",
            "failed",
            "removed",
        ]
    reason: str


class GetFollowersResultFollowersItem(TypedDict):
    data: GetFollowersResultFollowersItemData
    trades: list[GetFollowersResultFollowersItemTradesItem]
    events: list[GetFollowersResultFollowersItemEventsItem]


class GetFollowersResult(TypedDict):
    followers: list[GetFollowersResultFollowersItem]
    message: str | None


class RemoveFollowerResultDataWeightsItem(TypedDict):
    asset: str
    symbol: str
    weight: float
    target: float
    reason: str | None


class RemoveFollowerResultData(TypedDict):
    id: str
    network: str
    pool: str
    leader: str
    leader_kind: Literal["vault", "wallet"]
    gasWallet: str
    state: Literal["following", "stopped"]
    base: str
    ratio: float
    threshold: float
    max_weight: float | None
    max_usd: str
    max_usd_interval: str | None
    interval: int
    assets: list[str] | None
    without: list[str]
    delay: int
    slippage: float
    max_impact: float
    leader_usd: float | None
    weights: list[RemoveFollowerResultDataWeightsItem]
    reading: str | None
    reason: str
    open_intent_id: str | None
    failures: int
    kill_switch: str | None
    stopped_at: str | None
    checked_at: str | None
    created_at: str


class RemoveFollowerResult(TypedDict):
    data: RemoveFollowerResultData | None
    message: str


class GetStrategiesResultStrategiesItemDescription(TypedDict):
    description: str
    history: int
    inputs: dict[str, Any]


class GetStrategiesResultStrategiesItem(TypedDict):
    name: str
    description: GetStrategiesResultStrategiesItemDescription | None
    problem: str | None


class GetStrategiesResult(TypedDict):
    strategies: list[GetStrategiesResultStrategiesItem]


class SetStrategyBotResultData(TypedDict):
    id: str
    network: str
    pool: str
    gasWallet: str
    strategy: str
    digest: str
    mode: Literal["paper", "live"]
    active: bool
    paused_code: str | None
    reason: str
    kill_switch: str | None
    assets: list[str]
    quote: str
    inputs: dict[str, Any]
    interval: str
    max_usd: float
    min_trade_usd: float
    tolerance: float
    slippage: float
    max_impact: float | None
    platform: str
    memory: Any
    open_intent_id: str | None
    failures: int
    paper_holdings: dict[str, Any] | None
    checked_at: str | None
    created_at: str


class SetStrategyBotResult(TypedDict):
    data: SetStrategyBotResultData
    message: str


class GetStrategyBotsResultBotsItemData(TypedDict):
    id: str
    network: str
    pool: str
    gasWallet: str
    strategy: str
    digest: str
    mode: Literal["paper", "live"]
    active: bool
    paused_code: str | None
    reason: str
    kill_switch: str | None
    assets: list[str]
    quote: str
    inputs: dict[str, Any]
    interval: str
    max_usd: float
    min_trade_usd: float
    tolerance: float
    slippage: float
    max_impact: float | None
    platform: str
    memory: Any
    open_intent_id: str | None
    failures: int
    paper_holdings: dict[str, Any] | None
    checked_at: str | None
    created_at: str


GetStrategyBotsResultBotsItemDecisionsItemTradesItem = TypedDict(
    "GetStrategyBotsResultBotsItemDecisionsItemTradesItem",
    {
        "from": str,
        "to": str,
        "amount": str,
        "min_out": str,
        "usd": float,
        "state": str,
        "intent_id": str | None,
        "tx_hash": str | None,
        "bought": str | None,
        "message": str | None,
    },
)


class GetStrategyBotsResultBotsItemDecisionsItem(TypedDict):
    number: int
    candle: int
    decision: Any
    reason: str
    state: str
    trades: list[GetStrategyBotsResultBotsItemDecisionsItemTradesItem]
    decided_at: str


class GetStrategyBotsResultBotsItemCandlesItem(TypedDict):
    time: int
    prices: dict[str, Any]


class GetStrategyBotsResultBotsItemEventsItem(TypedDict):
    at: str
    kind: Literal["set", "paused", "deleted"]
    reason: str


class GetStrategyBotsResultBotsItem(TypedDict):
    data: GetStrategyBotsResultBotsItemData
    decisions: list[GetStrategyBotsResultBotsItemDecisionsItem]
    candles: list[GetStrategyBotsResultBotsItemCandlesItem]
    events: list[GetStrategyBotsResultBotsItemEventsItem]


class GetStrategyBotsResult(TypedDict):
    bots: list[GetStrategyBotsResultBotsItem]
    message: str | None


class DeleteStrategyBotResultData(TypedDict):
    id: str
    network: str
    pool: str
    gasWallet: str
    strategy: str
    digest: str
    mode: Literal["paper", "live"]
    active: bool
    paused_code: str | None
    reason: str
    kill_switch: str | None
    assets: list[str]
    quote: str
    inputs: dict[str, Any]
    interval: str
    max_usd: float
    min_trade_usd: float
    tolerance: float
    slippage: float
    max_impact: float | None
    platform: str
    memory: Any
    open_intent_id: str | None
    failures: int
    paper_holdings: dict[str, Any] | None
    checked_at: str | None
    created_at: str


class DeleteStrategyBotResult(TypedDict):
    data: DeleteStrategyBotResultData | None
    message: str


class RegisterCEXSubaccountResultDataSettings(TypedDict):
    testnet: bool
    slippage: float


class RegisterCEXSubaccountResultData(TypedDict):
    subaccount_name: str
    exchange: Literal["binance", "bitget", "gate", "kucoin", "okx"]
    manager: str
    gas_wallet: str
    payment_network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]
    settings: RegisterCEXSubaccountResultDataSettings
    created_at: str


class RegisterCEXSubaccountResultBalancesItem(TypedDict):
    asset: str
    free: str


class RegisterCEXSubaccountResult(TypedDict):
    data: RegisterCEXSubaccountResultData
    balances: list[RegisterCEXSubaccountResultBalancesItem]
    message: str


class RegisterCEXSubaccountSettings(TypedDict):
    testnet: NotRequired[bool]
    slippage: NotRequired[float]


class SetCEXSideResultDataExit(TypedDict):
    state: Literal["closing", "closed"]
    condition: Literal["take_profit", "stop_loss"]
    entry_price: str
    price: str
    amount: str
    at: str


class SetCEXSideResultDataLastDecision(TypedDict):
    action: Literal["hold", "order", "failed"]
    reason: str
    at: str


class SetCEXSideResultData(TypedDict):
    pair: str
    side: Literal["long", "neutral", "hold"]
    strategy: Literal["custom", "trend"]
    max_usd: float
    share: float
    take_profit: float | None
    stop_loss: float | None
    exit: SetCEXSideResultDataExit | None
    active: bool
    paused_reason: str | None
    last_decision: SetCEXSideResultDataLastDecision | None
    last_intent_id: str | None


class SetCEXSideResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    data: SetCEXSideResultData


class GetCEXSideResultBotsItemExit(TypedDict):
    state: Literal["closing", "closed"]
    condition: Literal["take_profit", "stop_loss"]
    entry_price: str
    price: str
    amount: str
    at: str


class GetCEXSideResultBotsItemLastDecision(TypedDict):
    action: Literal["hold", "order", "failed"]
    reason: str
    at: str


class GetCEXSideResultBotsItem(TypedDict):
    pair: str
    side: Literal["long", "neutral", "hold"]
    strategy: Literal["custom", "trend"]
    max_usd: float
    share: float
    take_profit: float | None
    stop_loss: float | None
    exit: GetCEXSideResultBotsItemExit | None
    active: bool
    paused_reason: str | None
    last_decision: GetCEXSideResultBotsItemLastDecision | None
    last_intent_id: str | None


class GetCEXSideResult(TypedDict):
    bots: list[GetCEXSideResultBotsItem]


class SetCEXStrategyResultDataExit(TypedDict):
    state: Literal["closing", "closed"]
    condition: Literal["take_profit", "stop_loss"]
    entry_price: str
    price: str
    amount: str
    at: str


class SetCEXStrategyResultDataLastDecision(TypedDict):
    action: Literal["hold", "order", "failed"]
    reason: str
    at: str


class SetCEXStrategyResultData(TypedDict):
    pair: str
    side: Literal["long", "neutral", "hold"]
    strategy: Literal["custom", "trend"]
    max_usd: float
    share: float
    take_profit: float | None
    stop_loss: float | None
    exit: SetCEXStrategyResultDataExit | None
    active: bool
    paused_reason: str | None
    last_decision: SetCEXStrategyResultDataLastDecision | None
    last_intent_id: str | None


class SetCEXStrategyResult(TypedDict):
    data: SetCEXStrategyResultData
    message: str


class DeactivateCEXBotResultDataExit(TypedDict):
    state: Literal["closing", "closed"]
    condition: Literal["take_profit", "stop_loss"]
    entry_price: str
    price: str
    amount: str
    at: str


class DeactivateCEXBotResultDataLastDecision(TypedDict):
    action: Literal["hold", "order", "failed"]
    reason: str
    at: str


class DeactivateCEXBotResultData(TypedDict):
    pair: str
    side: Literal["long", "neutral", "hold"]
    strategy: Literal["custom", "trend"]
    max_usd: float
    share: float
    take_profit: float | None
    stop_loss: float | None
    exit: DeactivateCEXBotResultDataExit | None
    active: bool
    paused_reason: str | None
    last_decision: DeactivateCEXBotResultDataLastDecision | None
    last_intent_id: str | None


class DeactivateCEXBotResult(TypedDict):
    data: DeactivateCEXBotResultData
    message: str


class DeleteCEXBotResult(TypedDict):
    removed: list[str]
    message: str


class DeleteCEXSubaccountResult(TypedDict):
    removed: list[str]
    message: str


class GetAllCEXSubaccountsResultSubaccountsItemSettings(TypedDict):
    testnet: bool
    slippage: float


class GetAllCEXSubaccountsResultSubaccountsItemBotsItemExit(TypedDict):
    state: Literal["closing", "closed"]
    condition: Literal["take_profit", "stop_loss"]
    entry_price: str
    price: str
    amount: str
    at: str


class GetAllCEXSubaccountsResultSubaccountsItemBotsItemLastDecision(TypedDict):
    action: Literal["hold", "order", "failed"]
    reason: str
    at: str


class GetAllCEXSubaccountsResultSubaccountsItemBotsItem(TypedDict):
    pair: str
    side: Literal["long", "neutral", "hold"]
    strategy: Literal["custom", "trend"]
    max_usd: float
    share: float
    take_profit: float | None
    stop_loss: float | None
    exit: GetAllCEXSubaccountsResultSubaccountsItemBotsItemExit | None
    active: bool
    paused_reason: str | None
    last_decision: GetAllCEXSubaccountsResultSubaccountsItemBotsItemLastDecision | None
    last_intent_id: str | None


class GetAllCEXSubaccountsResultSubaccountsItem(TypedDict):
    subaccount_name: str
    exchange: Literal["binance", "bitget", "gate", "kucoin", "okx"]
    manager: str
    gas_wallet: str
    payment_network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ]
    settings: GetAllCEXSubaccountsResultSubaccountsItemSettings
    created_at: str
    bots: list[GetAllCEXSubaccountsResultSubaccountsItemBotsItem]


class GetAllCEXSubaccountsResult(TypedDict):
    subaccounts: list[GetAllCEXSubaccountsResultSubaccountsItem]


class GetCEXOrdersResultOrdersItemFeesItem(TypedDict):
    currency: str
    amount: str


class GetCEXOrdersResultOrdersItem(TypedDict):
    intent_id: str
    pair: str
    status: Literal["pending", "success", "fail"]
    state: str
    side: str | None
    amount: str | None
    limit: str | None
    client_order_id: str | None
    exchange_order_id: str | None
    filled: str | None
    cost: str | None
    fees: list[GetCEXOrdersResultOrdersItemFeesItem] | None
    charge_usd: str | None
    message: str
    created_at: str
    updated_at: str


class GetCEXOrdersResult(TypedDict):
    orders: list[GetCEXOrdersResultOrdersItem]
    cursor: str | None


class GetCandlesResultCandlesItem(TypedDict):
    time: int
    open: float
    high: float
    low: float
    close: float
    volume: float


class GetCandlesResult(TypedDict):
    candles: list[GetCandlesResultCandlesItem]


class GetTicksResult(TypedDict):
    price: float
    time: int


class GetIntentResultIntentFailure(TypedDict):
    status_code: str
    error_type: str | None
    message: str


class GetIntentResultIntent(TypedDict):
    intent_id: str
    endpoint: str
    status: Literal["pending", "success", "fail"]
    network: str | None
    pool: str | None
    tx_hash: str | None
    message: str
    created_at: str
    updated_at: str
    result: dict[str, Any] | None
    failure: GetIntentResultIntentFailure | None


class GetIntentResult(TypedDict):
    intent_id: str
    tx_hash: str | None
    message: str
    intent: GetIntentResultIntent


class GetIntentsResultIntentsItem(TypedDict):
    intent_id: str
    endpoint: str
    status: Literal["pending", "success", "fail"]
    network: str | None
    pool: str | None
    tx_hash: str | None
    message: str
    created_at: str
    updated_at: str


class GetIntentsResult(TypedDict):
    intents: list[GetIntentsResultIntentsItem]
    cursor: str | None


class EthPriceResultSourcesItem(TypedDict):
    source: str
    price_usd: float
    age_seconds: int


class EthPriceResult(TypedDict):
    network: str
    token: str
    price_usd: float
    source: str
    age_seconds: int
    sources: list[EthPriceResultSourcesItem]
    time: int


class TokenPriceResultSourcesItem(TypedDict):
    source: str
    price_usd: float
    age_seconds: int


class TokenPriceResult(TypedDict):
    network: str
    token: str
    price_usd: float
    source: str
    age_seconds: int
    sources: list[TokenPriceResultSourcesItem]
    time: int
    contract: str
    decimals: int


class CalculateFeeResult(TypedDict):
    action: str
    network: str
    fee_usd: float
    fee_native: str | None
    token: str
    native_price_usd: float | None
    age_seconds: int | None
    message: str


class ApiCexCalculateFeeResult(TypedDict):
    action: str
    network: str
    fee_usd: float
    fee_native: str | None
    token: str
    native_price_usd: float | None
    age_seconds: int | None
    message: str


AllActionsResultActionsItem = TypedDict(
    "AllActionsResultActionsItem",
    {
        "action": str,
        "class": str,
        "billed": bool,
        "path": str | None,
        "price_usd": float,
    },
)


class AllActionsResult(TypedDict):
    actions: list[AllActionsResultActionsItem]


class TestResult(TypedDict):
    network: str
    chain_id: int
    token: str
    block: str
    block_time: int
    age_seconds: int
    message: str


class ApiCexChargeFeeResult(TypedDict):
    intent_id: None
    tx_hash: None
    message: str
    charge_id: str | None
    order_id: str | None
    network: str
    charge_usd: float
    charge_native: str | None
    already_charged: bool


class ApiCexChargeFeeDryRun(TypedDict):
    dryRun: Literal[True]
    plan: Any
    intent_id: None
    tx_hash: None
    message: str


class GetChargesResultChargesItem(TypedDict):
    charge_id: str
    intent_id: str | None
    order_id: str | None
    network: str
    action: str
    usd: float
    native: str | None
    token: str
    native_price_usd: float | None
    price_source: str | None
    status: Literal["outstanding", "settling", "settled"]
    settlement_id: str | None
    settlement_tx_hash: str | None
    created_at: str


class GetChargesResult(TypedDict):
    charges: list[GetChargesResultChargesItem]
    cursor: str | None
    csv: str | None


class GetReportResultDaysItem(TypedDict):
    date: str
    actions: int
    failed: int
    fees_usd: float
    fees_native: str
    gas_native: str
    gas_usd: float | None
    volume_usd: float
    slippage_usd: float
    slippage_percent: float | None
    token_price: float | None
    pnl_percent: float | None


class GetReportResultTotal(TypedDict):
    actions: int
    failed: int
    fees_usd: float
    fees_native: str
    gas_native: str
    gas_usd: float | None
    volume_usd: float
    slippage_usd: float
    slippage_percent: float | None
    pnl_percent: float | None


class GetReportResult(TypedDict):
    days: list[GetReportResultDaysItem]
    total: GetReportResultTotal
    csv: str | None


class SigningPayloadResult(TypedDict):
    typed_data: Any
    prefix: str
    expires_at: str


class AssociateGasWalletResult(TypedDict):
    address: str
    message: str


class DeassociateGasWalletResult(TypedDict):
    address: str
    message: str


class GetAssociatedGasWalletsResultWalletsItem(TypedDict):
    address: str
    label: str | None
    since: str


class GetAssociatedGasWalletsResult(TypedDict):
    wallets: list[GetAssociatedGasWalletsResultWalletsItem]


class SetKeyLimitsResultLimits(TypedDict):
    vaults: list[str] | None
    max_usd_per_trade: str | None
    max_usd_per_day: str | None
    read_only: bool


class SetKeyLimitsResult(TypedDict):
    address: str
    limits: SetKeyLimitsResultLimits
    message: str


GetAuditLogResultEntriesItem = TypedDict(
    "GetAuditLogResultEntriesItem",
    {
        "seq": int,
        "at": str,
        "action": str,
        "description": str,
        "wallet": str | None,
        "subject": str,
        "actor_kind": Literal[
            "service",
            "key",
            "manager",
            "session",
            "webhookToken",
            "operator",
            "chat",
            "owner",
            "stranger",
        ],
        "actor": str | None,
        "from": str | None,
        "credential": str | None,
        "details": dict[str, Any],
        "digest": str,
    },
)


class GetAuditLogResult(TypedDict):
    entries: list[GetAuditLogResultEntriesItem]
    cursor: int | None


class GetWalletAuthorityResultApiKey(TypedDict):
    last_four: str
    issued_at: str
    last_used_at: str | None


class GetWalletAuthorityResultManagersItem(TypedDict):
    manager: str
    network: str | None
    label: str | None
    since: str
    last_used_at: str | None


class GetWalletAuthorityResultSessionsItem(TypedDict):
    manager: str
    network: str | None
    count: int
    last_used_at: str | None
    expires_at: str


class GetWalletAuthorityResultSubKeysItem(TypedDict):
    sub_key_id: str
    last_four: str
    label: str | None
    scopes: list[Literal["trade", "lend", "liquidity", "perpetuals", "fees", "switches"]]
    endpoints: list[str] | None
    vaults: list[str] | None
    max_usd_per_trade: str | None
    max_usd_per_day: str | None
    sources: list[str] | None
    created_at: str
    expires_at: str
    last_used_at: str | None


class GetWalletAuthorityResultWebhookTokensItem(TypedDict):
    token_id: str
    network: str
    pool: str
    pair: str
    label: str | None
    created_at: str
    last_used_at: str | None


class GetWalletAuthorityResultWebhooksItem(TypedDict):
    webhook_id: str
    url: str
    events: list[str]
    created_at: str


class GetWalletAuthorityResultChannelsItem(TypedDict):
    channel_id: str
    kind: str
    name: str
    commands: str
    bound: bool
    created_at: str


class GetWalletAuthorityResultLimits(TypedDict):
    vaults: list[str] | None
    max_usd_per_trade: str | None
    max_usd_per_day: str | None
    read_only: bool
    set_by: str | None


class GetWalletAuthorityResultBotsItem(TypedDict):
    kind: Literal["threshold", "index", "strategy", "exchange"]
    network: str | None
    pool: str | None
    subaccount: str | None
    pair: str | None
    gas_wallet: str
    set_by: str | None
    active: bool


class GetWalletAuthorityResultOrdersItem(TypedDict):
    order_id: str
    network: str
    pool: str
    type: str
    side: str
    pair: str
    gas_wallet: str
    paper: bool


class GetWalletAuthorityResultGuardiansItem(TypedDict):
    guardian_id: str
    network: str
    pool: str
    kind: str
    may: list[str]
    gas_wallet: str
    paper: bool
    state: str
    reason: str
    failures: int


class GetWalletAuthorityResultFollowersItem(TypedDict):
    follower_id: str
    network: str
    pool: str
    leader: str
    state: str
    gas_wallet: str


class GetWalletAuthorityResultExchangeAccountsItem(TypedDict):
    subaccount_name: str
    exchange: str
    manager: str
    since: str


class GetWalletAuthorityResultDelegationsItem(TypedDict):
    network: str
    delegate: str | None
    code: str
    read_at: str


class GetWalletAuthorityResultSwitchesItem(TypedDict):
    scope: str
    reason: str
    by: Literal["operator", "owner", "guardian"]


class GetWalletAuthorityResult(TypedDict):
    address: str
    api_key: GetWalletAuthorityResultApiKey | None
    managers: list[GetWalletAuthorityResultManagersItem]
    sessions: list[GetWalletAuthorityResultSessionsItem]
    sub_keys: list[GetWalletAuthorityResultSubKeysItem]
    webhook_tokens: list[GetWalletAuthorityResultWebhookTokensItem]
    webhooks: list[GetWalletAuthorityResultWebhooksItem]
    channels: list[GetWalletAuthorityResultChannelsItem]
    limits: GetWalletAuthorityResultLimits | None
    bots: list[GetWalletAuthorityResultBotsItem]
    orders: list[GetWalletAuthorityResultOrdersItem]
    guardians: list[GetWalletAuthorityResultGuardiansItem]
    followers: list[GetWalletAuthorityResultFollowersItem]
    exchange_accounts: list[GetWalletAuthorityResultExchangeAccountsItem]
    delegations: list[GetWalletAuthorityResultDelegationsItem]
    switches: list[GetWalletAuthorityResultSwitchesItem]


class CreateSubKeyResultSubKey(TypedDict):
    sub_key_id: str
    last_four: str
    label: str | None
    scopes: list[Literal["trade", "lend", "liquidity", "perpetuals", "fees", "switches"]]
    endpoints: list[str] | None
    vaults: list[str] | None
    max_usd_per_trade: str | None
    max_usd_per_day: str | None
    sources: list[str] | None
    created_at: str
    expires_at: str
    last_used_at: str | None


class CreateSubKeyResult(TypedDict):
    address: str
    apiKey: str
    sub_key: CreateSubKeyResultSubKey
    message: str


class GetSubKeysResultSubKeysItem(TypedDict):
    sub_key_id: str
    last_four: str
    label: str | None
    scopes: list[Literal["trade", "lend", "liquidity", "perpetuals", "fees", "switches"]]
    endpoints: list[str] | None
    vaults: list[str] | None
    max_usd_per_trade: str | None
    max_usd_per_day: str | None
    sources: list[str] | None
    created_at: str
    expires_at: str
    last_used_at: str | None


class GetSubKeysResult(TypedDict):
    sub_keys: list[GetSubKeysResultSubKeysItem]


class RevokeSubKeyResult(TypedDict):
    revoked: int
    message: str


class GetApprovalsResultRequestsItemDifferencesItem(TypedDict):
    field: str
    before: str
    after: str


class GetApprovalsResultRequestsItemVotesItem(TypedDict):
    approver: str
    verdict: Literal["approve", "veto"]
    at: str
    refused: str | None


class GetApprovalsResultRequestsItem(TypedDict):
    request: str
    kind: Literal["limits", "treasury", "policy", "lanes"]
    wallet: str | None
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ] | None
    change: str
    differences: list[GetApprovalsResultRequestsItemDifferencesItem]
    proposer: str
    state: Literal["open", "applied", "vetoed", "cancelled", "expired"]
    note: str | None
    created_at: str
    expires_at: str
    decided_at: str | None
    takes_effect_at: str | None
    approvals: int
    votes: list[GetApprovalsResultRequestsItemVotesItem]


class GetApprovalsResult(TypedDict):
    needed: int
    is_approver: bool
    requests: list[GetApprovalsResultRequestsItem]


class ApproveChangeResult(TypedDict):
    request: str
    state: Literal["open", "applied", "vetoed", "cancelled", "expired"]
    approvals: int
    needed: int
    message: str


class VetoChangeResult(TypedDict):
    request: str
    state: Literal["open", "applied", "vetoed", "cancelled", "expired"]
    approvals: int
    needed: int
    message: str


class CreateWebhookTokenResult(TypedDict):
    token_id: str
    token: str
    path: str
    message: str


class RevokeWebhookTokenResult(TypedDict):
    revoked: int
    message: str


class GetWebhookTokensResultTokensItem(TypedDict):
    token_id: str
    network: str
    pool: str
    pair: str
    label: str | None
    muted: bool
    quiet_hours: str | None
    sources: list[str] | None
    rate: int | None
    max_age: int | None
    bots: list[str]
    created_at: str
    used_at: str | None


class GetWebhookTokensResult(TypedDict):
    tokens: list[GetWebhookTokensResultTokensItem]


class SetWebhookTokenResultToken(TypedDict):
    token_id: str
    network: str
    pool: str
    pair: str
    label: str | None
    muted: bool
    quiet_hours: str | None
    sources: list[str] | None
    rate: int | None
    max_age: int | None
    bots: list[str]
    created_at: str
    used_at: str | None


class SetWebhookTokenResult(TypedDict):
    token: SetWebhookTokenResultToken
    message: str


class WebhookResultDataLastDecision(TypedDict):
    action: Literal["hold", "trade", "park", "failed"]
    code: NotRequired[Literal[
            "told_to_hold",
            "no_inverse",
            "balance_unknown",
            "price_unavailable",
            "nothing_there",
            "within_threshold",
            "too_small",
        ]]
    reason: str
    at: str


class WebhookResultData(TypedDict):
    pair: str
    base: str
    quote: str
    side: Literal["long", "neutral", "short", "hold"]
    threshold: float
    max_usd: float
    share: float
    slippage: float
    max_impact: float | None
    platform: str
    lending: bool
    auto_enable: bool
    active: bool
    paper: bool
    paused_reason: str | None
    kill_switch: str | None
    last_decision: WebhookResultDataLastDecision | None
    last_intent_id: str | None
    next_check: str | None


class WebhookResultResultsItem(TypedDict):
    kind: Literal["threshold", "index", "exchange"]
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ] | None
    pool: str | None
    subaccount: str | None
    pair: str | None
    side: str | None
    state: Literal["accepted", "waiting", "ignored", "refused"]
    reason: str | None
    intent_id: str | None


class WebhookResult(TypedDict):
    intent_id: str | None
    tx_hash: str | None
    message: str
    data: WebhookResultData | None
    signal_id: str
    results: list[WebhookResultResultsItem]


class TestWebhookResultUnderstood(TypedDict):
    side: Literal["long", "neutral", "short", "hold"] | None
    percent: float | None
    price: str | None
    timestamp: str | None
    placeholders: list[str]
    unknown_words: list[str]


class TestWebhookResult(TypedDict):
    accepted: bool
    reason: str | None
    understood: TestWebhookResultUnderstood
    would: list[str]
    message: str


class GetSignalsResultSignalsItemUnderstood(TypedDict):
    side: Literal["long", "neutral", "short", "hold"] | None
    percent: float | None
    price: str | None
    timestamp: str | None
    placeholders: list[str]
    unknown_words: list[str]


class GetSignalsResultSignalsItemResultsItem(TypedDict):
    kind: Literal["threshold", "index", "exchange"]
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ] | None
    pool: str | None
    subaccount: str | None
    pair: str | None
    side: str | None
    state: Literal["accepted", "waiting", "ignored", "refused"]
    reason: str | None
    intent_id: str | None
    intent_status: Literal["pending", "success", "fail"] | None


GetSignalsResultSignalsItem = TypedDict(
    "GetSignalsResultSignalsItem",
    {
        "signal_id": str,
        "seq": str,
        "source": str,
        "token_id": str | None,
        "from": str | None,
        "content_type": str | None,
        "body": str,
        "truncated": bool,
        "understood": GetSignalsResultSignalsItemUnderstood,
        "state": Literal["accepted", "waiting", "ignored", "refused"],
        "reason": str | None,
        "results": list[GetSignalsResultSignalsItemResultsItem],
        "replay_of": str | None,
        "replayed_by": str | None,
        "received_at": str,
    },
)


class GetSignalsResult(TypedDict):
    signals: list[GetSignalsResultSignalsItem]
    cursor: str | None


class ReplaySignalResultResultsItem(TypedDict):
    kind: Literal["threshold", "index", "exchange"]
    network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
        ] | None
    pool: str | None
    subaccount: str | None
    pair: str | None
    side: str | None
    state: Literal["accepted", "waiting", "ignored", "refused"]
    reason: str | None
    intent_id: str | None


class ReplaySignalResult(TypedDict):
    intent_id: str | None
    tx_hash: str | None
    message: str
    signal_id: str
    results: list[ReplaySignalResultResultsItem]


class SetWebhookResult(TypedDict):
    webhook_id: str
    secret: str
    events: list[Literal[
            "intent.succeeded",
            "intent.failed",
            "intent.reopened",
            "order.triggered",
            "order.filled",
            "order.ended",
            "exchange.filled",
            "exchange.failed",
            "exchange.triggered",
            "index.drifted",
            "gas.low",
            "bot.paused",
            "signing.stopped",
            "signing.resumed",
            "wallet.alert",
            "lane.released",
            "authority.changed",
            "health.low",
            "health.recovered",
            "guardian.tripped",
            "guardian.cleared",
            "guardian.failed",
            "follower.stopped",
            "follower.failed",
            "strategy.paused",
            "charge.booked",
            "charge.paid",
            "network.down",
            "network.recovered",
            "approval.requested",
            "approval.decided",
        ]]
    message: str


class DeleteWebhookResult(TypedDict):
    message: str


class GetWebhooksResultWebhooksItem(TypedDict):
    webhook_id: str
    url: str
    events: list[Literal[
            "intent.succeeded",
            "intent.failed",
            "intent.reopened",
            "order.triggered",
            "order.filled",
            "order.ended",
            "exchange.filled",
            "exchange.failed",
            "exchange.triggered",
            "index.drifted",
            "gas.low",
            "bot.paused",
            "signing.stopped",
            "signing.resumed",
            "wallet.alert",
            "lane.released",
            "authority.changed",
            "health.low",
            "health.recovered",
            "guardian.tripped",
            "guardian.cleared",
            "guardian.failed",
            "follower.stopped",
            "follower.failed",
            "strategy.paused",
            "charge.booked",
            "charge.paid",
            "network.down",
            "network.recovered",
            "approval.requested",
            "approval.decided",
        ]]
    created_at: str


class GetWebhooksResult(TypedDict):
    webhooks: list[GetWebhooksResultWebhooksItem]


class GetWebhookDeliveriesResultDeliveriesItem(TypedDict):
    webhook_id: str
    event_id: str
    type: str
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    last_status: int | None
    last_error: str | None
    created_at: str
    next_attempt_at: str | None


class GetWebhookDeliveriesResult(TypedDict):
    deliveries: list[GetWebhookDeliveriesResultDeliveriesItem]


CreateChannelResultChannel = TypedDict(
    "CreateChannelResultChannel",
    {
        "channel_id": str,
        "kind": Literal["telegram", "discord", "slack", "email", "ntfy", "http", "push"],
        "name": str,
        "enabled": bool,
        "host": str | None,
        "smtp_port": int | None,
        "from": str | None,
        "to": str | None,
        "bot": str | None,
        "bound": bool,
        "events": list[Literal[
            "intent.succeeded",
            "intent.failed",
            "intent.reopened",
            "order.triggered",
            "order.filled",
            "order.ended",
            "exchange.filled",
            "exchange.failed",
            "exchange.triggered",
            "index.drifted",
            "gas.low",
            "bot.paused",
            "signing.stopped",
            "signing.resumed",
            "wallet.alert",
            "lane.released",
            "authority.changed",
            "health.low",
            "health.recovered",
            "guardian.tripped",
            "guardian.cleared",
            "guardian.failed",
            "follower.stopped",
            "follower.failed",
            "strategy.paused",
            "charge.booked",
            "charge.paid",
            "network.down",
            "network.recovered",
            "approval.requested",
            "approval.decided",
        ]],
        "quiet_hours": str | None,
        "digest_minutes": int,
        "max_per_hour": int,
        "commands": Literal["none", "status", "pause", "resume"],
        "templates": dict[str, Any],
        "created_at": str,
    },
)


class CreateChannelResult(TypedDict):
    channel: CreateChannelResultChannel
    bind_code: str | None
    bind_url: str | None
    bind_expires_at: str | None
    message: str


class CreateChannelSubscriptionKeys(TypedDict):
    p256dh: str
    auth: str


class CreateChannelSubscriptionVapid(TypedDict):
    publicKey: str
    privateKey: str


class CreateChannelSubscription(TypedDict):
    endpoint: str
    keys: CreateChannelSubscriptionKeys
    vapid: CreateChannelSubscriptionVapid
    contact: str


UpdateChannelResultChannel = TypedDict(
    "UpdateChannelResultChannel",
    {
        "channel_id": str,
        "kind": Literal["telegram", "discord", "slack", "email", "ntfy", "http", "push"],
        "name": str,
        "enabled": bool,
        "host": str | None,
        "smtp_port": int | None,
        "from": str | None,
        "to": str | None,
        "bot": str | None,
        "bound": bool,
        "events": list[Literal[
            "intent.succeeded",
            "intent.failed",
            "intent.reopened",
            "order.triggered",
            "order.filled",
            "order.ended",
            "exchange.filled",
            "exchange.failed",
            "exchange.triggered",
            "index.drifted",
            "gas.low",
            "bot.paused",
            "signing.stopped",
            "signing.resumed",
            "wallet.alert",
            "lane.released",
            "authority.changed",
            "health.low",
            "health.recovered",
            "guardian.tripped",
            "guardian.cleared",
            "guardian.failed",
            "follower.stopped",
            "follower.failed",
            "strategy.paused",
            "charge.booked",
            "charge.paid",
            "network.down",
            "network.recovered",
            "approval.requested",
            "approval.decided",
        ]],
        "quiet_hours": str | None,
        "digest_minutes": int,
        "max_per_hour": int,
        "commands": Literal["none", "status", "pause", "resume"],
        "templates": dict[str, Any],
        "created_at": str,
    },
)


class UpdateChannelResult(TypedDict):
    channel: UpdateChannelResultChannel
    bind_code: str | None
    bind_url: str | None
    bind_expires_at: str | None
    message: str


class UpdateChannelSubscriptionKeys(TypedDict):
    p256dh: str
    auth: str


class UpdateChannelSubscriptionVapid(TypedDict):
    publicKey: str
    privateKey: str


class UpdateChannelSubscription(TypedDict):
    endpoint: str
    keys: UpdateChannelSubscriptionKeys
    vapid: UpdateChannelSubscriptionVapid
    contact: str


class DeleteChannelResult(TypedDict):
    message: str


class TestChannelResult(TypedDict):
    delivered: bool
    message: str


GetChannelsResultChannelsItem = TypedDict(
    "GetChannelsResultChannelsItem",
    {
        "channel_id": str,
        "kind": Literal["telegram", "discord", "slack", "email", "ntfy", "http", "push"],
        "name": str,
        "enabled": bool,
        "host": str | None,
        "smtp_port": int | None,
        "from": str | None,
        "to": str | None,
        "bot": str | None,
        "bound": bool,
        "events": list[Literal[
            "intent.succeeded",
            "intent.failed",
            "intent.reopened",
            "order.triggered",
            "order.filled",
            "order.ended",
            "exchange.filled",
            "exchange.failed",
            "exchange.triggered",
            "index.drifted",
            "gas.low",
            "bot.paused",
            "signing.stopped",
            "signing.resumed",
            "wallet.alert",
            "lane.released",
            "authority.changed",
            "health.low",
            "health.recovered",
            "guardian.tripped",
            "guardian.cleared",
            "guardian.failed",
            "follower.stopped",
            "follower.failed",
            "strategy.paused",
            "charge.booked",
            "charge.paid",
            "network.down",
            "network.recovered",
            "approval.requested",
            "approval.decided",
        ]],
        "quiet_hours": str | None,
        "digest_minutes": int,
        "max_per_hour": int,
        "commands": Literal["none", "status", "pause", "resume"],
        "templates": dict[str, Any],
        "created_at": str,
    },
)


class GetChannelsResult(TypedDict):
    channels: list[GetChannelsResultChannelsItem]


class GetChannelMessagesResultMessagesItem(TypedDict):
    message_id: str
    channel_id: str
    kind: Literal["events", "answer"]
    title: str
    events: int
    state: Literal["pending", "sending", "sent", "dropped"]
    attempts: int
    may_repeat: bool
    last_error: str | None
    created_at: str
    next_attempt_at: str | None


class GetChannelMessagesResult(TypedDict):
    messages: list[GetChannelMessagesResultMessagesItem]


class LlmIntrospectResult(TypedDict):
    service: Any
    api_info: Any
    networks: list[Any]
    protocols: list[str]
    platforms: Any
    conventions: Any
    usage_notes: list[str]
    codes: Any
    error_codes: dict[str, Any]
    endpoints: list[Any]
    recipes: Any


class Endpoints:
    """One method for each endpoint. Methods of writes return a handle, whose ``outcome`` waits for the result."""

    def _call(
        self, endpoint: Endpoint, request: Mapping[str, Any], options: CallOptions | None
    ) -> Any:
        raise NotImplementedError

    def _call_write(
        self, endpoint: Endpoint, request: Mapping[str, Any], options: CallOptions | None
    ) -> Any:
        raise NotImplementedError

    def create_gas_wallet(
        self,
        *,
        options: CallOptions | None = None,
    ) -> CreateGasWalletResult:
        """Create a gas wallet. The private key and the API key are in this response and nowhere else: back both
        up. A wallet that is never used is purged after 30 days: its API key ends until its private key is
        imported again.
        """
        _body: dict[str, Any] = {}
        return cast(
            "CreateGasWalletResult", self._call(_CREATE_GAS_WALLET, _body, options)
        )

    def get_new_api_key(
        self,
        *,
        private_key: str,
        keep: Sequence[Literal["managers", "sessions", "tokens", "webhooks"]] | bool | None = None,
        options: CallOptions | None = None,
    ) -> GetNewApiKeyResult:
        """Issue a new API key for a wallet, revoking the old one at once, and end all other access to it, except
        what `keep` names. Imports a wallet that the service does not know.

        :param private_key: The wallet's private key, in the request body only. For a wallet that holds gas and
            nothing else.
        :param keep: The access to the wallet that is kept: managers, sessions, tokens, webhooks, or true for
            all of them. By default all of it ends with the old key.
        """
        _body: dict[str, Any] = {
            "privateKey": private_key,
            "keep": keep,
        }
        return cast(
            "GetNewApiKeyResult", self._call(_GET_NEW_API_KEY, _body, options)
        )

    def get_gas_balance(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
            "all",
        ],
        usd: bool | None = None,
        options: CallOptions | None = None,
    ) -> GetGasBalanceResult:
        """Native gas-token balance of the wallet behind the key; `network=all` for every network, `USD` for its
        value.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma;
            `all` for every configured one.
        :param usd: Balance also in USD.
        """
        _body: dict[str, Any] = {
            "network": network,
            "USD": usd,
        }
        return cast(
            "GetGasBalanceResult", self._call(_GET_GAS_BALANCE, _body, options)
        )

    def get_all_gas_balance(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> GetAllGasBalanceResult:
        """Native balances on every network, also in USD: of the key's wallet, or of every wallet in the manager's
        list.

        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param network: The network of a manager that is a contract wallet: its signature is valid only there.
            Without it the request covers all networks, which only an account can sign.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "network": network,
        }
        return cast(
            "GetAllGasBalanceResult", self._call(_GET_ALL_GAS_BALANCE, _body, options)
        )

    def link_gas_wallet(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> LinkGasWalletResult:
        """Link a vault to the key's wallet, which must be its trader on chain. The link is kept when the wallet
        gets a new key.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "LinkGasWalletResult", self._call(_LINK_GAS_WALLET, _body, options)
        )

    def unlink_gas_wallet(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> UnlinkGasWalletResult:
        """Unlink a vault from the key's wallet; the vault's trader on chain does not change.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "UnlinkGasWalletResult", self._call(_UNLINK_GAS_WALLET, _body, options)
        )

    def get_gas_wallet_pools(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
            "all",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> GetGasWalletPoolsResult:
        """The vaults linked to the key's wallet, and whether it is their trader on chain now.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma;
            `all` for every configured one.
        """
        _body: dict[str, Any] = {
            "network": network,
        }
        return cast(
            "GetGasWalletPoolsResult", self._call(_GET_GAS_WALLET_POOLS, _body, options)
        )

    def pause_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        pair: str | None = None,
        protocol: str | None = None,
        reason: str | None = None,
        options: CallOptions | None = None,
    ) -> PauseBotResult:
        """Stop the bots of a vault, or the threshold bot of a pair, at once, even when no node answers: nothing
        more is signed for them. Transactions already signed continue.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param pair: Pair to keep a side of, BASE-QUOTE; `-`, `/` or `_` between two assets by symbol or
            address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param reason: The reason, as failures and getBotStatus show it.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "pair": pair,
            "protocol": protocol,
            "reason": reason,
        }
        return cast(
            "PauseBotResult", self._call(_PAUSE_BOT, _body, options)
        )

    def resume_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        pair: str | None = None,
        protocol: str | None = None,
        manager: str | None = None,
        signature: str | None = None,
        wallet: str | None = None,
        private_key: str | None = None,
        options: CallOptions | None = None,
    ) -> ResumeBotResult:
        """Resume the bots of a vault, or the one of a pair, after pauseBot. The API key alone suffices for a
        wallet without a manager; otherwise a manager's signature (subject: the wallet) or the wallet's private
        key is needed.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param pair: Pair to keep a side of, BASE-QUOTE; `-`, `/` or `_` between two assets by symbol or
            address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param wallet: Address of the gas wallet, 0x + 40 hex characters.
        :param private_key: The wallet's private key, in the request body only. For a wallet that holds gas and
            nothing else.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "pair": pair,
            "protocol": protocol,
            "manager": manager,
            "signature": signature,
            "wallet": wallet,
            "privateKey": private_key,
        }
        return cast(
            "ResumeBotResult", self._call(_RESUME_BOT, _body, options)
        )

    def pause_wallet(
        self,
        *,
        reason: str | None = None,
        options: CallOptions | None = None,
    ) -> PauseWalletResult:
        """Stop every signature of the key's wallet at once, on all networks. Transactions already signed
        continue.

        :param reason: The reason, as failures and getBotStatus show it.
        """
        _body: dict[str, Any] = {
            "reason": reason,
        }
        return cast(
            "PauseWalletResult", self._call(_PAUSE_WALLET, _body, options)
        )

    def resume_wallet(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        wallet: str | None = None,
        private_key: str | None = None,
        options: CallOptions | None = None,
    ) -> ResumeWalletResult:
        """Let a wallet sign again after pauseWallet. The API key alone suffices for a wallet without a manager;
        otherwise a manager's signature (subject: the wallet) or the wallet's private key is needed.

        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param wallet: Address of the gas wallet, 0x + 40 hex characters.
        :param private_key: The wallet's private key, in the request body only. For a wallet that holds gas and
            nothing else.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "wallet": wallet,
            "privateKey": private_key,
        }
        return cast(
            "ResumeWalletResult", self._call(_RESUME_WALLET, _body, options)
        )

    def is_pool_trader(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        trader: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> IsPoolTraderResult:
        """Whether an address is the vault's authorised trader on chain.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param trader: Address of the trader to check, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "trader": trader,
            "protocol": protocol,
        }
        return cast(
            "IsPoolTraderResult", self._call(_IS_POOL_TRADER, _body, options)
        )

    def get_capabilities(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str | None = None,
        options: CallOptions | None = None,
    ) -> GetCapabilitiesResult:
        """What vaults can do on a network as the vault platform allows it now: venues, lenders, liquidity,
        shorts, leveraged tokens and perpetual contracts. With `pool`, also which of the markets are enabled in
        that vault (`enabled`).

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
        }
        return cast(
            "GetCapabilitiesResult", self._call(_GET_CAPABILITIES, _body, options)
        )

    def pool_composition(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> PoolCompositionResult:
        """The vault's holdings: symbols resolved, amounts in human units, priced by the vault's own oracle.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
        }
        return cast(
            "PoolCompositionResult", self._call(_POOL_COMPOSITION, _body, options)
        )

    def get_performance(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        range: Literal["1d", "7d", "30d", "90d", "1y", "all"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        benchmark: str | None = None,
        lots: Literal["fifo", "lifo", "hifo"] | None = None,
        points: int | None = None,
        format: Literal["json", "csv"] | None = None,
        options: CallOptions | None = None,
    ) -> GetPerformanceResult:
        """What a vault earned in a period, by its share price: return, profit, fees, gas, slippage, risk,
        benchmarks, attribution, bots and orders, and the value curve with its gaps.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        :param range: Period that ends now; `from` and `to` override it.
        :param from_: Start of the period, inclusive. A day (2026-11-20), a time in UTC (2026-11-20T10:00:00Z)
            or unix seconds.
        :param to: End of the period, exclusive; default: until now. A day (2026-11-20), a time in UTC
            (2026-11-20T10:00:00Z) or unix seconds.
        :param benchmark: Benchmark: an asset of the vault or of PERFORMANCE_BENCHMARKS: a token symbol (for
            example USDC, WETH, WBTC) or a contract address.
        :param lots: Lots sold first: the oldest, the newest, or those of the highest cost.
        :param points: Points of the curve; default 400.
        :param format: `csv` also returns the rows as a table, as text in the field `csv`; default json.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
            "range": range,
            "from": from_,
            "to": to,
            "benchmark": benchmark,
            "lots": lots,
            "points": points,
            "format": format,
        }
        return cast(
            "GetPerformanceResult", self._call(_GET_PERFORMANCE, _body, options)
        )

    def get_tax_lots(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        range: Literal["1d", "7d", "30d", "90d", "1y", "all"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        lots: Literal["fifo", "lifo", "hifo"] | None = None,
        format: Literal["json", "csv"] | None = None,
        options: CallOptions | None = None,
    ) -> GetTaxLotsResult:
        """What a vault sold in a period, lot by lot with cost, proceeds and gain, and the lots that it still has;
        from the receipts of this service's trades. `csv` is a table for tax software.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        :param range: Period that ends now; `from` and `to` override it.
        :param from_: Start of the period, inclusive. A day (2026-11-20), a time in UTC (2026-11-20T10:00:00Z)
            or unix seconds.
        :param to: End of the period, exclusive; default: until now. A day (2026-11-20), a time in UTC
            (2026-11-20T10:00:00Z) or unix seconds.
        :param lots: Lots sold first: the oldest, the newest, or those of the highest cost.
        :param format: `csv` also returns the rows as a table, as text in the field `csv`; default json.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
            "range": range,
            "from": from_,
            "to": to,
            "lots": lots,
            "format": format,
        }
        return cast(
            "GetTaxLotsResult", self._call(_GET_TAX_LOTS, _body, options)
        )

    def get_tearsheet(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        range: Literal["1d", "7d", "30d", "90d", "1y", "all"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        benchmark: str | None = None,
        lots: Literal["fifo", "lifo", "hifo"] | None = None,
        options: CallOptions | None = None,
    ) -> GetTearsheetResult:
        """A vault's performance as one HTML page with charts, without scripts, ready to print or to save as PDF.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        :param range: Period that ends now; `from` and `to` override it.
        :param from_: Start of the period, inclusive. A day (2026-11-20), a time in UTC (2026-11-20T10:00:00Z)
            or unix seconds.
        :param to: End of the period, exclusive; default: until now. A day (2026-11-20), a time in UTC
            (2026-11-20T10:00:00Z) or unix seconds.
        :param benchmark: Benchmark: an asset of the vault or of PERFORMANCE_BENCHMARKS: a token symbol (for
            example USDC, WETH, WBTC) or a contract address.
        :param lots: Lots sold first: the oldest, the newest, or those of the highest cost.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
            "range": range,
            "from": from_,
            "to": to,
            "benchmark": benchmark,
            "lots": lots,
        }
        return cast(
            "GetTearsheetResult", self._call(_GET_TEARSHEET, _body, options)
        )

    def get_symbol(
        self,
        *,
        contract: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        options: CallOptions | None = None,
    ) -> GetSymbolResult:
        """Token symbol (and decimals) of a contract address, read from the chain.

        :param contract: Address of the token contract, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        """
        _body: dict[str, Any] = {
            "contract": contract,
            "network": network,
        }
        return cast(
            "GetSymbolResult", self._call(_GET_SYMBOL, _body, options)
        )

    def get_contract(
        self,
        *,
        symbol: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        options: CallOptions | None = None,
    ) -> GetContractResult:
        """Token contract address (and decimals) of a symbol in the network's token list.

        :param symbol: Token symbol: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        """
        _body: dict[str, Any] = {
            "symbol": symbol,
            "network": network,
        }
        return cast(
            "GetContractResult", self._call(_GET_CONTRACT, _body, options)
        )

    def vault_trade(
        self,
        *,
        pool: str,
        from_: str,
        to: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        platform: str | None = None,
        slippage: float | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        duplicate: bool | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[VaultTradeResult]:
        """Swap one vault asset for another on the named venue, or on the first available venue of the network's
        fallback chain; returns the amounts actually sold and bought.

        :param pool: Vault address, 0x + 40 hex characters.
        :param from_: Asset to sell: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param to: Asset to buy: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param protocol: Vault platform; the default protocol or its alias.
        :param platform: Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is
            tried. `auto` (the default) walks the network's fallback chain. `best` quotes its venues side by
            side and takes the largest output. Retired venue names mean `auto`.
        :param slippage: Percent the outcome may be worse than the quote and the vault's oracle; default 0.5,
            at most 5.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param duplicate: Make a second trade although an identical one is unfinished. Without it, and without
            idempotency_key, a request that equals an unfinished trade is answered with that trade.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "from": from_,
            "to": to,
            "network": network,
            "protocol": protocol,
            "platform": platform,
            "slippage": slippage,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "duplicate": duplicate,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[VaultTradeResult]", self._call_write(_VAULT_TRADE, _body, options)
        )

    def vault_trade_dry_run(
        self,
        *,
        pool: str,
        from_: str,
        to: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        platform: str | None = None,
        slippage: float | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        duplicate: bool | None = None,
        options: CallOptions | None = None,
    ) -> VaultTradeDryRun:
        """Plan only: Swap one vault asset for another on the named venue, or on the first available venue of the
        network's fallback chain; returns the amounts actually sold and bought.

        :param pool: Vault address, 0x + 40 hex characters.
        :param from_: Asset to sell: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param to: Asset to buy: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param protocol: Vault platform; the default protocol or its alias.
        :param platform: Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is
            tried. `auto` (the default) walks the network's fallback chain. `best` quotes its venues side by
            side and takes the largest output. Retired venue names mean `auto`.
        :param slippage: Percent the outcome may be worse than the quote and the vault's oracle; default 0.5,
            at most 5.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param duplicate: Make a second trade although an identical one is unfinished. Without it, and without
            idempotency_key, a request that equals an unfinished trade is answered with that trade.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "from": from_,
            "to": to,
            "network": network,
            "protocol": protocol,
            "platform": platform,
            "slippage": slippage,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "duplicate": duplicate,
            "dryRun": True,
        }
        return cast(
            "VaultTradeDryRun", self._call(_VAULT_TRADE, _body, options)
        )

    def approve(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        platform: str | None = None,
        protocol: str | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[ApproveResult]:
        """Approve an asset of the vault for a venue or lending market; needed once per asset and spender.
        `amount=0` revokes.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to approve: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param platform: The spender: a venue (1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; refused
            if it is unavailable), `auto` (the default: the first venue of the network's fallback chain that is
            available; retired venue names mean `auto` too), or a lending market: lenderA, lenderB, lenderC, or
            the configured brand name of one of them.
        :param protocol: Vault platform; the default protocol or its alias.
        :param amount: Allowance in human units of the asset; 0 revokes. Without it the allowance is unlimited.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "platform": platform,
            "protocol": protocol,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[ApproveResult]", self._call_write(_APPROVE, _body, options)
        )

    def approve_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        platform: str | None = None,
        protocol: str | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> ApproveDryRun:
        """Plan only: Approve an asset of the vault for a venue or lending market; needed once per asset and
        spender. `amount=0` revokes.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to approve: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param platform: The spender: a venue (1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; refused
            if it is unavailable), `auto` (the default: the first venue of the network's fallback chain that is
            available; retired venue names mean `auto` too), or a lending market: lenderA, lenderB, lenderC, or
            the configured brand name of one of them.
        :param protocol: Vault platform; the default protocol or its alias.
        :param amount: Allowance in human units of the asset; 0 revokes. Without it the allowance is unlimited.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "platform": platform,
            "protocol": protocol,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "ApproveDryRun", self._call(_APPROVE, _body, options)
        )

    def enable_asset(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[EnableAssetResult]:
        """Let the vault hold an asset that the vault platform supports: by its trader, unless its manager has
        disabled that, or by its manager.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset: a token symbol, or the address of a token, a lending market (getCapabilities lists
            them) or a position manager.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[EnableAssetResult]", self._call_write(_ENABLE_ASSET, _body, options)
        )

    def enable_asset_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> EnableAssetDryRun:
        """Plan only: Let the vault hold an asset that the vault platform supports: by its trader, unless its
        manager has disabled that, or by its manager.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset: a token symbol, or the address of a token, a lending market (getCapabilities lists
            them) or a position manager.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "EnableAssetDryRun", self._call(_ENABLE_ASSET, _body, options)
        )

    def disable_asset(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[DisableAssetResult]:
        """End that the vault may hold an asset, of which it must have none.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset: a token symbol, or the address of a token, a lending market (getCapabilities lists
            them) or a position manager.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[DisableAssetResult]", self._call_write(_DISABLE_ASSET, _body, options)
        )

    def disable_asset_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> DisableAssetDryRun:
        """Plan only: End that the vault may hold an asset, of which it must have none.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset: a token symbol, or the address of a token, a lending market (getCapabilities lists
            them) or a position manager.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "DisableAssetDryRun", self._call(_DISABLE_ASSET, _body, options)
        )

    def set_vault_group(
        self,
        *,
        group: str,
        members: Sequence[dict[str, Any]],
        options: CallOptions | None = None,
    ) -> SetVaultGroupResult:
        """Name vaults that tradeGroup trades as one; the same name again replaces them. Nothing is checked on
        chain.

        :param group: Your name for the group; 1 to 64 characters: letters, digits, spaces and . _ -. Case does
            not matter.
        :param members: The vaults, 1 to 20: objects {network, pool, weight?}. A weight, above 0 and at most
            100, is a vault's part of an amount, relative to the others; all vaults have one, or none.
        """
        _body: dict[str, Any] = {
            "group": group,
            "members": members,
        }
        return cast(
            "SetVaultGroupResult", self._call(_SET_VAULT_GROUP, _body, options)
        )

    def get_vault_groups(
        self,
        *,
        options: CallOptions | None = None,
    ) -> GetVaultGroupsResult:
        """The groups of the key's wallet, by name.
        """
        _body: dict[str, Any] = {}
        return cast(
            "GetVaultGroupsResult", self._call(_GET_VAULT_GROUPS, _body, options)
        )

    def remove_vault_group(
        self,
        *,
        group: str,
        options: CallOptions | None = None,
    ) -> RemoveVaultGroupResult:
        """Remove a group. Its vaults stay as they are, and trades that were accepted continue.

        :param group: Your name for the group; 1 to 64 characters: letters, digits, spaces and . _ -. Case does
            not matter.
        """
        _body: dict[str, Any] = {
            "group": group,
        }
        return cast(
            "RemoveVaultGroupResult", self._call(_REMOVE_VAULT_GROUP, _body, options)
        )

    def trade_group(
        self,
        *,
        group: str,
        from_: str,
        to: str,
        share: float | None = None,
        amount: str | None = None,
        split: Literal["weight", "holding"] | None = None,
        platform: str | None = None,
        slippage: float | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[TradeGroupResult]:
        """Make the same trade in each vault of a group, each as a vaultTrade, billed as one. Needs
        `idempotency_key`, and `share` of each holding or an `amount` for all. Refused as a whole if the key
        may not trade a vault.

        :param group: Your name for the group; 1 to 64 characters: letters, digits, spaces and . _ -. Case does
            not matter.
        :param from_: Asset to sell: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param to: Asset to buy: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param split: How `amount` is split: by `weight`, or by each vault's `holding` of `from`. Default: by
            weight where the vaults have one.
        :param platform: Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is
            tried. `auto` (the default) walks the network's fallback chain. `best` quotes its venues side by
            side and takes the largest output. Retired venue names mean `auto`.
        :param slippage: Percent the outcome may be worse than the quote and the vault's oracle; default 0.5,
            at most 5.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "group": group,
            "from": from_,
            "to": to,
            "share": share,
            "amount": amount,
            "split": split,
            "platform": platform,
            "slippage": slippage,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[TradeGroupResult]", self._call_write(_TRADE_GROUP, _body, options)
        )

    def trade_group_dry_run(
        self,
        *,
        group: str,
        from_: str,
        to: str,
        share: float | None = None,
        amount: str | None = None,
        split: Literal["weight", "holding"] | None = None,
        platform: str | None = None,
        slippage: float | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> TradeGroupDryRun:
        """Plan only: Make the same trade in each vault of a group, each as a vaultTrade, billed as one. Needs
        `idempotency_key`, and `share` of each holding or an `amount` for all. Refused as a whole if the key
        may not trade a vault.

        :param group: Your name for the group; 1 to 64 characters: letters, digits, spaces and . _ -. Case does
            not matter.
        :param from_: Asset to sell: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param to: Asset to buy: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param split: How `amount` is split: by `weight`, or by each vault's `holding` of `from`. Default: by
            weight where the vaults have one.
        :param platform: Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is
            tried. `auto` (the default) walks the network's fallback chain. `best` quotes its venues side by
            side and takes the largest output. Retired venue names mean `auto`.
        :param slippage: Percent the outcome may be worse than the quote and the vault's oracle; default 0.5,
            at most 5.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "group": group,
            "from": from_,
            "to": to,
            "share": share,
            "amount": amount,
            "split": split,
            "platform": platform,
            "slippage": slippage,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "TradeGroupDryRun", self._call(_TRADE_GROUP, _body, options)
        )

    def lender_av3_lend(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[LenderAV3LendResult]:
        """Supply an asset of the vault to lenderA; approval and supply are one transaction, the approval is
        exact.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to supply: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[LenderAV3LendResult]", self._call_write(_LENDER_AV3_LEND, _body, options)
        )

    def lender_av3_lend_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> LenderAV3LendDryRun:
        """Plan only: Supply an asset of the vault to lenderA; approval and supply are one transaction, the
        approval is exact.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to supply: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "LenderAV3LendDryRun", self._call(_LENDER_AV3_LEND, _body, options)
        )

    def lender_av3_unlend(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[LenderAV3UnlendResult]:
        """Withdraw an asset supplied to lenderA; a share of 100 withdraws all of it, interest included. A debt
        below $1 does not prevent that: it is repaid, or a little stays supplied for it.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to withdraw: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[LenderAV3UnlendResult]", self._call_write(_LENDER_AV3_UNLEND, _body, options)
        )

    def lender_av3_unlend_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> LenderAV3UnlendDryRun:
        """Plan only: Withdraw an asset supplied to lenderA; a share of 100 withdraws all of it, interest
        included. A debt below $1 does not prevent that: it is repaid, or a little stays supplied for it.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to withdraw: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "LenderAV3UnlendDryRun", self._call(_LENDER_AV3_UNLEND, _body, options)
        )

    def lender_av3_borrow(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[LenderAV3BorrowResult]:
        """Borrow an asset against the vault's collateral, at the variable rate; refused below the health factor's
        floor.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to borrow: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[LenderAV3BorrowResult]", self._call_write(_LENDER_AV3_BORROW, _body, options)
        )

    def lender_av3_borrow_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> LenderAV3BorrowDryRun:
        """Plan only: Borrow an asset against the vault's collateral, at the variable rate; refused below the
        health factor's floor.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to borrow: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "LenderAV3BorrowDryRun", self._call(_LENDER_AV3_BORROW, _body, options)
        )

    def lender_av3_repay(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[LenderAV3RepayResult]:
        """Repay the vault's debt; a share of 100 repays all of it, including interest up to the repayment, as far
        as the vault holds the asset. `still_owed` is the rest.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to repay: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[LenderAV3RepayResult]", self._call_write(_LENDER_AV3_REPAY, _body, options)
        )

    def lender_av3_repay_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> LenderAV3RepayDryRun:
        """Plan only: Repay the vault's debt; a share of 100 repays all of it, including interest up to the
        repayment, as far as the vault holds the asset. `still_owed` is the rest.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to repay: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "LenderAV3RepayDryRun", self._call(_LENDER_AV3_REPAY, _body, options)
        )

    def lender_av3_get_supplied(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> LenderAV3GetSuppliedResult:
        """The vault's assets supplied to lenderA, asset by asset and in total.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "LenderAV3GetSuppliedResult", self._call(_LENDER_AV3_GET_SUPPLIED, _body, options)
        )

    def lender_av3_get_borrowed(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> LenderAV3GetBorrowedResult:
        """The vault's debt to lenderA, asset by asset and in total.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "LenderAV3GetBorrowedResult", self._call(_LENDER_AV3_GET_BORROWED, _body, options)
        )

    def lender_av3_get_health_factor(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> LenderAV3GetHealthFactorResult:
        """The vault's health factor with lenderA; below 1 it is liquidated, without debt it is "infinity".

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "LenderAV3GetHealthFactorResult", self._call(_LENDER_AV3_GET_HEALTH_FACTOR, _body, options)
        )

    def lender_av3_get_pool_data(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> LenderAV3GetPoolDataResult:
        """The vault's whole position with lenderA: collateral and debt in USD, the amount it can still borrow,
        thresholds in percent.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "LenderAV3GetPoolDataResult", self._call(_LENDER_AV3_GET_POOL_DATA, _body, options)
        )

    def lender_bv3_lend(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[LenderBV3LendResult]:
        """Supply an asset of the vault to lenderB; approval and supply are one transaction, the approval is
        exact.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to supply: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[LenderBV3LendResult]", self._call_write(_LENDER_BV3_LEND, _body, options)
        )

    def lender_bv3_lend_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> LenderBV3LendDryRun:
        """Plan only: Supply an asset of the vault to lenderB; approval and supply are one transaction, the
        approval is exact.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to supply: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "LenderBV3LendDryRun", self._call(_LENDER_BV3_LEND, _body, options)
        )

    def lender_bv3_unlend(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[LenderBV3UnlendResult]:
        """Withdraw an asset supplied to lenderB; a share of 100 withdraws all of it, interest included. A debt
        below $1 does not prevent that: it is repaid, or a little stays supplied for it.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to withdraw: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[LenderBV3UnlendResult]", self._call_write(_LENDER_BV3_UNLEND, _body, options)
        )

    def lender_bv3_unlend_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> LenderBV3UnlendDryRun:
        """Plan only: Withdraw an asset supplied to lenderB; a share of 100 withdraws all of it, interest
        included. A debt below $1 does not prevent that: it is repaid, or a little stays supplied for it.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to withdraw: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "LenderBV3UnlendDryRun", self._call(_LENDER_BV3_UNLEND, _body, options)
        )

    def lender_c_lend(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[LenderCLendResult]:
        """Supply an asset of the vault to lenderC; approval and supply are one transaction, the approval is
        exact.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to supply: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[LenderCLendResult]", self._call_write(_LENDER_C_LEND, _body, options)
        )

    def lender_c_lend_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> LenderCLendDryRun:
        """Plan only: Supply an asset of the vault to lenderC; approval and supply are one transaction, the
        approval is exact.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to supply: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "LenderCLendDryRun", self._call(_LENDER_C_LEND, _body, options)
        )

    def lender_c_unlend(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[LenderCUnlendResult]:
        """Withdraw an asset supplied to lenderC; a share of 100 withdraws all of it, interest included. A debt
        below $1 does not prevent that: it is repaid, or a little stays supplied for it.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to withdraw: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[LenderCUnlendResult]", self._call_write(_LENDER_C_UNLEND, _body, options)
        )

    def lender_c_unlend_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> LenderCUnlendDryRun:
        """Plan only: Withdraw an asset supplied to lenderC; a share of 100 withdraws all of it, interest
        included. A debt below $1 does not prevent that: it is repaid, or a little stays supplied for it.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to withdraw: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "LenderCUnlendDryRun", self._call(_LENDER_C_UNLEND, _body, options)
        )

    def lend(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        platform: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[LendResult]:
        """Supply an asset of the vault to lenderA; approval and supply are one transaction, the approval is
        exact.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to supply: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param platform: Lending market: lenderA (the default), lenderB, lenderC, or the configured brand name
            of one of them. `auto`: for lend the first of them that accepts the asset from the vault, for
            unlend the first to which it is supplied.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "platform": platform,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[LendResult]", self._call_write(_LEND, _body, options)
        )

    def lend_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        platform: str | None = None,
        options: CallOptions | None = None,
    ) -> LendDryRun:
        """Plan only: Supply an asset of the vault to lenderA; approval and supply are one transaction, the
        approval is exact.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to supply: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param platform: Lending market: lenderA (the default), lenderB, lenderC, or the configured brand name
            of one of them. `auto`: for lend the first of them that accepts the asset from the vault, for
            unlend the first to which it is supplied.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "platform": platform,
            "dryRun": True,
        }
        return cast(
            "LendDryRun", self._call(_LEND, _body, options)
        )

    def unlend(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        platform: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[UnlendResult]:
        """Withdraw an asset supplied to lenderA; a share of 100 withdraws all of it, interest included. A debt
        below $1 does not prevent that: it is repaid, or a little stays supplied for it.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to withdraw: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param platform: Lending market: lenderA (the default), lenderB, lenderC, or the configured brand name
            of one of them. `auto`: for lend the first of them that accepts the asset from the vault, for
            unlend the first to which it is supplied.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "platform": platform,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[UnlendResult]", self._call_write(_UNLEND, _body, options)
        )

    def unlend_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        platform: str | None = None,
        options: CallOptions | None = None,
    ) -> UnlendDryRun:
        """Plan only: Withdraw an asset supplied to lenderA; a share of 100 withdraws all of it, interest
        included. A debt below $1 does not prevent that: it is repaid, or a little stays supplied for it.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to withdraw: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param platform: Lending market: lenderA (the default), lenderB, lenderC, or the configured brand name
            of one of them. `auto`: for lend the first of them that accepts the asset from the vault, for
            unlend the first to which it is supplied.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "platform": platform,
            "dryRun": True,
        }
        return cast(
            "UnlendDryRun", self._call(_UNLEND, _body, options)
        )

    def borrow(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        platform: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[BorrowResult]:
        """Borrow an asset against the vault's collateral, at the variable rate; refused below the health factor's
        floor.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to borrow: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param platform: Lending market: lenderA (the default), lenderB, lenderC, or the configured brand name
            of one of them. `auto`: for lend the first of them that accepts the asset from the vault, for
            unlend the first to which it is supplied.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "platform": platform,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[BorrowResult]", self._call_write(_BORROW, _body, options)
        )

    def borrow_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        platform: str | None = None,
        options: CallOptions | None = None,
    ) -> BorrowDryRun:
        """Plan only: Borrow an asset against the vault's collateral, at the variable rate; refused below the
        health factor's floor.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to borrow: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param platform: Lending market: lenderA (the default), lenderB, lenderC, or the configured brand name
            of one of them. `auto`: for lend the first of them that accepts the asset from the vault, for
            unlend the first to which it is supplied.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "platform": platform,
            "dryRun": True,
        }
        return cast(
            "BorrowDryRun", self._call(_BORROW, _body, options)
        )

    def repay(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        platform: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[RepayResult]:
        """Repay the vault's debt; a share of 100 repays all of it, including interest up to the repayment, as far
        as the vault holds the asset. `still_owed` is the rest.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to repay: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param platform: Lending market: lenderA (the default), lenderB, lenderC, or the configured brand name
            of one of them. `auto`: for lend the first of them that accepts the asset from the vault, for
            unlend the first to which it is supplied.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "platform": platform,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[RepayResult]", self._call_write(_REPAY, _body, options)
        )

    def repay_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        platform: str | None = None,
        options: CallOptions | None = None,
    ) -> RepayDryRun:
        """Plan only: Repay the vault's debt; a share of 100 repays all of it, including interest up to the
        repayment, as far as the vault holds the asset. `still_owed` is the rest.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param asset: Asset to repay: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param platform: Lending market: lenderA (the default), lenderB, lenderC, or the configured brand name
            of one of them. `auto`: for lend the first of them that accepts the asset from the vault, for
            unlend the first to which it is supplied.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "platform": platform,
            "dryRun": True,
        }
        return cast(
            "RepayDryRun", self._call(_REPAY, _body, options)
        )

    def get_all_yields(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> GetAllYieldsResult:
        """The current supply and borrow rates of every asset at every lender of the network, or of every
        configured network, in percent per year.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        """
        _body: dict[str, Any] = {
            "network": network,
        }
        return cast(
            "GetAllYieldsResult", self._call(_GET_ALL_YIELDS, _body, options)
        )

    def get_estimated_anual_yield(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetEstimatedAnualYieldResult:
        """The yearly yield of the vault's positions with lenders at current rates, in percent of the vault's
        total value.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
        }
        return cast(
            "GetEstimatedAnualYieldResult", self._call(_GET_ESTIMATED_ANUAL_YIELD, _body, options)
        )

    def get_total_yield(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetTotalYieldResult:
        """The gain of the vault's token since this service first recorded it, in percent.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
        }
        return cast(
            "GetTotalYieldResult", self._call(_GET_TOTAL_YIELD, _body, options)
        )

    def add_liquidity(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        input_asset: str,
        platform: str | None = None,
        slippage: float | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        fee_tier: Literal[100, 500, 2500, 3000, 10000] | None = None,
        tick_spacing: int | None = None,
        lower_price: str | None = None,
        upper_price: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[AddLiquidityResult]:
        """Provide liquidity to a concentrated-liquidity pool from one asset; the required amount of the other is
        bought first, in the same transaction.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param asset1: First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param asset2: Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param input_asset: Asset to provide, one of the pair: a token symbol (for example USDC, WETH, WBTC) or
            a contract address.
        :param platform: Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is
            tried. `auto` (the default) walks the network's fallback chain. `best` quotes its venues side by
            side and takes the largest output. Retired venue names mean `auto`.
        :param slippage: Percent the outcome may be worse than the quote and the vault's oracle; default 0.5,
            at most 5.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param dex: Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is
            velodromeCl). A named one is that one or a refusal; auto, the default, takes the first that the
            platform allows and the vault has enabled.
        :param fee_tier: Fee of the pool in hundredths of a basis point: 100, 500, 2500, 3000, 10000. Default:
            the pair's pool with the most liquidity. Not for velodromeCl.
        :param tick_spacing: Tick spacing of the pool, such as 1, 50, 100, 200 or 2000; only at velodromeCl,
            whose pools it distinguishes. Default: the pair's pool with the most liquidity.
        :param lower_price: Lower end of the price range, asset2 per asset1 in human units; rounded to the
            nearest price of the pool. Without it the range is open at this end.
        :param upper_price: Upper end of the price range, asset2 per asset1 in human units; rounded to the
            nearest price of the pool. Without it the range is open at this end.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "input_asset": input_asset,
            "platform": platform,
            "slippage": slippage,
            "protocol": protocol,
            "valid_for": valid_for,
            "dex": dex,
            "fee_tier": fee_tier,
            "tick_spacing": tick_spacing,
            "lower_price": lower_price,
            "upper_price": upper_price,
            "share": share,
            "amount": amount,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[AddLiquidityResult]", self._call_write(_ADD_LIQUIDITY, _body, options)
        )

    def add_liquidity_dry_run(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        input_asset: str,
        platform: str | None = None,
        slippage: float | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        fee_tier: Literal[100, 500, 2500, 3000, 10000] | None = None,
        tick_spacing: int | None = None,
        lower_price: str | None = None,
        upper_price: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        options: CallOptions | None = None,
    ) -> AddLiquidityDryRun:
        """Plan only: Provide liquidity to a concentrated-liquidity pool from one asset; the required amount of
        the other is bought first, in the same transaction.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param asset1: First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param asset2: Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param input_asset: Asset to provide, one of the pair: a token symbol (for example USDC, WETH, WBTC) or
            a contract address.
        :param platform: Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is
            tried. `auto` (the default) walks the network's fallback chain. `best` quotes its venues side by
            side and takes the largest output. Retired venue names mean `auto`.
        :param slippage: Percent the outcome may be worse than the quote and the vault's oracle; default 0.5,
            at most 5.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param dex: Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is
            velodromeCl). A named one is that one or a refusal; auto, the default, takes the first that the
            platform allows and the vault has enabled.
        :param fee_tier: Fee of the pool in hundredths of a basis point: 100, 500, 2500, 3000, 10000. Default:
            the pair's pool with the most liquidity. Not for velodromeCl.
        :param tick_spacing: Tick spacing of the pool, such as 1, 50, 100, 200 or 2000; only at velodromeCl,
            whose pools it distinguishes. Default: the pair's pool with the most liquidity.
        :param lower_price: Lower end of the price range, asset2 per asset1 in human units; rounded to the
            nearest price of the pool. Without it the range is open at this end.
        :param upper_price: Upper end of the price range, asset2 per asset1 in human units; rounded to the
            nearest price of the pool. Without it the range is open at this end.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "input_asset": input_asset,
            "platform": platform,
            "slippage": slippage,
            "protocol": protocol,
            "valid_for": valid_for,
            "dex": dex,
            "fee_tier": fee_tier,
            "tick_spacing": tick_spacing,
            "lower_price": lower_price,
            "upper_price": upper_price,
            "share": share,
            "amount": amount,
            "dryRun": True,
        }
        return cast(
            "AddLiquidityDryRun", self._call(_ADD_LIQUIDITY, _body, options)
        )

    def remove_liquidity(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        platform: str | None = None,
        slippage: float | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        amount: float | None = None,
        output_asset: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[RemoveLiquidityResult]:
        """Remove liquidity, including fees; all of it unless `amount` is a percentage. `output_asset` sells the
        other asset in the same transaction.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param asset1: First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param asset2: Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param token_id: Id of the position's token, as returned by addLiquidity.
        :param dex: Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is
            velodromeCl). A named one is that one or a refusal; auto, the default, takes the first that the
            platform allows and the vault has enabled.
        :param platform: Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is
            tried. `auto` (the default) walks the network's fallback chain. `best` quotes its venues side by
            side and takes the largest output. Retired venue names mean `auto`.
        :param slippage: Percent the outcome may be worse than the quote and the vault's oracle; default 0.5,
            at most 5.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param amount: Percent of the position to remove, default 100: all of it, which also deletes the
            position.
        :param output_asset: Asset of the pair to receive: a token symbol or a contract address; `both`, the
            default, sells neither.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "platform": platform,
            "slippage": slippage,
            "protocol": protocol,
            "valid_for": valid_for,
            "amount": amount,
            "output_asset": output_asset,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[RemoveLiquidityResult]", self._call_write(_REMOVE_LIQUIDITY, _body, options)
        )

    def remove_liquidity_dry_run(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        platform: str | None = None,
        slippage: float | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        amount: float | None = None,
        output_asset: str | None = None,
        options: CallOptions | None = None,
    ) -> RemoveLiquidityDryRun:
        """Plan only: Remove liquidity, including fees; all of it unless `amount` is a percentage. `output_asset`
        sells the other asset in the same transaction.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param asset1: First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param asset2: Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param token_id: Id of the position's token, as returned by addLiquidity.
        :param dex: Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is
            velodromeCl). A named one is that one or a refusal; auto, the default, takes the first that the
            platform allows and the vault has enabled.
        :param platform: Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is
            tried. `auto` (the default) walks the network's fallback chain. `best` quotes its venues side by
            side and takes the largest output. Retired venue names mean `auto`.
        :param slippage: Percent the outcome may be worse than the quote and the vault's oracle; default 0.5,
            at most 5.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param amount: Percent of the position to remove, default 100: all of it, which also deletes the
            position.
        :param output_asset: Asset of the pair to receive: a token symbol or a contract address; `both`, the
            default, sells neither.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "platform": platform,
            "slippage": slippage,
            "protocol": protocol,
            "valid_for": valid_for,
            "amount": amount,
            "output_asset": output_asset,
            "dryRun": True,
        }
        return cast(
            "RemoveLiquidityDryRun", self._call(_REMOVE_LIQUIDITY, _body, options)
        )

    def collect_fees(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[CollectFeesResult]:
        """Collect the fees that a position has earned; the position stays as it is. A staked one also pays its
        rewards, and stays staked.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param asset1: First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param asset2: Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param token_id: Id of the position's token, as returned by addLiquidity.
        :param dex: Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is
            velodromeCl). A named one is that one or a refusal; auto, the default, takes the first that the
            platform allows and the vault has enabled.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "protocol": protocol,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[CollectFeesResult]", self._call_write(_COLLECT_FEES, _body, options)
        )

    def collect_fees_dry_run(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> CollectFeesDryRun:
        """Plan only: Collect the fees that a position has earned; the position stays as it is. A staked one also
        pays its rewards, and stays staked.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param asset1: First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param asset2: Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param token_id: Id of the position's token, as returned by addLiquidity.
        :param dex: Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is
            velodromeCl). A named one is that one or a refusal; auto, the default, takes the first that the
            platform allows and the vault has enabled.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "protocol": protocol,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "CollectFeesDryRun", self._call(_COLLECT_FEES, _body, options)
        )

    def stake_liquidity(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[StakeLiquidityResult]:
        """Stake a position: in its pool's gauge at velodromeCl, in MasterChefV3 at pancakeCl. It then earns
        rewards.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param asset1: First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param asset2: Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param token_id: Id of the position's token, as returned by addLiquidity.
        :param dex: Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is
            velodromeCl). A named one is that one or a refusal; auto, the default, takes the first that the
            platform allows and the vault has enabled.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "protocol": protocol,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[StakeLiquidityResult]", self._call_write(_STAKE_LIQUIDITY, _body, options)
        )

    def stake_liquidity_dry_run(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> StakeLiquidityDryRun:
        """Plan only: Stake a position: in its pool's gauge at velodromeCl, in MasterChefV3 at pancakeCl. It then
        earns rewards.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param asset1: First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param asset2: Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param token_id: Id of the position's token, as returned by addLiquidity.
        :param dex: Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is
            velodromeCl). A named one is that one or a refusal; auto, the default, takes the first that the
            platform allows and the vault has enabled.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "protocol": protocol,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "StakeLiquidityDryRun", self._call(_STAKE_LIQUIDITY, _body, options)
        )

    def unstake_liquidity(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[UnstakeLiquidityResult]:
        """Take a staked position back, with its rewards.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param asset1: First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param asset2: Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param token_id: Id of the position's token, as returned by addLiquidity.
        :param dex: Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is
            velodromeCl). A named one is that one or a refusal; auto, the default, takes the first that the
            platform allows and the vault has enabled.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "protocol": protocol,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[UnstakeLiquidityResult]", self._call_write(_UNSTAKE_LIQUIDITY, _body, options)
        )

    def unstake_liquidity_dry_run(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> UnstakeLiquidityDryRun:
        """Plan only: Take a staked position back, with its rewards.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param asset1: First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param asset2: Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param token_id: Id of the position's token, as returned by addLiquidity.
        :param dex: Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is
            velodromeCl). A named one is that one or a refusal; auto, the default, takes the first that the
            platform allows and the vault has enabled.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "protocol": protocol,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "UnstakeLiquidityDryRun", self._call(_UNSTAKE_LIQUIDITY, _body, options)
        )

    def claim_rewards(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[ClaimRewardsResult]:
        """Claim the rewards of a staked position, which stays staked.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param asset1: First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param asset2: Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param token_id: Id of the position's token, as returned by addLiquidity.
        :param dex: Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is
            velodromeCl). A named one is that one or a refusal; auto, the default, takes the first that the
            platform allows and the vault has enabled.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "protocol": protocol,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[ClaimRewardsResult]", self._call_write(_CLAIM_REWARDS, _body, options)
        )

    def claim_rewards_dry_run(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> ClaimRewardsDryRun:
        """Plan only: Claim the rewards of a staked position, which stays staked.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param asset1: First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param asset2: Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param token_id: Id of the position's token, as returned by addLiquidity.
        :param dex: Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is
            velodromeCl). A named one is that one or a refusal; auto, the default, takes the first that the
            platform allows and the vault has enabled.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "protocol": protocol,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "ClaimRewardsDryRun", self._call(_CLAIM_REWARDS, _body, options)
        )

    def deposit_to_perpetuals(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[DepositToPerpetualsResult]:
        """Move USDC from the vault to its account at HyperCore as margin for perpetual contracts; approval and
        deposit are one transaction.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network, default hyperliquid: the only one with perpetual contracts.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[DepositToPerpetualsResult]", self._call_write(_DEPOSIT_TO_PERPETUALS, _body, options)
        )

    def deposit_to_perpetuals_dry_run(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> DepositToPerpetualsDryRun:
        """Plan only: Move USDC from the vault to its account at HyperCore as margin for perpetual contracts;
        approval and deposit are one transaction.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network, default hyperliquid: the only one with perpetual contracts.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "DepositToPerpetualsDryRun", self._call(_DEPOSIT_TO_PERPETUALS, _body, options)
        )

    def place_perpetual_order(
        self,
        *,
        pool: str,
        coin: str,
        side: Literal["buy", "long", "sell", "short"],
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        size: str | None = None,
        usd: str | None = None,
        price: str | None = None,
        tif: Literal["ioc", "gtc", "alo"] | None = None,
        reduce_only: bool | None = None,
        slippage: float | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[PlacePerpetualOrderResult]:
        """Buy or sell a perpetual contract with the vault's margin. Success is determined by HyperCore's own
        state of the order, never by the transaction alone.

        :param pool: Vault address, 0x + 40 hex characters.
        :param coin: The perpetual contract, as HyperCore names it (for example BTC, ETH, SOL);
            `getPerpetualMarkets` lists them. Case does not matter.
        :param side: `buy` or `sell`; `long` means buy, `short` means sell. Case does not matter.
        :param network: Network, default hyperliquid: the only one with perpetual contracts.
        :param protocol: Vault platform; the default protocol or its alias.
        :param size: Size in coins, rounded down to the contract's size decimals. Overrides `usd` when both are
            given.
        :param usd: Size in USD: the largest size that is not worth more.
        :param price: Worst acceptable price, USD per coin. Without it the order is a market order: `ioc` at
            the mid price and `slippage`.
        :param tif: Time in force: `ioc` fills at once what it can, `gtc` rests until it is filled or
            cancelled, `alo` may only rest. Default gtc with a price, ioc without.
        :param reduce_only: Only reduce a position. Without `size` and `usd`, the whole position is closed.
        :param slippage: Percent by which a market order's price may be worse than the mid price; default 0.5,
            at most 3, the limit of the vault platform's guard.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "coin": coin,
            "side": side,
            "network": network,
            "protocol": protocol,
            "size": size,
            "usd": usd,
            "price": price,
            "tif": tif,
            "reduce_only": reduce_only,
            "slippage": slippage,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[PlacePerpetualOrderResult]", self._call_write(_PLACE_PERPETUAL_ORDER, _body, options)
        )

    def place_perpetual_order_dry_run(
        self,
        *,
        pool: str,
        coin: str,
        side: Literal["buy", "long", "sell", "short"],
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        size: str | None = None,
        usd: str | None = None,
        price: str | None = None,
        tif: Literal["ioc", "gtc", "alo"] | None = None,
        reduce_only: bool | None = None,
        slippage: float | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> PlacePerpetualOrderDryRun:
        """Plan only: Buy or sell a perpetual contract with the vault's margin. Success is determined by
        HyperCore's own state of the order, never by the transaction alone.

        :param pool: Vault address, 0x + 40 hex characters.
        :param coin: The perpetual contract, as HyperCore names it (for example BTC, ETH, SOL);
            `getPerpetualMarkets` lists them. Case does not matter.
        :param side: `buy` or `sell`; `long` means buy, `short` means sell. Case does not matter.
        :param network: Network, default hyperliquid: the only one with perpetual contracts.
        :param protocol: Vault platform; the default protocol or its alias.
        :param size: Size in coins, rounded down to the contract's size decimals. Overrides `usd` when both are
            given.
        :param usd: Size in USD: the largest size that is not worth more.
        :param price: Worst acceptable price, USD per coin. Without it the order is a market order: `ioc` at
            the mid price and `slippage`.
        :param tif: Time in force: `ioc` fills at once what it can, `gtc` rests until it is filled or
            cancelled, `alo` may only rest. Default gtc with a price, ioc without.
        :param reduce_only: Only reduce a position. Without `size` and `usd`, the whole position is closed.
        :param slippage: Percent by which a market order's price may be worse than the mid price; default 0.5,
            at most 3, the limit of the vault platform's guard.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "coin": coin,
            "side": side,
            "network": network,
            "protocol": protocol,
            "size": size,
            "usd": usd,
            "price": price,
            "tif": tif,
            "reduce_only": reduce_only,
            "slippage": slippage,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "PlacePerpetualOrderDryRun", self._call(_PLACE_PERPETUAL_ORDER, _body, options)
        )

    def cancel_perpetual_order(
        self,
        *,
        pool: str,
        coin: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        intent_id: str | None = None,
        cloid: str | None = None,
        oid: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[CancelPerpetualOrderResult]:
        """Cancel a resting order, identified by `intent_id`, `cloid` or `oid`.

        :param pool: Vault address, 0x + 40 hex characters.
        :param coin: The perpetual contract, as HyperCore names it (for example BTC, ETH, SOL);
            `getPerpetualMarkets` lists them. Case does not matter.
        :param network: Network, default hyperliquid: the only one with perpetual contracts.
        :param protocol: Vault platform; the default protocol or its alias.
        :param intent_id: Id of an intent: the `intent_id` of an earlier response.
        :param cloid: The order's client id, 0x + 32 hex characters, as placePerpetualOrder returned it.
        :param oid: The order's number at HyperCore.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "coin": coin,
            "network": network,
            "protocol": protocol,
            "intent_id": intent_id,
            "cloid": cloid,
            "oid": oid,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[CancelPerpetualOrderResult]", self._call_write(_CANCEL_PERPETUAL_ORDER, _body, options)
        )

    def cancel_perpetual_order_dry_run(
        self,
        *,
        pool: str,
        coin: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        intent_id: str | None = None,
        cloid: str | None = None,
        oid: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> CancelPerpetualOrderDryRun:
        """Plan only: Cancel a resting order, identified by `intent_id`, `cloid` or `oid`.

        :param pool: Vault address, 0x + 40 hex characters.
        :param coin: The perpetual contract, as HyperCore names it (for example BTC, ETH, SOL);
            `getPerpetualMarkets` lists them. Case does not matter.
        :param network: Network, default hyperliquid: the only one with perpetual contracts.
        :param protocol: Vault platform; the default protocol or its alias.
        :param intent_id: Id of an intent: the `intent_id` of an earlier response.
        :param cloid: The order's client id, 0x + 32 hex characters, as placePerpetualOrder returned it.
        :param oid: The order's number at HyperCore.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "coin": coin,
            "network": network,
            "protocol": protocol,
            "intent_id": intent_id,
            "cloid": cloid,
            "oid": oid,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "CancelPerpetualOrderDryRun", self._call(_CANCEL_PERPETUAL_ORDER, _body, options)
        )

    def withdraw_from_perpetuals(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[WithdrawFromPerpetualsResult]:
        """Move USDC that no position needs from the vault's account at HyperCore back into the vault.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network, default hyperliquid: the only one with perpetual contracts.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[WithdrawFromPerpetualsResult]", self._call_write(_WITHDRAW_FROM_PERPETUALS, _body, options)
        )

    def withdraw_from_perpetuals_dry_run(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> WithdrawFromPerpetualsDryRun:
        """Plan only: Move USDC that no position needs from the vault's account at HyperCore back into the vault.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network, default hyperliquid: the only one with perpetual contracts.
        :param protocol: Vault platform; the default protocol or its alias.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "WithdrawFromPerpetualsDryRun", self._call(_WITHDRAW_FROM_PERPETUALS, _body, options)
        )

    def get_perpetual_positions(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetPerpetualPositionsResult:
        """The vault's margin and positions at HyperCore, at HyperCore's own time.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network, default hyperliquid: the only one with perpetual contracts.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
        }
        return cast(
            "GetPerpetualPositionsResult", self._call(_GET_PERPETUAL_POSITIONS, _body, options)
        )

    def get_perpetual_orders(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetPerpetualOrdersResult:
        """The vault's resting orders at HyperCore, newest first.

        :param pool: Vault address, 0x + 40 hex characters.
        :param network: Network, default hyperliquid: the only one with perpetual contracts.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
        }
        return cast(
            "GetPerpetualOrdersResult", self._call(_GET_PERPETUAL_ORDERS, _body, options)
        )

    def get_perpetual_markets(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> GetPerpetualMarketsResult:
        """The listed perpetual contracts, with their size decimals and current prices.

        :param network: Network, default hyperliquid: the only one with perpetual contracts.
        """
        _body: dict[str, Any] = {
            "network": network,
        }
        return cast(
            "GetPerpetualMarketsResult", self._call(_GET_PERPETUAL_MARKETS, _body, options)
        )

    def mint_manager_fee(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[MintManagerFeeResult]:
        """Mint the performance and management fee that a vault owes its manager. Any wallet may call this; it
        only pays the gas.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[MintManagerFeeResult]", self._call_write(_MINT_MANAGER_FEE, _body, options)
        )

    def mint_manager_fee_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> MintManagerFeeDryRun:
        """Plan only: Mint the performance and management fee that a vault owes its manager. Any wallet may call
        this; it only pays the gas.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "MintManagerFeeDryRun", self._call(_MINT_MANAGER_FEE, _body, options)
        )

    def mint_manager_fee_batch(
        self,
        *,
        pools: Sequence[str],
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        protocol: str | None = None,
        valid_for: int | None = None,
        allow_failure: bool | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[MintManagerFeeBatchResult]:
        """Mint the managers' fees of up to 100 vaults in one transaction; vaults without a fee are skipped.

        :param pools: Vault addresses, 1 to 100, each once: a repeated key, a comma list or a JSON array.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param allow_failure: Mint for the other vaults when one of them fails (the default); `false` mints for
            all of them or none.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "pools": pools,
            "network": network,
            "protocol": protocol,
            "valid_for": valid_for,
            "allowFailure": allow_failure,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[MintManagerFeeBatchResult]", self._call_write(_MINT_MANAGER_FEE_BATCH, _body, options)
        )

    def mint_manager_fee_batch_dry_run(
        self,
        *,
        pools: Sequence[str],
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        protocol: str | None = None,
        valid_for: int | None = None,
        allow_failure: bool | None = None,
        options: CallOptions | None = None,
    ) -> MintManagerFeeBatchDryRun:
        """Plan only: Mint the managers' fees of up to 100 vaults in one transaction; vaults without a fee are
        skipped.

        :param pools: Vault addresses, 1 to 100, each once: a repeated key, a comma list or a JSON array.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param allow_failure: Mint for the other vaults when one of them fails (the default); `false` mints for
            all of them or none.
        """
        _body: dict[str, Any] = {
            "pools": pools,
            "network": network,
            "protocol": protocol,
            "valid_for": valid_for,
            "allowFailure": allow_failure,
            "dryRun": True,
        }
        return cast(
            "MintManagerFeeBatchDryRun", self._call(_MINT_MANAGER_FEE_BATCH, _body, options)
        )

    def mint_all_fees_by_manager(
        self,
        *,
        manager: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        allow_failure: bool | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[MintAllFeesByManagerResult]:
        """Find a manager's vaults and mint the fees of those that have one, in one transaction.

        :param manager: Address of the manager of the vaults, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param allow_failure: Mint for the other vaults when one of them fails (the default); `false` mints for
            all of them or none.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "network": network,
            "protocol": protocol,
            "valid_for": valid_for,
            "allowFailure": allow_failure,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[MintAllFeesByManagerResult]", self._call_write(_MINT_ALL_FEES_BY_MANAGER, _body, options)
        )

    def mint_all_fees_by_manager_dry_run(
        self,
        *,
        manager: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        allow_failure: bool | None = None,
        options: CallOptions | None = None,
    ) -> MintAllFeesByManagerDryRun:
        """Plan only: Find a manager's vaults and mint the fees of those that have one, in one transaction.

        :param manager: Address of the manager of the vaults, 0x + 40 hex characters.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param protocol: Vault platform; the default protocol or its alias.
        :param valid_for: Seconds for which the transaction may be mined, counted from the moment it is
            planned; default 120 for swaps, 600 for everything else. After that it is cancelled and the request
            fails with 2016.
        :param allow_failure: Mint for the other vaults when one of them fails (the default); `false` mints for
            all of them or none.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "network": network,
            "protocol": protocol,
            "valid_for": valid_for,
            "allowFailure": allow_failure,
            "dryRun": True,
        }
        return cast(
            "MintAllFeesByManagerDryRun", self._call(_MINT_ALL_FEES_BY_MANAGER, _body, options)
        )

    def set_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        pair: str,
        side: Literal["long", "neutral", "short", "hold"],
        threshold: float | None = None,
        max_usd: str | None = None,
        slippage: float | None = None,
        max_impact: float | None = None,
        share: float | None = None,
        platform: str | None = None,
        lending: bool | None = None,
        auto_enable: bool | None = None,
        protocol: str | None = None,
        paper: bool | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[SetBotResult]:
        """Keep the vault on one side of a pair: sets the bot and begins a rebalance at once; trades of a bot are
        billed as trades.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param pair: Pair to keep a side of, BASE-QUOTE; `-`, `/` or `_` between two assets by symbol or
            address.
        :param side: long: hold the base; neutral: hold the quote; short: hold the base's inverse token, where
            the network has one; hold: do nothing.
        :param threshold: Percent of the pair's value that may be on the wrong side before it is traded,
            default 1.
        :param max_usd: Maximum value in US dollars of one trade, and of all trades within a check interval;
            default 10,000,000.
        :param slippage: Percent the outcome may be worse than the quote and the vault's oracle; default 0.5,
            at most 5.
        :param max_impact: Percent that a trade may lose to the pool, compared with the vault's oracle; the
            pool's fee is part of it. A larger trade is made in slices, one a check. Default: 0.3 more than a
            small trade loses, within the slippage.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param platform: Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is
            tried. `auto` (the default) walks the network's fallback chain. `best` quotes its venues side by
            side and takes the largest output. Retired venue names mean `auto`.
        :param lending: Supply idle funds to lenderA, and withdraw them before trading.
        :param auto_enable: Enable the asset that the bot is to hold where the vault does not have it enabled
            and lets its trader enable it: by an intent of its own, before the trade.
        :param protocol: Vault platform; the default protocol or its alias.
        :param paper: Decide on live prices and record the trades without sending them.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "pair": pair,
            "side": side,
            "threshold": threshold,
            "max_usd": max_usd,
            "slippage": slippage,
            "max_impact": max_impact,
            "share": share,
            "platform": platform,
            "lending": lending,
            "auto_enable": auto_enable,
            "protocol": protocol,
            "paper": paper,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[SetBotResult]", self._call_write(_SET_BOT, _body, options)
        )

    def delete_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        pair: str | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> DeleteBotResult:
        """Delete the vault's bots, or the one of a pair, even when no node answers; a transaction that is already
        planned continues.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param pair: Pair to keep a side of, BASE-QUOTE; `-`, `/` or `_` between two assets by symbol or
            address.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "pair": pair,
            "protocol": protocol,
        }
        return cast(
            "DeleteBotResult", self._call(_DELETE_BOT, _body, options)
        )

    def get_bot_status(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetBotStatusResult:
        """Bots and index of one vault: their settings, whether they are active, and their last decisions with
        reasons. Details are shown to the vault's own keys only.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "GetBotStatusResult", self._call(_GET_BOT_STATUS, _body, options)
        )

    def get_all_bots(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> GetAllBotsResult:
        """All bots on all networks: of the key's wallet, or of every wallet in the manager's list.

        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param network: The network of a manager that is a contract wallet: its signature is valid only there.
            Without it the request covers all networks, which only an account can sign.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "network": network,
        }
        return cast(
            "GetAllBotsResult", self._call(_GET_ALL_BOTS, _body, options)
        )

    def set_index_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        targets: Sequence[SetIndexBotTargetsItem],
        interval: str,
        max_usd: str,
        tolerance: float | None = None,
        slippage: float | None = None,
        quote: str | None = None,
        platform: str | None = None,
        min_trade_usd: str | None = None,
        enabled: bool | None = None,
        paper: bool | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> SetIndexBotResult:
        """Set the vault's target weights and how often they are checked; disabled unless `enabled=true`. Trades
        of its runs are billed as trades.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param targets: The vault's targets: 2 to 20 objects {asset, weight, tolerance?} of different assets.
            `weight` is percent of the whole vault; all weights sum to 100. `tolerance` is the deviation in
            percentage points allowed for this asset.
        :param interval: How often the weights are checked: in seconds (at least 60), or in minutes, hours or
            days as `15m`, `6h`, `1d`.
        :param max_usd: Maximum value in US dollars that one run trades, sells and buys together.
        :param tolerance: Percentage points that a weight may deviate from its target before the bot trades,
            default 5.
        :param slippage: Percent the outcome may be worse than the quote and the vault's oracle; default 0.5,
            at most 5.
        :param quote: Asset that trades go through: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param platform: Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is
            tried. `auto` (the default) walks the network's fallback chain. `best` quotes its venues side by
            side and takes the largest output. Retired venue names mean `auto`.
        :param min_trade_usd: Minimum value of a trade in US dollars, default 1.
        :param enabled: Enable scheduled checks, the first one at once.
        :param paper: Decide on live prices and record the trades without sending them.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "targets": targets,
            "interval": interval,
            "max_usd": max_usd,
            "tolerance": tolerance,
            "slippage": slippage,
            "quote": quote,
            "platform": platform,
            "min_trade_usd": min_trade_usd,
            "enabled": enabled,
            "paper": paper,
            "protocol": protocol,
        }
        return cast(
            "SetIndexBotResult", self._call(_SET_INDEX_BOT, _body, options)
        )

    def get_index_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetIndexBotResult:
        """The vault's index bot: its settings, its last decision with the reason, and its last run leg by leg.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "GetIndexBotResult", self._call(_GET_INDEX_BOT, _body, options)
        )

    def get_current_allocations(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetCurrentAllocationsResult:
        """The targets next to the live weights: drift in percentage points, and whether each is out of its
        tolerance.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "GetCurrentAllocationsResult", self._call(_GET_CURRENT_ALLOCATIONS, _body, options)
        )

    def preview_index_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        force: bool | None = None,
        quote: str | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> PreviewIndexBotResult:
        """The trades a run would make now: sells before buys, limited by the cap. Nothing is sent.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param force: Trade even if every weight is within its tolerance.
        :param quote: Asset that trades go through: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "force": force,
            "quote": quote,
            "protocol": protocol,
        }
        return cast(
            "PreviewIndexBotResult", self._call(_PREVIEW_INDEX_BOT, _body, options)
        )

    def rebalance_pool(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        execute: bool | None = None,
        force: bool | None = None,
        quote: str | None = None,
        protocol: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[RebalancePoolResult]:
        """Rebalance the vault to its index; a dry run unless `execute=true`. Each trade is executed and billed
        like a vaultTrade.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param execute: Make the trades; without it nothing is sent.
        :param force: Trade even if every weight is within its tolerance.
        :param quote: Asset that trades go through: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param protocol: Vault platform; the default protocol or its alias.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "execute": execute,
            "force": force,
            "quote": quote,
            "protocol": protocol,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[RebalancePoolResult]", self._call_write(_REBALANCE_POOL, _body, options)
        )

    def disable_index_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> DisableIndexBotResult:
        """Stop the index bot's scheduled checks; its settings are kept.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "DisableIndexBotResult", self._call(_DISABLE_INDEX_BOT, _body, options)
        )

    def set_allocations(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        targets: Sequence[SetAllocationsTargetsItem] | None = None,
        assets: str | None = None,
        allocations: str | None = None,
        lower_thresholds: str | None = None,
        upper_thresholds: str | None = None,
        slippages: str | None = None,
        max_usd: str | None = None,
        platform: str | None = None,
        quote: str | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> SetAllocationsResult:
        """Retired: checks targets in the old or new syntax, writes nothing, and answers with the setIndexBot call
        that would set them.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param targets: The vault's targets: 2 to 20 objects {asset, weight, tolerance?} of different assets.
            `weight` is percent of the whole vault; all weights sum to 100. `tolerance` is the deviation in
            percentage points allowed for this asset.
        :param assets: The targets' assets, with dashes between them.
        :param allocations: The weights of `assets` in percent of the whole vault, with dashes between them;
            without `assets`, assets and weights in turn (BTC-50-ETH-30-USDC-20).
        :param lower_thresholds: Percentage points that each asset may fall below its target.
        :param upper_thresholds: Percentage points that each asset may rise above its target.
        :param slippages: Percent of slippage for each asset.
        :param max_usd: Maximum value in US dollars that one run trades.
        :param platform: Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is
            tried. `auto` (the default) walks the network's fallback chain. `best` quotes its venues side by
            side and takes the largest output. Retired venue names mean `auto`.
        :param quote: Asset that trades go through: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "targets": targets,
            "assets": assets,
            "allocations": allocations,
            "lower_thresholds": lower_thresholds,
            "upper_thresholds": upper_thresholds,
            "slippages": slippages,
            "max_usd": max_usd,
            "platform": platform,
            "quote": quote,
            "protocol": protocol,
        }
        return cast(
            "SetAllocationsResult", self._call(_SET_ALLOCATIONS, _body, options)
        )

    def place_order(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        type: Literal[
            "limit",
            "stop_loss",
            "take_profit",
            "bracket",
            "trailing_stop",
            "twap",
            "dca",
            "iceberg",
        ],
        pair: str,
        side: Literal["buy", "sell"],
        share: float | None = None,
        amount: str | None = None,
        limit_price: str | None = None,
        stop_price: str | None = None,
        take_profit_price: str | None = None,
        trail_percent: float | None = None,
        trail_amount: str | None = None,
        activation_price: str | None = None,
        max_impact: float | None = None,
        slippage: float | None = None,
        expires_in: str | None = None,
        duration: str | None = None,
        interval: str | None = None,
        slices: int | None = None,
        catch_up: bool | None = None,
        platform: str | None = None,
        reduce_only: bool | None = None,
        confirmations: int | None = None,
        paper: bool | None = None,
        protocol: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[PlaceOrderResult]:
        """Place an order of a vault: it is stored, and executed in slices when its price or its time comes. Each
        slice is an intent, executed and billed like a vaultTrade.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param type: Kind of order: `limit`, `stop_loss`, `take_profit`, `bracket` (both of these, one cancels
            the other), `trailing_stop`, `twap` (over a duration), `dca` (on a schedule), `iceberg` (as the
            pool bears).
        :param pair: Pair to keep a side of, BASE-QUOTE; `-`, `/` or `_` between two assets by symbol or
            address.
        :param side: `sell` sells the base for the quote, `buy` buys the base with the quote.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param limit_price: Worst price, net of the pool's fee: never sold below it, never bought above it.
        :param stop_price: Price at which a stop triggers: falling to it for a sale, rising to it for a
            purchase.
        :param take_profit_price: Price at which a take-profit triggers: rising to it for a sale, falling to it
            for a purchase.
        :param trail_percent: Distance of a trailing stop from the best price, percent of it.
        :param trail_amount: Distance of a trailing stop from the best price, in the quote.
        :param activation_price: Price from which a trailing stop trails; at once without it.
        :param max_impact: Percent that a slice may lose to the pool, compared with the vault's oracle. The
            order is executed in slices that the pool bears. Default 0.3 for twap and iceberg; other types are
            one slice without it.
        :param slippage: Percent the outcome may be worse than the quote and the vault's oracle; default 0.5,
            at most 5.
        :param expires_in: Time from now after which the order expires; default 30 days, twice the duration of
            a twap.
        :param duration: Of a twap: the time over which it is executed.
        :param interval: Of a dca: the time from one purchase to the next.
        :param slices: Number of slices of a twap (default 10), or of purchases of a dca.
        :param catch_up: Make missed purchases of a dca up, one at each check.
        :param platform: Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is
            tried. `auto` (the default) walks the network's fallback chain. `best` quotes its venues side by
            side and takes the largest output. Retired venue names mean `auto`.
        :param reduce_only: Of a sale: sell at most what the vault has, and end when it has none left.
        :param confirmations: Observations in a row, each of a later block, after which a price triggers a
            stop, a take-profit or a trailing stop; default 2.
        :param paper: Execute on paper: fill slices at the venues' quotes, and send nothing.
        :param protocol: Vault platform; the default protocol or its alias.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "type": type,
            "pair": pair,
            "side": side,
            "share": share,
            "amount": amount,
            "limit_price": limit_price,
            "stop_price": stop_price,
            "take_profit_price": take_profit_price,
            "trail_percent": trail_percent,
            "trail_amount": trail_amount,
            "activation_price": activation_price,
            "max_impact": max_impact,
            "slippage": slippage,
            "expires_in": expires_in,
            "duration": duration,
            "interval": interval,
            "slices": slices,
            "catch_up": catch_up,
            "platform": platform,
            "reduce_only": reduce_only,
            "confirmations": confirmations,
            "paper": paper,
            "protocol": protocol,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[PlaceOrderResult]", self._call_write(_PLACE_ORDER, _body, options)
        )

    def place_order_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        type: Literal[
            "limit",
            "stop_loss",
            "take_profit",
            "bracket",
            "trailing_stop",
            "twap",
            "dca",
            "iceberg",
        ],
        pair: str,
        side: Literal["buy", "sell"],
        share: float | None = None,
        amount: str | None = None,
        limit_price: str | None = None,
        stop_price: str | None = None,
        take_profit_price: str | None = None,
        trail_percent: float | None = None,
        trail_amount: str | None = None,
        activation_price: str | None = None,
        max_impact: float | None = None,
        slippage: float | None = None,
        expires_in: str | None = None,
        duration: str | None = None,
        interval: str | None = None,
        slices: int | None = None,
        catch_up: bool | None = None,
        platform: str | None = None,
        reduce_only: bool | None = None,
        confirmations: int | None = None,
        paper: bool | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> PlaceOrderDryRun:
        """Plan only: Place an order of a vault: it is stored, and executed in slices when its price or its time
        comes. Each slice is an intent, executed and billed like a vaultTrade.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param type: Kind of order: `limit`, `stop_loss`, `take_profit`, `bracket` (both of these, one cancels
            the other), `trailing_stop`, `twap` (over a duration), `dca` (on a schedule), `iceberg` (as the
            pool bears).
        :param pair: Pair to keep a side of, BASE-QUOTE; `-`, `/` or `_` between two assets by symbol or
            address.
        :param side: `sell` sells the base for the quote, `buy` buys the base with the quote.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param limit_price: Worst price, net of the pool's fee: never sold below it, never bought above it.
        :param stop_price: Price at which a stop triggers: falling to it for a sale, rising to it for a
            purchase.
        :param take_profit_price: Price at which a take-profit triggers: rising to it for a sale, falling to it
            for a purchase.
        :param trail_percent: Distance of a trailing stop from the best price, percent of it.
        :param trail_amount: Distance of a trailing stop from the best price, in the quote.
        :param activation_price: Price from which a trailing stop trails; at once without it.
        :param max_impact: Percent that a slice may lose to the pool, compared with the vault's oracle. The
            order is executed in slices that the pool bears. Default 0.3 for twap and iceberg; other types are
            one slice without it.
        :param slippage: Percent the outcome may be worse than the quote and the vault's oracle; default 0.5,
            at most 5.
        :param expires_in: Time from now after which the order expires; default 30 days, twice the duration of
            a twap.
        :param duration: Of a twap: the time over which it is executed.
        :param interval: Of a dca: the time from one purchase to the next.
        :param slices: Number of slices of a twap (default 10), or of purchases of a dca.
        :param catch_up: Make missed purchases of a dca up, one at each check.
        :param platform: Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is
            tried. `auto` (the default) walks the network's fallback chain. `best` quotes its venues side by
            side and takes the largest output. Retired venue names mean `auto`.
        :param reduce_only: Of a sale: sell at most what the vault has, and end when it has none left.
        :param confirmations: Observations in a row, each of a later block, after which a price triggers a
            stop, a take-profit or a trailing stop; default 2.
        :param paper: Execute on paper: fill slices at the venues' quotes, and send nothing.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "type": type,
            "pair": pair,
            "side": side,
            "share": share,
            "amount": amount,
            "limit_price": limit_price,
            "stop_price": stop_price,
            "take_profit_price": take_profit_price,
            "trail_percent": trail_percent,
            "trail_amount": trail_amount,
            "activation_price": activation_price,
            "max_impact": max_impact,
            "slippage": slippage,
            "expires_in": expires_in,
            "duration": duration,
            "interval": interval,
            "slices": slices,
            "catch_up": catch_up,
            "platform": platform,
            "reduce_only": reduce_only,
            "confirmations": confirmations,
            "paper": paper,
            "protocol": protocol,
            "dryRun": True,
        }
        return cast(
            "PlaceOrderDryRun", self._call(_PLACE_ORDER, _body, options)
        )

    def amend_order(
        self,
        *,
        order: str,
        amount: str | None = None,
        limit_price: str | None = None,
        stop_price: str | None = None,
        take_profit_price: str | None = None,
        trail_percent: float | None = None,
        trail_amount: str | None = None,
        activation_price: str | None = None,
        max_impact: float | None = None,
        slippage: float | None = None,
        expires_in: str | None = None,
        options: CallOptions | None = None,
    ) -> AmendOrderResult:
        """Change terms of an order that has not ended; what is not given stays. The prices of a triggered order's
        trigger cannot be changed.

        :param order: Id of an order of a vault.
        :param amount: Quantity in human units of the sold asset (for example 1.5).
        :param limit_price: Worst price, net of the pool's fee: never sold below it, never bought above it.
        :param stop_price: Price at which a stop triggers: falling to it for a sale, rising to it for a
            purchase.
        :param take_profit_price: Price at which a take-profit triggers: rising to it for a sale, falling to it
            for a purchase.
        :param trail_percent: Distance of a trailing stop from the best price, percent of it.
        :param trail_amount: Distance of a trailing stop from the best price, in the quote.
        :param activation_price: Price from which a trailing stop trails; at once without it.
        :param max_impact: Percent that a slice may lose to the pool, compared with the vault's oracle. The
            order is executed in slices that the pool bears. Default 0.3 for twap and iceberg; other types are
            one slice without it.
        :param slippage: Percent the outcome may be worse than the quote and the vault's oracle; default 0.5,
            at most 5.
        :param expires_in: Time from now after which the order expires; default 30 days, twice the duration of
            a twap.
        """
        _body: dict[str, Any] = {
            "order": order,
            "amount": amount,
            "limit_price": limit_price,
            "stop_price": stop_price,
            "take_profit_price": take_profit_price,
            "trail_percent": trail_percent,
            "trail_amount": trail_amount,
            "activation_price": activation_price,
            "max_impact": max_impact,
            "slippage": slippage,
            "expires_in": expires_in,
        }
        return cast(
            "AmendOrderResult", self._call(_AMEND_ORDER, _body, options)
        )

    def cancel_order(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        order: str | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> CancelOrderResult:
        """Cancel an order of the vault, or all of them, even when no node answers. After `cancelled` nothing is
        traded; while `cancelling`, a slice in progress ends: one that is not planned is withdrawn, others
        count.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param order: Id of an order of a vault.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "order": order,
            "protocol": protocol,
        }
        return cast(
            "CancelOrderResult", self._call(_CANCEL_ORDER, _body, options)
        )

    def get_orders(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        all: bool | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetOrdersResult:
        """Orders of a vault, the newest first. Other wallets' orders are shown to the vault's own keys only.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param all: Include orders that have ended.
        :param limit: Rows per page, 1 to 100, default 50.
        :param cursor: Start of the next page: the `cursor` of the previous page.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "all": all,
            "limit": limit,
            "cursor": cursor,
            "protocol": protocol,
        }
        return cast(
            "GetOrdersResult", self._call(_GET_ORDERS, _body, options)
        )

    def get_order(
        self,
        *,
        order: str,
        options: CallOptions | None = None,
    ) -> GetOrderResult:
        """An order with its slices and its history, the newest first, a hundred of each at most.

        :param order: Id of an order of a vault.
        """
        _body: dict[str, Any] = {
            "order": order,
        }
        return cast(
            "GetOrderResult", self._call(_GET_ORDER, _body, options)
        )

    def set_guardian(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        kind: Literal["health_factor", "loss_breaker", "oracle", "gas"],
        floor: str | None = None,
        target: str | None = None,
        prefer: Sequence[Literal["repay", "unlend", "sell", "deleverage"]] | None = None,
        max_daily_loss: float | None = None,
        max_total_loss: float | None = None,
        close_into: str | None = None,
        close_positions: bool | None = None,
        max_age: str | None = None,
        max_depeg: float | None = None,
        assets: Sequence[str] | None = None,
        min_gas: str | None = None,
        target_gas: str | None = None,
        slippage: float | None = None,
        confirmations: int | None = None,
        paper: bool | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> SetGuardianResult:
        """Set a guardian of the vault: a rule that watches it all the time and acts, holds trades or reports. A
        vault has one of each kind; its actions are intents, executed and billed like the wallet's own
        requests.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param kind: Kind of guardian: `health_factor` repays debt below a floor, `loss_breaker` stops bots and
            orders after a loss, `oracle` refuses trades on old prices and off the peg, `gas` reports a wallet
            that is low.
        :param floor: Of a health_factor guardian: the health factor below which it acts, 1.05 at least.
        :param target: Of a health_factor guardian: the health factor that it restores.
        :param prefer: Of a health_factor guardian: what it may do, in the order of preference. `repay` with
            the vault's balance of the debt's asset, `unlend` what is supplied of it, `sell` other tokens,
            `deleverage`: sell collateral. Default repay,unlend,deleverage.
        :param max_daily_loss: Of a loss_breaker: the loss of the share price since the beginning of the day
            (UTC), percent.
        :param max_total_loss: Of a loss_breaker: the loss of the share price since its peak, percent.
        :param close_into: Of a loss_breaker: the asset that the vault's tokens are sold for when it trips;
            nothing without it: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param close_positions: Of a loss_breaker with close_into: also close loans, supplies and liquidity
            positions. Default true.
        :param max_age: Of an oracle guardian: how old the oracle's answer for a token may be.
        :param max_depeg: Of an oracle guardian: how far a stablecoin may be off 1 USD, percent.
        :param assets: Of an oracle guardian: the tokens that it watches; all that the vault may hold without
            it.
        :param min_gas: Of a gas guardian: the wallet's native token below which it reports.
        :param target_gas: Of a gas guardian: the native token that its proposed refill restores; three times
            min_gas without it.
        :param slippage: Percent the outcome may be worse than the quote and the vault's oracle; default 0.5,
            at most 5.
        :param confirmations: Readings in a row, each of a later block, after which it acts; default 2.
        :param paper: Watch and report only: nothing is sent, held or stopped.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "kind": kind,
            "floor": floor,
            "target": target,
            "prefer": prefer,
            "max_daily_loss": max_daily_loss,
            "max_total_loss": max_total_loss,
            "close_into": close_into,
            "close_positions": close_positions,
            "max_age": max_age,
            "max_depeg": max_depeg,
            "assets": assets,
            "min_gas": min_gas,
            "target_gas": target_gas,
            "slippage": slippage,
            "confirmations": confirmations,
            "paper": paper,
            "protocol": protocol,
        }
        return cast(
            "SetGuardianResult", self._call(_SET_GUARDIAN, _body, options)
        )

    def get_guardians(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetGuardiansResult:
        """The vault's guardians with their last readings, their actions and their history, fifty of each at most.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "GetGuardiansResult", self._call(_GET_GUARDIANS, _body, options)
        )

    def reset_guardian(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        kind: Literal["health_factor", "loss_breaker", "oracle", "gas"],
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> ResetGuardianResult:
        """Arm a guardian again, above all a loss breaker that has tripped: losses count from now on. Bots and
        orders that it has stopped stay stopped until resumeBot.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param kind: Kind of guardian: `health_factor` repays debt below a floor, `loss_breaker` stops bots and
            orders after a loss, `oracle` refuses trades on old prices and off the peg, `gas` reports a wallet
            that is low.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "kind": kind,
            "protocol": protocol,
        }
        return cast(
            "ResetGuardianResult", self._call(_RESET_GUARDIAN, _body, options)
        )

    def delete_guardian(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        kind: Literal["health_factor", "loss_breaker", "oracle", "gas"],
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> DeleteGuardianResult:
        """Delete a guardian of the vault, even when no node answers. Trades that it holds go on; an action that
        is already planned ends.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param kind: Kind of guardian: `health_factor` repays debt below a floor, `loss_breaker` stops bots and
            orders after a loss, `oracle` refuses trades on old prices and off the peg, `gas` reports a wallet
            that is low.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "kind": kind,
            "protocol": protocol,
        }
        return cast(
            "DeleteGuardianResult", self._call(_DELETE_GUARDIAN, _body, options)
        )

    def set_follower(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        leader: str,
        max_usd: str,
        base: str | None = None,
        ratio: float | None = None,
        threshold: float | None = None,
        max_weight: float | None = None,
        max_usd_interval: str | None = None,
        interval: str | None = None,
        assets: Sequence[str] | None = None,
        without: Sequence[str] | None = None,
        delay: str | None = None,
        slippage: float | None = None,
        max_impact: float | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> SetFollowerResult:
        """Make the vault follow a leader: it copies the weights of another vault, or of any address, within caps.
        Its trades are intents, executed and billed like the wallet's own requests. A vault follows one leader.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param leader: Address of the leader: another vault of the platform, of any manager, or any other
            address, 0x + 40 hex characters.
        :param max_usd: Most that one trade moves, US dollars.
        :param base: Asset that trades go through, and that has the weight of everything that is not followed;
            USDC without it: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        :param ratio: Percent of the leader's weights that are copied, default 100; the rest stays in base.
        :param threshold: Percentage points that a weight may be off its target, default 2.
        :param max_weight: Most that one asset other than base may weigh, percent.
        :param max_usd_interval: Most that all trades of an interval move, US dollars.
        :param interval: The interval of max_usd_interval; default 1d.
        :param assets: The only assets that are traded; all that the vault may hold without it.
        :param without: Assets that are never traded.
        :param delay: Time for which a difference must have lasted before the first trade; none without it.
        :param slippage: Percent the outcome may be worse than the quote and the vault's oracle; default 0.5,
            at most 5.
        :param max_impact: Percent that a trade may lose to the pool, compared with the vault's oracle, default
            1; a trade is as large as the pool bears.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "leader": leader,
            "max_usd": max_usd,
            "base": base,
            "ratio": ratio,
            "threshold": threshold,
            "max_weight": max_weight,
            "max_usd_interval": max_usd_interval,
            "interval": interval,
            "assets": assets,
            "without": without,
            "delay": delay,
            "slippage": slippage,
            "max_impact": max_impact,
            "protocol": protocol,
        }
        return cast(
            "SetFollowerResult", self._call(_SET_FOLLOWER, _body, options)
        )

    def get_followers(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetFollowersResult:
        """The leader that the vault follows, with the last reading, the trades and the history, fifty of each at
        most; and the vaults that this key's wallet has set to follow the vault.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "GetFollowersResult", self._call(_GET_FOLLOWERS, _body, options)
        )

    def remove_follower(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> RemoveFollowerResult:
        """End that the vault follows a leader, even when no node answers. It keeps what it holds; a trade that is
        already planned ends.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "RemoveFollowerResult", self._call(_REMOVE_FOLLOWER, _body, options)
        )

    def get_strategies(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetStrategiesResult:
        """The strategies that a bot of the vault may run, with their inputs; of one that cannot be loaded, why.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "GetStrategiesResult", self._call(_GET_STRATEGIES, _body, options)
        )

    def set_strategy_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        strategy: str,
        assets: Sequence[str],
        interval: str,
        max_usd: str,
        inputs: str | None = None,
        quote: str | None = None,
        tolerance: float | None = None,
        slippage: float | None = None,
        max_impact: float | None = None,
        min_trade_usd: str | None = None,
        platform: str | None = None,
        mode: Literal["paper", "live"] | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> SetStrategyBotResult:
        """Set a bot that trades the vault by a strategy, on paper unless `mode=live`. It decides when a candle
        closes, and runs the file as it is now: a change of the file pauses it. Trades are billed like the
        wallet's own.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param strategy: A strategy by the name of its file; getStrategies lists them.
        :param assets: The tokens that the strategy trades.
        :param interval: Length of a candle; the strategy decides each time that one closes. A time as `15m`,
            `6h`, `1d`, or `20blocks`.
        :param max_usd: The most in US dollars that one decision trades, sells and buys together.
        :param inputs: Values of the strategy's inputs, as `fast=12,slow=26`; defaults for those that are not
            named.
        :param quote: Asset that trades go through: a token symbol (for example USDC, WETH, WBTC) or a contract
            address.
        :param tolerance: Points that a weight may be off its target before it is traded, default 1.
        :param slippage: Percent the outcome may be worse than the quote and the vault's oracle; default 0.5,
            at most 5.
        :param max_impact: Percent that a trade may lose to its pool by the vault's oracle; only that part is
            made. Default as for setBot.
        :param min_trade_usd: Minimum value of a trade in US dollars, default 1.
        :param platform: Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is
            tried. `auto` (the default) walks the network's fallback chain. `best` quotes its venues side by
            side and takes the largest output. Retired venue names mean `auto`.
        :param mode: `paper`, the default, records decisions and the fills that it would have had; `live`
            trades.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "strategy": strategy,
            "assets": assets,
            "interval": interval,
            "max_usd": max_usd,
            "inputs": inputs,
            "quote": quote,
            "tolerance": tolerance,
            "slippage": slippage,
            "max_impact": max_impact,
            "min_trade_usd": min_trade_usd,
            "platform": platform,
            "mode": mode,
            "protocol": protocol,
        }
        return cast(
            "SetStrategyBotResult", self._call(_SET_STRATEGY_BOT, _body, options)
        )

    def get_strategy_bots(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetStrategyBotsResult:
        """The vault's strategy bots: terms, the last fifty decisions with their trades, candles and history.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "GetStrategyBotsResult", self._call(_GET_STRATEGY_BOTS, _body, options)
        )

    def delete_strategy_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        strategy: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> DeleteStrategyBotResult:
        """Delete a strategy bot of the vault, even when no node answers. A trade that is already planned ends.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param strategy: A strategy by the name of its file; getStrategies lists them.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "strategy": strategy,
            "protocol": protocol,
        }
        return cast(
            "DeleteStrategyBotResult", self._call(_DELETE_STRATEGY_BOT, _body, options)
        )

    def register_cex_subaccount(
        self,
        *,
        manager: str,
        signature: str,
        exchange: Literal["binance", "bitget", "gate", "kucoin", "okx"],
        subaccount_name: str,
        cex_api_key: str,
        cex_secret: str,
        cex_passphrase: str | None = None,
        payment_network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        settings: RegisterCEXSubaccountSettings | None = None,
        options: CallOptions | None = None,
    ) -> RegisterCEXSubaccountResult:
        """Connect an account at an exchange to a gas wallet. Its balances are read from the exchange before
        anything is stored; keys with withdrawal rights are refused if the exchange reports those rights.

        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param exchange: Exchange of the account: binance, bitget, gate, kucoin, okx.
        :param subaccount_name: Your name for the sub-account; 1 to 64 characters: letters, digits and . _ @ +
            -.
        :param cex_api_key: API key of the exchange, in the request body only. Stored encrypted, never shown
            again.
        :param cex_secret: Secret of the exchange's API key, in the request body only. Stored encrypted, never
            shown again.
        :param cex_passphrase: Passphrase of the exchange's API key, in the request body only. Stored
            encrypted, never shown again.
        :param payment_network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid,
            plasma. Case does not matter.
        :param settings: Settings of the account: a JSON object with no members other than testnet (true or
            false) and slippage (a percentage above 0 and at most 5). Default {"testnet":false,"slippage":0.5}.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "exchange": exchange,
            "subaccount_name": subaccount_name,
            "cex_api_key": cex_api_key,
            "cex_secret": cex_secret,
            "cex_passphrase": cex_passphrase,
            "payment_network": payment_network,
            "settings": settings,
        }
        return cast(
            "RegisterCEXSubaccountResult", self._call(_REGISTER_CEX_SUBACCOUNT, _body, options)
        )

    def set_cex_side(
        self,
        *,
        subaccount_name: str,
        pair: str,
        side: Literal["long", "neutral", "hold"],
        max_usd: str,
        share: float,
        strategy: Literal["custom", "trend"] | None = None,
        take_profit: float | None = None,
        stop_loss: float | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[SetCEXSideResult]:
        """Keep one side of a pair on an exchange account: sets the bot and starts a turn at once; an executed
        order is billed as an exchange trade.

        :param subaccount_name: Your name for the sub-account; 1 to 64 characters: letters, digits and . _ @ +
            -.
        :param pair: Pair as the exchange lists it, BASE-QUOTE.
        :param side: long: hold the base; neutral: hold the quote; hold: do nothing.
        :param max_usd: Maximum value of one order in US dollars.
        :param share: Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are
            given.
        :param strategy: custom (the default): the side set with setCEXSide; trend: long while the last daily
            candle closed above the mean of the last 50, else neutral.
        :param take_profit: Sell what the bot bought once the exchange's bid is this percentage above the
            average price paid. None without it.
        :param stop_loss: Sell what the bot bought once the exchange's bid is this percentage below the average
            price paid. None without it.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "subaccount_name": subaccount_name,
            "pair": pair,
            "side": side,
            "max_usd": max_usd,
            "share": share,
            "strategy": strategy,
            "take_profit": take_profit,
            "stop_loss": stop_loss,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[SetCEXSideResult]", self._call_write(_SET_CEX_SIDE, _body, options)
        )

    def get_cex_side(
        self,
        *,
        subaccount_name: str,
        pair: str | None = None,
        options: CallOptions | None = None,
    ) -> GetCEXSideResult:
        """The bots of an exchange account, or the bot of one pair: their settings and their last decision with
        its reason.

        :param subaccount_name: Your name for the sub-account; 1 to 64 characters: letters, digits and . _ @ +
            -.
        :param pair: Pair as the exchange lists it, BASE-QUOTE.
        """
        _body: dict[str, Any] = {
            "subaccount_name": subaccount_name,
            "pair": pair,
        }
        return cast(
            "GetCEXSideResult", self._call(_GET_CEX_SIDE, _body, options)
        )

    def set_cex_strategy(
        self,
        *,
        subaccount_name: str,
        pair: str,
        strategy: Literal["custom", "trend"],
        options: CallOptions | None = None,
    ) -> SetCEXStrategyResult:
        """Choose what sets an exchange bot's side: setCEXSide (custom) or a named strategy.

        :param subaccount_name: Your name for the sub-account; 1 to 64 characters: letters, digits and . _ @ +
            -.
        :param pair: Pair as the exchange lists it, BASE-QUOTE.
        :param strategy: custom (the default): the side set with setCEXSide; trend: long while the last daily
            candle closed above the mean of the last 50, else neutral.
        """
        _body: dict[str, Any] = {
            "subaccount_name": subaccount_name,
            "pair": pair,
            "strategy": strategy,
        }
        return cast(
            "SetCEXStrategyResult", self._call(_SET_CEX_STRATEGY, _body, options)
        )

    def deactivate_cex_bot(
        self,
        *,
        subaccount_name: str,
        pair: str,
        options: CallOptions | None = None,
    ) -> DeactivateCEXBotResult:
        """Stop an exchange bot and keep its configuration; setCEXSide reactivates it. An order in progress is
        tracked until it is final.

        :param subaccount_name: Your name for the sub-account; 1 to 64 characters: letters, digits and . _ @ +
            -.
        :param pair: Pair as the exchange lists it, BASE-QUOTE.
        """
        _body: dict[str, Any] = {
            "subaccount_name": subaccount_name,
            "pair": pair,
        }
        return cast(
            "DeactivateCEXBotResult", self._call(_DEACTIVATE_CEX_BOT, _body, options)
        )

    def delete_cex_bot(
        self,
        *,
        subaccount_name: str,
        pair: str,
        options: CallOptions | None = None,
    ) -> DeleteCEXBotResult:
        """Remove an exchange bot. An order in progress is tracked until it is final.

        :param subaccount_name: Your name for the sub-account; 1 to 64 characters: letters, digits and . _ @ +
            -.
        :param pair: Pair as the exchange lists it, BASE-QUOTE.
        """
        _body: dict[str, Any] = {
            "subaccount_name": subaccount_name,
            "pair": pair,
        }
        return cast(
            "DeleteCEXBotResult", self._call(_DELETE_CEX_BOT, _body, options)
        )

    def delete_cex_subaccount(
        self,
        *,
        manager: str,
        signature: str,
        subaccount_name: str,
        options: CallOptions | None = None,
    ) -> DeleteCEXSubaccountResult:
        """Remove an exchange account, its credentials and all its bots. Signed by the manager who connected it.

        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param subaccount_name: Your name for the sub-account; 1 to 64 characters: letters, digits and . _ @ +
            -.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "subaccount_name": subaccount_name,
        }
        return cast(
            "DeleteCEXSubaccountResult", self._call(_DELETE_CEX_SUBACCOUNT, _body, options)
        )

    def get_all_cex_subaccounts(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        options: CallOptions | None = None,
    ) -> GetAllCEXSubaccountsResult:
        """The exchange accounts of the key's wallet, or all that the signing manager registered, with their bots.
        Credentials are never shown.

        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
        }
        return cast(
            "GetAllCEXSubaccountsResult", self._call(_GET_ALL_CEX_SUBACCOUNTS, _body, options)
        )

    def get_cex_orders(
        self,
        *,
        subaccount_name: str,
        pair: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> GetCEXOrdersResult:
        """The turns and orders of an exchange account, newest first, in pages: decisions, orders sent and fills.

        :param subaccount_name: Your name for the sub-account; 1 to 64 characters: letters, digits and . _ @ +
            -.
        :param pair: Pair as the exchange lists it, BASE-QUOTE.
        :param limit: Rows per page, 1 to 100, default 20.
        :param cursor: Start of the next page: the `cursor` of the previous page.
        """
        _body: dict[str, Any] = {
            "subaccount_name": subaccount_name,
            "pair": pair,
            "limit": limit,
            "cursor": cursor,
        }
        return cast(
            "GetCEXOrdersResult", self._call(_GET_CEX_ORDERS, _body, options)
        )

    def get_candles(
        self,
        *,
        exchange: str | None = None,
        pair: str | None = None,
        timeframe: str | None = None,
        bars_back: int | None = None,
        before: int | None = None,
        options: CallOptions | None = None,
    ) -> GetCandlesResult:
        """Closed OHLCV candles of a pair on an exchange, oldest first; stored here, so that the history is kept.

        :param exchange: Exchange, by its id in ccxt; default coinbase.
        :param pair: Pair, BASE-QUOTE; default BTC-USD.
        :param timeframe: Length of a candle; default 6h.
        :param bars_back: Number of candles, 1 to 1000; default 200.
        :param before: Only candles that began before this time (unix seconds), for paging back in time.
        """
        _body: dict[str, Any] = {
            "exchange": exchange,
            "pair": pair,
            "timeframe": timeframe,
            "bars_back": bars_back,
            "before": before,
        }
        return cast(
            "GetCandlesResult", self._call(_GET_CANDLES, _body, options)
        )

    def get_ticks(
        self,
        *,
        exchange: str | None = None,
        pair: str | None = None,
        options: CallOptions | None = None,
    ) -> GetTicksResult:
        """Latest price of a pair on an exchange.

        :param exchange: Exchange, by its id in ccxt; default coinbase.
        :param pair: Pair, BASE-QUOTE; default BTC-USD.
        """
        _body: dict[str, Any] = {
            "exchange": exchange,
            "pair": pair,
        }
        return cast(
            "GetTicksResult", self._call(_GET_TICKS, _body, options)
        )

    def get_intent(
        self,
        *,
        intent_id: str,
        options: CallOptions | None = None,
    ) -> GetIntentResult:
        """Returns the state of one accepted request, its transaction and, once final, its result or failure.

        :param intent_id: Id of an intent: the `intent_id` of an earlier response.
        """
        _body: dict[str, Any] = {
            "intent_id": intent_id,
        }
        return cast(
            "GetIntentResult", self._call(_GET_INTENT, _body, options)
        )

    def get_intents(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        pool: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> GetIntentsResult:
        """The wallet's accepted requests and the turns of its exchange bots, newest first, in pages. With
        `network` or `pool`, only those of that network or vault.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param limit: Rows per page, 1 to 100, default 20.
        :param cursor: Start of the next page: the `cursor` of the previous page.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "limit": limit,
            "cursor": cursor,
        }
        return cast(
            "GetIntentsResult", self._call(_GET_INTENTS, _body, options)
        )

    def eth_price(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> EthPriceResult:
        """The USD price of one ether, checked against a second source.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        """
        _body: dict[str, Any] = {
            "network": network,
        }
        return cast(
            "EthPriceResult", self._call(_ETH_PRICE, _body, options)
        )

    def token_price(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        token: str | None = None,
        asset: str | None = None,
        options: CallOptions | None = None,
    ) -> TokenPriceResult:
        """The USD price of one whole token of a network, by default the native one, checked against a second
        source.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param token: Token, by default the network's native one: a token symbol (for example USDC, WETH, WBTC)
            or a contract address.
        :param asset: The same as token: a token symbol (for example USDC, WETH, WBTC) or a contract address.
        """
        _body: dict[str, Any] = {
            "network": network,
            "token": token,
            "asset": asset,
        }
        return cast(
            "TokenPriceResult", self._call(_TOKEN_PRICE, _body, options)
        )

    def calculate_fee(
        self,
        *,
        action: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        options: CallOptions | None = None,
    ) -> CalculateFeeResult:
        """The price of an action on a network, in USD and in native token now.

        :param action: Action: the name of an endpoint (for example vaultTrade) or a price class (trade,
            approve, lend, …), as listed by all-actions.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        """
        _body: dict[str, Any] = {
            "action": action,
            "network": network,
        }
        return cast(
            "CalculateFeeResult", self._call(_CALCULATE_FEE, _body, options)
        )

    def api_cex_calculate_fee(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> ApiCexCalculateFeeResult:
        """The price of a trade at an exchange, in USD and in the native token of the payment network now.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        """
        _body: dict[str, Any] = {
            "network": network,
        }
        return cast(
            "ApiCexCalculateFeeResult", self._call(_API_CEX_CALCULATE_FEE, _body, options)
        )

    def all_actions(
        self,
        *,
        options: CallOptions | None = None,
    ) -> AllActionsResult:
        """Every action with its price class and price.
        """
        _body: dict[str, Any] = {}
        return cast(
            "AllActionsResult", self._call(_ALL_ACTIONS, _body, options)
        )

    def test(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        options: CallOptions | None = None,
    ) -> TestResult:
        """Check that a network is served, and how fresh its newest block is.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        """
        _body: dict[str, Any] = {
            "network": network,
        }
        return cast(
            "TestResult", self._call(_TEST, _body, options)
        )

    def api_cex_charge_fee(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        action: str | None = None,
        order_id: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[ApiCexChargeFeeResult]:
        """Charge the wallet for a trade at an exchange, once per order; the charge is paid with the wallet's
        other charges.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param action: Action: the name of an endpoint (for example vaultTrade) or a price class (trade,
            approve, lend, …), as listed by all-actions.
        :param order_id: Your name for the order, for example the exchange's order id. An order is charged
            once, even if the request is repeated. Without it, idempotency_key is required.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "network": network,
            "action": action,
            "order_id": order_id,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[ApiCexChargeFeeResult]", self._call_write(_API_CEX_CHARGE_FEE, _body, options)
        )

    def api_cex_charge_fee_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        action: str | None = None,
        order_id: str | None = None,
        options: CallOptions | None = None,
    ) -> ApiCexChargeFeeDryRun:
        """Plan only: Charge the wallet for a trade at an exchange, once per order; the charge is paid with the
        wallet's other charges.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param action: Action: the name of an endpoint (for example vaultTrade) or a price class (trade,
            approve, lend, …), as listed by all-actions.
        :param order_id: Your name for the order, for example the exchange's order id. An order is charged
            once, even if the request is repeated. Without it, idempotency_key is required.
        """
        _body: dict[str, Any] = {
            "network": network,
            "action": action,
            "order_id": order_id,
            "dryRun": True,
        }
        return cast(
            "ApiCexChargeFeeDryRun", self._call(_API_CEX_CHARGE_FEE, _body, options)
        )

    def get_charges(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        format: Literal["json", "csv"] | None = None,
        options: CallOptions | None = None,
    ) -> GetChargesResult:
        """The wallet's charges, newest first, in pages: each with its price and payment status.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param from_: Start of the period, inclusive; default: from the beginning. A day (2026-11-20), a time
            in UTC (2026-11-20T10:00:00Z) or unix seconds.
        :param to: End of the period, exclusive; default: until now. A day (2026-11-20), a time in UTC
            (2026-11-20T10:00:00Z) or unix seconds.
        :param limit: Rows per page, 1 to 100, default 50.
        :param cursor: Start of the next page: the `cursor` of the previous page.
        :param format: `csv` also returns the rows as a table, as text in the field `csv`; default json.
        """
        _body: dict[str, Any] = {
            "network": network,
            "from": from_,
            "to": to,
            "limit": limit,
            "cursor": cursor,
            "format": format,
        }
        return cast(
            "GetChargesResult", self._call(_GET_CHARGES, _body, options)
        )

    def get_report(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        format: Literal["json", "csv"] | None = None,
        options: CallOptions | None = None,
    ) -> GetReportResult:
        """The wallet's activity on one vault, day by day: fees, gas, slippage against the oracle, and the gain of
        the vault's token.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param protocol: Vault platform; the default protocol or its alias.
        :param from_: Start of the period, inclusive; default: from the beginning. A day (2026-11-20), a time
            in UTC (2026-11-20T10:00:00Z) or unix seconds.
        :param to: End of the period, exclusive; default: until now. A day (2026-11-20), a time in UTC
            (2026-11-20T10:00:00Z) or unix seconds.
        :param format: `csv` also returns the rows as a table, as text in the field `csv`; default json.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
            "from": from_,
            "to": to,
            "format": format,
        }
        return cast(
            "GetReportResult", self._call(_GET_REPORT, _body, options)
        )

    def signing_payload(
        self,
        *,
        action: str,
        manager: str,
        subject: str | None = None,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        params: dict[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> SigningPayloadResult:
        """Returns the EIP-712 typed data that a manager signs, and the prefix that turns the signature into a
        `signature` parameter.

        :param action: The action to sign: the name of an endpoint that takes `signature`.
        :param manager: Address of the manager, 0x + 40 hex characters.
        :param subject: The subject of the action: the gas wallet's address or a sub-account's name; by default
            the manager's own address.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param params: The request's own parameters, as an object; the signature covers all of them. A secret
            may be given as `sha256:` and the hex of its SHA-256. In the request body only.
        """
        _body: dict[str, Any] = {
            "action": action,
            "manager": manager,
            "subject": subject,
            "network": network,
            "params": params,
        }
        return cast(
            "SigningPayloadResult", self._call(_SIGNING_PAYLOAD, _body, options)
        )

    def associate_gas_wallet(
        self,
        *,
        manager: str,
        signature: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        label: str | None = None,
        private_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AssociateGasWalletResult:
        """Add the key's wallet to the manager's list; the signature's subject is the wallet's address. For a new
        wallet the key suffices; any other needs its private key, or a manager who manages every vault it
        trades.

        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param network: The network of a manager that is a contract wallet: its signature is valid only there.
            Without it the request covers all networks, which only an account can sign.
        :param label: A name for it, for people: 1 to 64 characters.
        :param private_key: The wallet's private key, in the request body only. For a wallet that holds gas and
            nothing else.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "network": network,
            "label": label,
            "privateKey": private_key,
        }
        return cast(
            "AssociateGasWalletResult", self._call(_ASSOCIATE_GAS_WALLET, _body, options)
        )

    def deassociate_gas_wallet(
        self,
        *,
        wallet: str,
        manager: str,
        signature: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> DeassociateGasWalletResult:
        """Remove a wallet from the manager's list; the signature's subject is the wallet's address.

        :param wallet: Address of the gas wallet, 0x + 40 hex characters.
        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param network: The network of a manager that is a contract wallet: its signature is valid only there.
            Without it the request covers all networks, which only an account can sign.
        """
        _body: dict[str, Any] = {
            "wallet": wallet,
            "manager": manager,
            "signature": signature,
            "network": network,
        }
        return cast(
            "DeassociateGasWalletResult", self._call(_DEASSOCIATE_GAS_WALLET, _body, options)
        )

    def get_associated_gas_wallets(
        self,
        *,
        manager: str,
        signature: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> GetAssociatedGasWalletsResult:
        """The wallets in the manager's list; the signature's subject is the manager's own address.

        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param network: The network of a manager that is a contract wallet: its signature is valid only there.
            Without it the request covers all networks, which only an account can sign.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "network": network,
        }
        return cast(
            "GetAssociatedGasWalletsResult", self._call(_GET_ASSOCIATED_GAS_WALLETS, _body, options)
        )

    def set_key_limits(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        wallet: str | None = None,
        vaults: Sequence[str] | None = None,
        max_usd_per_trade: str | None = None,
        max_usd_per_day: str | None = None,
        read_only: bool | None = None,
        options: CallOptions | None = None,
    ) -> SetKeyLimitsResult:
        """Set the limits of a wallet's key, which rotation keeps. With the key, limits can only be lowered; with
        a signature (subject: the wallet), the manager who set them may also raise them.

        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param network: The network of a manager that is a contract wallet: its signature is valid only there.
            Without it the request covers all networks, which only an account can sign.
        :param wallet: Address of the gas wallet, 0x + 40 hex characters.
        :param vaults: The only vaults the wallet's key may write to, as network/address; `any` removes the
            limit.
        :param max_usd_per_trade: Maximum US dollars that one write may sell, or `off`.
        :param max_usd_per_day: Maximum US dollars that the writes of one day (UTC) may sell together, or
            `off`.
        :param read_only: Allow reads and refuse writes.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "network": network,
            "wallet": wallet,
            "vaults": vaults,
            "max_usd_per_trade": max_usd_per_trade,
            "max_usd_per_day": max_usd_per_day,
            "read_only": read_only,
        }
        return cast(
            "SetKeyLimitsResult", self._call(_SET_KEY_LIMITS, _body, options)
        )

    def get_audit_log(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        wallet: str | None = None,
        action: Literal[
            "wallet.created",
            "wallet.imported",
            "wallet.purged",
            "key.issued",
            "key.revoked",
            "key.sub_created",
            "key.sub_revoked",
            "wallet.added",
            "wallet.associated",
            "wallet.removed",
            "wallet.renamed",
            "limits.lowered",
            "limits.raised",
            "switch.on",
            "switch.off",
            "token.created",
            "token.set",
            "token.revoked",
            "webhook.set",
            "webhook.deleted",
            "channel.set",
            "channel.bound",
            "channel.deleted",
            "channel.command",
            "exchange.registered",
            "exchange.deleted",
            "bot.set",
            "bot.paused",
            "bot.deleted",
            "order.placed",
            "order.amended",
            "order.cancelled",
            "guardian.set",
            "guardian.tripped",
            "guardian.reset",
            "guardian.deleted",
            "follower.set",
            "follower.stopped",
            "follower.removed",
            "group.set",
            "group.removed",
            "vault.linked",
            "vault.unlinked",
            "lane.quarantined",
            "lane.released",
            "kek.rewrapped",
            "session.opened",
            "session.closed",
            "row.refused",
            "row.set_aside",
            "transactions.signed",
            "approval.requested",
            "approval.voted",
            "approval.decided",
            "audit.sealed",
        ] | None = None,
        limit: int | None = None,
        cursor: int | None = None,
        options: CallOptions | None = None,
    ) -> GetAuditLogResult:
        """The audit log, newest first, of the key's wallet or of every wallet in the manager's list: changes of
        keys, limits, switches, bots and managers, and signed transactions.

        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param network: The network of a manager that is a contract wallet: its signature is valid only there.
            Without it the request covers all networks, which only an account can sign.
        :param wallet: Address of the gas wallet; default: all, 0x + 40 hex characters.
        :param action: Only entries of this action.
        :param limit: Rows per page, 1 to 100, default 50.
        :param cursor: Start of the next page: the `cursor` of the previous page.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "network": network,
            "wallet": wallet,
            "action": action,
            "limit": limit,
            "cursor": cursor,
        }
        return cast(
            "GetAuditLogResult", self._call(_GET_AUDIT_LOG, _body, options)
        )

    def get_wallet_authority(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        wallet: str | None = None,
        private_key: str | None = None,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> GetWalletAuthorityResult:
        """Everything that can act for a wallet: its API key and sub-keys, managers and their sessions, chart
        alert tokens, webhooks, channels, bots, orders, guardians, followers, exchange accounts, delegations;
        its limits and switches; and when each was last used. For the wallet's API key, a manager of its list
        (subject: the wallet), or its private key, for instance before rotation.

        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param wallet: Address of the gas wallet, 0x + 40 hex characters.
        :param private_key: The wallet's private key, in the request body only. For a wallet that holds gas and
            nothing else.
        :param network: The network of a manager that is a contract wallet: its signature is valid only there.
            Without it the request covers all networks, which only an account can sign.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "wallet": wallet,
            "privateKey": private_key,
            "network": network,
        }
        return cast(
            "GetWalletAuthorityResult", self._call(_GET_WALLET_AUTHORITY, _body, options)
        )

    def create_sub_key(
        self,
        *,
        label: str | None = None,
        scopes: Sequence[str] | None = None,
        endpoints: Sequence[str] | None = None,
        vaults: Sequence[str] | None = None,
        max_usd_per_trade: str | None = None,
        max_usd_per_day: str | None = None,
        sources: Sequence[str] | None = None,
        days: int | None = None,
        options: CallOptions | None = None,
    ) -> CreateSubKeyResult:
        """Make a sub-key: an API key for an agent or a script that acts for the same wallet within bounds of its
        own, and ends with the key that made it. It reads only, unless `scopes` allows changes. It is shown
        only once.

        :param label: A name for it, for people: 1 to 64 characters.
        :param scopes: The changes that the sub-key may make: trade, lend, liquidity, perpetuals, fees,
            switches; without any it only reads.
        :param endpoints: The only endpoints that the sub-key may call; without it, all reads and all changes
            of its scopes.
        :param vaults: The only vaults that the sub-key's requests may be about; `any` for all.
        :param max_usd_per_trade: Maximum US dollars that one request may sell; by default max_usd_per_day.
        :param max_usd_per_day: Maximum US dollars that the requests of one day (UTC) may sell together;
            required where it may sell.
        :param sources: The only addresses of clients from which the sub-key counts; without it, any.
        :param days: Days until the sub-key ends; 7 by default, at most 90.
        """
        _body: dict[str, Any] = {
            "label": label,
            "scopes": scopes,
            "endpoints": endpoints,
            "vaults": vaults,
            "max_usd_per_trade": max_usd_per_trade,
            "max_usd_per_day": max_usd_per_day,
            "sources": sources,
            "days": days,
        }
        return cast(
            "CreateSubKeyResult", self._call(_CREATE_SUB_KEY, _body, options)
        )

    def get_sub_keys(
        self,
        *,
        options: CallOptions | None = None,
    ) -> GetSubKeysResult:
        """The sub-keys of the key's wallet that have not ended, without the keys themselves.
        """
        _body: dict[str, Any] = {}
        return cast(
            "GetSubKeysResult", self._call(_GET_SUB_KEYS, _body, options)
        )

    def revoke_sub_key(
        self,
        *,
        sub_key_id: str,
        options: CallOptions | None = None,
    ) -> RevokeSubKeyResult:
        """End a sub-key of the key's wallet, or all of them, at once.

        :param sub_key_id: The sub-key's `sub_key_id`, or `all` for all sub-keys of the wallet.
        """
        _body: dict[str, Any] = {
            "sub_key_id": sub_key_id,
        }
        return cast(
            "RevokeSubKeyResult", self._call(_REVOKE_SUB_KEY, _body, options)
        )

    def get_approvals(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        all: bool | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> GetApprovalsResult:
        """Changes that wait for approvals, newest first: an approver sees all of them, others those about their
        wallets. `all` adds those that ended.

        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param network: The network of a manager that is a contract wallet: its signature is valid only there.
            Without it the request covers all networks, which only an account can sign.
        :param all: Also return requests that are no longer open.
        :param limit: Rows per page, 1 to 100, default 50.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "network": network,
            "all": all,
            "limit": limit,
        }
        return cast(
            "GetApprovalsResult", self._call(_GET_APPROVALS, _body, options)
        )

    def approve_change(
        self,
        *,
        request: str,
        change: str,
        manager: str,
        signature: str,
        options: CallOptions | None = None,
    ) -> ApproveChangeResult:
        """Approve a change as one of the service's approvers; the signature's subject is the change with its
        digest.

        :param request: Id of the request, from getApprovals.
        :param change: The change in words with its digest, exactly as getApprovals returns it as `change`; the
            signature's subject.
        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        """
        _body: dict[str, Any] = {
            "request": request,
            "change": change,
            "manager": manager,
            "signature": signature,
        }
        return cast(
            "ApproveChangeResult", self._call(_APPROVE_CHANGE, _body, options)
        )

    def veto_change(
        self,
        *,
        request: str,
        change: str,
        manager: str,
        signature: str,
        options: CallOptions | None = None,
    ) -> VetoChangeResult:
        """Veto a change as one of the service's approvers, which ends its request; nothing is changed.

        :param request: Id of the request, from getApprovals.
        :param change: The change in words with its digest, exactly as getApprovals returns it as `change`; the
            signature's subject.
        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        """
        _body: dict[str, Any] = {
            "request": request,
            "change": change,
            "manager": manager,
            "signature": signature,
        }
        return cast(
            "VetoChangeResult", self._call(_VETO_CHANGE, _body, options)
        )

    def create_webhook_token(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        pair: str,
        label: str | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> CreateWebhookTokenResult:
        """Create a token for a chart alert's URL: it sets the side of this vault's bot on this pair and can do
        nothing else. It is shown only once.

        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param pair: Pair to keep a side of, BASE-QUOTE; `-`, `/` or `_` between two assets by symbol or
            address.
        :param label: A name for it, for people: 1 to 64 characters.
        :param protocol: Vault platform; the default protocol or its alias.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "pair": pair,
            "label": label,
            "protocol": protocol,
        }
        return cast(
            "CreateWebhookTokenResult", self._call(_CREATE_WEBHOOK_TOKEN, _body, options)
        )

    def revoke_webhook_token(
        self,
        *,
        token_id: str,
        options: CallOptions | None = None,
    ) -> RevokeWebhookTokenResult:
        """Revoke a webhook token of the key's wallet, or all of them, at once.

        :param token_id: The token's `token_id`, or `all` for all tokens of the wallet.
        """
        _body: dict[str, Any] = {
            "token_id": token_id,
        }
        return cast(
            "RevokeWebhookTokenResult", self._call(_REVOKE_WEBHOOK_TOKEN, _body, options)
        )

    def get_webhook_tokens(
        self,
        *,
        options: CallOptions | None = None,
    ) -> GetWebhookTokensResult:
        """The webhook tokens of the key's wallet, without the tokens themselves.
        """
        _body: dict[str, Any] = {}
        return cast(
            "GetWebhookTokensResult", self._call(_GET_WEBHOOK_TOKENS, _body, options)
        )

    def set_webhook_token(
        self,
        *,
        token_id: str,
        muted: bool | None = None,
        quiet_hours: str | None = None,
        sources: str | None = None,
        rate: str | None = None,
        max_age: str | None = None,
        bots: Sequence[dict[str, Any]] | None = None,
        options: CallOptions | None = None,
    ) -> SetWebhookTokenResult:
        """Set when a webhook token's alerts count, and which bots they drive; what is not given stays as it is.

        :param token_id: The token's `token_id`.
        :param muted: Refuse all alerts of the token.
        :param quiet_hours: Hours of each day in which alerts are refused, FROM-TO and a time zone (UTC if
            none); none removes them.
        :param sources: The only sources whose alerts count: addresses, blocks (CIDR), or the name of a
            charting service (tradingview) for the addresses that it publishes, separated by commas; none
            allows all.
        :param rate: Alerts that count in a minute; further ones are refused; none removes the limit.
        :param max_age: Maximum age of an alert in seconds after its own `timestamp`, which it then has to
            have; none removes it.
        :param bots: The bots that each alert drives, at most 20, in place of the token's own; an empty list
            names its own again. A threshold bot is {network, pool, pair, weight?}; an exchange bot
            {subaccount, pair, weight?}; an index bot {network, pool, index: {long: targets, neutral: targets,
            …}} with targets as in setIndexBot. `weight` is the percent of the wrong side's balance that one
            trade sells; an alert's own percentage is taken of it, and refused at a bot without a weight.
        """
        _body: dict[str, Any] = {
            "token_id": token_id,
            "muted": muted,
            "quiet_hours": quiet_hours,
            "sources": sources,
            "rate": rate,
            "max_age": max_age,
            "bots": bots,
        }
        return cast(
            "SetWebhookTokenResult", self._call(_SET_WEBHOOK_TOKEN, _body, options)
        )

    def webhook(
        self,
        *,
        token: str,
        side: Literal[
            "long",
            "buy",
            "short",
            "open",
            "neutral",
            "flat",
            "sell",
            "close",
            "exit",
            "hold",
        ] | None = None,
        action: Literal[
            "long",
            "buy",
            "short",
            "open",
            "neutral",
            "flat",
            "sell",
            "close",
            "exit",
            "hold",
        ] | None = None,
        market_position: Literal[
            "long",
            "buy",
            "short",
            "open",
            "neutral",
            "flat",
            "sell",
            "close",
            "exit",
            "hold",
        ] | None = None,
        alert: str | None = None,
        percent: float | None = None,
        timestamp: str | None = None,
        max_lag: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[WebhookResult]:
        """Receives chart alerts: sets the side of the token's bots, which keep their other settings, and begins a
        rebalance.

        :param token: The token, as createWebhookToken returned it.
        :param side: The side: long, buy and open mean long; sell, close, flat, exit and neutral mean neutral;
            short means short; hold does nothing.
        :param action: The order in the chart's terms (TradingView's {{strategy.order.action}}), read where
            neither `side` nor `market_position` is given: long, buy and open mean long; sell, close, flat,
            exit and neutral mean neutral; short means short; hold does nothing.
        :param market_position: The position after the order in the chart's terms (TradingView's
            {{strategy.market_position}}): long, buy and open mean long; sell, close, flat, exit and neutral
            mean neutral; short means short; hold does nothing.
        :param alert: A body that is plain text: a word for a side, alone or with a percentage, a price and a
            ticker, or TradingView's text of a strategy's order; read where no other parameter names a side.
        :param percent: Percent of the bot's weight (setWebhookToken): the result is the bot's share from now
            on. Refused at a bot without a weight, except 100.
        :param timestamp: Time of the alert (TradingView's {{timenow}}): unix seconds or milliseconds, or ISO
            8601.
        :param max_lag: Maximum age of an alert in seconds after `timestamp`; an older one is refused and has
            no effect.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "token": token,
            "side": side,
            "action": action,
            "market_position": market_position,
            "alert": alert,
            "percent": percent,
            "timestamp": timestamp,
            "max_lag": max_lag,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[WebhookResult]", self._call_write(_WEBHOOK, _body, options)
        )

    def test_webhook(
        self,
        *,
        token: str,
        side: Literal[
            "long",
            "buy",
            "short",
            "open",
            "neutral",
            "flat",
            "sell",
            "close",
            "exit",
            "hold",
        ] | None = None,
        action: Literal[
            "long",
            "buy",
            "short",
            "open",
            "neutral",
            "flat",
            "sell",
            "close",
            "exit",
            "hold",
        ] | None = None,
        market_position: Literal[
            "long",
            "buy",
            "short",
            "open",
            "neutral",
            "flat",
            "sell",
            "close",
            "exit",
            "hold",
        ] | None = None,
        alert: str | None = None,
        percent: float | None = None,
        timestamp: str | None = None,
        max_lag: int | None = None,
        options: CallOptions | None = None,
    ) -> TestWebhookResult:
        """Returns what an alert with this body would do; nothing is stored and nothing is traded.

        :param token: The token, as createWebhookToken returned it.
        :param side: The side: long, buy and open mean long; sell, close, flat, exit and neutral mean neutral;
            short means short; hold does nothing.
        :param action: The order in the chart's terms (TradingView's {{strategy.order.action}}), read where
            neither `side` nor `market_position` is given: long, buy and open mean long; sell, close, flat,
            exit and neutral mean neutral; short means short; hold does nothing.
        :param market_position: The position after the order in the chart's terms (TradingView's
            {{strategy.market_position}}): long, buy and open mean long; sell, close, flat, exit and neutral
            mean neutral; short means short; hold does nothing.
        :param alert: A body that is plain text: a word for a side, alone or with a percentage, a price and a
            ticker, or TradingView's text of a strategy's order; read where no other parameter names a side.
        :param percent: Percent of the bot's weight (setWebhookToken): the result is the bot's share from now
            on. Refused at a bot without a weight, except 100.
        :param timestamp: Time of the alert (TradingView's {{timenow}}): unix seconds or milliseconds, or ISO
            8601.
        :param max_lag: Maximum age of an alert in seconds after `timestamp`; an older one is refused and has
            no effect.
        """
        _body: dict[str, Any] = {
            "token": token,
            "side": side,
            "action": action,
            "market_position": market_position,
            "alert": alert,
            "percent": percent,
            "timestamp": timestamp,
            "max_lag": max_lag,
        }
        return cast(
            "TestWebhookResult", self._call(_TEST_WEBHOOK, _body, options)
        )

    def get_signals(
        self,
        *,
        token_id: str | None = None,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        pool: str | None = None,
        state: Literal["accepted", "waiting", "ignored", "refused"] | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> GetSignalsResult:
        """The signals that came for the wallet's bots (chart alerts, setBot and replays), newest first, in pages:
        body, what was understood, and the result at each bot.

        :param token_id: Only alerts of this webhook token: its `token_id`.
        :param network: Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma.
            Case does not matter.
        :param pool: Vault address, 0x + 40 hex characters.
        :param state: Only signals in this state: accepted, waiting (for a node), ignored (a duplicate) or
            refused.
        :param since: Only signals from this time on.
        :param until: Only signals before this time.
        :param limit: Rows per page, 1 to 100, default 20.
        :param cursor: Start of the next page: the `cursor` of the previous page.
        """
        _body: dict[str, Any] = {
            "token_id": token_id,
            "network": network,
            "pool": pool,
            "state": state,
            "since": since,
            "until": until,
            "limit": limit,
            "cursor": cursor,
        }
        return cast(
            "GetSignalsResult", self._call(_GET_SIGNALS, _body, options)
        )

    def replay_signal(
        self,
        *,
        signal_id: str,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> Write[ReplaySignalResult]:
        """Carry out a refused or ignored chart alert as a new signal, at most once, whatever the rules of its
        token say; a repeat returns the first replay.

        :param signal_id: The signal's `signal_id`, as getSignals returned it.
        :param idempotency_key: Makes a repeat safe: the same key and the same request return the same intent.
            Also accepted as the `Idempotency-Key` header.
        """
        _body: dict[str, Any] = {
            "signal_id": signal_id,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "Write[ReplaySignalResult]", self._call_write(_REPLAY_SIGNAL, _body, options)
        )

    def set_webhook(
        self,
        *,
        url: str,
        manager: str | None = None,
        signature: str | None = None,
        events: Sequence[Literal[
            "intent.succeeded",
            "intent.failed",
            "intent.reopened",
            "order.triggered",
            "order.filled",
            "order.ended",
            "exchange.filled",
            "exchange.failed",
            "exchange.triggered",
            "index.drifted",
            "gas.low",
            "bot.paused",
            "signing.stopped",
            "signing.resumed",
            "wallet.alert",
            "lane.released",
            "authority.changed",
            "health.low",
            "health.recovered",
            "guardian.tripped",
            "guardian.cleared",
            "guardian.failed",
            "follower.stopped",
            "follower.failed",
            "strategy.paused",
            "charge.booked",
            "charge.paid",
            "network.down",
            "network.recovered",
            "approval.requested",
            "approval.decided",
        ]] | None = None,
        options: CallOptions | None = None,
    ) -> SetWebhookResult:
        """Post events to a URL, signed per Standard Webhooks; the secret is shown only in this response. Setting
        the same URL again creates a new secret.

        :param url: Where events are posted: an https URL whose host is on the public internet.
        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param events: Types of events; default all of them; docs/webhooks.md lists them.
        """
        _body: dict[str, Any] = {
            "url": url,
            "manager": manager,
            "signature": signature,
            "events": events,
        }
        return cast(
            "SetWebhookResult", self._call(_SET_WEBHOOK, _body, options)
        )

    def delete_webhook(
        self,
        *,
        webhook_id: str,
        manager: str | None = None,
        signature: str | None = None,
        options: CallOptions | None = None,
    ) -> DeleteWebhookResult:
        """Delete a webhook and its pending deliveries.

        :param webhook_id: The webhook's `webhook_id`.
        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        """
        _body: dict[str, Any] = {
            "webhook_id": webhook_id,
            "manager": manager,
            "signature": signature,
        }
        return cast(
            "DeleteWebhookResult", self._call(_DELETE_WEBHOOK, _body, options)
        )

    def get_webhooks(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        options: CallOptions | None = None,
    ) -> GetWebhooksResult:
        """The webhooks of the key's wallet, or of the manager, without their secrets.

        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
        }
        return cast(
            "GetWebhooksResult", self._call(_GET_WEBHOOKS, _body, options)
        )

    def get_webhook_deliveries(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        webhook_id: str | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> GetWebhookDeliveriesResult:
        """The newest deliveries of the owner's webhooks, with the outcome of each and the time of its next
        attempt.

        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param webhook_id: The webhook's `webhook_id`.
        :param limit: Rows per page, 1 to 100, default 20.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "webhook_id": webhook_id,
            "limit": limit,
        }
        return cast(
            "GetWebhookDeliveriesResult", self._call(_GET_WEBHOOK_DELIVERIES, _body, options)
        )

    def create_channel(
        self,
        *,
        kind: Literal["telegram", "discord", "slack", "email", "ntfy", "http", "push"],
        name: str,
        manager: str | None = None,
        signature: str | None = None,
        events: Sequence[Literal[
            "intent.succeeded",
            "intent.failed",
            "intent.reopened",
            "order.triggered",
            "order.filled",
            "order.ended",
            "exchange.filled",
            "exchange.failed",
            "exchange.triggered",
            "index.drifted",
            "gas.low",
            "bot.paused",
            "signing.stopped",
            "signing.resumed",
            "wallet.alert",
            "lane.released",
            "authority.changed",
            "health.low",
            "health.recovered",
            "guardian.tripped",
            "guardian.cleared",
            "guardian.failed",
            "follower.stopped",
            "follower.failed",
            "strategy.paused",
            "charge.booked",
            "charge.paid",
            "network.down",
            "network.recovered",
            "approval.requested",
            "approval.decided",
        ]] | None = None,
        url: str | None = None,
        access_token: str | None = None,
        subscription: CreateChannelSubscription | None = None,
        smtp_host: str | None = None,
        smtp_port: int | None = None,
        smtp_user: str | None = None,
        smtp_password: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        quiet_hours: str | None = None,
        digest_minutes: int | None = None,
        max_per_hour: int | None = None,
        commands: Literal["none", "status", "pause", "resume"] | None = None,
        templates: dict[str, Any] | None = None,
        enabled: bool | None = None,
        options: CallOptions | None = None,
    ) -> CreateChannelResult:
        """Send events to Telegram, Discord, Slack, an e-mail address, an ntfy topic, a browser or a URL. Of
        telegram the response has a one-time code that the owner sends to the bot; the chat gets nothing
        before.

        :param kind: Where messages go: telegram, discord, slack, email, ntfy, http, push.
        :param name: Your name for the channel; 1 to 64 characters: letters, digits, spaces and . _ -.
        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param events: Types of events; default all of them; docs/webhooks.md lists them.
        :param url: Of discord and slack the webhook's URL, of ntfy the topic's, of http the receiver's, in the
            request body only. Stored encrypted, never shown again.
        :param access_token: Of telegram the bot's token; of ntfy and http an access token, which is sent as a
            bearer token, in the request body only. Stored encrypted, never shown again.
        :param subscription: Of push a browser's subscription, in the request body only: what
            `PushSubscription.toJSON()` returns, with `vapid`, the P-256 key pair that it was made with, and
            `contact`, a mailto: or https: address of the operator. Stored encrypted, never shown again.
        :param smtp_host: Of email the mail server's name.
        :param smtp_port: Of email the mail server's port: 465 for TLS from the start, 587 (the default), 25 or
            2525 for STARTTLS.
        :param smtp_user: Of email the user name at the mail server.
        :param smtp_password: Of email the password of the mail server, in the request body only. Stored
            encrypted, never shown again.
        :param from_: Of email the address that messages come from.
        :param to: Of email the address that messages go to.
        :param quiet_hours: Hours of each day in which only urgent events are sent, with an IANA time zone
            (default UTC): `22:00-07:00 Europe/Berlin`; `none` ends them. What they hold is one message
            afterwards.
        :param digest_minutes: Minutes for which events that are not urgent are collected into one message; 0
            (the default): none.
        :param max_per_hour: Messages with events in an hour; what comes beyond it is one message afterwards.
            Default 60.
        :param commands: Of telegram, what the bound chat may command: none; status; pause (and status; the
            default); resume (and both). For a wallet in a manager's list resume needs the manager's channel.
        :param templates: Texts in place of the default ones, by type of event, with placeholders such as
            {wallet} and {message}. Replaces all earlier ones.
        :param enabled: Whether messages are sent.
        """
        _body: dict[str, Any] = {
            "kind": kind,
            "name": name,
            "manager": manager,
            "signature": signature,
            "events": events,
            "url": url,
            "access_token": access_token,
            "subscription": subscription,
            "smtp_host": smtp_host,
            "smtp_port": smtp_port,
            "smtp_user": smtp_user,
            "smtp_password": smtp_password,
            "from": from_,
            "to": to,
            "quiet_hours": quiet_hours,
            "digest_minutes": digest_minutes,
            "max_per_hour": max_per_hour,
            "commands": commands,
            "templates": templates,
            "enabled": enabled,
        }
        return cast(
            "CreateChannelResult", self._call(_CREATE_CHANNEL, _body, options)
        )

    def update_channel(
        self,
        *,
        channel_id: str,
        manager: str | None = None,
        signature: str | None = None,
        name: str | None = None,
        events: Sequence[Literal[
            "intent.succeeded",
            "intent.failed",
            "intent.reopened",
            "order.triggered",
            "order.filled",
            "order.ended",
            "exchange.filled",
            "exchange.failed",
            "exchange.triggered",
            "index.drifted",
            "gas.low",
            "bot.paused",
            "signing.stopped",
            "signing.resumed",
            "wallet.alert",
            "lane.released",
            "authority.changed",
            "health.low",
            "health.recovered",
            "guardian.tripped",
            "guardian.cleared",
            "guardian.failed",
            "follower.stopped",
            "follower.failed",
            "strategy.paused",
            "charge.booked",
            "charge.paid",
            "network.down",
            "network.recovered",
            "approval.requested",
            "approval.decided",
        ]] | None = None,
        url: str | None = None,
        access_token: str | None = None,
        subscription: UpdateChannelSubscription | None = None,
        smtp_host: str | None = None,
        smtp_port: int | None = None,
        smtp_user: str | None = None,
        smtp_password: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        quiet_hours: str | None = None,
        digest_minutes: int | None = None,
        max_per_hour: int | None = None,
        commands: Literal["none", "status", "pause", "resume"] | None = None,
        templates: dict[str, Any] | None = None,
        enabled: bool | None = None,
        bind: bool | None = None,
        options: CallOptions | None = None,
    ) -> UpdateChannelResult:
        """Change a channel; what is not given stays. With another bot the chat has to be bound again.

        :param channel_id: The channel's `channel_id`.
        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param name: Your name for the channel; 1 to 64 characters: letters, digits, spaces and . _ -.
        :param events: Types of events; default all of them; docs/webhooks.md lists them.
        :param url: Of discord and slack the webhook's URL, of ntfy the topic's, of http the receiver's, in the
            request body only. Stored encrypted, never shown again.
        :param access_token: Of telegram the bot's token; of ntfy and http an access token, which is sent as a
            bearer token, in the request body only. Stored encrypted, never shown again.
        :param subscription: Of push a browser's subscription, in the request body only: what
            `PushSubscription.toJSON()` returns, with `vapid`, the P-256 key pair that it was made with, and
            `contact`, a mailto: or https: address of the operator. Stored encrypted, never shown again.
        :param smtp_host: Of email the mail server's name.
        :param smtp_port: Of email the mail server's port: 465 for TLS from the start, 587 (the default), 25 or
            2525 for STARTTLS.
        :param smtp_user: Of email the user name at the mail server.
        :param smtp_password: Of email the password of the mail server, in the request body only. Stored
            encrypted, never shown again.
        :param from_: Of email the address that messages come from.
        :param to: Of email the address that messages go to.
        :param quiet_hours: Hours of each day in which only urgent events are sent, with an IANA time zone
            (default UTC): `22:00-07:00 Europe/Berlin`; `none` ends them. What they hold is one message
            afterwards.
        :param digest_minutes: Minutes for which events that are not urgent are collected into one message; 0
            (the default): none.
        :param max_per_hour: Messages with events in an hour; what comes beyond it is one message afterwards.
            Default 60.
        :param commands: Of telegram, what the bound chat may command: none; status; pause (and status; the
            default); resume (and both). For a wallet in a manager's list resume needs the manager's channel.
        :param templates: Texts in place of the default ones, by type of event, with placeholders such as
            {wallet} and {message}. Replaces all earlier ones.
        :param enabled: Whether messages are sent.
        :param bind: Of telegram: return a new one-time code, which binds the chat that sends it.
        """
        _body: dict[str, Any] = {
            "channel_id": channel_id,
            "manager": manager,
            "signature": signature,
            "name": name,
            "events": events,
            "url": url,
            "access_token": access_token,
            "subscription": subscription,
            "smtp_host": smtp_host,
            "smtp_port": smtp_port,
            "smtp_user": smtp_user,
            "smtp_password": smtp_password,
            "from": from_,
            "to": to,
            "quiet_hours": quiet_hours,
            "digest_minutes": digest_minutes,
            "max_per_hour": max_per_hour,
            "commands": commands,
            "templates": templates,
            "enabled": enabled,
            "bind": bind,
        }
        return cast(
            "UpdateChannelResult", self._call(_UPDATE_CHANNEL, _body, options)
        )

    def delete_channel(
        self,
        *,
        channel_id: str,
        manager: str | None = None,
        signature: str | None = None,
        options: CallOptions | None = None,
    ) -> DeleteChannelResult:
        """Delete a channel and what it was still to receive; its chat no longer commands anything.

        :param channel_id: The channel's `channel_id`.
        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        """
        _body: dict[str, Any] = {
            "channel_id": channel_id,
            "manager": manager,
            "signature": signature,
        }
        return cast(
            "DeleteChannelResult", self._call(_DELETE_CHANNEL, _body, options)
        )

    def test_channel(
        self,
        *,
        channel_id: str,
        manager: str | None = None,
        signature: str | None = None,
        options: CallOptions | None = None,
    ) -> TestChannelResult:
        """Send a test message now and report what the receiver answered; at most one in ten seconds.

        :param channel_id: The channel's `channel_id`.
        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        """
        _body: dict[str, Any] = {
            "channel_id": channel_id,
            "manager": manager,
            "signature": signature,
        }
        return cast(
            "TestChannelResult", self._call(_TEST_CHANNEL, _body, options)
        )

    def get_channels(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        options: CallOptions | None = None,
    ) -> GetChannelsResult:
        """The notification channels of the key's wallet, or of the manager, without their secrets.

        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
        }
        return cast(
            "GetChannelsResult", self._call(_GET_CHANNELS, _body, options)
        )

    def get_channel_messages(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        channel_id: str | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> GetChannelMessagesResult:
        """The newest messages of the owner's channels: sent, waiting, or dropped, with the reason.

        :param manager: Address of the manager who signed the request, 0x + 40 hex characters.
        :param signature: The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`;
            `/signingPayload` returns the data to sign. Valid for ten minutes and for a single change.
        :param channel_id: The channel's `channel_id`.
        :param limit: Rows per page, 1 to 100, default 20.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "channel_id": channel_id,
            "limit": limit,
        }
        return cast(
            "GetChannelMessagesResult", self._call(_GET_CHANNEL_MESSAGES, _body, options)
        )

    def llm_introspect(
        self,
        *,
        endpoint: str | None = None,
        category: str | None = None,
        compact: bool | None = None,
        options: CallOptions | None = None,
    ) -> LlmIntrospectResult:
        """Machine-readable metadata of every endpoint: parameters, classes, charges, codes, recipes.

        :param endpoint: Only this endpoint, by its name or one of its paths.
        :param category: Only the endpoints of this category.
        :param compact: One line for each endpoint, with its required parameters only.
        """
        _body: dict[str, Any] = {
            "endpoint": endpoint,
            "category": category,
            "compact": compact,
        }
        return cast(
            "LlmIntrospectResult", self._call(_LLM_INTROSPECT, _body, options)
        )


class AsyncEndpoints:
    """One method for each endpoint. Methods of writes return a handle, whose ``outcome`` waits for the result."""

    async def _call(
        self, endpoint: Endpoint, request: Mapping[str, Any], options: CallOptions | None
    ) -> Any:
        raise NotImplementedError

    async def _call_write(
        self, endpoint: Endpoint, request: Mapping[str, Any], options: CallOptions | None
    ) -> Any:
        raise NotImplementedError

    async def create_gas_wallet(
        self,
        *,
        options: CallOptions | None = None,
    ) -> CreateGasWalletResult:
        """Create a gas wallet. The private key and the API key are in this response and nowhere else: back both
        up. A wallet that is never used is purged after 30 days: its API key ends until its private key is
        imported again.
        """
        _body: dict[str, Any] = {}
        return cast(
            "CreateGasWalletResult", await self._call(_CREATE_GAS_WALLET, _body, options)
        )

    async def get_new_api_key(
        self,
        *,
        private_key: str,
        keep: Sequence[Literal["managers", "sessions", "tokens", "webhooks"]] | bool | None = None,
        options: CallOptions | None = None,
    ) -> GetNewApiKeyResult:
        """Issue a new API key for a wallet, revoking the old one at once, and end all other access to it, except
        what `keep` names. Imports a wallet that the service does not know.
        """
        _body: dict[str, Any] = {
            "privateKey": private_key,
            "keep": keep,
        }
        return cast(
            "GetNewApiKeyResult", await self._call(_GET_NEW_API_KEY, _body, options)
        )

    async def get_gas_balance(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
            "all",
        ],
        usd: bool | None = None,
        options: CallOptions | None = None,
    ) -> GetGasBalanceResult:
        """Native gas-token balance of the wallet behind the key; `network=all` for every network, `USD` for its
        value.
        """
        _body: dict[str, Any] = {
            "network": network,
            "USD": usd,
        }
        return cast(
            "GetGasBalanceResult", await self._call(_GET_GAS_BALANCE, _body, options)
        )

    async def get_all_gas_balance(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> GetAllGasBalanceResult:
        """Native balances on every network, also in USD: of the key's wallet, or of every wallet in the manager's
        list.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "network": network,
        }
        return cast(
            "GetAllGasBalanceResult", await self._call(_GET_ALL_GAS_BALANCE, _body, options)
        )

    async def link_gas_wallet(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> LinkGasWalletResult:
        """Link a vault to the key's wallet, which must be its trader on chain. The link is kept when the wallet
        gets a new key.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "LinkGasWalletResult", await self._call(_LINK_GAS_WALLET, _body, options)
        )

    async def unlink_gas_wallet(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> UnlinkGasWalletResult:
        """Unlink a vault from the key's wallet; the vault's trader on chain does not change.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "UnlinkGasWalletResult", await self._call(_UNLINK_GAS_WALLET, _body, options)
        )

    async def get_gas_wallet_pools(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
            "all",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> GetGasWalletPoolsResult:
        """The vaults linked to the key's wallet, and whether it is their trader on chain now.
        """
        _body: dict[str, Any] = {
            "network": network,
        }
        return cast(
            "GetGasWalletPoolsResult", await self._call(_GET_GAS_WALLET_POOLS, _body, options)
        )

    async def pause_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        pair: str | None = None,
        protocol: str | None = None,
        reason: str | None = None,
        options: CallOptions | None = None,
    ) -> PauseBotResult:
        """Stop the bots of a vault, or the threshold bot of a pair, at once, even when no node answers: nothing
        more is signed for them. Transactions already signed continue.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "pair": pair,
            "protocol": protocol,
            "reason": reason,
        }
        return cast(
            "PauseBotResult", await self._call(_PAUSE_BOT, _body, options)
        )

    async def resume_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        pair: str | None = None,
        protocol: str | None = None,
        manager: str | None = None,
        signature: str | None = None,
        wallet: str | None = None,
        private_key: str | None = None,
        options: CallOptions | None = None,
    ) -> ResumeBotResult:
        """Resume the bots of a vault, or the one of a pair, after pauseBot. The API key alone suffices for a
        wallet without a manager; otherwise a manager's signature (subject: the wallet) or the wallet's private
        key is needed.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "pair": pair,
            "protocol": protocol,
            "manager": manager,
            "signature": signature,
            "wallet": wallet,
            "privateKey": private_key,
        }
        return cast(
            "ResumeBotResult", await self._call(_RESUME_BOT, _body, options)
        )

    async def pause_wallet(
        self,
        *,
        reason: str | None = None,
        options: CallOptions | None = None,
    ) -> PauseWalletResult:
        """Stop every signature of the key's wallet at once, on all networks. Transactions already signed
        continue.
        """
        _body: dict[str, Any] = {
            "reason": reason,
        }
        return cast(
            "PauseWalletResult", await self._call(_PAUSE_WALLET, _body, options)
        )

    async def resume_wallet(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        wallet: str | None = None,
        private_key: str | None = None,
        options: CallOptions | None = None,
    ) -> ResumeWalletResult:
        """Let a wallet sign again after pauseWallet. The API key alone suffices for a wallet without a manager;
        otherwise a manager's signature (subject: the wallet) or the wallet's private key is needed.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "wallet": wallet,
            "privateKey": private_key,
        }
        return cast(
            "ResumeWalletResult", await self._call(_RESUME_WALLET, _body, options)
        )

    async def is_pool_trader(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        trader: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> IsPoolTraderResult:
        """Whether an address is the vault's authorised trader on chain.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "trader": trader,
            "protocol": protocol,
        }
        return cast(
            "IsPoolTraderResult", await self._call(_IS_POOL_TRADER, _body, options)
        )

    async def get_capabilities(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str | None = None,
        options: CallOptions | None = None,
    ) -> GetCapabilitiesResult:
        """What vaults can do on a network as the vault platform allows it now: venues, lenders, liquidity,
        shorts, leveraged tokens and perpetual contracts. With `pool`, also which of the markets are enabled in
        that vault (`enabled`).
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
        }
        return cast(
            "GetCapabilitiesResult", await self._call(_GET_CAPABILITIES, _body, options)
        )

    async def pool_composition(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> PoolCompositionResult:
        """The vault's holdings: symbols resolved, amounts in human units, priced by the vault's own oracle.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
        }
        return cast(
            "PoolCompositionResult", await self._call(_POOL_COMPOSITION, _body, options)
        )

    async def get_performance(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        range: Literal["1d", "7d", "30d", "90d", "1y", "all"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        benchmark: str | None = None,
        lots: Literal["fifo", "lifo", "hifo"] | None = None,
        points: int | None = None,
        format: Literal["json", "csv"] | None = None,
        options: CallOptions | None = None,
    ) -> GetPerformanceResult:
        """What a vault earned in a period, by its share price: return, profit, fees, gas, slippage, risk,
        benchmarks, attribution, bots and orders, and the value curve with its gaps.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
            "range": range,
            "from": from_,
            "to": to,
            "benchmark": benchmark,
            "lots": lots,
            "points": points,
            "format": format,
        }
        return cast(
            "GetPerformanceResult", await self._call(_GET_PERFORMANCE, _body, options)
        )

    async def get_tax_lots(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        range: Literal["1d", "7d", "30d", "90d", "1y", "all"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        lots: Literal["fifo", "lifo", "hifo"] | None = None,
        format: Literal["json", "csv"] | None = None,
        options: CallOptions | None = None,
    ) -> GetTaxLotsResult:
        """What a vault sold in a period, lot by lot with cost, proceeds and gain, and the lots that it still has;
        from the receipts of this service's trades. `csv` is a table for tax software.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
            "range": range,
            "from": from_,
            "to": to,
            "lots": lots,
            "format": format,
        }
        return cast(
            "GetTaxLotsResult", await self._call(_GET_TAX_LOTS, _body, options)
        )

    async def get_tearsheet(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        range: Literal["1d", "7d", "30d", "90d", "1y", "all"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        benchmark: str | None = None,
        lots: Literal["fifo", "lifo", "hifo"] | None = None,
        options: CallOptions | None = None,
    ) -> GetTearsheetResult:
        """A vault's performance as one HTML page with charts, without scripts, ready to print or to save as PDF.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
            "range": range,
            "from": from_,
            "to": to,
            "benchmark": benchmark,
            "lots": lots,
        }
        return cast(
            "GetTearsheetResult", await self._call(_GET_TEARSHEET, _body, options)
        )

    async def get_symbol(
        self,
        *,
        contract: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        options: CallOptions | None = None,
    ) -> GetSymbolResult:
        """Token symbol (and decimals) of a contract address, read from the chain.
        """
        _body: dict[str, Any] = {
            "contract": contract,
            "network": network,
        }
        return cast(
            "GetSymbolResult", await self._call(_GET_SYMBOL, _body, options)
        )

    async def get_contract(
        self,
        *,
        symbol: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        options: CallOptions | None = None,
    ) -> GetContractResult:
        """Token contract address (and decimals) of a symbol in the network's token list.
        """
        _body: dict[str, Any] = {
            "symbol": symbol,
            "network": network,
        }
        return cast(
            "GetContractResult", await self._call(_GET_CONTRACT, _body, options)
        )

    async def vault_trade(
        self,
        *,
        pool: str,
        from_: str,
        to: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        platform: str | None = None,
        slippage: float | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        duplicate: bool | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[VaultTradeResult]:
        """Swap one vault asset for another on the named venue, or on the first available venue of the network's
        fallback chain; returns the amounts actually sold and bought.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "from": from_,
            "to": to,
            "network": network,
            "protocol": protocol,
            "platform": platform,
            "slippage": slippage,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "duplicate": duplicate,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[VaultTradeResult]", await self._call_write(_VAULT_TRADE, _body, options)
        )

    async def vault_trade_dry_run(
        self,
        *,
        pool: str,
        from_: str,
        to: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        platform: str | None = None,
        slippage: float | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        duplicate: bool | None = None,
        options: CallOptions | None = None,
    ) -> VaultTradeDryRun:
        """Plan only: Swap one vault asset for another on the named venue, or on the first available venue of the
        network's fallback chain; returns the amounts actually sold and bought.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "from": from_,
            "to": to,
            "network": network,
            "protocol": protocol,
            "platform": platform,
            "slippage": slippage,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "duplicate": duplicate,
            "dryRun": True,
        }
        return cast(
            "VaultTradeDryRun", await self._call(_VAULT_TRADE, _body, options)
        )

    async def approve(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        platform: str | None = None,
        protocol: str | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[ApproveResult]:
        """Approve an asset of the vault for a venue or lending market; needed once per asset and spender.
        `amount=0` revokes.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "platform": platform,
            "protocol": protocol,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[ApproveResult]", await self._call_write(_APPROVE, _body, options)
        )

    async def approve_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        platform: str | None = None,
        protocol: str | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> ApproveDryRun:
        """Plan only: Approve an asset of the vault for a venue or lending market; needed once per asset and
        spender. `amount=0` revokes.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "platform": platform,
            "protocol": protocol,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "ApproveDryRun", await self._call(_APPROVE, _body, options)
        )

    async def enable_asset(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[EnableAssetResult]:
        """Let the vault hold an asset that the vault platform supports: by its trader, unless its manager has
        disabled that, or by its manager.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[EnableAssetResult]", await self._call_write(_ENABLE_ASSET, _body, options)
        )

    async def enable_asset_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> EnableAssetDryRun:
        """Plan only: Let the vault hold an asset that the vault platform supports: by its trader, unless its
        manager has disabled that, or by its manager.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "EnableAssetDryRun", await self._call(_ENABLE_ASSET, _body, options)
        )

    async def disable_asset(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[DisableAssetResult]:
        """End that the vault may hold an asset, of which it must have none.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[DisableAssetResult]", await self._call_write(_DISABLE_ASSET, _body, options)
        )

    async def disable_asset_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> DisableAssetDryRun:
        """Plan only: End that the vault may hold an asset, of which it must have none.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "DisableAssetDryRun", await self._call(_DISABLE_ASSET, _body, options)
        )

    async def set_vault_group(
        self,
        *,
        group: str,
        members: Sequence[dict[str, Any]],
        options: CallOptions | None = None,
    ) -> SetVaultGroupResult:
        """Name vaults that tradeGroup trades as one; the same name again replaces them. Nothing is checked on
        chain.
        """
        _body: dict[str, Any] = {
            "group": group,
            "members": members,
        }
        return cast(
            "SetVaultGroupResult", await self._call(_SET_VAULT_GROUP, _body, options)
        )

    async def get_vault_groups(
        self,
        *,
        options: CallOptions | None = None,
    ) -> GetVaultGroupsResult:
        """The groups of the key's wallet, by name.
        """
        _body: dict[str, Any] = {}
        return cast(
            "GetVaultGroupsResult", await self._call(_GET_VAULT_GROUPS, _body, options)
        )

    async def remove_vault_group(
        self,
        *,
        group: str,
        options: CallOptions | None = None,
    ) -> RemoveVaultGroupResult:
        """Remove a group. Its vaults stay as they are, and trades that were accepted continue.
        """
        _body: dict[str, Any] = {
            "group": group,
        }
        return cast(
            "RemoveVaultGroupResult", await self._call(_REMOVE_VAULT_GROUP, _body, options)
        )

    async def trade_group(
        self,
        *,
        group: str,
        from_: str,
        to: str,
        share: float | None = None,
        amount: str | None = None,
        split: Literal["weight", "holding"] | None = None,
        platform: str | None = None,
        slippage: float | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[TradeGroupResult]:
        """Make the same trade in each vault of a group, each as a vaultTrade, billed as one. Needs
        `idempotency_key`, and `share` of each holding or an `amount` for all. Refused as a whole if the key
        may not trade a vault.
        """
        _body: dict[str, Any] = {
            "group": group,
            "from": from_,
            "to": to,
            "share": share,
            "amount": amount,
            "split": split,
            "platform": platform,
            "slippage": slippage,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[TradeGroupResult]", await self._call_write(_TRADE_GROUP, _body, options)
        )

    async def trade_group_dry_run(
        self,
        *,
        group: str,
        from_: str,
        to: str,
        share: float | None = None,
        amount: str | None = None,
        split: Literal["weight", "holding"] | None = None,
        platform: str | None = None,
        slippage: float | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> TradeGroupDryRun:
        """Plan only: Make the same trade in each vault of a group, each as a vaultTrade, billed as one. Needs
        `idempotency_key`, and `share` of each holding or an `amount` for all. Refused as a whole if the key
        may not trade a vault.
        """
        _body: dict[str, Any] = {
            "group": group,
            "from": from_,
            "to": to,
            "share": share,
            "amount": amount,
            "split": split,
            "platform": platform,
            "slippage": slippage,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "TradeGroupDryRun", await self._call(_TRADE_GROUP, _body, options)
        )

    async def lender_av3_lend(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[LenderAV3LendResult]:
        """Supply an asset of the vault to lenderA; approval and supply are one transaction, the approval is
        exact.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[LenderAV3LendResult]", await self._call_write(_LENDER_AV3_LEND, _body, options)
        )

    async def lender_av3_lend_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> LenderAV3LendDryRun:
        """Plan only: Supply an asset of the vault to lenderA; approval and supply are one transaction, the
        approval is exact.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "LenderAV3LendDryRun", await self._call(_LENDER_AV3_LEND, _body, options)
        )

    async def lender_av3_unlend(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[LenderAV3UnlendResult]:
        """Withdraw an asset supplied to lenderA; a share of 100 withdraws all of it, interest included. A debt
        below $1 does not prevent that: it is repaid, or a little stays supplied for it.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[LenderAV3UnlendResult]", await self._call_write(_LENDER_AV3_UNLEND, _body, options)
        )

    async def lender_av3_unlend_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> LenderAV3UnlendDryRun:
        """Plan only: Withdraw an asset supplied to lenderA; a share of 100 withdraws all of it, interest
        included. A debt below $1 does not prevent that: it is repaid, or a little stays supplied for it.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "LenderAV3UnlendDryRun", await self._call(_LENDER_AV3_UNLEND, _body, options)
        )

    async def lender_av3_borrow(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[LenderAV3BorrowResult]:
        """Borrow an asset against the vault's collateral, at the variable rate; refused below the health factor's
        floor.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[LenderAV3BorrowResult]", await self._call_write(_LENDER_AV3_BORROW, _body, options)
        )

    async def lender_av3_borrow_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> LenderAV3BorrowDryRun:
        """Plan only: Borrow an asset against the vault's collateral, at the variable rate; refused below the
        health factor's floor.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "LenderAV3BorrowDryRun", await self._call(_LENDER_AV3_BORROW, _body, options)
        )

    async def lender_av3_repay(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[LenderAV3RepayResult]:
        """Repay the vault's debt; a share of 100 repays all of it, including interest up to the repayment, as far
        as the vault holds the asset. `still_owed` is the rest.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[LenderAV3RepayResult]", await self._call_write(_LENDER_AV3_REPAY, _body, options)
        )

    async def lender_av3_repay_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> LenderAV3RepayDryRun:
        """Plan only: Repay the vault's debt; a share of 100 repays all of it, including interest up to the
        repayment, as far as the vault holds the asset. `still_owed` is the rest.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "LenderAV3RepayDryRun", await self._call(_LENDER_AV3_REPAY, _body, options)
        )

    async def lender_av3_get_supplied(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> LenderAV3GetSuppliedResult:
        """The vault's assets supplied to lenderA, asset by asset and in total.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "LenderAV3GetSuppliedResult", await self._call(_LENDER_AV3_GET_SUPPLIED, _body, options)
        )

    async def lender_av3_get_borrowed(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> LenderAV3GetBorrowedResult:
        """The vault's debt to lenderA, asset by asset and in total.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "LenderAV3GetBorrowedResult", await self._call(_LENDER_AV3_GET_BORROWED, _body, options)
        )

    async def lender_av3_get_health_factor(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> LenderAV3GetHealthFactorResult:
        """The vault's health factor with lenderA; below 1 it is liquidated, without debt it is "infinity".
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "LenderAV3GetHealthFactorResult", await self._call(_LENDER_AV3_GET_HEALTH_FACTOR, _body, options)
        )

    async def lender_av3_get_pool_data(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> LenderAV3GetPoolDataResult:
        """The vault's whole position with lenderA: collateral and debt in USD, the amount it can still borrow,
        thresholds in percent.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "LenderAV3GetPoolDataResult", await self._call(_LENDER_AV3_GET_POOL_DATA, _body, options)
        )

    async def lender_bv3_lend(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[LenderBV3LendResult]:
        """Supply an asset of the vault to lenderB; approval and supply are one transaction, the approval is
        exact.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[LenderBV3LendResult]", await self._call_write(_LENDER_BV3_LEND, _body, options)
        )

    async def lender_bv3_lend_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> LenderBV3LendDryRun:
        """Plan only: Supply an asset of the vault to lenderB; approval and supply are one transaction, the
        approval is exact.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "LenderBV3LendDryRun", await self._call(_LENDER_BV3_LEND, _body, options)
        )

    async def lender_bv3_unlend(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[LenderBV3UnlendResult]:
        """Withdraw an asset supplied to lenderB; a share of 100 withdraws all of it, interest included. A debt
        below $1 does not prevent that: it is repaid, or a little stays supplied for it.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[LenderBV3UnlendResult]", await self._call_write(_LENDER_BV3_UNLEND, _body, options)
        )

    async def lender_bv3_unlend_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> LenderBV3UnlendDryRun:
        """Plan only: Withdraw an asset supplied to lenderB; a share of 100 withdraws all of it, interest
        included. A debt below $1 does not prevent that: it is repaid, or a little stays supplied for it.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "LenderBV3UnlendDryRun", await self._call(_LENDER_BV3_UNLEND, _body, options)
        )

    async def lender_c_lend(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[LenderCLendResult]:
        """Supply an asset of the vault to lenderC; approval and supply are one transaction, the approval is
        exact.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[LenderCLendResult]", await self._call_write(_LENDER_C_LEND, _body, options)
        )

    async def lender_c_lend_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> LenderCLendDryRun:
        """Plan only: Supply an asset of the vault to lenderC; approval and supply are one transaction, the
        approval is exact.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "LenderCLendDryRun", await self._call(_LENDER_C_LEND, _body, options)
        )

    async def lender_c_unlend(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[LenderCUnlendResult]:
        """Withdraw an asset supplied to lenderC; a share of 100 withdraws all of it, interest included. A debt
        below $1 does not prevent that: it is repaid, or a little stays supplied for it.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[LenderCUnlendResult]", await self._call_write(_LENDER_C_UNLEND, _body, options)
        )

    async def lender_c_unlend_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> LenderCUnlendDryRun:
        """Plan only: Withdraw an asset supplied to lenderC; a share of 100 withdraws all of it, interest
        included. A debt below $1 does not prevent that: it is repaid, or a little stays supplied for it.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "LenderCUnlendDryRun", await self._call(_LENDER_C_UNLEND, _body, options)
        )

    async def lend(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        platform: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[LendResult]:
        """Supply an asset of the vault to lenderA; approval and supply are one transaction, the approval is
        exact.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "platform": platform,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[LendResult]", await self._call_write(_LEND, _body, options)
        )

    async def lend_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        platform: str | None = None,
        options: CallOptions | None = None,
    ) -> LendDryRun:
        """Plan only: Supply an asset of the vault to lenderA; approval and supply are one transaction, the
        approval is exact.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "platform": platform,
            "dryRun": True,
        }
        return cast(
            "LendDryRun", await self._call(_LEND, _body, options)
        )

    async def unlend(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        platform: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[UnlendResult]:
        """Withdraw an asset supplied to lenderA; a share of 100 withdraws all of it, interest included. A debt
        below $1 does not prevent that: it is repaid, or a little stays supplied for it.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "platform": platform,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[UnlendResult]", await self._call_write(_UNLEND, _body, options)
        )

    async def unlend_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        platform: str | None = None,
        options: CallOptions | None = None,
    ) -> UnlendDryRun:
        """Plan only: Withdraw an asset supplied to lenderA; a share of 100 withdraws all of it, interest
        included. A debt below $1 does not prevent that: it is repaid, or a little stays supplied for it.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "platform": platform,
            "dryRun": True,
        }
        return cast(
            "UnlendDryRun", await self._call(_UNLEND, _body, options)
        )

    async def borrow(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        platform: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[BorrowResult]:
        """Borrow an asset against the vault's collateral, at the variable rate; refused below the health factor's
        floor.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "platform": platform,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[BorrowResult]", await self._call_write(_BORROW, _body, options)
        )

    async def borrow_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        platform: str | None = None,
        options: CallOptions | None = None,
    ) -> BorrowDryRun:
        """Plan only: Borrow an asset against the vault's collateral, at the variable rate; refused below the
        health factor's floor.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "platform": platform,
            "dryRun": True,
        }
        return cast(
            "BorrowDryRun", await self._call(_BORROW, _body, options)
        )

    async def repay(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        platform: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[RepayResult]:
        """Repay the vault's debt; a share of 100 repays all of it, including interest up to the repayment, as far
        as the vault holds the asset. `still_owed` is the rest.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "platform": platform,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[RepayResult]", await self._call_write(_REPAY, _body, options)
        )

    async def repay_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        asset: str,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        platform: str | None = None,
        options: CallOptions | None = None,
    ) -> RepayDryRun:
        """Plan only: Repay the vault's debt; a share of 100 repays all of it, including interest up to the
        repayment, as far as the vault holds the asset. `still_owed` is the rest.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "asset": asset,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "platform": platform,
            "dryRun": True,
        }
        return cast(
            "RepayDryRun", await self._call(_REPAY, _body, options)
        )

    async def get_all_yields(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> GetAllYieldsResult:
        """The current supply and borrow rates of every asset at every lender of the network, or of every
        configured network, in percent per year.
        """
        _body: dict[str, Any] = {
            "network": network,
        }
        return cast(
            "GetAllYieldsResult", await self._call(_GET_ALL_YIELDS, _body, options)
        )

    async def get_estimated_anual_yield(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetEstimatedAnualYieldResult:
        """The yearly yield of the vault's positions with lenders at current rates, in percent of the vault's
        total value.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
        }
        return cast(
            "GetEstimatedAnualYieldResult", await self._call(_GET_ESTIMATED_ANUAL_YIELD, _body, options)
        )

    async def get_total_yield(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetTotalYieldResult:
        """The gain of the vault's token since this service first recorded it, in percent.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
        }
        return cast(
            "GetTotalYieldResult", await self._call(_GET_TOTAL_YIELD, _body, options)
        )

    async def add_liquidity(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        input_asset: str,
        platform: str | None = None,
        slippage: float | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        fee_tier: Literal[100, 500, 2500, 3000, 10000] | None = None,
        tick_spacing: int | None = None,
        lower_price: str | None = None,
        upper_price: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[AddLiquidityResult]:
        """Provide liquidity to a concentrated-liquidity pool from one asset; the required amount of the other is
        bought first, in the same transaction.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "input_asset": input_asset,
            "platform": platform,
            "slippage": slippage,
            "protocol": protocol,
            "valid_for": valid_for,
            "dex": dex,
            "fee_tier": fee_tier,
            "tick_spacing": tick_spacing,
            "lower_price": lower_price,
            "upper_price": upper_price,
            "share": share,
            "amount": amount,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[AddLiquidityResult]", await self._call_write(_ADD_LIQUIDITY, _body, options)
        )

    async def add_liquidity_dry_run(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        input_asset: str,
        platform: str | None = None,
        slippage: float | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        fee_tier: Literal[100, 500, 2500, 3000, 10000] | None = None,
        tick_spacing: int | None = None,
        lower_price: str | None = None,
        upper_price: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        options: CallOptions | None = None,
    ) -> AddLiquidityDryRun:
        """Plan only: Provide liquidity to a concentrated-liquidity pool from one asset; the required amount of
        the other is bought first, in the same transaction.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "input_asset": input_asset,
            "platform": platform,
            "slippage": slippage,
            "protocol": protocol,
            "valid_for": valid_for,
            "dex": dex,
            "fee_tier": fee_tier,
            "tick_spacing": tick_spacing,
            "lower_price": lower_price,
            "upper_price": upper_price,
            "share": share,
            "amount": amount,
            "dryRun": True,
        }
        return cast(
            "AddLiquidityDryRun", await self._call(_ADD_LIQUIDITY, _body, options)
        )

    async def remove_liquidity(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        platform: str | None = None,
        slippage: float | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        amount: float | None = None,
        output_asset: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[RemoveLiquidityResult]:
        """Remove liquidity, including fees; all of it unless `amount` is a percentage. `output_asset` sells the
        other asset in the same transaction.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "platform": platform,
            "slippage": slippage,
            "protocol": protocol,
            "valid_for": valid_for,
            "amount": amount,
            "output_asset": output_asset,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[RemoveLiquidityResult]", await self._call_write(_REMOVE_LIQUIDITY, _body, options)
        )

    async def remove_liquidity_dry_run(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        platform: str | None = None,
        slippage: float | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        amount: float | None = None,
        output_asset: str | None = None,
        options: CallOptions | None = None,
    ) -> RemoveLiquidityDryRun:
        """Plan only: Remove liquidity, including fees; all of it unless `amount` is a percentage. `output_asset`
        sells the other asset in the same transaction.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "platform": platform,
            "slippage": slippage,
            "protocol": protocol,
            "valid_for": valid_for,
            "amount": amount,
            "output_asset": output_asset,
            "dryRun": True,
        }
        return cast(
            "RemoveLiquidityDryRun", await self._call(_REMOVE_LIQUIDITY, _body, options)
        )

    async def collect_fees(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[CollectFeesResult]:
        """Collect the fees that a position has earned; the position stays as it is. A staked one also pays its
        rewards, and stays staked.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "protocol": protocol,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[CollectFeesResult]", await self._call_write(_COLLECT_FEES, _body, options)
        )

    async def collect_fees_dry_run(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> CollectFeesDryRun:
        """Plan only: Collect the fees that a position has earned; the position stays as it is. A staked one also
        pays its rewards, and stays staked.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "protocol": protocol,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "CollectFeesDryRun", await self._call(_COLLECT_FEES, _body, options)
        )

    async def stake_liquidity(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[StakeLiquidityResult]:
        """Stake a position: in its pool's gauge at velodromeCl, in MasterChefV3 at pancakeCl. It then earns
        rewards.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "protocol": protocol,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[StakeLiquidityResult]", await self._call_write(_STAKE_LIQUIDITY, _body, options)
        )

    async def stake_liquidity_dry_run(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> StakeLiquidityDryRun:
        """Plan only: Stake a position: in its pool's gauge at velodromeCl, in MasterChefV3 at pancakeCl. It then
        earns rewards.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "protocol": protocol,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "StakeLiquidityDryRun", await self._call(_STAKE_LIQUIDITY, _body, options)
        )

    async def unstake_liquidity(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[UnstakeLiquidityResult]:
        """Take a staked position back, with its rewards.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "protocol": protocol,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[UnstakeLiquidityResult]", await self._call_write(_UNSTAKE_LIQUIDITY, _body, options)
        )

    async def unstake_liquidity_dry_run(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> UnstakeLiquidityDryRun:
        """Plan only: Take a staked position back, with its rewards.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "protocol": protocol,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "UnstakeLiquidityDryRun", await self._call(_UNSTAKE_LIQUIDITY, _body, options)
        )

    async def claim_rewards(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[ClaimRewardsResult]:
        """Claim the rewards of a staked position, which stays staked.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "protocol": protocol,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[ClaimRewardsResult]", await self._call_write(_CLAIM_REWARDS, _body, options)
        )

    async def claim_rewards_dry_run(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        asset1: str,
        asset2: str,
        token_id: str,
        dex: Literal["auto", "uniswapV3", "velodromeCl", "pancakeCl"] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> ClaimRewardsDryRun:
        """Plan only: Claim the rewards of a staked position, which stays staked.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "asset1": asset1,
            "asset2": asset2,
            "token_id": token_id,
            "dex": dex,
            "protocol": protocol,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "ClaimRewardsDryRun", await self._call(_CLAIM_REWARDS, _body, options)
        )

    async def deposit_to_perpetuals(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[DepositToPerpetualsResult]:
        """Move USDC from the vault to its account at HyperCore as margin for perpetual contracts; approval and
        deposit are one transaction.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[DepositToPerpetualsResult]", await self._call_write(_DEPOSIT_TO_PERPETUALS, _body, options)
        )

    async def deposit_to_perpetuals_dry_run(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> DepositToPerpetualsDryRun:
        """Plan only: Move USDC from the vault to its account at HyperCore as margin for perpetual contracts;
        approval and deposit are one transaction.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "DepositToPerpetualsDryRun", await self._call(_DEPOSIT_TO_PERPETUALS, _body, options)
        )

    async def place_perpetual_order(
        self,
        *,
        pool: str,
        coin: str,
        side: Literal["buy", "long", "sell", "short"],
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        size: str | None = None,
        usd: str | None = None,
        price: str | None = None,
        tif: Literal["ioc", "gtc", "alo"] | None = None,
        reduce_only: bool | None = None,
        slippage: float | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[PlacePerpetualOrderResult]:
        """Buy or sell a perpetual contract with the vault's margin. Success is determined by HyperCore's own
        state of the order, never by the transaction alone.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "coin": coin,
            "side": side,
            "network": network,
            "protocol": protocol,
            "size": size,
            "usd": usd,
            "price": price,
            "tif": tif,
            "reduce_only": reduce_only,
            "slippage": slippage,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[PlacePerpetualOrderResult]", await self._call_write(_PLACE_PERPETUAL_ORDER, _body, options)
        )

    async def place_perpetual_order_dry_run(
        self,
        *,
        pool: str,
        coin: str,
        side: Literal["buy", "long", "sell", "short"],
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        size: str | None = None,
        usd: str | None = None,
        price: str | None = None,
        tif: Literal["ioc", "gtc", "alo"] | None = None,
        reduce_only: bool | None = None,
        slippage: float | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> PlacePerpetualOrderDryRun:
        """Plan only: Buy or sell a perpetual contract with the vault's margin. Success is determined by
        HyperCore's own state of the order, never by the transaction alone.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "coin": coin,
            "side": side,
            "network": network,
            "protocol": protocol,
            "size": size,
            "usd": usd,
            "price": price,
            "tif": tif,
            "reduce_only": reduce_only,
            "slippage": slippage,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "PlacePerpetualOrderDryRun", await self._call(_PLACE_PERPETUAL_ORDER, _body, options)
        )

    async def cancel_perpetual_order(
        self,
        *,
        pool: str,
        coin: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        intent_id: str | None = None,
        cloid: str | None = None,
        oid: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[CancelPerpetualOrderResult]:
        """Cancel a resting order, identified by `intent_id`, `cloid` or `oid`.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "coin": coin,
            "network": network,
            "protocol": protocol,
            "intent_id": intent_id,
            "cloid": cloid,
            "oid": oid,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[CancelPerpetualOrderResult]", await self._call_write(_CANCEL_PERPETUAL_ORDER, _body, options)
        )

    async def cancel_perpetual_order_dry_run(
        self,
        *,
        pool: str,
        coin: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        intent_id: str | None = None,
        cloid: str | None = None,
        oid: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> CancelPerpetualOrderDryRun:
        """Plan only: Cancel a resting order, identified by `intent_id`, `cloid` or `oid`.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "coin": coin,
            "network": network,
            "protocol": protocol,
            "intent_id": intent_id,
            "cloid": cloid,
            "oid": oid,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "CancelPerpetualOrderDryRun", await self._call(_CANCEL_PERPETUAL_ORDER, _body, options)
        )

    async def withdraw_from_perpetuals(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[WithdrawFromPerpetualsResult]:
        """Move USDC that no position needs from the vault's account at HyperCore back into the vault.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[WithdrawFromPerpetualsResult]", await self._call_write(_WITHDRAW_FROM_PERPETUALS, _body, options)
        )

    async def withdraw_from_perpetuals_dry_run(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        share: float | None = None,
        amount: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> WithdrawFromPerpetualsDryRun:
        """Plan only: Move USDC that no position needs from the vault's account at HyperCore back into the vault.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
            "share": share,
            "amount": amount,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "WithdrawFromPerpetualsDryRun", await self._call(_WITHDRAW_FROM_PERPETUALS, _body, options)
        )

    async def get_perpetual_positions(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetPerpetualPositionsResult:
        """The vault's margin and positions at HyperCore, at HyperCore's own time.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
        }
        return cast(
            "GetPerpetualPositionsResult", await self._call(_GET_PERPETUAL_POSITIONS, _body, options)
        )

    async def get_perpetual_orders(
        self,
        *,
        pool: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetPerpetualOrdersResult:
        """The vault's resting orders at HyperCore, newest first.
        """
        _body: dict[str, Any] = {
            "pool": pool,
            "network": network,
            "protocol": protocol,
        }
        return cast(
            "GetPerpetualOrdersResult", await self._call(_GET_PERPETUAL_ORDERS, _body, options)
        )

    async def get_perpetual_markets(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> GetPerpetualMarketsResult:
        """The listed perpetual contracts, with their size decimals and current prices.
        """
        _body: dict[str, Any] = {
            "network": network,
        }
        return cast(
            "GetPerpetualMarketsResult", await self._call(_GET_PERPETUAL_MARKETS, _body, options)
        )

    async def mint_manager_fee(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        valid_for: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[MintManagerFeeResult]:
        """Mint the performance and management fee that a vault owes its manager. Any wallet may call this; it
        only pays the gas.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
            "valid_for": valid_for,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[MintManagerFeeResult]", await self._call_write(_MINT_MANAGER_FEE, _body, options)
        )

    async def mint_manager_fee_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        valid_for: int | None = None,
        options: CallOptions | None = None,
    ) -> MintManagerFeeDryRun:
        """Plan only: Mint the performance and management fee that a vault owes its manager. Any wallet may call
        this; it only pays the gas.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
            "valid_for": valid_for,
            "dryRun": True,
        }
        return cast(
            "MintManagerFeeDryRun", await self._call(_MINT_MANAGER_FEE, _body, options)
        )

    async def mint_manager_fee_batch(
        self,
        *,
        pools: Sequence[str],
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        protocol: str | None = None,
        valid_for: int | None = None,
        allow_failure: bool | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[MintManagerFeeBatchResult]:
        """Mint the managers' fees of up to 100 vaults in one transaction; vaults without a fee are skipped.
        """
        _body: dict[str, Any] = {
            "pools": pools,
            "network": network,
            "protocol": protocol,
            "valid_for": valid_for,
            "allowFailure": allow_failure,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[MintManagerFeeBatchResult]", await self._call_write(_MINT_MANAGER_FEE_BATCH, _body, options)
        )

    async def mint_manager_fee_batch_dry_run(
        self,
        *,
        pools: Sequence[str],
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        protocol: str | None = None,
        valid_for: int | None = None,
        allow_failure: bool | None = None,
        options: CallOptions | None = None,
    ) -> MintManagerFeeBatchDryRun:
        """Plan only: Mint the managers' fees of up to 100 vaults in one transaction; vaults without a fee are
        skipped.
        """
        _body: dict[str, Any] = {
            "pools": pools,
            "network": network,
            "protocol": protocol,
            "valid_for": valid_for,
            "allowFailure": allow_failure,
            "dryRun": True,
        }
        return cast(
            "MintManagerFeeBatchDryRun", await self._call(_MINT_MANAGER_FEE_BATCH, _body, options)
        )

    async def mint_all_fees_by_manager(
        self,
        *,
        manager: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        allow_failure: bool | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[MintAllFeesByManagerResult]:
        """Find a manager's vaults and mint the fees of those that have one, in one transaction.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "network": network,
            "protocol": protocol,
            "valid_for": valid_for,
            "allowFailure": allow_failure,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[MintAllFeesByManagerResult]", await self._call_write(_MINT_ALL_FEES_BY_MANAGER, _body, options)
        )

    async def mint_all_fees_by_manager_dry_run(
        self,
        *,
        manager: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        protocol: str | None = None,
        valid_for: int | None = None,
        allow_failure: bool | None = None,
        options: CallOptions | None = None,
    ) -> MintAllFeesByManagerDryRun:
        """Plan only: Find a manager's vaults and mint the fees of those that have one, in one transaction.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "network": network,
            "protocol": protocol,
            "valid_for": valid_for,
            "allowFailure": allow_failure,
            "dryRun": True,
        }
        return cast(
            "MintAllFeesByManagerDryRun", await self._call(_MINT_ALL_FEES_BY_MANAGER, _body, options)
        )

    async def set_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        pair: str,
        side: Literal["long", "neutral", "short", "hold"],
        threshold: float | None = None,
        max_usd: str | None = None,
        slippage: float | None = None,
        max_impact: float | None = None,
        share: float | None = None,
        platform: str | None = None,
        lending: bool | None = None,
        auto_enable: bool | None = None,
        protocol: str | None = None,
        paper: bool | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[SetBotResult]:
        """Keep the vault on one side of a pair: sets the bot and begins a rebalance at once; trades of a bot are
        billed as trades.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "pair": pair,
            "side": side,
            "threshold": threshold,
            "max_usd": max_usd,
            "slippage": slippage,
            "max_impact": max_impact,
            "share": share,
            "platform": platform,
            "lending": lending,
            "auto_enable": auto_enable,
            "protocol": protocol,
            "paper": paper,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[SetBotResult]", await self._call_write(_SET_BOT, _body, options)
        )

    async def delete_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        pair: str | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> DeleteBotResult:
        """Delete the vault's bots, or the one of a pair, even when no node answers; a transaction that is already
        planned continues.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "pair": pair,
            "protocol": protocol,
        }
        return cast(
            "DeleteBotResult", await self._call(_DELETE_BOT, _body, options)
        )

    async def get_bot_status(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetBotStatusResult:
        """Bots and index of one vault: their settings, whether they are active, and their last decisions with
        reasons. Details are shown to the vault's own keys only.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "GetBotStatusResult", await self._call(_GET_BOT_STATUS, _body, options)
        )

    async def get_all_bots(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> GetAllBotsResult:
        """All bots on all networks: of the key's wallet, or of every wallet in the manager's list.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "network": network,
        }
        return cast(
            "GetAllBotsResult", await self._call(_GET_ALL_BOTS, _body, options)
        )

    async def set_index_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        targets: Sequence[SetIndexBotTargetsItem],
        interval: str,
        max_usd: str,
        tolerance: float | None = None,
        slippage: float | None = None,
        quote: str | None = None,
        platform: str | None = None,
        min_trade_usd: str | None = None,
        enabled: bool | None = None,
        paper: bool | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> SetIndexBotResult:
        """Set the vault's target weights and how often they are checked; disabled unless `enabled=true`. Trades
        of its runs are billed as trades.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "targets": targets,
            "interval": interval,
            "max_usd": max_usd,
            "tolerance": tolerance,
            "slippage": slippage,
            "quote": quote,
            "platform": platform,
            "min_trade_usd": min_trade_usd,
            "enabled": enabled,
            "paper": paper,
            "protocol": protocol,
        }
        return cast(
            "SetIndexBotResult", await self._call(_SET_INDEX_BOT, _body, options)
        )

    async def get_index_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetIndexBotResult:
        """The vault's index bot: its settings, its last decision with the reason, and its last run leg by leg.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "GetIndexBotResult", await self._call(_GET_INDEX_BOT, _body, options)
        )

    async def get_current_allocations(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetCurrentAllocationsResult:
        """The targets next to the live weights: drift in percentage points, and whether each is out of its
        tolerance.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "GetCurrentAllocationsResult", await self._call(_GET_CURRENT_ALLOCATIONS, _body, options)
        )

    async def preview_index_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        force: bool | None = None,
        quote: str | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> PreviewIndexBotResult:
        """The trades a run would make now: sells before buys, limited by the cap. Nothing is sent.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "force": force,
            "quote": quote,
            "protocol": protocol,
        }
        return cast(
            "PreviewIndexBotResult", await self._call(_PREVIEW_INDEX_BOT, _body, options)
        )

    async def rebalance_pool(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        execute: bool | None = None,
        force: bool | None = None,
        quote: str | None = None,
        protocol: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[RebalancePoolResult]:
        """Rebalance the vault to its index; a dry run unless `execute=true`. Each trade is executed and billed
        like a vaultTrade.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "execute": execute,
            "force": force,
            "quote": quote,
            "protocol": protocol,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[RebalancePoolResult]", await self._call_write(_REBALANCE_POOL, _body, options)
        )

    async def disable_index_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> DisableIndexBotResult:
        """Stop the index bot's scheduled checks; its settings are kept.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "DisableIndexBotResult", await self._call(_DISABLE_INDEX_BOT, _body, options)
        )

    async def set_allocations(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        targets: Sequence[SetAllocationsTargetsItem] | None = None,
        assets: str | None = None,
        allocations: str | None = None,
        lower_thresholds: str | None = None,
        upper_thresholds: str | None = None,
        slippages: str | None = None,
        max_usd: str | None = None,
        platform: str | None = None,
        quote: str | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> SetAllocationsResult:
        """Retired: checks targets in the old or new syntax, writes nothing, and answers with the setIndexBot call
        that would set them.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "targets": targets,
            "assets": assets,
            "allocations": allocations,
            "lower_thresholds": lower_thresholds,
            "upper_thresholds": upper_thresholds,
            "slippages": slippages,
            "max_usd": max_usd,
            "platform": platform,
            "quote": quote,
            "protocol": protocol,
        }
        return cast(
            "SetAllocationsResult", await self._call(_SET_ALLOCATIONS, _body, options)
        )

    async def place_order(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        type: Literal[
            "limit",
            "stop_loss",
            "take_profit",
            "bracket",
            "trailing_stop",
            "twap",
            "dca",
            "iceberg",
        ],
        pair: str,
        side: Literal["buy", "sell"],
        share: float | None = None,
        amount: str | None = None,
        limit_price: str | None = None,
        stop_price: str | None = None,
        take_profit_price: str | None = None,
        trail_percent: float | None = None,
        trail_amount: str | None = None,
        activation_price: str | None = None,
        max_impact: float | None = None,
        slippage: float | None = None,
        expires_in: str | None = None,
        duration: str | None = None,
        interval: str | None = None,
        slices: int | None = None,
        catch_up: bool | None = None,
        platform: str | None = None,
        reduce_only: bool | None = None,
        confirmations: int | None = None,
        paper: bool | None = None,
        protocol: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[PlaceOrderResult]:
        """Place an order of a vault: it is stored, and executed in slices when its price or its time comes. Each
        slice is an intent, executed and billed like a vaultTrade.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "type": type,
            "pair": pair,
            "side": side,
            "share": share,
            "amount": amount,
            "limit_price": limit_price,
            "stop_price": stop_price,
            "take_profit_price": take_profit_price,
            "trail_percent": trail_percent,
            "trail_amount": trail_amount,
            "activation_price": activation_price,
            "max_impact": max_impact,
            "slippage": slippage,
            "expires_in": expires_in,
            "duration": duration,
            "interval": interval,
            "slices": slices,
            "catch_up": catch_up,
            "platform": platform,
            "reduce_only": reduce_only,
            "confirmations": confirmations,
            "paper": paper,
            "protocol": protocol,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[PlaceOrderResult]", await self._call_write(_PLACE_ORDER, _body, options)
        )

    async def place_order_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        type: Literal[
            "limit",
            "stop_loss",
            "take_profit",
            "bracket",
            "trailing_stop",
            "twap",
            "dca",
            "iceberg",
        ],
        pair: str,
        side: Literal["buy", "sell"],
        share: float | None = None,
        amount: str | None = None,
        limit_price: str | None = None,
        stop_price: str | None = None,
        take_profit_price: str | None = None,
        trail_percent: float | None = None,
        trail_amount: str | None = None,
        activation_price: str | None = None,
        max_impact: float | None = None,
        slippage: float | None = None,
        expires_in: str | None = None,
        duration: str | None = None,
        interval: str | None = None,
        slices: int | None = None,
        catch_up: bool | None = None,
        platform: str | None = None,
        reduce_only: bool | None = None,
        confirmations: int | None = None,
        paper: bool | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> PlaceOrderDryRun:
        """Plan only: Place an order of a vault: it is stored, and executed in slices when its price or its time
        comes. Each slice is an intent, executed and billed like a vaultTrade.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "type": type,
            "pair": pair,
            "side": side,
            "share": share,
            "amount": amount,
            "limit_price": limit_price,
            "stop_price": stop_price,
            "take_profit_price": take_profit_price,
            "trail_percent": trail_percent,
            "trail_amount": trail_amount,
            "activation_price": activation_price,
            "max_impact": max_impact,
            "slippage": slippage,
            "expires_in": expires_in,
            "duration": duration,
            "interval": interval,
            "slices": slices,
            "catch_up": catch_up,
            "platform": platform,
            "reduce_only": reduce_only,
            "confirmations": confirmations,
            "paper": paper,
            "protocol": protocol,
            "dryRun": True,
        }
        return cast(
            "PlaceOrderDryRun", await self._call(_PLACE_ORDER, _body, options)
        )

    async def amend_order(
        self,
        *,
        order: str,
        amount: str | None = None,
        limit_price: str | None = None,
        stop_price: str | None = None,
        take_profit_price: str | None = None,
        trail_percent: float | None = None,
        trail_amount: str | None = None,
        activation_price: str | None = None,
        max_impact: float | None = None,
        slippage: float | None = None,
        expires_in: str | None = None,
        options: CallOptions | None = None,
    ) -> AmendOrderResult:
        """Change terms of an order that has not ended; what is not given stays. The prices of a triggered order's
        trigger cannot be changed.
        """
        _body: dict[str, Any] = {
            "order": order,
            "amount": amount,
            "limit_price": limit_price,
            "stop_price": stop_price,
            "take_profit_price": take_profit_price,
            "trail_percent": trail_percent,
            "trail_amount": trail_amount,
            "activation_price": activation_price,
            "max_impact": max_impact,
            "slippage": slippage,
            "expires_in": expires_in,
        }
        return cast(
            "AmendOrderResult", await self._call(_AMEND_ORDER, _body, options)
        )

    async def cancel_order(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        order: str | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> CancelOrderResult:
        """Cancel an order of the vault, or all of them, even when no node answers. After `cancelled` nothing is
        traded; while `cancelling`, a slice in progress ends: one that is not planned is withdrawn, others
        count.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "order": order,
            "protocol": protocol,
        }
        return cast(
            "CancelOrderResult", await self._call(_CANCEL_ORDER, _body, options)
        )

    async def get_orders(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        all: bool | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetOrdersResult:
        """Orders of a vault, the newest first. Other wallets' orders are shown to the vault's own keys only.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "all": all,
            "limit": limit,
            "cursor": cursor,
            "protocol": protocol,
        }
        return cast(
            "GetOrdersResult", await self._call(_GET_ORDERS, _body, options)
        )

    async def get_order(
        self,
        *,
        order: str,
        options: CallOptions | None = None,
    ) -> GetOrderResult:
        """An order with its slices and its history, the newest first, a hundred of each at most.
        """
        _body: dict[str, Any] = {
            "order": order,
        }
        return cast(
            "GetOrderResult", await self._call(_GET_ORDER, _body, options)
        )

    async def set_guardian(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        kind: Literal["health_factor", "loss_breaker", "oracle", "gas"],
        floor: str | None = None,
        target: str | None = None,
        prefer: Sequence[Literal["repay", "unlend", "sell", "deleverage"]] | None = None,
        max_daily_loss: float | None = None,
        max_total_loss: float | None = None,
        close_into: str | None = None,
        close_positions: bool | None = None,
        max_age: str | None = None,
        max_depeg: float | None = None,
        assets: Sequence[str] | None = None,
        min_gas: str | None = None,
        target_gas: str | None = None,
        slippage: float | None = None,
        confirmations: int | None = None,
        paper: bool | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> SetGuardianResult:
        """Set a guardian of the vault: a rule that watches it all the time and acts, holds trades or reports. A
        vault has one of each kind; its actions are intents, executed and billed like the wallet's own
        requests.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "kind": kind,
            "floor": floor,
            "target": target,
            "prefer": prefer,
            "max_daily_loss": max_daily_loss,
            "max_total_loss": max_total_loss,
            "close_into": close_into,
            "close_positions": close_positions,
            "max_age": max_age,
            "max_depeg": max_depeg,
            "assets": assets,
            "min_gas": min_gas,
            "target_gas": target_gas,
            "slippage": slippage,
            "confirmations": confirmations,
            "paper": paper,
            "protocol": protocol,
        }
        return cast(
            "SetGuardianResult", await self._call(_SET_GUARDIAN, _body, options)
        )

    async def get_guardians(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetGuardiansResult:
        """The vault's guardians with their last readings, their actions and their history, fifty of each at most.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "GetGuardiansResult", await self._call(_GET_GUARDIANS, _body, options)
        )

    async def reset_guardian(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        kind: Literal["health_factor", "loss_breaker", "oracle", "gas"],
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> ResetGuardianResult:
        """Arm a guardian again, above all a loss breaker that has tripped: losses count from now on. Bots and
        orders that it has stopped stay stopped until resumeBot.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "kind": kind,
            "protocol": protocol,
        }
        return cast(
            "ResetGuardianResult", await self._call(_RESET_GUARDIAN, _body, options)
        )

    async def delete_guardian(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        kind: Literal["health_factor", "loss_breaker", "oracle", "gas"],
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> DeleteGuardianResult:
        """Delete a guardian of the vault, even when no node answers. Trades that it holds go on; an action that
        is already planned ends.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "kind": kind,
            "protocol": protocol,
        }
        return cast(
            "DeleteGuardianResult", await self._call(_DELETE_GUARDIAN, _body, options)
        )

    async def set_follower(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        leader: str,
        max_usd: str,
        base: str | None = None,
        ratio: float | None = None,
        threshold: float | None = None,
        max_weight: float | None = None,
        max_usd_interval: str | None = None,
        interval: str | None = None,
        assets: Sequence[str] | None = None,
        without: Sequence[str] | None = None,
        delay: str | None = None,
        slippage: float | None = None,
        max_impact: float | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> SetFollowerResult:
        """Make the vault follow a leader: it copies the weights of another vault, or of any address, within caps.
        Its trades are intents, executed and billed like the wallet's own requests. A vault follows one leader.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "leader": leader,
            "max_usd": max_usd,
            "base": base,
            "ratio": ratio,
            "threshold": threshold,
            "max_weight": max_weight,
            "max_usd_interval": max_usd_interval,
            "interval": interval,
            "assets": assets,
            "without": without,
            "delay": delay,
            "slippage": slippage,
            "max_impact": max_impact,
            "protocol": protocol,
        }
        return cast(
            "SetFollowerResult", await self._call(_SET_FOLLOWER, _body, options)
        )

    async def get_followers(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetFollowersResult:
        """The leader that the vault follows, with the last reading, the trades and the history, fifty of each at
        most; and the vaults that this key's wallet has set to follow the vault.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "GetFollowersResult", await self._call(_GET_FOLLOWERS, _body, options)
        )

    async def remove_follower(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> RemoveFollowerResult:
        """End that the vault follows a leader, even when no node answers. It keeps what it holds; a trade that is
        already planned ends.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "RemoveFollowerResult", await self._call(_REMOVE_FOLLOWER, _body, options)
        )

    async def get_strategies(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetStrategiesResult:
        """The strategies that a bot of the vault may run, with their inputs; of one that cannot be loaded, why.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "GetStrategiesResult", await self._call(_GET_STRATEGIES, _body, options)
        )

    async def set_strategy_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        strategy: str,
        assets: Sequence[str],
        interval: str,
        max_usd: str,
        inputs: str | None = None,
        quote: str | None = None,
        tolerance: float | None = None,
        slippage: float | None = None,
        max_impact: float | None = None,
        min_trade_usd: str | None = None,
        platform: str | None = None,
        mode: Literal["paper", "live"] | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> SetStrategyBotResult:
        """Set a bot that trades the vault by a strategy, on paper unless `mode=live`. It decides when a candle
        closes, and runs the file as it is now: a change of the file pauses it. Trades are billed like the
        wallet's own.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "strategy": strategy,
            "assets": assets,
            "interval": interval,
            "max_usd": max_usd,
            "inputs": inputs,
            "quote": quote,
            "tolerance": tolerance,
            "slippage": slippage,
            "max_impact": max_impact,
            "min_trade_usd": min_trade_usd,
            "platform": platform,
            "mode": mode,
            "protocol": protocol,
        }
        return cast(
            "SetStrategyBotResult", await self._call(_SET_STRATEGY_BOT, _body, options)
        )

    async def get_strategy_bots(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> GetStrategyBotsResult:
        """The vault's strategy bots: terms, the last fifty decisions with their trades, candles and history.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
        }
        return cast(
            "GetStrategyBotsResult", await self._call(_GET_STRATEGY_BOTS, _body, options)
        )

    async def delete_strategy_bot(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        strategy: str,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> DeleteStrategyBotResult:
        """Delete a strategy bot of the vault, even when no node answers. A trade that is already planned ends.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "strategy": strategy,
            "protocol": protocol,
        }
        return cast(
            "DeleteStrategyBotResult", await self._call(_DELETE_STRATEGY_BOT, _body, options)
        )

    async def register_cex_subaccount(
        self,
        *,
        manager: str,
        signature: str,
        exchange: Literal["binance", "bitget", "gate", "kucoin", "okx"],
        subaccount_name: str,
        cex_api_key: str,
        cex_secret: str,
        cex_passphrase: str | None = None,
        payment_network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        settings: RegisterCEXSubaccountSettings | None = None,
        options: CallOptions | None = None,
    ) -> RegisterCEXSubaccountResult:
        """Connect an account at an exchange to a gas wallet. Its balances are read from the exchange before
        anything is stored; keys with withdrawal rights are refused if the exchange reports those rights.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "exchange": exchange,
            "subaccount_name": subaccount_name,
            "cex_api_key": cex_api_key,
            "cex_secret": cex_secret,
            "cex_passphrase": cex_passphrase,
            "payment_network": payment_network,
            "settings": settings,
        }
        return cast(
            "RegisterCEXSubaccountResult", await self._call(_REGISTER_CEX_SUBACCOUNT, _body, options)
        )

    async def set_cex_side(
        self,
        *,
        subaccount_name: str,
        pair: str,
        side: Literal["long", "neutral", "hold"],
        max_usd: str,
        share: float,
        strategy: Literal["custom", "trend"] | None = None,
        take_profit: float | None = None,
        stop_loss: float | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[SetCEXSideResult]:
        """Keep one side of a pair on an exchange account: sets the bot and starts a turn at once; an executed
        order is billed as an exchange trade.
        """
        _body: dict[str, Any] = {
            "subaccount_name": subaccount_name,
            "pair": pair,
            "side": side,
            "max_usd": max_usd,
            "share": share,
            "strategy": strategy,
            "take_profit": take_profit,
            "stop_loss": stop_loss,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[SetCEXSideResult]", await self._call_write(_SET_CEX_SIDE, _body, options)
        )

    async def get_cex_side(
        self,
        *,
        subaccount_name: str,
        pair: str | None = None,
        options: CallOptions | None = None,
    ) -> GetCEXSideResult:
        """The bots of an exchange account, or the bot of one pair: their settings and their last decision with
        its reason.
        """
        _body: dict[str, Any] = {
            "subaccount_name": subaccount_name,
            "pair": pair,
        }
        return cast(
            "GetCEXSideResult", await self._call(_GET_CEX_SIDE, _body, options)
        )

    async def set_cex_strategy(
        self,
        *,
        subaccount_name: str,
        pair: str,
        strategy: Literal["custom", "trend"],
        options: CallOptions | None = None,
    ) -> SetCEXStrategyResult:
        """Choose what sets an exchange bot's side: setCEXSide (custom) or a named strategy.
        """
        _body: dict[str, Any] = {
            "subaccount_name": subaccount_name,
            "pair": pair,
            "strategy": strategy,
        }
        return cast(
            "SetCEXStrategyResult", await self._call(_SET_CEX_STRATEGY, _body, options)
        )

    async def deactivate_cex_bot(
        self,
        *,
        subaccount_name: str,
        pair: str,
        options: CallOptions | None = None,
    ) -> DeactivateCEXBotResult:
        """Stop an exchange bot and keep its configuration; setCEXSide reactivates it. An order in progress is
        tracked until it is final.
        """
        _body: dict[str, Any] = {
            "subaccount_name": subaccount_name,
            "pair": pair,
        }
        return cast(
            "DeactivateCEXBotResult", await self._call(_DEACTIVATE_CEX_BOT, _body, options)
        )

    async def delete_cex_bot(
        self,
        *,
        subaccount_name: str,
        pair: str,
        options: CallOptions | None = None,
    ) -> DeleteCEXBotResult:
        """Remove an exchange bot. An order in progress is tracked until it is final.
        """
        _body: dict[str, Any] = {
            "subaccount_name": subaccount_name,
            "pair": pair,
        }
        return cast(
            "DeleteCEXBotResult", await self._call(_DELETE_CEX_BOT, _body, options)
        )

    async def delete_cex_subaccount(
        self,
        *,
        manager: str,
        signature: str,
        subaccount_name: str,
        options: CallOptions | None = None,
    ) -> DeleteCEXSubaccountResult:
        """Remove an exchange account, its credentials and all its bots. Signed by the manager who connected it.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "subaccount_name": subaccount_name,
        }
        return cast(
            "DeleteCEXSubaccountResult", await self._call(_DELETE_CEX_SUBACCOUNT, _body, options)
        )

    async def get_all_cex_subaccounts(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        options: CallOptions | None = None,
    ) -> GetAllCEXSubaccountsResult:
        """The exchange accounts of the key's wallet, or all that the signing manager registered, with their bots.
        Credentials are never shown.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
        }
        return cast(
            "GetAllCEXSubaccountsResult", await self._call(_GET_ALL_CEX_SUBACCOUNTS, _body, options)
        )

    async def get_cex_orders(
        self,
        *,
        subaccount_name: str,
        pair: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> GetCEXOrdersResult:
        """The turns and orders of an exchange account, newest first, in pages: decisions, orders sent and fills.
        """
        _body: dict[str, Any] = {
            "subaccount_name": subaccount_name,
            "pair": pair,
            "limit": limit,
            "cursor": cursor,
        }
        return cast(
            "GetCEXOrdersResult", await self._call(_GET_CEX_ORDERS, _body, options)
        )

    async def get_candles(
        self,
        *,
        exchange: str | None = None,
        pair: str | None = None,
        timeframe: str | None = None,
        bars_back: int | None = None,
        before: int | None = None,
        options: CallOptions | None = None,
    ) -> GetCandlesResult:
        """Closed OHLCV candles of a pair on an exchange, oldest first; stored here, so that the history is kept.
        """
        _body: dict[str, Any] = {
            "exchange": exchange,
            "pair": pair,
            "timeframe": timeframe,
            "bars_back": bars_back,
            "before": before,
        }
        return cast(
            "GetCandlesResult", await self._call(_GET_CANDLES, _body, options)
        )

    async def get_ticks(
        self,
        *,
        exchange: str | None = None,
        pair: str | None = None,
        options: CallOptions | None = None,
    ) -> GetTicksResult:
        """Latest price of a pair on an exchange.
        """
        _body: dict[str, Any] = {
            "exchange": exchange,
            "pair": pair,
        }
        return cast(
            "GetTicksResult", await self._call(_GET_TICKS, _body, options)
        )

    async def get_intent(
        self,
        *,
        intent_id: str,
        options: CallOptions | None = None,
    ) -> GetIntentResult:
        """Returns the state of one accepted request, its transaction and, once final, its result or failure.
        """
        _body: dict[str, Any] = {
            "intent_id": intent_id,
        }
        return cast(
            "GetIntentResult", await self._call(_GET_INTENT, _body, options)
        )

    async def get_intents(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        pool: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> GetIntentsResult:
        """The wallet's accepted requests and the turns of its exchange bots, newest first, in pages. With
        `network` or `pool`, only those of that network or vault.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "limit": limit,
            "cursor": cursor,
        }
        return cast(
            "GetIntentsResult", await self._call(_GET_INTENTS, _body, options)
        )

    async def eth_price(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> EthPriceResult:
        """The USD price of one ether, checked against a second source.
        """
        _body: dict[str, Any] = {
            "network": network,
        }
        return cast(
            "EthPriceResult", await self._call(_ETH_PRICE, _body, options)
        )

    async def token_price(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        token: str | None = None,
        asset: str | None = None,
        options: CallOptions | None = None,
    ) -> TokenPriceResult:
        """The USD price of one whole token of a network, by default the native one, checked against a second
        source.
        """
        _body: dict[str, Any] = {
            "network": network,
            "token": token,
            "asset": asset,
        }
        return cast(
            "TokenPriceResult", await self._call(_TOKEN_PRICE, _body, options)
        )

    async def calculate_fee(
        self,
        *,
        action: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        options: CallOptions | None = None,
    ) -> CalculateFeeResult:
        """The price of an action on a network, in USD and in native token now.
        """
        _body: dict[str, Any] = {
            "action": action,
            "network": network,
        }
        return cast(
            "CalculateFeeResult", await self._call(_CALCULATE_FEE, _body, options)
        )

    async def api_cex_calculate_fee(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> ApiCexCalculateFeeResult:
        """The price of a trade at an exchange, in USD and in the native token of the payment network now.
        """
        _body: dict[str, Any] = {
            "network": network,
        }
        return cast(
            "ApiCexCalculateFeeResult", await self._call(_API_CEX_CALCULATE_FEE, _body, options)
        )

    async def all_actions(
        self,
        *,
        options: CallOptions | None = None,
    ) -> AllActionsResult:
        """Every action with its price class and price.
        """
        _body: dict[str, Any] = {}
        return cast(
            "AllActionsResult", await self._call(_ALL_ACTIONS, _body, options)
        )

    async def test(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        options: CallOptions | None = None,
    ) -> TestResult:
        """Check that a network is served, and how fresh its newest block is.
        """
        _body: dict[str, Any] = {
            "network": network,
        }
        return cast(
            "TestResult", await self._call(_TEST, _body, options)
        )

    async def api_cex_charge_fee(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        action: str | None = None,
        order_id: str | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[ApiCexChargeFeeResult]:
        """Charge the wallet for a trade at an exchange, once per order; the charge is paid with the wallet's
        other charges.
        """
        _body: dict[str, Any] = {
            "network": network,
            "action": action,
            "order_id": order_id,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[ApiCexChargeFeeResult]", await self._call_write(_API_CEX_CHARGE_FEE, _body, options)
        )

    async def api_cex_charge_fee_dry_run(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        action: str | None = None,
        order_id: str | None = None,
        options: CallOptions | None = None,
    ) -> ApiCexChargeFeeDryRun:
        """Plan only: Charge the wallet for a trade at an exchange, once per order; the charge is paid with the
        wallet's other charges.
        """
        _body: dict[str, Any] = {
            "network": network,
            "action": action,
            "order_id": order_id,
            "dryRun": True,
        }
        return cast(
            "ApiCexChargeFeeDryRun", await self._call(_API_CEX_CHARGE_FEE, _body, options)
        )

    async def get_charges(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        format: Literal["json", "csv"] | None = None,
        options: CallOptions | None = None,
    ) -> GetChargesResult:
        """The wallet's charges, newest first, in pages: each with its price and payment status.
        """
        _body: dict[str, Any] = {
            "network": network,
            "from": from_,
            "to": to,
            "limit": limit,
            "cursor": cursor,
            "format": format,
        }
        return cast(
            "GetChargesResult", await self._call(_GET_CHARGES, _body, options)
        )

    async def get_report(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        protocol: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        format: Literal["json", "csv"] | None = None,
        options: CallOptions | None = None,
    ) -> GetReportResult:
        """The wallet's activity on one vault, day by day: fees, gas, slippage against the oracle, and the gain of
        the vault's token.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "protocol": protocol,
            "from": from_,
            "to": to,
            "format": format,
        }
        return cast(
            "GetReportResult", await self._call(_GET_REPORT, _body, options)
        )

    async def signing_payload(
        self,
        *,
        action: str,
        manager: str,
        subject: str | None = None,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        params: dict[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> SigningPayloadResult:
        """Returns the EIP-712 typed data that a manager signs, and the prefix that turns the signature into a
        `signature` parameter.
        """
        _body: dict[str, Any] = {
            "action": action,
            "manager": manager,
            "subject": subject,
            "network": network,
            "params": params,
        }
        return cast(
            "SigningPayloadResult", await self._call(_SIGNING_PAYLOAD, _body, options)
        )

    async def associate_gas_wallet(
        self,
        *,
        manager: str,
        signature: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        label: str | None = None,
        private_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AssociateGasWalletResult:
        """Add the key's wallet to the manager's list; the signature's subject is the wallet's address. For a new
        wallet the key suffices; any other needs its private key, or a manager who manages every vault it
        trades.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "network": network,
            "label": label,
            "privateKey": private_key,
        }
        return cast(
            "AssociateGasWalletResult", await self._call(_ASSOCIATE_GAS_WALLET, _body, options)
        )

    async def deassociate_gas_wallet(
        self,
        *,
        wallet: str,
        manager: str,
        signature: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> DeassociateGasWalletResult:
        """Remove a wallet from the manager's list; the signature's subject is the wallet's address.
        """
        _body: dict[str, Any] = {
            "wallet": wallet,
            "manager": manager,
            "signature": signature,
            "network": network,
        }
        return cast(
            "DeassociateGasWalletResult", await self._call(_DEASSOCIATE_GAS_WALLET, _body, options)
        )

    async def get_associated_gas_wallets(
        self,
        *,
        manager: str,
        signature: str,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> GetAssociatedGasWalletsResult:
        """The wallets in the manager's list; the signature's subject is the manager's own address.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "network": network,
        }
        return cast(
            "GetAssociatedGasWalletsResult", await self._call(_GET_ASSOCIATED_GAS_WALLETS, _body, options)
        )

    async def set_key_limits(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        wallet: str | None = None,
        vaults: Sequence[str] | None = None,
        max_usd_per_trade: str | None = None,
        max_usd_per_day: str | None = None,
        read_only: bool | None = None,
        options: CallOptions | None = None,
    ) -> SetKeyLimitsResult:
        """Set the limits of a wallet's key, which rotation keeps. With the key, limits can only be lowered; with
        a signature (subject: the wallet), the manager who set them may also raise them.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "network": network,
            "wallet": wallet,
            "vaults": vaults,
            "max_usd_per_trade": max_usd_per_trade,
            "max_usd_per_day": max_usd_per_day,
            "read_only": read_only,
        }
        return cast(
            "SetKeyLimitsResult", await self._call(_SET_KEY_LIMITS, _body, options)
        )

    async def get_audit_log(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        wallet: str | None = None,
        action: Literal[
            "wallet.created",
            "wallet.imported",
            "wallet.purged",
            "key.issued",
            "key.revoked",
            "key.sub_created",
            "key.sub_revoked",
            "wallet.added",
            "wallet.associated",
            "wallet.removed",
            "wallet.renamed",
            "limits.lowered",
            "limits.raised",
            "switch.on",
            "switch.off",
            "token.created",
            "token.set",
            "token.revoked",
            "webhook.set",
            "webhook.deleted",
            "channel.set",
            "channel.bound",
            "channel.deleted",
            "channel.command",
            "exchange.registered",
            "exchange.deleted",
            "bot.set",
            "bot.paused",
            "bot.deleted",
            "order.placed",
            "order.amended",
            "order.cancelled",
            "guardian.set",
            "guardian.tripped",
            "guardian.reset",
            "guardian.deleted",
            "follower.set",
            "follower.stopped",
            "follower.removed",
            "group.set",
            "group.removed",
            "vault.linked",
            "vault.unlinked",
            "lane.quarantined",
            "lane.released",
            "kek.rewrapped",
            "session.opened",
            "session.closed",
            "row.refused",
            "row.set_aside",
            "transactions.signed",
            "approval.requested",
            "approval.voted",
            "approval.decided",
            "audit.sealed",
        ] | None = None,
        limit: int | None = None,
        cursor: int | None = None,
        options: CallOptions | None = None,
    ) -> GetAuditLogResult:
        """The audit log, newest first, of the key's wallet or of every wallet in the manager's list: changes of
        keys, limits, switches, bots and managers, and signed transactions.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "network": network,
            "wallet": wallet,
            "action": action,
            "limit": limit,
            "cursor": cursor,
        }
        return cast(
            "GetAuditLogResult", await self._call(_GET_AUDIT_LOG, _body, options)
        )

    async def get_wallet_authority(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        wallet: str | None = None,
        private_key: str | None = None,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> GetWalletAuthorityResult:
        """Everything that can act for a wallet: its API key and sub-keys, managers and their sessions, chart
        alert tokens, webhooks, channels, bots, orders, guardians, followers, exchange accounts, delegations;
        its limits and switches; and when each was last used. For the wallet's API key, a manager of its list
        (subject: the wallet), or its private key, for instance before rotation.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "wallet": wallet,
            "privateKey": private_key,
            "network": network,
        }
        return cast(
            "GetWalletAuthorityResult", await self._call(_GET_WALLET_AUTHORITY, _body, options)
        )

    async def create_sub_key(
        self,
        *,
        label: str | None = None,
        scopes: Sequence[str] | None = None,
        endpoints: Sequence[str] | None = None,
        vaults: Sequence[str] | None = None,
        max_usd_per_trade: str | None = None,
        max_usd_per_day: str | None = None,
        sources: Sequence[str] | None = None,
        days: int | None = None,
        options: CallOptions | None = None,
    ) -> CreateSubKeyResult:
        """Make a sub-key: an API key for an agent or a script that acts for the same wallet within bounds of its
        own, and ends with the key that made it. It reads only, unless `scopes` allows changes. It is shown
        only once.
        """
        _body: dict[str, Any] = {
            "label": label,
            "scopes": scopes,
            "endpoints": endpoints,
            "vaults": vaults,
            "max_usd_per_trade": max_usd_per_trade,
            "max_usd_per_day": max_usd_per_day,
            "sources": sources,
            "days": days,
        }
        return cast(
            "CreateSubKeyResult", await self._call(_CREATE_SUB_KEY, _body, options)
        )

    async def get_sub_keys(
        self,
        *,
        options: CallOptions | None = None,
    ) -> GetSubKeysResult:
        """The sub-keys of the key's wallet that have not ended, without the keys themselves.
        """
        _body: dict[str, Any] = {}
        return cast(
            "GetSubKeysResult", await self._call(_GET_SUB_KEYS, _body, options)
        )

    async def revoke_sub_key(
        self,
        *,
        sub_key_id: str,
        options: CallOptions | None = None,
    ) -> RevokeSubKeyResult:
        """End a sub-key of the key's wallet, or all of them, at once.
        """
        _body: dict[str, Any] = {
            "sub_key_id": sub_key_id,
        }
        return cast(
            "RevokeSubKeyResult", await self._call(_REVOKE_SUB_KEY, _body, options)
        )

    async def get_approvals(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        all: bool | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> GetApprovalsResult:
        """Changes that wait for approvals, newest first: an approver sees all of them, others those about their
        wallets. `all` adds those that ended.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "network": network,
            "all": all,
            "limit": limit,
        }
        return cast(
            "GetApprovalsResult", await self._call(_GET_APPROVALS, _body, options)
        )

    async def approve_change(
        self,
        *,
        request: str,
        change: str,
        manager: str,
        signature: str,
        options: CallOptions | None = None,
    ) -> ApproveChangeResult:
        """Approve a change as one of the service's approvers; the signature's subject is the change with its
        digest.
        """
        _body: dict[str, Any] = {
            "request": request,
            "change": change,
            "manager": manager,
            "signature": signature,
        }
        return cast(
            "ApproveChangeResult", await self._call(_APPROVE_CHANGE, _body, options)
        )

    async def veto_change(
        self,
        *,
        request: str,
        change: str,
        manager: str,
        signature: str,
        options: CallOptions | None = None,
    ) -> VetoChangeResult:
        """Veto a change as one of the service's approvers, which ends its request; nothing is changed.
        """
        _body: dict[str, Any] = {
            "request": request,
            "change": change,
            "manager": manager,
            "signature": signature,
        }
        return cast(
            "VetoChangeResult", await self._call(_VETO_CHANGE, _body, options)
        )

    async def create_webhook_token(
        self,
        *,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ],
        pool: str,
        pair: str,
        label: str | None = None,
        protocol: str | None = None,
        options: CallOptions | None = None,
    ) -> CreateWebhookTokenResult:
        """Create a token for a chart alert's URL: it sets the side of this vault's bot on this pair and can do
        nothing else. It is shown only once.
        """
        _body: dict[str, Any] = {
            "network": network,
            "pool": pool,
            "pair": pair,
            "label": label,
            "protocol": protocol,
        }
        return cast(
            "CreateWebhookTokenResult", await self._call(_CREATE_WEBHOOK_TOKEN, _body, options)
        )

    async def revoke_webhook_token(
        self,
        *,
        token_id: str,
        options: CallOptions | None = None,
    ) -> RevokeWebhookTokenResult:
        """Revoke a webhook token of the key's wallet, or all of them, at once.
        """
        _body: dict[str, Any] = {
            "token_id": token_id,
        }
        return cast(
            "RevokeWebhookTokenResult", await self._call(_REVOKE_WEBHOOK_TOKEN, _body, options)
        )

    async def get_webhook_tokens(
        self,
        *,
        options: CallOptions | None = None,
    ) -> GetWebhookTokensResult:
        """The webhook tokens of the key's wallet, without the tokens themselves.
        """
        _body: dict[str, Any] = {}
        return cast(
            "GetWebhookTokensResult", await self._call(_GET_WEBHOOK_TOKENS, _body, options)
        )

    async def set_webhook_token(
        self,
        *,
        token_id: str,
        muted: bool | None = None,
        quiet_hours: str | None = None,
        sources: str | None = None,
        rate: str | None = None,
        max_age: str | None = None,
        bots: Sequence[dict[str, Any]] | None = None,
        options: CallOptions | None = None,
    ) -> SetWebhookTokenResult:
        """Set when a webhook token's alerts count, and which bots they drive; what is not given stays as it is.
        """
        _body: dict[str, Any] = {
            "token_id": token_id,
            "muted": muted,
            "quiet_hours": quiet_hours,
            "sources": sources,
            "rate": rate,
            "max_age": max_age,
            "bots": bots,
        }
        return cast(
            "SetWebhookTokenResult", await self._call(_SET_WEBHOOK_TOKEN, _body, options)
        )

    async def webhook(
        self,
        *,
        token: str,
        side: Literal[
            "long",
            "buy",
            "short",
            "open",
            "neutral",
            "flat",
            "sell",
            "close",
            "exit",
            "hold",
        ] | None = None,
        action: Literal[
            "long",
            "buy",
            "short",
            "open",
            "neutral",
            "flat",
            "sell",
            "close",
            "exit",
            "hold",
        ] | None = None,
        market_position: Literal[
            "long",
            "buy",
            "short",
            "open",
            "neutral",
            "flat",
            "sell",
            "close",
            "exit",
            "hold",
        ] | None = None,
        alert: str | None = None,
        percent: float | None = None,
        timestamp: str | None = None,
        max_lag: int | None = None,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[WebhookResult]:
        """Receives chart alerts: sets the side of the token's bots, which keep their other settings, and begins a
        rebalance.
        """
        _body: dict[str, Any] = {
            "token": token,
            "side": side,
            "action": action,
            "market_position": market_position,
            "alert": alert,
            "percent": percent,
            "timestamp": timestamp,
            "max_lag": max_lag,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[WebhookResult]", await self._call_write(_WEBHOOK, _body, options)
        )

    async def test_webhook(
        self,
        *,
        token: str,
        side: Literal[
            "long",
            "buy",
            "short",
            "open",
            "neutral",
            "flat",
            "sell",
            "close",
            "exit",
            "hold",
        ] | None = None,
        action: Literal[
            "long",
            "buy",
            "short",
            "open",
            "neutral",
            "flat",
            "sell",
            "close",
            "exit",
            "hold",
        ] | None = None,
        market_position: Literal[
            "long",
            "buy",
            "short",
            "open",
            "neutral",
            "flat",
            "sell",
            "close",
            "exit",
            "hold",
        ] | None = None,
        alert: str | None = None,
        percent: float | None = None,
        timestamp: str | None = None,
        max_lag: int | None = None,
        options: CallOptions | None = None,
    ) -> TestWebhookResult:
        """Returns what an alert with this body would do; nothing is stored and nothing is traded.
        """
        _body: dict[str, Any] = {
            "token": token,
            "side": side,
            "action": action,
            "market_position": market_position,
            "alert": alert,
            "percent": percent,
            "timestamp": timestamp,
            "max_lag": max_lag,
        }
        return cast(
            "TestWebhookResult", await self._call(_TEST_WEBHOOK, _body, options)
        )

    async def get_signals(
        self,
        *,
        token_id: str | None = None,
        network: Literal[
            "optimism",
            "base",
            "arbitrum",
            "polygon",
            "ethereum",
            "hyperliquid",
            "plasma",
            "mainnet",
        ] | None = None,
        pool: str | None = None,
        state: Literal["accepted", "waiting", "ignored", "refused"] | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> GetSignalsResult:
        """The signals that came for the wallet's bots (chart alerts, setBot and replays), newest first, in pages:
        body, what was understood, and the result at each bot.
        """
        _body: dict[str, Any] = {
            "token_id": token_id,
            "network": network,
            "pool": pool,
            "state": state,
            "since": since,
            "until": until,
            "limit": limit,
            "cursor": cursor,
        }
        return cast(
            "GetSignalsResult", await self._call(_GET_SIGNALS, _body, options)
        )

    async def replay_signal(
        self,
        *,
        signal_id: str,
        idempotency_key: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncWrite[ReplaySignalResult]:
        """Carry out a refused or ignored chart alert as a new signal, at most once, whatever the rules of its
        token say; a repeat returns the first replay.
        """
        _body: dict[str, Any] = {
            "signal_id": signal_id,
            "idempotency_key": idempotency_key,
        }
        return cast(
            "AsyncWrite[ReplaySignalResult]", await self._call_write(_REPLAY_SIGNAL, _body, options)
        )

    async def set_webhook(
        self,
        *,
        url: str,
        manager: str | None = None,
        signature: str | None = None,
        events: Sequence[Literal[
            "intent.succeeded",
            "intent.failed",
            "intent.reopened",
            "order.triggered",
            "order.filled",
            "order.ended",
            "exchange.filled",
            "exchange.failed",
            "exchange.triggered",
            "index.drifted",
            "gas.low",
            "bot.paused",
            "signing.stopped",
            "signing.resumed",
            "wallet.alert",
            "lane.released",
            "authority.changed",
            "health.low",
            "health.recovered",
            "guardian.tripped",
            "guardian.cleared",
            "guardian.failed",
            "follower.stopped",
            "follower.failed",
            "strategy.paused",
            "charge.booked",
            "charge.paid",
            "network.down",
            "network.recovered",
            "approval.requested",
            "approval.decided",
        ]] | None = None,
        options: CallOptions | None = None,
    ) -> SetWebhookResult:
        """Post events to a URL, signed per Standard Webhooks; the secret is shown only in this response. Setting
        the same URL again creates a new secret.
        """
        _body: dict[str, Any] = {
            "url": url,
            "manager": manager,
            "signature": signature,
            "events": events,
        }
        return cast(
            "SetWebhookResult", await self._call(_SET_WEBHOOK, _body, options)
        )

    async def delete_webhook(
        self,
        *,
        webhook_id: str,
        manager: str | None = None,
        signature: str | None = None,
        options: CallOptions | None = None,
    ) -> DeleteWebhookResult:
        """Delete a webhook and its pending deliveries.
        """
        _body: dict[str, Any] = {
            "webhook_id": webhook_id,
            "manager": manager,
            "signature": signature,
        }
        return cast(
            "DeleteWebhookResult", await self._call(_DELETE_WEBHOOK, _body, options)
        )

    async def get_webhooks(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        options: CallOptions | None = None,
    ) -> GetWebhooksResult:
        """The webhooks of the key's wallet, or of the manager, without their secrets.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
        }
        return cast(
            "GetWebhooksResult", await self._call(_GET_WEBHOOKS, _body, options)
        )

    async def get_webhook_deliveries(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        webhook_id: str | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> GetWebhookDeliveriesResult:
        """The newest deliveries of the owner's webhooks, with the outcome of each and the time of its next
        attempt.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "webhook_id": webhook_id,
            "limit": limit,
        }
        return cast(
            "GetWebhookDeliveriesResult", await self._call(_GET_WEBHOOK_DELIVERIES, _body, options)
        )

    async def create_channel(
        self,
        *,
        kind: Literal["telegram", "discord", "slack", "email", "ntfy", "http", "push"],
        name: str,
        manager: str | None = None,
        signature: str | None = None,
        events: Sequence[Literal[
            "intent.succeeded",
            "intent.failed",
            "intent.reopened",
            "order.triggered",
            "order.filled",
            "order.ended",
            "exchange.filled",
            "exchange.failed",
            "exchange.triggered",
            "index.drifted",
            "gas.low",
            "bot.paused",
            "signing.stopped",
            "signing.resumed",
            "wallet.alert",
            "lane.released",
            "authority.changed",
            "health.low",
            "health.recovered",
            "guardian.tripped",
            "guardian.cleared",
            "guardian.failed",
            "follower.stopped",
            "follower.failed",
            "strategy.paused",
            "charge.booked",
            "charge.paid",
            "network.down",
            "network.recovered",
            "approval.requested",
            "approval.decided",
        ]] | None = None,
        url: str | None = None,
        access_token: str | None = None,
        subscription: CreateChannelSubscription | None = None,
        smtp_host: str | None = None,
        smtp_port: int | None = None,
        smtp_user: str | None = None,
        smtp_password: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        quiet_hours: str | None = None,
        digest_minutes: int | None = None,
        max_per_hour: int | None = None,
        commands: Literal["none", "status", "pause", "resume"] | None = None,
        templates: dict[str, Any] | None = None,
        enabled: bool | None = None,
        options: CallOptions | None = None,
    ) -> CreateChannelResult:
        """Send events to Telegram, Discord, Slack, an e-mail address, an ntfy topic, a browser or a URL. Of
        telegram the response has a one-time code that the owner sends to the bot; the chat gets nothing
        before.
        """
        _body: dict[str, Any] = {
            "kind": kind,
            "name": name,
            "manager": manager,
            "signature": signature,
            "events": events,
            "url": url,
            "access_token": access_token,
            "subscription": subscription,
            "smtp_host": smtp_host,
            "smtp_port": smtp_port,
            "smtp_user": smtp_user,
            "smtp_password": smtp_password,
            "from": from_,
            "to": to,
            "quiet_hours": quiet_hours,
            "digest_minutes": digest_minutes,
            "max_per_hour": max_per_hour,
            "commands": commands,
            "templates": templates,
            "enabled": enabled,
        }
        return cast(
            "CreateChannelResult", await self._call(_CREATE_CHANNEL, _body, options)
        )

    async def update_channel(
        self,
        *,
        channel_id: str,
        manager: str | None = None,
        signature: str | None = None,
        name: str | None = None,
        events: Sequence[Literal[
            "intent.succeeded",
            "intent.failed",
            "intent.reopened",
            "order.triggered",
            "order.filled",
            "order.ended",
            "exchange.filled",
            "exchange.failed",
            "exchange.triggered",
            "index.drifted",
            "gas.low",
            "bot.paused",
            "signing.stopped",
            "signing.resumed",
            "wallet.alert",
            "lane.released",
            "authority.changed",
            "health.low",
            "health.recovered",
            "guardian.tripped",
            "guardian.cleared",
            "guardian.failed",
            "follower.stopped",
            "follower.failed",
            "strategy.paused",
            "charge.booked",
            "charge.paid",
            "network.down",
            "network.recovered",
            "approval.requested",
            "approval.decided",
        ]] | None = None,
        url: str | None = None,
        access_token: str | None = None,
        subscription: UpdateChannelSubscription | None = None,
        smtp_host: str | None = None,
        smtp_port: int | None = None,
        smtp_user: str | None = None,
        smtp_password: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        quiet_hours: str | None = None,
        digest_minutes: int | None = None,
        max_per_hour: int | None = None,
        commands: Literal["none", "status", "pause", "resume"] | None = None,
        templates: dict[str, Any] | None = None,
        enabled: bool | None = None,
        bind: bool | None = None,
        options: CallOptions | None = None,
    ) -> UpdateChannelResult:
        """Change a channel; what is not given stays. With another bot the chat has to be bound again.
        """
        _body: dict[str, Any] = {
            "channel_id": channel_id,
            "manager": manager,
            "signature": signature,
            "name": name,
            "events": events,
            "url": url,
            "access_token": access_token,
            "subscription": subscription,
            "smtp_host": smtp_host,
            "smtp_port": smtp_port,
            "smtp_user": smtp_user,
            "smtp_password": smtp_password,
            "from": from_,
            "to": to,
            "quiet_hours": quiet_hours,
            "digest_minutes": digest_minutes,
            "max_per_hour": max_per_hour,
            "commands": commands,
            "templates": templates,
            "enabled": enabled,
            "bind": bind,
        }
        return cast(
            "UpdateChannelResult", await self._call(_UPDATE_CHANNEL, _body, options)
        )

    async def delete_channel(
        self,
        *,
        channel_id: str,
        manager: str | None = None,
        signature: str | None = None,
        options: CallOptions | None = None,
    ) -> DeleteChannelResult:
        """Delete a channel and what it was still to receive; its chat no longer commands anything.
        """
        _body: dict[str, Any] = {
            "channel_id": channel_id,
            "manager": manager,
            "signature": signature,
        }
        return cast(
            "DeleteChannelResult", await self._call(_DELETE_CHANNEL, _body, options)
        )

    async def test_channel(
        self,
        *,
        channel_id: str,
        manager: str | None = None,
        signature: str | None = None,
        options: CallOptions | None = None,
    ) -> TestChannelResult:
        """Send a test message now and report what the receiver answered; at most one in ten seconds.
        """
        _body: dict[str, Any] = {
            "channel_id": channel_id,
            "manager": manager,
            "signature": signature,
        }
        return cast(
            "TestChannelResult", await self._call(_TEST_CHANNEL, _body, options)
        )

    async def get_channels(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        options: CallOptions | None = None,
    ) -> GetChannelsResult:
        """The notification channels of the key's wallet, or of the manager, without their secrets.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
        }
        return cast(
            "GetChannelsResult", await self._call(_GET_CHANNELS, _body, options)
        )

    async def get_channel_messages(
        self,
        *,
        manager: str | None = None,
        signature: str | None = None,
        channel_id: str | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> GetChannelMessagesResult:
        """The newest messages of the owner's channels: sent, waiting, or dropped, with the reason.
        """
        _body: dict[str, Any] = {
            "manager": manager,
            "signature": signature,
            "channel_id": channel_id,
            "limit": limit,
        }
        return cast(
            "GetChannelMessagesResult", await self._call(_GET_CHANNEL_MESSAGES, _body, options)
        )

    async def llm_introspect(
        self,
        *,
        endpoint: str | None = None,
        category: str | None = None,
        compact: bool | None = None,
        options: CallOptions | None = None,
    ) -> LlmIntrospectResult:
        """Machine-readable metadata of every endpoint: parameters, classes, charges, codes, recipes.
        """
        _body: dict[str, Any] = {
            "endpoint": endpoint,
            "category": category,
            "compact": compact,
        }
        return cast(
            "LlmIntrospectResult", await self._call(_LLM_INTROSPECT, _body, options)
        )
